import { readFile } from 'node:fs/promises';
import { wordsOf } from '../archive/pdfWords.ts';
import { pdfPath } from '../archive/store.ts';
import type { OpenSite } from '../sites/stores.ts';
import type { CheckUnit } from '../store/checkDue.ts';
import { commit } from '../store/database.ts';
import { keepWords, pdfsWithoutWords } from '../store/pdfWords.ts';

/** Draws the words of the PDFs of these units’ statements, where that was not done yet. A file that is gone is passed over. */
export async function drawWords(
  { cache, folder }: Pick<OpenSite, 'cache' | 'folder'>,
  units: readonly CheckUnit[],
  signal: AbortSignal,
): Promise<void> {
  for (const sha256 of pdfsWithoutWords(cache, units)) {
    signal.throwIfAborted();
    const file = await readFile(pdfPath(folder, sha256)).catch(() => null);
    if (file === null) continue;
    const words = await wordsOf(new Uint8Array(file));
    commit(cache, () => keepWords(cache, sha256, words));
  }
}
