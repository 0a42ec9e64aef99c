import { commit, type WritableDb } from '../../store/sqlite/connection.ts';
import type { WebhookLog, WebhookPage } from './webhook-log.ts';
import type { StoredWebhookPage } from './webhook-store.ts';

/**
 * Number of rows at which a batch is stored. Storing many rows in one transaction updates the indexes only once for all
 * of them.
 */
const MIN_BATCH_ROWS = 4000;
/** Milliseconds after the last flush from which a page is stored at once. */
const MAX_BATCH_WAIT_MS = 250;

/** Pages that are stored in one transaction in order of arrival, each with its checkpoint. */
export interface WebhookBatch {
  /**
   * Adds a page, which is stored at once or together with later pages. `also` saves the checkpoint in the same
   * transaction.
   */
  add(page: WebhookPage, place: string, also: (stored: StoredWebhookPage) => void): void;
  /** Stores the pending pages. Must be called at the end, and before saving anything that depends on those pages. */
  flush(): void;
}

export function createWebhookBatch(cache: WritableDb, store: WebhookLog['store']): WebhookBatch {
  let pending: Parameters<WebhookBatch['add']>[] = [];
  let rows = 0;
  let flushed = performance.now();

  /**
   * Stores the pending pages. If that fails, all of them stay pending, because a checkpoint must not be saved without the
   * pages before it.
   */
  function flush(): void {
    if (pending.length > 0) {
      commit(cache, () => {
        for (const page of pending) store(...page);
      });
    }
    pending = [];
    rows = 0;
    flushed = performance.now();
  }

  return {
    add(...page) {
      pending.push(page);
      rows += page[0].rows;
      if (rows >= MIN_BATCH_ROWS || performance.now() - flushed > MAX_BATCH_WAIT_MS) flush();
    },
    flush,
  };
}
