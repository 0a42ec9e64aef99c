import { commit, type WritableDb } from '../../store/sqlite/connection.ts';
import type { ReadPage, WebhookLog } from './webhook-log.ts';
import type { StoredPage } from './webhook-store.ts';

/** Number of rows stored per transaction while pages arrive quickly, so that indexes are updated once for all of them. */
const ROWS = 4000;
/** Milliseconds between pages from which each page is stored separately. */
const PAUSE_MS = 250;

/** Pages stored together in order of arrival, each with its checkpoint. */
export interface Batch {
  /** Stores the page now or with later pages. `also` then saves the checkpoint in the same transaction. */
  add(page: ReadPage, place: string, also: (stored: StoredPage) => void): void;
  /** Stores the pending pages. Must be called at the end and before anything is saved that depends on them. */
  flush(): void;
}

export function createBatch(cache: WritableDb, store: WebhookLog['store']): Batch {
  let waiting: Parameters<Batch['add']>[] = [];
  let rows = 0;
  let flushed = performance.now();

  /** If storing fails, all pages stay pending: a checkpoint must not be saved without the pages before it. */
  function flush(): void {
    if (waiting.length > 0) {
      commit(cache, () => {
        for (const page of waiting) store(...page);
      });
    }
    waiting = [];
    rows = 0;
    flushed = performance.now();
  }

  return {
    add(...page) {
      waiting.push(page);
      rows += page[0].rows;
      if (rows >= ROWS || performance.now() - flushed > PAUSE_MS) flush();
    },
    flush,
  };
}
