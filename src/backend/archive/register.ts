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
import { syncFolder } from '../sites/durable-file.ts';
import { noteCheck } from '../store/archive/archive-figures.ts';
import { allPdfs, knowsNoPdf, putPdf, removePdfs, type StoredPdf } from '../store/archive/pdf.ts';
import { commit, type WritableDb } from '../store/database.ts';
import { pdfPath, registerPath } from './store.ts';

/*
 * `archive/register.ndjson`: what was put into the archive and what a person deleted from it, a line each, in the order in which it
 * happened. The files are named after what they hold and do not say whose they are: with the register the archive tells it by itself,
 * and a cache that is made anew finds every version again, with its dates. Lines are only ever added.
 */

/** An archive with the stores that know of it. */
export interface ArchivePlace {
  readonly cache: WritableDb;
  readonly books: WritableDb;
  /** The site's. */
  readonly folder: string;
}

type Line = StoredPdf | { deleted: number };

/**
 * Notes renderings that stand in the archive. To be called inside the commit of their rows, so that there is no row without a line;
 * a line without its row is of a PDF that is fetched again.
 */
export function registerPdfs(folder: string, pdfs: readonly StoredPdf[]): void {
  append(folder, pdfs);
}

/** Notes that a person deleted the PDFs of a statement. */
export function registerDeletion(folder: string, statement: number): void {
  append(folder, [{ deleted: statement }]);
}

/** A line begins with its break, so that one torn by a crash spoils none behind it. */
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
 * Brings a cache and the register of the archive together where one of them is new: a cache that knows no PDF learns them from the
 * register, and an archive from before there was one gets its register from the cache. What is not on the disk any more is noted as
 * missing, to be fetched again. Gives how many renderings were found again.
 * @param now ms UTC
 */
export function settleRegister({ cache, books, folder }: ArchivePlace, now: number): number {
  const isThere = existsSync(registerPath(folder));
  if (!knowsNoPdf(cache)) {
    if (!isThere) writeRegister(folder, cache);
    return 0;
  }
  return isThere ? restore({ cache, books, folder }, now) : 0;
}

function restore({ cache, books, folder }: ArchivePlace, now: number): number {
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

/** Null for a line that was torn. */
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

/** Writes a whole register of what a cache knows. */
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
