import { runInTransaction, type WritableDb } from '../../store/sqlite/connection.ts';
import type { WebhookLog } from './webhook-log.ts';

/** Number of rows at which a batch is stored. Each transaction updates the indexes once for all its rows. */
const MIN_BATCH_ROWS = 4000;
/** Milliseconds since the last flush after which an added page is stored immediately. */
const MAX_BATCH_WAIT_MS = 250;

/** Pages that are stored in one transaction in order of arrival, each with its checkpoint. */
export class WebhookPageBatch {
  readonly #cache: WritableDb;
  readonly #store: WebhookLog['store'];
  #pending: Parameters<WebhookLog['store']>[] = [];
  #rows = 0;
  #flushedAt = performance.now();

  constructor(cache: WritableDb, store: WebhookLog['store']) {
    this.#cache = cache;
    this.#store = store;
  }

  /**
   * Adds a page and stores it now or together with later pages. The third argument saves the page's checkpoint in the
   * same transaction.
   */
  add(...page: Required<Parameters<WebhookLog['store']>>): void {
    this.#pending.push(page);
    this.#rows += page[0].rows;
    if (this.#rows >= MIN_BATCH_ROWS || performance.now() - this.#flushedAt > MAX_BATCH_WAIT_MS) this.flush();
  }

  /**
   * Stores the pending pages. Must be called before saving anything that depends on them. After a failure, all pages
   * stay pending.
   */
  flush(): void {
    if (this.#pending.length > 0) {
      runInTransaction(this.#cache, () => {
        for (const page of this.#pending) this.#store(...page);
      });
    }
    this.#pending = [];
    this.#rows = 0;
    this.#flushedAt = performance.now();
  }
}
