import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BillingError, type PdfStream } from '../../billing/index.ts';
import { syncFolder } from '../sites/durableFile.ts';

/** Where a PDF of this hash stands in a site's folder: named after what it holds, so that equal bytes stand once. */
export function pdfPath(folder: string, sha256: string): string {
  return join(folder, 'archive', sha256.slice(0, 2), `${sha256}.pdf`);
}

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

/**
 * Stores a PDF as it comes: hashed on the way, checked, made durable, and only then put under its name. Throws BillingError
 * where what came is not a whole PDF; nothing is kept then.
 */
export async function storePdf(folder: string, pdf: PdfStream, statement: number): Promise<ArchivedPdf> {
  const incoming = temporaryFolder(folder);
  mkdirSync(incoming, { recursive: true, mode: 0o700 });
  const temporary = join(incoming, `${statement}-${randomBytes(6).toString('hex')}.pdf`);
  let file: FileHandle | null = null;
  try {
    file = await open(temporary, 'wx', 0o600);
    const { sha256, bytes, tail } = await receive(pdf, file);
    check(pdf, bytes, tail, statement);
    await file.sync();
    await file.close();
    file = null;
    const path = pdfPath(folder, sha256);
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    await rename(temporary, path);
    return { sha256, bytes };
  } catch (error) {
    await file?.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  } finally {
    pdf.close();
  }
}

async function receive(pdf: PdfStream, file: FileHandle): Promise<ArchivedPdf & { tail: Buffer }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let tail = Buffer.alloc(0);
  for await (const chunk of pdf.body) {
    hash.update(chunk);
    bytes += chunk.length;
    tail = Buffer.concat([tail, chunk.subarray(-TAIL)]).subarray(-TAIL);
    await file.writeFile(chunk);
  }
  return { sha256: hash.digest('hex'), bytes, tail };
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

/** Makes the names in the archive durable, after many were added. */
export function settleArchive(folder: string): void {
  const archive = join(folder, 'archive');
  for (const entry of readdirSync(archive, { withFileTypes: true })) {
    if (entry.isDirectory()) syncFolder(join(archive, entry.name));
  }
  syncFolder(archive);
}
