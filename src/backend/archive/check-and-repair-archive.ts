import { existsSync, lstatSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { BillingError } from '../../billing/errors/billing-error.ts';
import type { BillingClient } from '../../billing/index.ts';
import type { Job } from '../../contract/index.ts';
import { ARCHIVE_CHECK_ROTATION_DAYS } from '../../domain/archive/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { hashFile } from '../bagit/hash-files.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  listFailedArchiveFiles,
  listStatementsByPdfHash,
  readArchiveFiles,
  saveArchiveFileCheck,
} from '../store/archive/archive-summary.ts';
import { countArchiveFiles } from '../store/archive/daily-archive-check.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { findStoredStatement } from '../store/statements/statements-to-fetch.ts';
import { downloadAndRecordPdf } from './download-pdf.ts';
import { flushArchiveToDisk, getDamagedPdfFolder, getPdfPath } from './pdf-files.ts';

/** Period in milliseconds in which the daily checks read every archived file once. */
const CHECK_PERIOD_MS = ARCHIVE_CHECK_ROTATION_DAYS * 86_400_000;

/**
 * Starts a job that reads archived files again and compares them with their checksums. Unless `all` is set, reads only
 * files not checked for thirty days.
 */
export function startArchiveCheck(context: CommandContext, site: string, all: boolean): Job {
  const open = context.stores.open(site);
  return context.jobs.start({
    site,
    kind: 'archive',
    noun: 'an archive check',
    books: open.books,
    run: (job) => runArchiveCheck(context, open, job, all),
  });
}

async function runArchiveCheck(
  context: CommandContext,
  open: OpenSite,
  job: JobHandle,
  all: boolean,
): Promise<string> {
  const { cache, books, folder } = open;
  const checkedBefore = context.now() - CHECK_PERIOD_MS;
  const total = all ? countArchiveFiles(cache) : null;
  const counts = { intact: 0, damaged: 0, missing: 0 };
  let done = 0;
  job.progress('check', { done, total, failed: 0 });
  for (const file of readArchiveFiles(cache, books)) {
    job.signal.throwIfAborted();
    if (!all && file.checked_at !== null && file.checked_at > checkedBefore) continue;
    const state = await checkArchivedFile(getPdfPath(folder, file.sha256), file.sha256);
    counts[state]++;
    runInTransaction(books, () => saveArchiveFileCheck(books, file.sha256, state, context.now()));
    job.progress('check', { done: ++done, total, failed: counts.damaged + counts.missing });
  }
  context.changes.emit(job.site, 'archive');
  const problemCount = counts.damaged + counts.missing;
  const read = `${formatCount(done, 'file')} checked`;
  return problemCount === 0
    ? `${read}, all unchanged.`
    : `${read}: ${counts.damaged} damaged, ${counts.missing} missing.`;
}

/** Compares an archived file with its checksum and returns its state. */
export async function checkArchivedFile(
  path: string,
  sha256: string,
): Promise<'intact' | 'damaged' | 'missing'> {
  try {
    if (!lstatSync(path).isFile()) return 'damaged';
    return (await hashFile(path)).sha256 === sha256 ? 'intact' : 'damaged';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'damaged';
  }
}

/** Starts a job that downloads damaged and missing PDFs again. Damaged files are moved to `archive/damaged`. */
export function startArchiveRepair(context: CommandContext, site: string): Job {
  const open = context.stores.open(site);
  return context.jobs.start({
    site,
    kind: 'archive',
    noun: 'repairing the archive',
    books: open.books,
    run: (job) => runArchiveRepair(context, open, job),
  });
}

async function runArchiveRepair(context: CommandContext, open: OpenSite, job: JobHandle): Promise<string> {
  const { cache, books, folder } = open;
  const failedFiles = listFailedArchiveFiles(cache, books);
  const client = createSiteConnection(context, open, { signal: job.signal });
  const results = { restored: 0, newVersions: 0, gone: 0 };
  const markIntact = (sha256: string) =>
    runInTransaction(books, () => saveArchiveFileCheck(books, sha256, 'intact', context.now()));

  async function restore(sha256: string): Promise<void> {
    // The file may have been restored since it was last checked.
    if ((await checkArchivedFile(getPdfPath(folder, sha256), sha256)) === 'intact') return markIntact(sha256);
    await moveToDamagedFolder(folder, sha256);
    for (const id of listStatementsByPdfHash(cache, sha256)) {
      const downloaded = await downloadAgain(open, client, id, job.signal);
      if (downloaded === null) results.gone++;
      else {
        results[downloaded.sha256 === sha256 ? 'restored' : 'newVersions']++;
        markIntact(downloaded.sha256);
      }
    }
  }

  const total = failedFiles.length;
  try {
    for (const [done, { sha256 }] of failedFiles.entries()) {
      job.progress('repair', { done, total, failed: results.gone });
      await restore(sha256);
    }
    job.progress('repair', { done: total, total, failed: results.gone });
  } finally {
    await client.close();
    context.changes.emit(job.site, 'archive');
  }
  const parts = [`${results.restored} restored exactly`];
  if (results.newVersions > 0)
    parts.push(`${results.newVersions} rendered again by the service and stored as new versions`);
  if (results.gone > 0) parts.push(`${results.gone} no longer available from the service`);
  return `${parts.join(', ')}. Damaged files were moved to archive/damaged.`;
}

/** Downloads a statement's PDF again. Returns null if the service no longer has it or the statement is not stored. */
async function downloadAgain(open: OpenSite, client: BillingClient, id: number, signal: AbortSignal) {
  const statement = findStoredStatement(open.cache, id);
  if (statement === null) return null;
  try {
    const pdf = await downloadAndRecordPdf(open, client, statement, signal);
    await flushArchiveToDisk(open.folder, [pdf.sha256]);
    return pdf;
  } catch (error) {
    if (error instanceof BillingError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Moves a damaged file to `archive/damaged`, next to earlier damaged copies of it. */
async function moveToDamagedFolder(folder: string, sha256: string): Promise<void> {
  await mkdir(getDamagedPdfFolder(folder), { recursive: true, mode: 0o700 });
  let path = join(getDamagedPdfFolder(folder), `${sha256}.pdf`);
  for (let time = 2; existsSync(path); time++)
    path = join(getDamagedPdfFolder(folder), `${sha256}-${time}.pdf`);
  await rename(getPdfPath(folder, sha256), path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
