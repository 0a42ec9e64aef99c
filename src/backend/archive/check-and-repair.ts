import { existsSync, lstatSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { BillingError } from '../../billing/errors/billing-error.ts';
import type { BillingClient } from '../../billing/index.ts';
import type { Job } from '../../contract/index.ts';
import { ROTATION_DAYS } from '../../domain/archive/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { hashFile } from '../bagit/reading.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { archiveFiles, noteCheck, statementsOf, wrongFiles } from '../store/archive/archive-figures.ts';
import { countFiles } from '../store/archive/archive-round.ts';
import { commit } from '../store/sqlite/connection.ts';
import { storedStatement } from '../store/statements/statement-needs.ts';
import { downloadAndRecordPdf } from './fetch-pdf.ts';
import { damagedFolder, pdfPath, syncArchive } from './pdf-files.ts';

/** Every file is read again within this time, a share of them each day. */
const CHECK_WITHIN_MS = ROTATION_DAYS * 86_400_000;

/** Reads archived files again and compares them with their checksums: all of them, or those not read for thirty days. */
export function startArchiveCheck(tools: CommandContext, site: string, all: boolean): Job {
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'archive',
    what: 'a check of the archive',
    books: open.books,
    run: (job) => check(tools, open, job, all),
  });
}

async function check(tools: CommandContext, open: OpenSite, job: JobHandle, all: boolean): Promise<string> {
  const { cache, books, folder } = open;
  const due = tools.now() - CHECK_WITHIN_MS;
  const total = all ? countFiles(cache) : null;
  const found = { intact: 0, damaged: 0, missing: 0 };
  let done = 0;
  job.progress('check', { done, total, failed: 0 });
  for (const file of archiveFiles(cache, books)) {
    job.signal.throwIfAborted();
    if (!all && file.checked_at !== null && file.checked_at > due) continue;
    const state = await readFileState(pdfPath(folder, file.sha256), file.sha256);
    found[state]++;
    commit(books, () => noteCheck(books, file.sha256, state, tools.now()));
    job.progress('check', { done: ++done, total, failed: found.damaged + found.missing });
  }
  tools.changes.tell(job.site, 'archive');
  const wrong = found.damaged + found.missing;
  const read = `${formatCount(done, 'file')} read again`;
  return wrong === 0
    ? `${read}, all as they were stored.`
    : `${read}: ${found.damaged} damaged, ${found.missing} missing.`;
}

/** Reads an archived file and returns its state. */
export async function readFileState(path: string, sha256: string): Promise<'intact' | 'damaged' | 'missing'> {
  try {
    if (!lstatSync(path).isFile()) return 'damaged';
    return (await hashFile(path)).sha256 === sha256 ? 'intact' : 'damaged';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'damaged';
  }
}

/** Sets damaged files aside and downloads the PDFs of their statements again. The old bytes stay in `archive/damaged`. */
export function startRepair(tools: CommandContext, site: string): Job {
  const open = tools.stores.open(site);
  return tools.jobs.start({
    site,
    kind: 'archive',
    what: 'mending the archive',
    books: open.books,
    run: (job) => repair(tools, open, job),
  });
}

async function repair(tools: CommandContext, open: OpenSite, job: JobHandle): Promise<string> {
  const { cache, books, folder } = open;
  const wrong = wrongFiles(cache, books);
  const client = createSiteConnection(tools, open, { signal: job.signal });
  const came = { restored: 0, anew: 0, gone: 0 };
  const whole = (sha256: string) => commit(books, () => noteCheck(books, sha256, 'intact', tools.now()));
  try {
    for (const [done, { sha256 }] of wrong.entries()) {
      job.progress('repair', { done, total: wrong.length, failed: came.gone });
      // The file may have been restored since it was checked.
      if ((await readFileState(pdfPath(folder, sha256), sha256)) === 'intact') {
        whole(sha256);
        continue;
      }
      await setAside(folder, sha256);
      for (const id of statementsOf(cache, sha256)) {
        const fetched = await fetchAgain(open, client, id, job.signal);
        if (fetched === null) came.gone++;
        else {
          came[fetched.sha256 === sha256 ? 'restored' : 'anew']++;
          whole(fetched.sha256);
        }
      }
    }
    job.progress('repair', { done: wrong.length, total: wrong.length, failed: came.gone });
  } finally {
    await client.close();
    tools.changes.tell(job.site, 'archive');
  }
  const parts = [`${came.restored} restored to the last byte`];
  if (came.anew > 0) parts.push(`${came.anew} rendered anew by the service, kept as a new version`);
  if (came.gone > 0) parts.push(`${came.gone} that the service does not have any more`);
  return `${parts.join(', ')}; what was damaged is in archive/damaged.`;
}

/** Returns null if the service no longer has the PDF or the statement is not stored. */
async function fetchAgain(open: OpenSite, client: BillingClient, id: number, signal: AbortSignal) {
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

/** Moves a damaged file aside. Earlier damaged copies of it are preserved. */
async function setAside(folder: string, sha256: string): Promise<void> {
  await mkdir(damagedFolder(folder), { recursive: true, mode: 0o700 });
  let aside = join(damagedFolder(folder), `${sha256}.pdf`);
  for (let time = 2; existsSync(aside); time++) aside = join(damagedFolder(folder), `${sha256}-${time}.pdf`);
  await rename(pdfPath(folder, sha256), aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
