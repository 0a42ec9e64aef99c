import type { BillingClient } from '../../billing/index.ts';
import { MAX_CONCURRENT_REQUESTS, WorkerPool } from '../shared/worker-pool.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { PendingPdf } from '../store/statements/statements-to-fetch.ts';
import { downloadPdf, recordPdfs, type UnrecordedPdf } from './download-pdf.ts';
import { deleteIncompletePdfDownloads, flushArchiveToDisk } from './pdf-files.ts';

/** Maximum number of PDFs in progress. Per request, one PDF is flushed to disk while the next is downloaded. */
const MAX_CONCURRENT_DOWNLOADS = 2 * MAX_CONCURRENT_REQUESTS;
/** Number of PDFs recorded per transaction. After `PAUSE_MS` milliseconds, smaller groups are recorded. */
const PDFS_PER_TRANSACTION = 256;
const PAUSE_MS = 250;

export interface PdfDownloadCallbacks {
  readonly signal: AbortSignal;
  onRequest?(): void;
  /** Called for each PDF within the transaction that records it. */
  onRecorded?(statement: PendingPdf): void;
  /** Called with the number of PDFs that were just recorded. */
  onStored(pdfs: number): void;
  /** Called if a download fails. Throws the error to stop all downloads. */
  onFailed(statement: PendingPdf, error: unknown): void;
}

/**
 * Downloads the PDFs of these statements concurrently and records them. Even after a failure, downloaded PDFs are
 * recorded and flushed to disk. When `onFailed` throws, waits for the running downloads and rejects with the first
 * error.
 */
export async function downloadPdfs(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  client: BillingClient,
  due: readonly PendingPdf[],
  { signal, onRequest, onRecorded, onStored, onFailed }: PdfDownloadCallbacks,
): Promise<void> {
  const { folder } = site;
  /** One added file per folder, keyed by the folder's name. Flushing a folder covers all its files. */
  const added = new Map<string, string>();
  const queue = due.values();
  deleteIncompletePdfDownloads(folder);

  let pending: { statement: PendingPdf; pdf: UnrecordedPdf }[] = [];
  let recordedAt = performance.now();

  /** Records the PDFs stored since the last call. PDFs not recorded when the process ends are downloaded again. */
  function recordPending(): void {
    const group = pending;
    pending = [];
    recordedAt = performance.now();
    if (group.length === 0) return;
    const pdfs = group.map(({ pdf }) => pdf);
    recordPdfs(site, pdfs, () => {
      for (const { statement } of group) onRecorded?.(statement);
    });
    onStored(group.length);
  }

  async function downloadOne(statement: PendingPdf): Promise<void> {
    onRequest?.();
    let pdf: UnrecordedPdf;
    try {
      pdf = await downloadPdf(folder, client, statement, workers.signal);
    } catch (error) {
      onFailed(statement, error);
      return;
    }
    added.set(pdf.sha256.slice(0, 2), pdf.sha256);
    pending.push({ statement, pdf });
    if (pending.length >= PDFS_PER_TRANSACTION || performance.now() - recordedAt > PAUSE_MS) recordPending();
  }

  const nextDownload = () => {
    const { value: statement } = queue.next();
    return statement === undefined ? null : () => downloadOne(statement);
  };
  const workers = new WorkerPool(signal, nextDownload, MAX_CONCURRENT_DOWNLOADS);
  try {
    await workers.run();
  } finally {
    recordPending();
    await flushArchiveToDisk(folder, added.values());
  }
}
