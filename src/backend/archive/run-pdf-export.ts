import type { ArchiveExport, Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { getPayloadPath } from '../bagit/bag-format.ts';
import type { BagTarget, ExportSourceFile } from '../bagit/bag-target.ts';
import { openFolderTarget } from '../bagit/folder-target.ts';
import { verifyBagAtPath } from '../bagit/verify-bag.ts';
import { type BagContent, type BagSummary, writeBag } from '../bagit/write-bag.ts';
import { openZipTarget } from '../bagit/zip-target.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { resolveOutputFile, resolveOutputFolder } from '../shared/output-file.ts';
import { requireRecord } from '../shared/require-record.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  type ArchiveExportItem,
  countPdfsToExport,
  findArchiveExport,
  readExportItems,
  type StoredArchiveExport,
  saveArchiveExport,
} from '../store/archive/archive-export.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { formatExportIndexCsv, formatExportIndexJson, getExportedStatementPath } from './export-index.ts';
import { mergePdfVolumes } from './merge-pdf-volumes.ts';
import { getPdfPath } from './pdf-files.ts';

/** Starts a job that runs or resumes a planned export. Throws `not_found` if there is no such plan. */
export function startExport(context: CommandContext, site: string, id: string): Job {
  const open = context.stores.open(site);
  const plan = requireRecord(
    findArchiveExport(open.books, id),
    `export ${id}`,
    'Create an export plan first.',
  );
  const job = context.jobs.start({
    site,
    kind: 'archive',
    noun: 'an export',
    books: open.books,
    run: (handle) => performExport(context, open, plan, handle),
    ended: (state) => {
      if (state === 'done') return;
      const { job, result } = findArchiveExport(open.books, id) as StoredArchiveExport;
      const ended = { state: state as 'failed' | 'canceled' | 'interrupted', ended_at: context.now() };
      saveArchiveExport(open.books, id, { ...ended, job, result });
      context.changes.emit(site, 'archive');
    },
  });
  saveArchiveExport(open.books, id, { state: 'running', job: job.id, ended_at: null, result: null });
  context.changes.emit(site, 'archive');
  return job;
}

/** Opens the target of an export. Resolves its path again, because links may have changed since the plan was made. */
async function openTarget(
  { target_kind, target_path, made_at }: StoredArchiveExport,
  home: string,
): Promise<BagTarget> {
  if (target_kind === 'folder') return await openFolderTarget(resolveOutputFolder(target_path, home));
  const { path } = resolveOutputFile(target_path, { home, replace: true, isSeekable: true });
  return await openZipTarget(path, made_at);
}

async function performExport(
  context: CommandContext,
  open: OpenSite,
  plan: StoredArchiveExport,
  job: JobHandle,
): Promise<string> {
  const { books } = open;
  const target = await openTarget(plan, context.home);
  const total = countPdfsToExport(books, plan.id);
  job.progress('export', { done: 0, total, failed: 0, current: plan.target_path });
  let bag: BagSummary;
  try {
    bag = await writeBag(target, toBagContent(open, plan, job), {
      signal: job.signal,
      progress: (done) => job.progress('export', { done, total }),
    });
  } catch (error) {
    await target.abandon();
    throw error;
  }

  // Reads the entire export again before reporting it as complete.
  const verification = await verifyBagAtPath(plan.target_path, {
    signal: job.signal,
    progress: (done, count) => job.progress('verify', { done, total: count }),
  });
  const { wrong: problems } = verification;
  const result: NonNullable<ArchiveExport['result']> = { ...bag, problems };
  const at = context.now();
  runInTransaction(books, () => {
    saveArchiveExport(books, plan.id, {
      state: 'done',
      job: job.id,
      ended_at: at,
      result: JSON.stringify(result),
    });
    const { written, unchanged, files, bytes, checksum } = bag;
    const detail = { target: plan.target_path, written, unchanged, files, bytes, checksum, problems };
    addAuditEntry(books, { at, user: context.user, action: 'archive.export', subject: plan.id, detail });
  });
  context.changes.emit(job.site, 'archive', 'audit');
  return summarizeExport(plan, bag, problems);
}

function toBagContent(
  { books, folder, file: site }: OpenSite,
  plan: StoredArchiveExport,
  job: JobHandle,
): BagContent {
  const items = () => readExportItems(books, plan.id);
  const toBagPath = (item: ArchiveExportItem) => getPayloadPath(getExportedStatementPath(item));
  function* files(): Generator<ExportSourceFile> {
    for (const item of items()) {
      const { sha256, bytes } = item;
      if (sha256 === null || bytes === null) continue;
      yield { path: toBagPath(item), source: getPdfPath(folder, sha256), sha256, bytes };
    }
  }
  async function* volumes() {
    for await (const { path, bytes } of mergePdfVolumes(folder, items(), plan.made_at, job.signal)) {
      yield { path: getPayloadPath(path), bytes };
    }
  }
  return {
    files,
    ...(plan.merged === 1 ? { generatedFiles: volumes } : {}),
    tables: (isIn: (path: string) => boolean) => {
      const stored = (item: ArchiveExportItem) => item.sha256 !== null && isIn(toBagPath(item));
      return [
        [getPayloadPath('index.csv'), formatExportIndexCsv(items(), stored)] as const,
        [getPayloadPath('index.json'), formatExportIndexJson(items(), stored)] as const,
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

function summarizeExport(
  plan: StoredArchiveExport,
  { written, unchanged, damaged }: BagSummary,
  problems: number,
): string {
  const parts = [`${formatCount(written, 'PDF')} written`];
  if (unchanged > 0) parts.push(`${unchanged} already exported`);
  if (plan.not_stored > 0) parts.push(`${plan.not_stored} without a PDF in the archive`);
  if (damaged.length > 0) parts.push(`${damaged.length} left out because their files are damaged`);
  const checked = problems === 0 ? 'verified' : `verified: ${formatCount(problems, 'problem')}`;
  return `${parts.join(', ')}; ${checked}.`;
}
