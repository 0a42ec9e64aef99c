import { instant } from '../../billing/index.ts';
import type { ReplayOutcome } from '../../contract/index.ts';
import { commit, type WritableDb } from '../store/database.ts';
import {
  batchesIn,
  itemsIn,
  type LogState,
  type StoredBatch,
  type StoredItem,
  saveBatch,
  saveItem,
} from '../store/replay.ts';
import { countItems, lastBatch } from '../store/replayFigures.ts';
import type { DeliveryFields } from './outcome.ts';

/** A webhook that was posted, or may have been, and of which it is not known yet what became of it. */
export interface Underway {
  item: StoredItem;
  /** When it was posted, ms UTC, our clock. */
  posted_at: number;
  /** Whether it was posted at all is not known: the answer was lost. */
  doubtful: boolean;
}

/** What became of a webhook. */
export interface Resolution {
  item: StoredItem;
  outcome: Extract<ReplayOutcome, 'accepted' | 'failed' | 'unresolved'>;
  last_error: string | null;
}

/** The replay's journal in books.db: each step stands there before the request it leads to leaves. */
export interface Journal {
  waiting(): number;
  /** The next webhooks to be sent, in the plan's order. */
  next(count: number): StoredItem[];
  /** What was posted, or may have been, before the last stop. */
  underway(): Underway[];
  failed(): StoredItem[];
  /** Writes a batch down as about to be posted. `before`: what the log shows of each now. */
  begin(
    items: readonly StoredItem[],
    before: ReadonlyMap<number, LogState>,
    step: string,
    t0: number,
    now: number,
  ): Begun;
  /** The service has queued it. */
  queued(batch: StoredBatch, at: number): void;
  /** Whether it was queued is not known. */
  doubt(batch: StoredBatch, error: string): void;
  /** It was certainly not queued: its webhooks wait again. */
  undone(begun: Begun, error: string): void;
  /** The service refuses it; `final` where it is one webhook, which is then done with. */
  refused(begun: Begun, error: string, now: number): void;
  resolve(resolutions: readonly Resolution[], now: number): void;
  /** Webhooks of doubtful batches that the log shows as never sent: they wait again. */
  again(items: readonly StoredItem[]): void;
  /** Doubtful webhooks that the log shows as sent after all. */
  certain(items: readonly StoredItem[]): void;
}

export interface Begun {
  batch: StoredBatch;
  items: StoredItem[];
}

export function openJournal(books: WritableDb, job: string): Journal {
  const set = (item: StoredItem, change: Partial<StoredItem>) => {
    Object.assign(item, change);
    saveItem(books, item);
  };

  /** A batch is done with when none of its webhooks is underway. */
  function settle(numbers: ReadonlySet<number>): void {
    const open = new Set(itemsIn(books, job, ['sending', 'queued']).map((item) => item.batch));
    for (const state of ['posting', 'queued', 'unknown'] as const) {
      for (const batch of batchesIn(books, job, state)) {
        if (numbers.has(batch.batch) && !open.has(batch.batch))
          saveBatch(books, { ...batch, state: 'resolved' });
      }
    }
  }

  const batchesOf = (items: readonly StoredItem[]) =>
    new Set(items.flatMap((item) => (item.batch === null ? [] : [item.batch])));

  return {
    waiting: () => countItems(books, job, 'waiting'),
    next: (count) => itemsIn(books, job, ['waiting'], count),
    failed: () => itemsIn(books, job, ['failed']),

    underway() {
      const batches = new Map(
        (['posting', 'unknown', 'queued'] as const)
          .flatMap((state) => batchesIn(books, job, state))
          .map((batch) => [batch.batch, batch]),
      );
      return itemsIn(books, job, ['sending', 'queued']).map((item) => {
        const batch = item.batch === null ? undefined : batches.get(item.batch);
        const posted_at = batch?.posted_at ?? item.sent_at ?? 0;
        return { item, posted_at, doubtful: batch?.state !== 'queued' };
      });
    },

    begin(items, before, step, t0, now) {
      const batch: StoredBatch = {
        job,
        batch: lastBatch(books, job) + 1,
        step,
        state: 'posting',
        t0,
        posted_at: now,
        ids: items.map((item) => item.webhook_id),
        error: null,
      };
      commit(books, () => {
        saveBatch(books, batch);
        for (const item of items) {
          const seen = before.get(item.webhook_id) ?? item.before;
          set(item, {
            outcome: 'sending',
            batch: batch.batch,
            before: seen,
            sent_at: now,
            resolved_at: null,
          });
        }
      });
      return { batch, items: [...items] };
    },

    queued(batch, at) {
      commit(books, () => {
        saveBatch(books, { ...batch, state: 'queued', posted_at: at });
        const items = itemsIn(books, job, ['sending']).filter((item) => item.batch === batch.batch);
        for (const item of items) set(item, { outcome: 'queued' });
      });
    },

    doubt: (batch, error) => saveBatch(books, { ...batch, state: 'unknown', error }),

    undone({ batch, items }, error) {
      commit(books, () => {
        saveBatch(books, { ...batch, state: 'refused', error });
        for (const item of items) set(item, { outcome: 'waiting', batch: null, sent_at: null });
      });
    },

    refused({ batch, items }, error, now) {
      commit(books, () => {
        saveBatch(books, { ...batch, state: 'refused', error });
        for (const item of items)
          set(item, { outcome: 'refused', sent_at: null, resolved_at: now, last_error: error });
      });
    },

    resolve(resolutions, now) {
      if (resolutions.length === 0) return;
      commit(books, () => {
        for (const { item, outcome, last_error } of resolutions)
          set(item, { outcome, last_error, resolved_at: now });
        settle(batchesOf(resolutions.map(({ item }) => item)));
      });
    },

    again(items) {
      commit(books, () => {
        const numbers = batchesOf(items);
        for (const item of items) set(item, { outcome: 'waiting', batch: null, sent_at: null });
        settle(numbers);
      });
    },

    certain(items) {
      commit(books, () => {
        for (const item of items) set(item, { outcome: 'queued' });
      });
    },
  };
}

/** The log's fields as moments. */
export function deliveryFields(state: LogState): DeliveryFields {
  const at = (text: string | null) => (text === null ? null : instant(text));
  return {
    successful: state.successful,
    accepted_at: at(state.accepted_at),
    last_sent_at: at(state.last_sent_at),
    last_error_at: at(state.last_error_at),
    last_error: state.last_error,
  };
}
