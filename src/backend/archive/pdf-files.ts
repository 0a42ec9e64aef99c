import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsync, mkdirSync, open as openFile, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BillingError } from '../../billing/errors/billing-error.ts';
import type { PdfStream } from '../../billing/index.ts';
import { getHashPath } from '../shared/hash-path.ts';

/**
 * Returns the path of a PDF in a site's folder. Its name is the PDF's SHA-256, so that equal PDFs are stored once. Throws
 * `corrupt` for any other text.
 */
export function getPdfPath(folder: string, sha256: string): string {
  return join(folder, 'archive', `${getHashPath(sha256)}.pdf`);
}

/** Returns the folder of replaced damaged PDFs. Further damaged copies of a PDF have a number in their names. */
export const getDamagedPdfFolder = (folder: string): string => join(folder, 'archive', 'damaged');

/** Returns the path of the archive register. `archive-register.ts` describes its format. */
export const getRegisterPath = (folder: string): string => join(folder, 'archive', 'register.ndjson');

/** PDF that is stored in the archive and flushed to disk. */
export interface ArchivedPdf {
  sha256: string;
  bytes: number;
}

/** Number of bytes at the end of a PDF that must contain its end marker (PDF 1.7, appendix H 3.4.4). */
const TAIL_BYTES = 1024;

const incomingFolder = (folder: string) => join(folder, 'archive', 'incoming');

/** Deletes files left by interrupted downloads. Must not be called while a download of the site is running. */
export function deleteIncompletePdfDownloads(folder: string): void {
  rmSync(incomingFolder(folder), { recursive: true, force: true });
}

const flushFile = promisify(fsync);
/** Opens files asynchronously, because creating a file waits for the disk while other files are being flushed. */
const openFileAsync = promisify(openFile);

/**
 * Stores a PDF while it is being downloaded: hashes it, checks it, flushes it to disk and renames it to its final name.
 * Throws BillingError and stores nothing if the PDF is incomplete. Only the flush is asynchronous, because the other
 * steps are faster than a thread switch.
 */
export async function storePdf(folder: string, pdf: PdfStream, statement: number): Promise<ArchivedPdf> {
  const temporary = join(incomingFolder(folder), `${statement}-${randomBytes(6).toString('hex')}.pdf`);
  let file: number | null = null;
  try {
    file = await withFolder(temporary, () => openFileAsync(temporary, 'wx', 0o600));
    const { sha256, bytes, tail } = await receivePdf(pdf, file);
    requireCompletePdf(pdf, bytes, tail, statement);
    await flushFile(file);
    closeSync(file);
    file = null;
    const path = getPdfPath(folder, sha256);
    await withFolder(path, () => renameSync(temporary, path));
    return { sha256, bytes };
  } catch (error) {
    if (file !== null) closeSync(file);
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    pdf.close();
  }
}

/** Runs an action on a file. If the file's folder is missing, creates it and runs the action again. */
async function withFolder<Result>(path: string, action: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return action();
  }
}

async function receivePdf(pdf: PdfStream, file: number): Promise<ArchivedPdf & { tail: Buffer }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of pdf.body) {
    hash.update(chunk);
    // `writeFileSync` writes everything or throws, for example if the disk is full.
    writeFileSync(file, chunk);
    bytes += chunk.length;
    tail = lastBytes(tail, chunk);
  }
  return { sha256: hash.digest('hex'), bytes, tail };
}

/** Returns the last bytes received so far, enough to contain the end marker. */
function lastBytes(before: Buffer, chunk: Uint8Array): Buffer {
  const last = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).subarray(-TAIL_BYTES);
  return last.length === TAIL_BYTES ? last : Buffer.concat([before, last]).subarray(-TAIL_BYTES);
}

function requireCompletePdf(pdf: PdfStream, bytes: number, tail: Buffer, statement: number): void {
  const problem = findPdfProblem(pdf, bytes, tail);
  if (problem === null) return;
  throw new BillingError('service', `The PDF of statement ${statement} ${problem}.`, {
    hint: 'Try again. If this keeps happening, contact the service’s support.',
    retryable: true,
    detail: { reason: 'pdf', request_id: pdf.meta.request_id },
  });
}

function findPdfProblem({ meta, headers }: PdfStream, bytes: number, tail: Buffer): string | null {
  const announcedBytes = headers['content-length'] === undefined ? null : meta.bytes;
  if (announcedBytes !== null && announcedBytes !== bytes)
    return `has ${bytes} bytes instead of the ${announcedBytes} announced`;
  if (!tail.includes('%%EOF')) return 'is incomplete';
  const type = headers['content-type'] ?? 'application/pdf';
  return /pdf|octet-stream/i.test(type) ? null : `has the content type ${type.slice(0, 80)}`;
}

/** Flushes the archive register and the folders of these PDFs to disk. Called once after many PDFs were added. */
export async function flushArchiveToDisk(folder: string, hashes: Iterable<string>): Promise<void> {
  await syncFile(getRegisterPath(folder));
  if (process.platform === 'win32') return;
  const folders = new Set([...hashes].map((sha256) => dirname(getPdfPath(folder, sha256))));
  if (folders.size > 0) folders.add(join(folder, 'archive'));
  for (const path of folders) {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** Flushes a file to disk if it exists. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  await file?.sync();
  await file?.close();
}
