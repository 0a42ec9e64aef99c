import type { BillingClient } from '../../billing/index.ts';
import { createWorkerPool, MAX_CONCURRENT_REQUESTS } from '../shared/worker-pool.ts';
import type { OpenSite } from '../sites/open-site.ts';
import type { DuePdf } from '../store/statements/statement-needs.ts';
import { downloadPdf, recordPdfs, type UnrecordedPdf } from './fetch-pdf.ts';
import { clearIncomingFiles, syncArchive } from './pdf-files.ts';

/** Twice the number of concurrent requests: while one PDF is made durable, the next one is downloaded. */
const UNDER_WAY = 2 * MAX_CONCURRENT_REQUESTS;
/**
 * Number of PDFs recorded together while they arrive quickly, and the milliseconds between arrivals from which each is
 * recorded alone.
 */
const TOGETHER = 256;
const PAUSE_MS = 250;

export interface PdfDownloads {
  readonly signal: AbortSignal;
  /** Called before each request. */
  asked?(): void;
  /** Writes in the transaction that records a downloaded PDF. */
  noted?(statement: DuePdf): void;
  /** Receives the number of PDFs just stored and recorded. */
  fetched(pdfs: number): void;
  /** Handles a failure that does not end the run. Rethrows any other. */
  failed(statement: DuePdf, error: unknown): void;
}

/**
 * Downloads the PDFs of these statements into the archive concurrently and makes their names durable in any case. Rejects
 * with the first failure thrown by `failed` after the running downloads have ended.
 */
export async function downloadPdfs(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  client: BillingClient,
  due: readonly DuePdf[],
  { asked, noted, fetched, failed, ...given }: PdfDownloads,
): Promise<void> {
  const { folder } = site;
  const ends = new AbortController();
  const signal = AbortSignal.any([given.signal, ends.signal]);
  /** Folders are named by the first two characters of the hash, so syncing one file per folder is enough. */
  const added = new Map<string, string>();
  const queue = due.values();
  clearIncomingFiles(folder);

  let waiting: { statement: DuePdf; taken: UnrecordedPdf }[] = [];
  let notedAt = performance.now();

  /** PDFs not recorded when the process ends are downloaded again. */
  function note(): void {
    const group = waiting;
    waiting = [];
    notedAt = performance.now();
    if (group.length === 0) return;
    recordPdfs(
      site,
      group.map(({ taken }) => taken),
      () => {
        for (const { statement } of group) noted?.(statement);
      },
    );
    fetched(group.length);
  }

  async function fetch(statement: DuePdf): Promise<void> {
    asked?.();
    let taken: UnrecordedPdf;
    try {
      taken = await downloadPdf(folder, client, statement, signal);
    } catch (error) {
      failed(statement, error);
      return;
    }
    added.set(taken.sha256.slice(0, 2), taken.sha256);
    waiting.push({ statement, taken });
    if (waiting.length >= TOGETHER || performance.now() - notedAt > PAUSE_MS) note();
  }

  const workers = createWorkerPool(
    UNDER_WAY,
    () => {
      const { value: statement } = queue.next();
      return statement === undefined ? null : () => fetch(statement);
    },
    () => ends.abort(),
  );
  try {
    await workers.run();
  } finally {
    note();
    await syncArchive(folder, added.values());
  }
}
