import { readFile } from 'node:fs/promises';
import type { OpenSite } from '../sites/open-site.ts';
import { keepWords, passOverPdf, unreadPdfs } from '../store/archive/pdf-words.ts';
import { commit } from '../store/sqlite/connection.ts';
import { pdfPath } from './pdf-files.ts';
import { extractPdfText } from './pdf-text.ts';

/** Extracts and stores the text of an archived PDF. Skips a missing file. */
export async function extractTextOfFile(
  { cache, folder }: Pick<OpenSite, 'cache' | 'folder'>,
  sha256: string,
): Promise<void> {
  const file = await readFile(pdfPath(folder, sha256)).catch(() => null);
  const words = file === null ? null : await extractPdfText(new Uint8Array(file));
  commit(cache, () => (words === null ? passOverPdf(cache, sha256) : keepWords(cache, sha256, words)));
}

/** Extracts the text of some PDFs that have none yet, for the search. Returns how many were processed. */
export async function extractSomeTexts(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  most: number,
): Promise<number> {
  const unread = unreadPdfs(site.cache, most);
  for (const sha256 of unread) await extractTextOfFile(site, sha256);
  return unread.length;
}
