import { extractAndStorePdfText } from '../archive/store-pdf-text.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { pdfsWithoutWords } from '../store/archive/pdf-words.ts';
import type { CheckUnit } from '../store/check-queue/check-due.ts';

/** Extracts the text of these units' statement PDFs, if that has not been done yet. */
export async function extractPdfTexts(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  units: readonly CheckUnit[],
  signal: AbortSignal,
): Promise<void> {
  for (const sha256 of pdfsWithoutWords(site.cache, units)) {
    signal.throwIfAborted();
    await extractAndStorePdfText(site, sha256);
  }
}
