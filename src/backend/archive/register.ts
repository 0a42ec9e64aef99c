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
import { syncFolder } from '../shared/durable-file.ts';
import { noteCheck } from '../store/archive/archive-figures.ts';
import { allPdfs, knowsNoPdf, putPdf, removePdfs, type StoredPdf } from '../store/archive/pdf.ts';
import { commit, type WritableDb } from '../store/sqlite/connection.ts';
import { pdfPath, registerPath } from './pdf-files.ts';

/*
 * `archive/register.ndjson` records in order what was stored in the archive and what a person deleted from it, one line
 * each. The file names are checksums and do not name the statements. With the register the archive describes itself, and
 * a rebuilt cache finds every version with its dates. Lines are only appended.
 */

/** An archive with the databases that refer to it. */
export interface SiteArchive {
  readonly cache: WritableDb;
  readonly books: WritableDb;
  /** The site's folder. */
  readonly folder: string;
}

type Line = StoredPdf | { deleted: number };

/**
 * Records stored PDFs in the register. Must be called inside the commit of their rows, so that there is no row without a
 * line. A line without a row belongs to a PDF that will be downloaded again.
 */
export function registerPdfs(folder: string, pdfs: readonly StoredPdf[]): void {
  append(folder, pdfs);
}

/** Records that a person deleted a statement's PDFs. */
export function registerDeletion(folder: string, statement: number): void {
  append(folder, [{ deleted: statement }]);
}

/** Each line starts with its line break, so that a line truncated by a crash damages no other. */
function append(folder: string, lines: readonly Line[]): void {
  const path = registerPath(folder);
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
 * Reconciles a new cache or archive with the register. A cache without PDFs learns them from the register. An archive
 * without a register gets one from the cache. Files no longer on the disk are recorded as missing and downloaded again.
 * Returns the number of recovered PDFs.
 * @param now UTC milliseconds
 */
export function reconcileRegister({ cache, books, folder }: SiteArchive, now: number): number {
  const isThere = existsSync(registerPath(folder));
  if (!knowsNoPdf(cache)) {
    if (!isThere) writeRegister(folder, cache);
    return 0;
  }
  return isThere ? restore({ cache, books, folder }, now) : 0;
}

function restore({ cache, books, folder }: SiteArchive, now: number): number {
  const known = new Map<string, StoredPdf>();
  commit(cache, () => {
    for (const line of linesOf(folder)) {
      if ('deleted' in line) {
        removePdfs(cache, line.deleted);
        for (const [key, pdf] of known) if (pdf.statement_id === line.deleted) known.delete(key);
      } else {
        putPdf(cache, line);
        known.set(`${line.statement_id}/${line.version}`, line);
      }
    }
  });
  const missing = [...known.values()].filter(({ sha256 }) => !isOnDisk(pdfPath(folder, sha256)));
  commit(books, () => {
    for (const { sha256 } of missing) noteCheck(books, sha256, 'missing', now);
  });
  return known.size;
}

const isOnDisk = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function* linesOf(folder: string): Generator<Line> {
  for (const text of readFileSync(registerPath(folder), 'utf8').split('\n')) {
    const line = lineOf(text);
    if (line !== null) yield line;
  }
}

/** Returns null for a truncated line. */
function lineOf(text: string): Line | null {
  try {
    const line = JSON.parse(text) as Partial<StoredPdf> & { deleted?: number };
    if (Number.isSafeInteger(line.deleted)) return { deleted: line.deleted as number };
    const { statement_id, version, sha256, bytes, fetched_at, statement_updated_at } = line;
    const whole =
      [statement_id, version, bytes, fetched_at, statement_updated_at ?? 0].every(Number.isSafeInteger) &&
      /^[0-9a-f]{64}$/.test(sha256 ?? '');
    if (!whole) return null;
    return {
      statement_id,
      version,
      sha256,
      bytes,
      fetched_at,
      statement_updated_at: statement_updated_at ?? null,
    } as StoredPdf;
  } catch {
    return null;
  }
}

/** Writes a complete register from the cache. */
function writeRegister(folder: string, cache: WritableDb): void {
  const path = registerPath(folder);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.new`;
  const file = openSync(part, 'w', 0o600);
  try {
    let text = '';
    for (const pdf of allPdfs(cache)) {
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
  syncFolder(dirname(path));
}
