import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsync, mkdirSync, open as openFile, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BillingError } from '../../billing/errors/billing-error.ts';
import type { PdfStream } from '../../billing/index.ts';

/** Returns the path of a PDF in a site's folder. It is named by its SHA-256, so that equal files are stored once. */
export function pdfPath(folder: string, sha256: string): string {
  return join(folder, 'archive', sha256.slice(0, 2), `${sha256}.pdf`);
}

/**
 * Returns the folder of damaged files that were downloaded again. They keep their names, with a number from the second
 * copy on.
 */
export const damagedFolder = (folder: string): string => join(folder, 'archive', 'damaged');

/** Returns the path of the archive's register, see `register.ts`. */
export const registerPath = (folder: string): string => join(folder, 'archive', 'register.ndjson');

/** A PDF stored durably in the archive. */
export interface ArchivedPdf {
  sha256: string;
  bytes: number;
}

/** Bytes at the end of a PDF within which its end marker must be (PDF 1.7, appendix H 3.4.4). */
const TAIL = 1024;

const temporaryFolder = (folder: string) => join(folder, 'archive', 'incoming');

/** Removes files left by interrupted downloads. No download of the site may be running. */
export function clearIncomingFiles(folder: string): void {
  rmSync(temporaryFolder(folder), { recursive: true, force: true });
}

const durable = promisify(fsync);
/** Opens a file asynchronously: creating a name waits for the disk while other files are made durable. */
const opened = promisify(openFile);

/**
 * Stores a PDF while it is downloaded: hashes, checks and syncs it, then gives it its name. Throws BillingError and
 * stores nothing if the PDF is incomplete. Only disk syncs are asynchronous; for the rest, handing over to another thread
 * takes longer.
 */
export async function storePdf(folder: string, pdf: PdfStream, statement: number): Promise<ArchivedPdf> {
  const temporary = join(temporaryFolder(folder), `${statement}-${randomBytes(6).toString('hex')}.pdf`);
  let file: number | null = null;
  try {
    file = await inFolder(temporary, () => opened(temporary, 'wx', 0o600));
    const { sha256, bytes, tail } = await receive(pdf, file);
    check(pdf, bytes, tail, statement);
    await durable(file);
    closeSync(file);
    file = null;
    const path = pdfPath(folder, sha256);
    await inFolder(path, () => renameSync(temporary, path));
    return { sha256, bytes };
  } catch (error) {
    if (file !== null) closeSync(file);
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    pdf.close();
  }
}

/** Runs an action that needs a file's folder, and creates the folder if it is missing. */
async function inFolder<Result>(path: string, act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return act();
  }
}

async function receive(pdf: PdfStream, file: number): Promise<ArchivedPdf & { tail: Buffer }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of pdf.body) {
    hash.update(chunk);
    // Writes everything or throws, for example if the disk is full.
    writeFileSync(file, chunk);
    bytes += chunk.length;
    tail = endOf(tail, chunk);
  }
  return { sha256: hash.digest('hex'), bytes, tail };
}

/** Returns the last bytes received so far. */
function endOf(before: Buffer, chunk: Uint8Array): Buffer {
  const last = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).subarray(-TAIL);
  return last.length === TAIL ? last : Buffer.concat([before, last]).subarray(-TAIL);
}

function check({ meta, headers }: PdfStream, bytes: number, tail: Buffer, statement: number): void {
  const announced = headers['content-length'] === undefined ? null : meta.bytes;
  const type = headers['content-type'] ?? 'application/pdf';
  const wrong =
    announced !== null && announced !== bytes
      ? `has ${bytes} bytes instead of the ${announced} announced`
      : !tail.includes('%%EOF')
        ? 'breaks off before its end'
        : !/pdf|octet-stream/i.test(type)
          ? `came as ${type.slice(0, 80)}`
          : null;
  if (wrong === null) return;
  throw new BillingError('service', `The PDF of statement ${statement} ${wrong}.`, {
    hint: 'Try again; if it stays so, show this to the service’s support.',
    retryable: true,
    detail: { reason: 'pdf', request_id: meta.request_id },
  });
}

/** Makes the names of these PDFs and the register durable after many were added. */
export async function syncArchive(folder: string, hashes: Iterable<string>): Promise<void> {
  await syncFile(registerPath(folder));
  if (process.platform === 'win32') return;
  const folders = new Set([...hashes].map((sha256) => dirname(pdfPath(folder, sha256))));
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

/** Makes a file durable if it exists. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  await file?.sync();
  await file?.close();
}
