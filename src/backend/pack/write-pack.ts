import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job, PackPlan, PackResult, ReportFormat } from '../../contract/index.ts';
import { hashOfFile } from '../bag/reading.ts';
import type { SourceFile } from '../bag/sink.ts';
import { openBag } from '../bag/source.ts';
import { verifyBag } from '../bag/verify-bag.ts';
import { payload, writeBag } from '../bag/write-bag.ts';
import { zipSink } from '../bag/zip-sink.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { listsShown } from '../periods/as-signed.ts';
import { placeFor } from '../report/place.ts';
import { snapshotOf } from '../report/snapshot.ts';
import { type ReportSource, reportOf } from '../report/source.ts';
import { writeReportFile } from '../report/write.ts';
import type { OpenSite } from '../sites/stores.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';
import { addPack } from '../store/periods/pack-rows.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';
import type { WriterContext } from '../writer-context.ts';
import { type PackOf, packContent, packStatements } from './content.ts';

const FORMATS: readonly ReportFormat[] = ['pdf', 'xlsx', 'csv', 'json'];
/** So many of the missing statements are named in the result; the index names all. */
const MOST_MISSING = 1000;

/** What a pack of a period would hold. */
export function planPack(site: WorkpaperSite, period: string): PackPlan {
  const lists = listsShown(site, period);
  const plan = { site: site.file.site, period, statements: 0, not_held: 0, sources: 0, bytes: 0 };
  for (const source of lists.sources()) {
    plan.sources++;
    plan.bytes += source.bytes;
  }
  for (const { bytes } of packStatements(site, lists)) {
    plan.statements++;
    if (bytes === null) plan.not_held++;
    plan.bytes += bytes ?? 0;
  }
  return plan;
}

/** Writes the evidence pack of a period as a job. Throws `validation` and `conflict` for its place. */
export async function startPack(
  tools: WriterContext,
  { site, period, path, replace }: { site: string; period: string; path: string; replace: boolean },
): Promise<Job> {
  const open = tools.stores.open(site);
  const place = await placeFor(path, '.zip', replace);
  return tools.jobs.start({
    site,
    kind: 'pack',
    what: 'an evidence pack',
    books: open.books,
    run: (job) => perform(tools, open, { period, place }, job),
  });
}

async function perform(
  tools: WriterContext,
  open: OpenSite,
  { period, place }: { period: string; place: string },
  job: JobHandle,
): Promise<string> {
  const now = tools.now();
  const site = snapshotOf(open);
  const drafts = await freshDrafts(open.folder);
  let result: PackResult;
  try {
    const report = await reportOf(site, period, { now, version: tools.version });
    const reports = await writeReports(report, drafts, job);
    result = await writeZip({ site, report, reports, made_by: tools.user, now }, place, job);
  } finally {
    site.close();
    await rm(drafts, { recursive: true, force: true });
  }
  const { files, bytes, receipt, digest, not_held, problems } = result;
  commit(open.books, () => {
    addPack(open.books, { job: job.id, period, made_at: now, result: JSON.stringify(result) });
    addAudit(open.books, {
      at: tools.now(),
      who: tools.user,
      action: 'pack.write',
      subject: period,
      detail: { path: place, files, bytes, receipt, digest, not_held, problems },
    });
  });
  tools.changes.tell(job.site, 'periods', 'audit');
  return sentence(result);
}

/** Where the report’s files stand until they are in the pack: empty, whatever an earlier one that was stopped has left. */
async function freshDrafts(folder: string): Promise<string> {
  const drafts = join(folder, 'pack');
  await rm(drafts, { recursive: true, force: true });
  await mkdir(drafts, { mode: 0o700 });
  return drafts;
}

async function writeReports(report: ReportSource, folder: string, job: JobHandle): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const [done, format] of FORMATS.entries()) {
    job.signal.throwIfAborted();
    job.progress('report', { done, total: FORMATS.length, failed: 0, current: format });
    const source = join(folder, `report.${format}`);
    await writeReportFile(report, format, source);
    files.push({ path: payload(`report/report.${format}`), source, ...(await hashOfFile(source)) });
  }
  job.progress('report', { done: FORMATS.length, total: FORMATS.length });
  return files;
}

async function writeZip(of: PackOf, place: string, job: JobHandle): Promise<PackResult> {
  const counts = { statements: 0, not_held: 0 };
  const missing: number[] = [];
  for (const { id, sha256 } of packStatements(of.site, of.report)) {
    counts.statements++;
    if (sha256 !== null) continue;
    counts.not_held++;
    if (missing.length < MOST_MISSING) missing.push(id);
  }
  const total = counts.statements - counts.not_held + of.reports.length;
  job.progress('export', { done: 0, total, failed: 0, current: place });
  const sink = await zipSink(place, of.now);
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
      made_at: isoMoment(of.now),
      made_by: of.made_by,
      files: bag.files,
      bytes: bag.bytes,
      ...counts,
      missing,
      damaged: bag.damaged,
      receipt: bag.receipt,
      digest,
      problems,
      not_as_signed: qualifications.filter(({ what }) => what === 'damaged').map(({ message }) => message),
    };
  } catch (error) {
    await sink.abandon();
    throw error;
  }
}

/** What was written is read again before it is called done. Gives how many things are wrong. */
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

function sentence({ files, statements, not_held, damaged, problems }: PackResult): string {
  const parts = [`${files} files, of them ${statements - not_held} statement PDFs`];
  if (not_held > 0) parts.push(`${not_held} statements without a PDF in the archive`);
  if (damaged.length > 0) parts.push(`${damaged.length} left out, as they are damaged`);
  parts.push(problems === 0 ? 'read again and sound' : `read again: ${problems} wrong`);
  return `${parts.join('; ')}.`;
}
