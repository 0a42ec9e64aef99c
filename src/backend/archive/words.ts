import { readFile } from 'node:fs/promises';
import type { OpenSite } from '../sites/stores.ts';
import { keepWords, passOverPdf, unreadPdfs } from '../store/archive/pdf-words.ts';
import { commit } from '../store/database.ts';
import { wordsOf } from './pdf-words.ts';
import { pdfPath } from './store.ts';

/** Draws the words of a PDF of the archive and keeps them. A file that is gone is passed over. */
export async function drawWordsOf(
  { cache, folder }: Pick<OpenSite, 'cache' | 'folder'>,
  sha256: string,
): Promise<void> {
  const file = await readFile(pdfPath(folder, sha256)).catch(() => null);
  const words = file === null ? null : await wordsOf(new Uint8Array(file));
  commit(cache, () => (words === null ? passOverPdf(cache, sha256) : keepWords(cache, sha256, words)));
}

/** Draws the words of some PDFs whose words are not drawn yet, so that a search finds them; gives how many it looked at. */
export async function drawSomeWords(site: Pick<OpenSite, 'cache' | 'folder'>, most: number): Promise<number> {
  const unread = unreadPdfs(site.cache, most);
  for (const sha256 of unread) await drawWordsOf(site, sha256);
  return unread.length;
}
