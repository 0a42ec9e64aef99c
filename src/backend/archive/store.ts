import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsync, mkdirSync, open as openFile, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BillingError } from '../../billing/errors.ts';
import type { PdfStream } from '../../billing/index.ts';

/** Where a PDF of this hash stands in a site's folder: named after what it holds, so that equal bytes stand once. */
export function pdfPath(folder: string, sha256: string): string {
  return join(folder, 'archive', sha256.slice(0, 2), `${sha256}.pdf`);
}

/** Where the bytes of damaged files are kept once they are fetched again: under the names they had, and a number from the second on. */
export const damagedFolder = (folder: string): string => join(folder, 'archive', 'damaged');

/** What the archive says of its files: see `register.ts`. */
export const registerPath = (folder: string): string => join(folder, 'archive', 'register.ndjson');

/** A PDF that stands in the archive, durable. */
export interface ArchivedPdf {
  sha256: string;
  bytes: number;
}

/** How much of the end of a PDF may stand behind its mark (PDF 1.7, appendix H 3.4.4). */
const TAIL = 1024;

const temporaryFolder = (folder: string) => join(folder, 'archive', 'incoming');

/** Removes what a stopped fetch left half done. Only while nothing is fetched for the site. */
export function clearIncoming(folder: string): void {
  rmSync(temporaryFolder(folder), { recursive: true, force: true });
}

const durable = promisify(fsync);
/** A new name waits for the disk where others are made durable at that moment. */
const opened = promisify(openFile);

/**
 * Stores a PDF as it comes: hashed on the way, checked, made durable, and only then put under its name. Throws BillingError
 * where what came is not a whole PDF; nothing is kept then. Only what waits for the disk is waited for: the rest is done
 * sooner than another thread would have taken it over.
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

/** Does what needs the folder of a file; makes the folder where it is not there yet. */
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
    // Goes on until all is written, or says that the disk is full.
    writeFileSync(file, chunk);
    bytes += chunk.length;
    tail = endOf(tail, chunk);
  }
  return { sha256: hash.digest('hex'), bytes, tail };
}

/** The last bytes of what came so far. */
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

/** Makes the names of PDFs of these hashes, and what the register says of them, durable, after many were added. */
export async function settleArchive(folder: string, hashes: Iterable<string>): Promise<void> {
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

/** Makes a file durable, where it is there. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  await file?.sync();
  await file?.close();
}
