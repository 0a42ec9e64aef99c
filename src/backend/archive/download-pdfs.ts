import type { BillingClient } from '../../billing/index.ts';
import { createWorkerPool, MAX_CONCURRENT_REQUESTS } from '../shared/worker-pool.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { DuePdf } from '../store/statements/statement-needs.ts';
import { downloadPdf, recordPdfs, type UnrecordedPdf } from './download-pdf.ts';
import { clearIncomingFiles, syncArchive } from './pdf-files.ts';

/**
 * Maximum number of PDFs being downloaded or stored. Twice the number of concurrent requests, because one PDF is flushed
 * to disk while the next is downloaded.
 */
const MAX_CONCURRENT_DOWNLOADS = 2 * MAX_CONCURRENT_REQUESTS;
/**
 * Number of PDFs recorded per transaction while they arrive quickly. After a pause of `PAUSE_MS` milliseconds, each PDF
 * is recorded immediately.
 */
const PDFS_PER_TRANSACTION = 256;
const PAUSE_MS = 250;

export interface PdfDownloadCallbacks {
  readonly signal: AbortSignal;
  /** Called before each request. */
  onRequest?(): void;
  /** Called for each PDF within the transaction that records it. */
  onRecorded?(statement: DuePdf): void;
  /** Called with the number of PDFs just stored and recorded. */
  onStored(pdfs: number): void;
  /** Called if a download fails. Throws the error to stop all downloads. */
  onFailed(statement: DuePdf, error: unknown): void;
}

/**
 * Downloads the PDFs of these statements concurrently and records them. Even after a failure, downloaded PDFs are
 * recorded and flushed to disk. Rejects with the first error that `onFailed` throws, after the running downloads have
 * ended.
 */
export async function downloadPdfs(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  client: BillingClient,
  due: readonly DuePdf[],
  { onRequest, onRecorded, onStored, onFailed, ...given }: PdfDownloadCallbacks,
): Promise<void> {
  const { folder } = site;
  const failureController = new AbortController();
  const signal = AbortSignal.any([given.signal, failureController.signal]);
  /**
   * One added file per folder. Folders are named by the first two characters of the hash, and flushing one file's folder
   * covers all its files.
   */
  const added = new Map<string, string>();
  const queue = due.values();
  clearIncomingFiles(folder);

  let pending: { statement: DuePdf; taken: UnrecordedPdf }[] = [];
  let recordedAt = performance.now();

  /** Records the PDFs stored so far. PDFs not recorded when the process ends are downloaded again. */
  function recordPending(): void {
    const group = pending;
    pending = [];
    recordedAt = performance.now();
    if (group.length === 0) return;
    recordPdfs(
      site,
      group.map(({ taken }) => taken),
      () => {
        for (const { statement } of group) onRecorded?.(statement);
      },
    );
    onStored(group.length);
  }

  async function downloadOne(statement: DuePdf): Promise<void> {
    onRequest?.();
    let taken: UnrecordedPdf;
    try {
      taken = await downloadPdf(folder, client, statement, signal);
    } catch (error) {
      onFailed(statement, error);
      return;
    }
    added.set(taken.sha256.slice(0, 2), taken.sha256);
    pending.push({ statement, taken });
    if (pending.length >= PDFS_PER_TRANSACTION || performance.now() - recordedAt > PAUSE_MS) recordPending();
  }

  const workers = createWorkerPool(
    MAX_CONCURRENT_DOWNLOADS,
    () => {
      const { value: statement } = queue.next();
      return statement === undefined ? null : () => downloadOne(statement);
    },
    () => failureController.abort(),
  );
  try {
    await workers.run();
  } finally {
    recordPending();
    await syncArchive(folder, added.values());
  }
}
