import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { flushFolderToDisk } from '../shared/durable-file.ts';
import { saveArchiveFileCheck } from '../store/archive/archive-summary.ts';
import {
  hasNoPdfRecords,
  readAllPdfs,
  removeStatementPdfs,
  type StoredPdf,
  savePdfVersion,
} from '../store/archive/statement-pdf.ts';
import { runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';
import { getPdfPath, getRegisterPath } from './pdf-files.ts';

/*
 * `archive/register.ndjson` records in order which PDFs were stored and which a person deleted, one per line. The file
 * names are checksums and do not identify the statements. With the register, a rebuilt cache can recover every version
 * and its dates. Lines are only appended.
 */

/** Archive of a site, with the site's databases. */
export interface SiteArchive {
  readonly cache: WritableDb;
  readonly books: WritableDb;
  /** Path of the site's folder. */
  readonly folder: string;
}

/** Line of the archive register: a stored PDF, or the id of a statement whose PDFs were deleted. */
type RegisterLine = StoredPdf | { deleted: number };

/**
 * Appends stored and deleted PDFs to the archive register. Must be called in the transaction that changes their
 * database rows, so that every row has a line. A PDF with a line but without a row is downloaded again. Each line
 * starts with its line break, so that a line truncated by a crash does not damage the next one.
 */
export function appendToRegister(folder: string, lines: readonly RegisterLine[]): void {
  const path = getRegisterPath(folder);
  const text = lines.map((line) => `\n${JSON.stringify(line)}`).join('');
  try {
    appendFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    appendFileSync(path, text, { mode: 0o600 });
  }
}

/**
 * Reconciles the cache and the archive with the archive register. If the cache has no PDFs, restores them from the
 * register. If there is no register, creates it from the cache. Files that are not on disk are recorded as missing and
 * downloaded again. Returns the number of restored PDFs. @param now UTC milliseconds
 */
export function reconcileRegister({ cache, books, folder }: SiteArchive, now: number): number {
  const exists = existsSync(getRegisterPath(folder));
  if (hasNoPdfRecords(cache)) return exists ? restoreFromRegister({ cache, books, folder }, now) : 0;
  if (!exists) writeRegister(folder, cache);
  return 0;
}

function restoreFromRegister({ cache, books, folder }: SiteArchive, now: number): number {
  const restored = new Map<string, StoredPdf>();
  runInTransaction(cache, () => {
    for (const line of readRegister(folder)) {
      if ('deleted' in line) {
        removeStatementPdfs(cache, line.deleted);
        for (const [key, pdf] of restored) if (pdf.statement_id === line.deleted) restored.delete(key);
      } else {
        savePdfVersion(cache, line);
        restored.set(`${line.statement_id}/${line.version}`, line);
      }
    }
  });
  const missing = [...restored.values()].filter(({ sha256 }) => !isOnDisk(getPdfPath(folder, sha256)));
  runInTransaction(books, () => {
    for (const { sha256 } of missing) saveArchiveFileCheck(books, sha256, 'missing', now);
  });
  return restored.size;
}

const isOnDisk = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function* readRegister(folder: string): Generator<RegisterLine> {
  for (const text of readFileSync(getRegisterPath(folder), 'utf8').split('\n')) {
    const line = parseRegisterLine(text);
    if (line !== null) yield line;
  }
}

/** Parses a line of the register. Returns null if it is truncated. */
function parseRegisterLine(text: string): RegisterLine | null {
  try {
    const line = JSON.parse(text) as Partial<StoredPdf> & { deleted?: number };
    if (Number.isSafeInteger(line.deleted)) return { deleted: line.deleted as number };
    const { statement_id, version, sha256, bytes, fetched_at, statement_updated_at } = line;
    const isComplete =
      [statement_id, version, bytes, fetched_at, statement_updated_at ?? 0].every(Number.isSafeInteger) &&
      /^[0-9a-f]{64}$/.test(sha256 ?? '');
    if (!isComplete) return null;
    const pdf = { statement_id, version, sha256, bytes, fetched_at };
    return { ...pdf, statement_updated_at: statement_updated_at ?? null } as StoredPdf;
  } catch {
    return null;
  }
}

/** Writes a new archive register from the PDFs in the cache. */
function writeRegister(folder: string, cache: WritableDb): void {
  const path = getRegisterPath(folder);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.new`;
  const file = openSync(part, 'w', 0o600);
  try {
    let text = '';
    for (const pdf of readAllPdfs(cache)) {
      text += `\n${JSON.stringify(pdf)}`;
      if (text.length < 64 * 1024) continue;
      writeSync(file, text);
      text = '';
    }
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
  flushFolderToDisk(dirname(path));
}
