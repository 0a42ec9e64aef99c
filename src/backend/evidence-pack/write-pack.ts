import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job, PackPlan, PackResult, ReportFormat } from '../../contract/index.ts';
import { hashFile } from '../bagit/reading.ts';
import type { ExportSourceFile } from '../bagit/sink.ts';
import { openBag } from '../bagit/source.ts';
import { verifyBag } from '../bagit/verify-bag.ts';
import { payloadPath, writeBag } from '../bagit/write-bag.ts';
import { openZipTarget } from '../bagit/zip-sink.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { resolveTargetPath } from '../period-report/place.ts';
import { createReportSource, type ReportSource } from '../period-report/source.ts';
import { writeReportFile } from '../period-report/write.ts';
import { periodLists } from '../periods/as-signed.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { addPack } from '../store/evidence-pack/pack-rows.ts';
import { commit } from '../store/sqlite/connection.ts';
import { snapshotOf } from '../workpaper/site-snapshot.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';
import { type PackInputs, packContent, packStatements } from './content.ts';

const FORMATS: readonly ReportFormat[] = ['pdf', 'xlsx', 'csv', 'json'];
/** Maximum number of missing statements named in the result. The index names all. */
const MOST_MISSING = 1000;

/** Returns what a pack of a period would contain. */
export function previewPack(site: WorkpaperSite, period: string): PackPlan {
  const lists = periodLists(site, period);
  const plan = { site: site.file.site, period, statements: 0, not_stored: 0, sources: 0, bytes: 0 };
  for (const source of lists.sources()) {
    plan.sources++;
    plan.bytes += source.bytes;
  }
  for (const { bytes } of packStatements(site, lists)) {
    plan.statements++;
    if (bytes === null) plan.not_stored++;
    plan.bytes += bytes ?? 0;
  }
  return plan;
}

/** Writes the evidence pack of a period as a job. Throws `validation` and `conflict` for its target. */
export async function startPackJob(
  tools: CommandContext,
  { site, period, path, replace }: { site: string; period: string; path: string; replace: boolean },
): Promise<Job> {
  const open = tools.stores.open(site);
  const place = await resolveTargetPath(path, '.zip', replace);
  return tools.jobs.start({
    site,
    kind: 'pack',
    what: 'an evidence pack',
    books: open.books,
    run: (job) => perform(tools, open, { period, place }, job),
  });
}

async function perform(
  tools: CommandContext,
  open: OpenSite,
  { period, place }: { period: string; place: string },
  job: JobHandle,
): Promise<string> {
  const now = tools.now();
  const site = snapshotOf(open);
  const drafts = await freshDrafts(open.folder);
  let result: PackResult;
  try {
    const report = await createReportSource(site, period, { now, version: tools.version });
    const reports = await writeReports(report, drafts, job);
    result = await writeZip({ site, report, reports, made_by: tools.user, now }, place, job);
  } finally {
    site.close();
    await rm(drafts, { recursive: true, force: true });
  }
  const { files, bytes, checksum, digest, not_stored, problems } = result;
  commit(open.books, () => {
    addPack(open.books, { job: job.id, period, made_at: now, result: JSON.stringify(result) });
    addAudit(open.books, {
      at: tools.now(),
      user: tools.user,
      action: 'pack.write',
      subject: period,
      detail: { path: place, files, bytes, checksum, digest, not_stored, problems },
    });
  });
  tools.changes.tell(job.site, 'periods', 'audit');
  return sentence(result);
}

/** Returns an empty folder for the report's files until they are in the pack. Removes what an interrupted job left. */
async function freshDrafts(folder: string): Promise<string> {
  const drafts = join(folder, 'pack');
  await rm(drafts, { recursive: true, force: true });
  await mkdir(drafts, { mode: 0o700 });
  return drafts;
}

async function writeReports(
  report: ReportSource,
  folder: string,
  job: JobHandle,
): Promise<ExportSourceFile[]> {
  const files: ExportSourceFile[] = [];
  for (const [done, format] of FORMATS.entries()) {
    job.signal.throwIfAborted();
    job.progress('report', { done, total: FORMATS.length, failed: 0, current: format });
    const source = join(folder, `report.${format}`);
    await writeReportFile(report, format, source);
    files.push({ path: payloadPath(`report/report.${format}`), source, ...(await hashFile(source)) });
  }
  job.progress('report', { done: FORMATS.length, total: FORMATS.length });
  return files;
}

async function writeZip(of: PackInputs, place: string, job: JobHandle): Promise<PackResult> {
  const counts = { statements: 0, not_stored: 0 };
  const missing: number[] = [];
  for (const { id, sha256 } of packStatements(of.site, of.report)) {
    counts.statements++;
    if (sha256 !== null) continue;
    counts.not_stored++;
    if (missing.length < MOST_MISSING) missing.push(id);
  }
  const total = counts.statements - counts.not_stored + of.reports.length;
  job.progress('export', { done: 0, total, failed: 0, current: place });
  const sink = await openZipTarget(place, of.now);
  try {
    const bag = await writeBag(sink, packContent(of), {
      signal: job.signal,
      progress: (done) => job.progress('export', { done, total: Math.max(total, done) }),
    });
    const problems = await readAgain(place, job);
    const { head, digest, qualifications } = of.report.workpaper;
    return {
      path: place,
      site: head.site,
      period: head.period.period,
      made_at: formatTimestamp(of.now),
      made_by: of.made_by,
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
    await sink.abandon();
    throw error;
  }
}

/** Reads everything written again before the pack is called complete. Returns the number of problems. */
async function readAgain(place: string, job: JobHandle): Promise<number> {
  const source = await openBag(place);
  try {
    const { wrong } = await verifyBag(source, {
      signal: job.signal,
      progress: (done, total) => job.progress('verify', { done, total }),
    });
    return wrong;
  } finally {
    source.close();
  }
}

function sentence({ files, statements, not_stored, damaged, problems }: PackResult): string {
  const parts = [`${files} files, of them ${statements - not_stored} statement PDFs`];
  if (not_stored > 0) parts.push(`${not_stored} statements without a PDF in the archive`);
  if (damaged.length > 0) parts.push(`${damaged.length} left out, as they are damaged`);
  parts.push(problems === 0 ? 'read again and sound' : `read again: ${problems} wrong`);
  return `${parts.join('; ')}.`;
}
