import { drawWordsOf } from '../archive/words.ts';
import type { OpenSite } from '../sites/stores.ts';
import { pdfsWithoutWords } from '../store/archive/pdf-words.ts';
import type { CheckUnit } from '../store/checks/check-due.ts';

/** Draws the words of the PDFs of these units’ statements, where that was not done yet. */
export async function drawWords(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  units: readonly CheckUnit[],
  signal: AbortSignal,
): Promise<void> {
  for (const sha256 of pdfsWithoutWords(site.cache, units)) {
    signal.throwIfAborted();
    await drawWordsOf(site, sha256);
  }
}
