import type { BillingClient } from '../../billing/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import type { DuePdf } from '../store/statements/statement-needs.ts';
import { AT_ONCE, createWorkers } from '../sync/workers.ts';
import { notePdfs, type TakenPdf, takePdf } from './fetch-pdf.ts';
import { clearIncoming, settleArchive } from './store.ts';

/** Twice as many as are asked for at once: while one is made durable, the next one comes. */
const UNDER_WAY = 2 * AT_ONCE;
/** PDFs noted at once where they come quickly; where they come more seldom than this, each is noted as it comes. */
const TOGETHER = 256;
const PAUSE_MS = 250;

export interface FetchingPdfs {
  readonly signal: AbortSignal;
  /** Called before each request. */
  asked?(): void;
  /** What is written together with the note of a fetched PDF. */
  noted?(statement: DuePdf): void;
  /** So many more are in the archive and noted. */
  fetched(pdfs: number): void;
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

  let waiting: { statement: DuePdf; taken: TakenPdf }[] = [];
  let notedAt = performance.now();

  /** What is not noted when the process ends is fetched again. */
  function note(): void {
    const group = waiting;
    waiting = [];
    notedAt = performance.now();
    if (group.length === 0) return;
    notePdfs(
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
    let taken: TakenPdf;
    try {
      taken = await takePdf(folder, client, statement, signal);
    } catch (error) {
      failed(statement, error);
      return;
    }
    added.set(taken.sha256.slice(0, 2), taken.sha256);
    waiting.push({ statement, taken });
    if (waiting.length >= TOGETHER || performance.now() - notedAt > PAUSE_MS) note();
  }

  const workers = createWorkers(
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
    await settleArchive(folder, added.values());
  }
}
