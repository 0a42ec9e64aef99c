import type { BillingClient } from '../../billing/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import type { DuePdf } from '../store/statementNeeds.ts';
import { AT_ONCE, createWorkers } from '../sync/workers.ts';
import { fetchPdf } from './fetchPdf.ts';
import { clearIncoming, settleArchive } from './store.ts';

export interface FetchingPdfs {
  readonly signal: AbortSignal;
  /** Called before each request. */
  asked?(): void;
  /** What is written together with the note of a fetched PDF. */
  noted?(statement: DuePdf): void;
  fetched(): void;
  /** Takes a failure that does not end it all; throws any other. */
  failed(statement: DuePdf, error: unknown): void;
}

/**
 * Fetches the PDFs of these statements into the archive, a few side by side, and makes their names durable, however it ends. Rejects
 * with the first failure that `failed` throws, once the others under way have ended.
 */
export async function fetchPdfs(
  site: Pick<OpenSite, 'cache' | 'folder'>,
  client: BillingClient,
  due: readonly DuePdf[],
  { asked, noted, fetched, failed, ...given }: FetchingPdfs,
): Promise<void> {
  const { folder } = site;
  const ends = new AbortController();
  const signal = AbortSignal.any([given.signal, ends.signal]);
  /** Folders are told apart by the first two signs of the hash: one name in each is enough to settle it. */
  const added = new Map<string, string>();
  const queue = due.values();
  clearIncoming(folder);

  async function fetch(statement: DuePdf): Promise<void> {
    asked?.();
    try {
      const { sha256 } = await fetchPdf(site, client, statement, signal, () => noted?.(statement));
      added.set(sha256.slice(0, 2), sha256);
    } catch (error) {
      failed(statement, error);
      return;
    }
    fetched();
  }

  const workers = createWorkers(
    AT_ONCE,
    () => {
      const { value: statement } = queue.next();
      return statement === undefined ? null : () => fetch(statement);
    },
    () => ends.abort(),
  );
  try {
    await workers.run();
  } finally {
    await settleArchive(folder, added.values());
  }
}
