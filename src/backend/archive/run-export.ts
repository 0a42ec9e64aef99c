import { type ArchiveExport, contractError, type Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { openBag } from '../bagit/bag-reader.ts';
import type { ExportSourceFile } from '../bagit/bag-target.ts';
import { openFolderTarget } from '../bagit/folder-target.ts';
import { verifyBag } from '../bagit/verify-bag.ts';
import { type BagContent, payloadPath, type WrittenBag, writeBag } from '../bagit/write-bag.ts';
import { openZipTarget } from '../bagit/zip-target.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import {
  countExported,
  type ExportItem,
  exportItems,
  type StoredExport,
  saveExport,
  storedExport,
} from '../store/archive/archive-export.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { commit } from '../store/sqlite/connection.ts';
import { formatIndexCsv, formatIndexJson, statementPath } from './export-index.ts';
import { mergeVolumes } from './merged-volumes.ts';
import { pdfPath } from './pdf-files.ts';

export interface ExportContext {
  stores: SiteDatabases;
  jobs: Jobs;
  changes: ChangeEvents;
  user: string;
  now: () => number;
}

/** Starts a job that runs or resumes a planned export. Throws `not_found` if there is no such plan. */
export function startExport(tools: ExportContext, site: string, id: string): Job {
  const open = tools.stores.open(site);
  const plan = storedExport(open.books, id);
  if (plan === null) throw contractError(unknownExportError(site, id));
  const job = tools.jobs.start({
    site,
    kind: 'archive',
    noun: 'an export',
    books: open.books,
    run: (handle) => performExport(tools, open, plan, handle),
    ended: (state) => {
      if (state === 'done') return;
      const { job, result } = storedExport(open.books, id) as StoredExport;
      saveExport(open.books, id, {
        state: state as 'failed' | 'canceled' | 'interrupted',
        job,
        result,
        ended_at: tools.now(),
      });
      tools.changes.emit(site, 'archive');
    },
  });
  saveExport(open.books, id, { state: 'running', job: job.id, ended_at: null, result: null });
  tools.changes.emit(site, 'archive');
  return job;
}

async function performExport(
  tools: ExportContext,
  open: OpenSite,
  plan: StoredExport,
  job: JobHandle,
): Promise<string> {
  const { books } = open;
  const target =
    plan.target_kind === 'folder'
      ? await openFolderTarget(plan.target_path)
      : await openZipTarget(plan.target_path, plan.made_at);
  const total = countExported(books, plan.id);
  job.progress('export', { done: 0, total, failed: 0, current: plan.target_path });
  let bag: WrittenBag;
  try {
    bag = await writeBag(target, toBagContent(open, plan, job), {
      signal: job.signal,
      progress: (done) => job.progress('export', { done, total }),
    });
  } catch (error) {
    await target.abandon();
    throw error;
  }

  const verdict = await verifyExport(plan.target_path, job);
  const result: NonNullable<ArchiveExport['result']> = { ...bag, problems: verdict.wrong };
  const at = tools.now();
  commit(books, () => {
    saveExport(books, plan.id, { state: 'done', job: job.id, ended_at: at, result: JSON.stringify(result) });
    const { written, unchanged: same, files, bytes, checksum } = bag;
    const detail = {
      target: plan.target_path,
      written,
      unchanged: same,
      files,
      bytes,
      checksum,
      problems: verdict.wrong,
    };
    addAudit(books, { at, user: tools.user, action: 'archive.export', subject: plan.id, detail });
  });
  tools.changes.emit(job.site, 'archive', 'audit');
  return summarizeExport(plan, bag, verdict.wrong);
}

function toBagContent(
  { books, folder, file: site }: OpenSite,
  plan: StoredExport,
  job: JobHandle,
): BagContent {
  const items = () => exportItems(books, plan.id);
  const pathOf = (item: ExportItem) => payloadPath(statementPath(item));
  function* files(): Generator<ExportSourceFile> {
    for (const item of items()) {
      if (item.sha256 === null || item.bytes === null) continue;
      yield {
        path: pathOf(item),
        source: pdfPath(folder, item.sha256),
        sha256: item.sha256,
        bytes: item.bytes,
      };
    }
  }
  async function* volumes() {
    for await (const { path, bytes } of mergeVolumes(folder, items(), plan.made_at, job.signal)) {
      yield { path: payloadPath(path), bytes };
    }
  }
  return {
    files,
    ...(plan.merged === 1 ? { generatedFiles: volumes } : {}),
    tables: (isIn: (path: string) => boolean) => {
      const stored = (item: ExportItem) => item.sha256 !== null && isIn(pathOf(item));
      return [
        [payloadPath('index.csv'), formatIndexCsv(items(), stored)] as const,
        [payloadPath('index.json'), formatIndexJson(items(), stored)] as const,
      ];
    },
    info: [
      ['Source-Organization', site.title],
      ['External-Description', `Statement PDFs: ${plan.description}`],
      ['External-Identifier', plan.id],
      ['Bag-Software-Agent', 'Tieout'],
    ] as const,
    date: formatTimestamp(plan.made_at).slice(0, 10),
  };
}

/** Reads the entire export again to verify it before it is reported as complete. */
async function verifyExport(path: string, job: JobHandle) {
  const source = await openBag(path);
  try {
    return await verifyBag(source, {
      signal: job.signal,
      progress: (done, total) => job.progress('verify', { done, total }),
    });
  } finally {
    source.close();
  }
}

function summarizeExport(
  plan: StoredExport,
  { written, unchanged: same, damaged }: WrittenBag,
  problems: number,
): string {
  const parts = [`${formatCount(written, 'PDF')} written`];
  if (same > 0) parts.push(`${same} there already`);
  if (plan.not_stored > 0) parts.push(`${plan.not_stored} without a PDF in the archive`);
  if (damaged.length > 0) parts.push(`${damaged.length} left out, as their files are damaged`);
  const checked = problems === 0 ? 'read again and sound' : `read again: ${formatCount(problems, 'problem')}`;
  return `${parts.join(', ')}; ${checked}.`;
}

function unknownExportError(site: string, id: string) {
  return {
    code: 'not_found' as const,
    message: `There is no export ${id} on ${site}.`,
    hint: 'Plan one first.',
    retryable: false,
  };
}
