import { commit, type WritableDb } from '../store/database.ts';
import type { ReadPage, WebhookLog } from './webhook-log.ts';
import type { StoredPage } from './webhook-store.ts';

/** Rows stored at once where they come quickly: indexes are written once for all of them. */
const ROWS = 4000;
/** Where pages come more seldom than this, each is stored as it comes. */
const PAUSE_MS = 250;

/** Pages stored together, in the order in which they came, each with how far the reading then is. */
export interface Batch {
  /** Stores the page now or with others soon; `also` then writes how far the reading is, in the same transaction. */
  add(page: ReadPage, place: string, also: (stored: StoredPage) => void): void;
  /** Stores what waits. To be called before anything is written that rests on it, and at the end. */
  flush(): void;
}

export function createBatch(cache: WritableDb, store: WebhookLog['store']): Batch {
  let waiting: Parameters<Batch['add']>[] = [];
  let rows = 0;
  let flushed = performance.now();

  /** Where it fails all of it waits on: how far the reading is must not be stored without the pages before. */
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
