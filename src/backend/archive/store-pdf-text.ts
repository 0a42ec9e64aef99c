import { readFile } from 'node:fs/promises';
import type { OpenSite } from '../sites/open-site.ts';
import { listPdfsToExtract, savePdfText, skipPdfTextExtraction } from '../store/archive/pdf-text.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { getPdfPath } from './pdf-files.ts';
import { extractPdfText } from './pdf-text.ts';

/** Extracts and stores the text of an archived PDF. Skips a missing file. */
export async function extractAndStorePdfText(
  { cache, folder }: Pick<OpenSite, 'cache' | 'folder'>,
  sha256: string,
): Promise<void> {
  const file = await readFile(getPdfPath(folder, sha256)).catch(() => null);
  const text = file === null ? null : await extractPdfText(new Uint8Array(file));
  runInTransaction(cache, () =>
    text === null ? skipPdfTextExtraction(cache, sha256) : savePdfText(cache, sha256, text),
  );
}

/** Extracts the text of PDFs that have not been processed yet, up to a limit. Returns how many were processed. */
export async function extractPendingPdfTexts(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  limit: number,
): Promise<number> {
  const unread = listPdfsToExtract(site.cache, limit);
  for (const sha256 of unread) await extractAndStorePdfText(site, sha256);
  return unread.length;
}
