import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EvidencePackPlan, EvidencePackResult, Job, ReportFormat } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { getPayloadPath, type ManifestEntry } from '../bagit/bag-format.ts';
import type { ExportSourceFile } from '../bagit/bag-target.ts';
import { verifyBagAtPath } from '../bagit/verify-bag.ts';
import { writeBag } from '../bagit/write-bag.ts';
import { openZipTarget } from '../bagit/zip-target.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createReportSource, type PeriodEvidence } from '../period-report/report-source.ts';
import { writeReportFile } from '../period-report/write-report.ts';
import { readSignedOffPeriodLists } from '../periods/signed-off-period.ts';
import { resolveOutputFile } from '../shared/output-file.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { addEvidencePackResult, readEvidencePackAuditLog } from '../store/evidence-pack/pack-rows.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { openSiteSnapshot } from '../workpaper/site-snapshot.ts';
import type { WorkpaperSite } from '../workpaper/workpaper-site.ts';
import {
  createPackContents,
  type EvidencePackSources,
  listPackStatements,
  PACK_FILES_ACTION,
} from './pack-contents.ts';

const REPORT_FORMATS: readonly ReportFormat[] = ['pdf', 'xlsx', 'csv', 'json'];
/** Maximum number of missing statements named in the result. The pack's index names all of them. */
const MAX_MISSING_LISTED = 1000;

/** Returns the contents and size that a pack of a period would have. */
export function previewEvidencePack(site: WorkpaperSite, period: string): EvidencePackPlan {
  const lists = readSignedOffPeriodLists(site, period);
  const plan = { site: site.file.site, period, statements: 0, not_stored: 0, sources: 0, bytes: 0 };
  for (const source of lists.sources()) {
    plan.sources++;
    plan.bytes += source.bytes;
  }
  for (const { bytes } of listPackStatements(site, lists)) {
    plan.statements++;
    if (bytes === null) plan.not_stored++;
    plan.bytes += bytes ?? 0;
  }
  return plan;
}

/** Starts a job that writes the evidence pack of a period. Throws the errors of `resolveOutputFile`. */
export async function startEvidencePackJob(
  tools: CommandContext,
  { site, period, path, replace }: { site: string; period: string; path: string; replace: boolean },
): Promise<Job> {
  const open = tools.stores.open(site);
  const { path: targetPath } = resolveOutputFile(path, {
    home: tools.home,
    replace,
    extension: '.zip',
    isSeekable: true,
  });
  return tools.jobs.start({
    site,
    kind: 'pack',
    noun: 'an evidence pack',
    books: open.books,
    run: (job) => writePack(tools, open, { period, targetPath }, job),
  });
}

async function writePack(
  tools: CommandContext,
  open: OpenSite,
  { period, targetPath }: { period: string; targetPath: string },
  job: JobHandle,
): Promise<string> {
  const now = tools.now();
  const site = openSiteSnapshot(open);
  const reportFolder = await createReportFolder(open.folder);
  let result: EvidencePackResult;
  try {
    const report = await createReportSource(site, period, { now, version: tools.version });
    const reports = await writeReports(report, reportFolder, job);
    const recordFiles = (files: readonly ManifestEntry[]) => recordPackFiles(tools, open, period, files);
    const inputs = { site, report, reports, made_by: tools.user, now, recordFiles };
    result = await writeZip(inputs, targetPath, job);
  } finally {
    site.close();
    await rm(reportFolder, { recursive: true, force: true });
  }
  const { files, bytes, checksum, digest, not_stored, problems } = result;
  runInTransaction(open.books, () => {
    addEvidencePackResult(open.books, { job: job.id, period, made_at: now, result: JSON.stringify(result) });
    addAuditEntry(open.books, {
      at: tools.now(),
      user: tools.user,
      action: 'pack.write',
      subject: period,
      detail: { path: targetPath, files, bytes, checksum, digest, not_stored, problems },
    });
  });
  tools.changes.emit(job.site, 'periods', 'audit');
  return summarizePack(result);
}

