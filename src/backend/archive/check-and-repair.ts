import { existsSync, lstatSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { BillingError } from '../../billing/errors/billing-error.ts';
import type { BillingClient } from '../../billing/index.ts';
import type { Job } from '../../contract/index.ts';
import { ROTATION_DAYS } from '../../domain/archive/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { hashFile } from '../bagit/read-files.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { archiveFiles, noteCheck, statementsOf, wrongFiles } from '../store/archive/archive-figures.ts';
import { countFiles } from '../store/archive/archive-round.ts';
import { commit } from '../store/sqlite/connection.ts';
import { storedStatement } from '../store/statements/statement-needs.ts';
import { downloadAndRecordPdf } from './download-pdf.ts';
import { damagedFolder, pdfPath, syncArchive } from './pdf-files.ts';

/** Period in milliseconds within which every archived file is read again, a share of the files each day. */
const CHECK_PERIOD_MS = ROTATION_DAYS * 86_400_000;

/**
 * Starts a job that reads archived files again and compares them with their checksums. Reads all files, or only those not
 * checked for thirty days.
 */
export function startArchiveCheck(tools: CommandContext, site: string, all: boolean): Job {
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'archive',
    noun: 'a check of the archive',
    books: open.books,
    run: (job) => runArchiveCheck(tools, open, job, all),
  });
}

async function runArchiveCheck(
  tools: CommandContext,
  open: OpenSite,
  job: JobHandle,
  all: boolean,
): Promise<string> {
  const { cache, books, folder } = open;
  const checkedBefore = tools.now() - CHECK_PERIOD_MS;
  const total = all ? countFiles(cache) : null;
  const counts = { intact: 0, damaged: 0, missing: 0 };
  let done = 0;
  job.progress('check', { done, total, failed: 0 });
  for (const file of archiveFiles(cache, books)) {
    job.signal.throwIfAborted();
    if (!all && file.checked_at !== null && file.checked_at > checkedBefore) continue;
    const state = await checkArchivedFile(pdfPath(folder, file.sha256), file.sha256);
    counts[state]++;
    commit(books, () => noteCheck(books, file.sha256, state, tools.now()));
    job.progress('check', { done: ++done, total, failed: counts.damaged + counts.missing });
  }
  tools.changes.emit(job.site, 'archive');
  const problemCount = counts.damaged + counts.missing;
  const read = `${formatCount(done, 'file')} read again`;
  return problemCount === 0
    ? `${read}, all as they were stored.`
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

/**
 * Starts a job that downloads the PDFs of damaged and missing files again. Damaged files are moved to `archive/damaged`.
 */
export function startArchiveRepair(tools: CommandContext, site: string): Job {
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'archive',
    noun: 'mending the archive',
    books: open.books,
    run: (job) => runArchiveRepair(tools, open, job),
  });
}

async function runArchiveRepair(tools: CommandContext, open: OpenSite, job: JobHandle): Promise<string> {
  const { cache, books, folder } = open;
  const problemCount = wrongFiles(cache, books);
  const client = createSiteConnection(tools, open, { signal: job.signal });
  const results = { restored: 0, newVersions: 0, gone: 0 };
  const markIntact = (sha256: string) => commit(books, () => noteCheck(books, sha256, 'intact', tools.now()));
  try {
    for (const [done, { sha256 }] of problemCount.entries()) {
      job.progress('repair', { done, total: problemCount.length, failed: results.gone });
      // The file may have been restored since it was last checked.
      if ((await checkArchivedFile(pdfPath(folder, sha256), sha256)) === 'intact') {
        markIntact(sha256);
        continue;
      }
      await moveToDamagedFolder(folder, sha256);
      for (const id of statementsOf(cache, sha256)) {
        const fetched = await downloadAgain(open, client, id, job.signal);
        if (fetched === null) results.gone++;
        else {
          results[fetched.sha256 === sha256 ? 'restored' : 'newVersions']++;
          markIntact(fetched.sha256);
        }
      }
    }
    job.progress('repair', { done: problemCount.length, total: problemCount.length, failed: results.gone });
  } finally {
    await client.close();
    tools.changes.emit(job.site, 'archive');
  }
  const parts = [`${results.restored} restored to the last byte`];
  if (results.newVersions > 0)
    parts.push(`${results.newVersions} rendered anew by the service, kept as a new version`);
  if (results.gone > 0) parts.push(`${results.gone} that the service does not have any more`);
  return `${parts.join(', ')}; what was damaged is in archive/damaged.`;
}

/** Downloads a statement's PDF again. Returns null if the service no longer has it or the statement is not stored. */
async function downloadAgain(open: OpenSite, client: BillingClient, id: number, signal: AbortSignal) {
  const statement = storedStatement(open.cache, id);
  if (statement === null) return null;
  try {
    const fetched = await downloadAndRecordPdf(open, client, statement, signal);
    await syncArchive(open.folder, [fetched.sha256]);
    return fetched;
  } catch (error) {
    if (error instanceof BillingError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Moves a damaged file to `archive/damaged`, next to earlier damaged copies of it. */
async function moveToDamagedFolder(folder: string, sha256: string): Promise<void> {
  await mkdir(damagedFolder(folder), { recursive: true, mode: 0o700 });
  let aside = join(damagedFolder(folder), `${sha256}.pdf`);
  for (let time = 2; existsSync(aside); time++) aside = join(damagedFolder(folder), `${sha256}-${time}.pdf`);
  await rename(pdfPath(folder, sha256), aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
