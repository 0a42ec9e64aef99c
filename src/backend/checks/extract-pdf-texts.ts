import { extractAndStorePdfText } from '../archive/store-pdf-text.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { listPdfsWithoutText } from '../store/archive/pdf-text.ts';
import type { CheckQueueUnit } from '../store/check-queue/check-queue.ts';

/** Extracts the text of these subscriptions' statement PDFs where it has not been extracted yet. */
export async function extractPdfTexts(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  units: readonly CheckQueueUnit[],
  signal: AbortSignal,
): Promise<void> {
  for (const sha256 of listPdfsWithoutText(site.cache, units)) {
    signal.throwIfAborted();
    await extractAndStorePdfText(site, sha256);
  }
}