/**
 * Records the checksums of a pack's files in the audit log. Statement PDFs are left out, because the index contains
 * their checksums. Yields the text of the log up to this entry, so that the pack proves its own files.
 */
function* recordPackFiles(
  { now, user }: CommandContext,
  open: OpenSite,
  period: string,
  files: readonly ManifestEntry[],
): Generator<string> {
  const detail = { files: Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256])) };
  const { entries } = runInTransaction(open.books, () =>
    addAuditEntry(open.books, { at: now(), user, action: PACK_FILES_ACTION, subject: period, detail }),
  );
  const site = openSiteSnapshot(open);
  try {
    yield* readEvidencePackAuditLog(site.books, entries);
  } finally {
    site.close();
  }
}

/** Creates an empty folder for the report files. Deletes files left there by an interrupted job. */
async function createReportFolder(folder: string): Promise<string> {
  const reportFolder = join(folder, 'pack');
  await rm(reportFolder, { recursive: true, force: true });
  await mkdir(reportFolder, { mode: 0o700 });
  return reportFolder;
}

async function writeReports(
  report: PeriodEvidence,
  folder: string,
  job: JobHandle,
): Promise<ExportSourceFile[]> {
  const files: ExportSourceFile[] = [];
  for (const [done, format] of REPORT_FORMATS.entries()) {
    job.signal.throwIfAborted();
    job.progress('report', { done, total: REPORT_FORMATS.length, failed: 0, current: format });
    const source = join(folder, `report.${format}`);
    const { bytes, sha256 } = await writeReportFile(report, format, { path: source, isStream: false });
    files.push({ path: getPayloadPath(`report/report.${format}`), source, bytes, sha256 });
  }
  job.progress('report', { done: REPORT_FORMATS.length, total: REPORT_FORMATS.length });
  return files;
}

async function writeZip(
  inputs: EvidencePackSources,
  targetPath: string,
  job: JobHandle,
): Promise<EvidencePackResult> {
  const counts = { statements: 0, not_stored: 0 };
  const missing: number[] = [];
  for (const { id, sha256 } of listPackStatements(inputs.site, inputs.report)) {
    counts.statements++;
    if (sha256 !== null) continue;
    counts.not_stored++;
    if (missing.length < MAX_MISSING_LISTED) missing.push(id);
  }
  const total = counts.statements - counts.not_stored + inputs.reports.length;
  job.progress('export', { done: 0, total, failed: 0, current: targetPath });
  const target = await openZipTarget(targetPath, inputs.now);
  try {
    const bag = await writeBag(target, createPackContents(inputs), {
      signal: job.signal,
      progress: (done) => job.progress('export', { done, total: Math.max(total, done) }),
    });
    // Reads the entire pack again before reporting it as complete.
    const { wrong: problems } = await verifyBagAtPath(targetPath, {
      signal: job.signal,
      progress: (done, count) => job.progress('verify', { done, total: count }),
    });
    const { head, digest, qualifications } = inputs.report.workpaper;
    return {
      path: targetPath,
      site: head.site,
      period: head.period.period,
      made_at: formatTimestamp(inputs.now),
      made_by: inputs.made_by,
      files: bag.files,
      bytes: bag.bytes,
      ...counts,
      missing,
      damaged: bag.damaged,
      checksum: bag.checksum,
      digest,
      problems,
      not_as_signed: qualifications.filter(({ kind }) => kind === 'damaged').map(({ message }) => message),
    };
  } catch (error) {
    await target.abandon();
    throw error;
  }
}

function summarizePack({ files, statements, not_stored, damaged, problems }: EvidencePackResult): string {
  const parts = [`${files} files, including ${statements - not_stored} statement PDFs`];
  if (not_stored > 0) parts.push(`${not_stored} statements without a PDF in the archive`);
  if (damaged.length > 0) parts.push(`${damaged.length} left out because they are damaged`);
  parts.push(problems === 0 ? 'verified' : `verified: ${formatCount(problems, 'problem')}`);
  return `${parts.join('; ')}.`;
}
