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
} from '../store/replay/replay.ts';
import { countSent, lastBatch } from '../store/replay/replay-figures.ts';
import { outcomeCounts } from '../store/replay/replay-list.ts';
import { holdWaiting, subscriptionsOf, waitingIds, waitingItems } from '../store/replay/replay-waiting.ts';
import type { DeliveryFields } from './outcome.ts';
import type { Verdict } from './verdict.ts';

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
  /** How many webhooks have each outcome. */
  counts(): Readonly<Record<ReplayOutcome, number>>;
  /** Webhooks that were posted, whatever became of them. */
  sent(): number;
  /** All that wait. */
  waitingIds(): number[];
  /** The next webhooks to be sent, in the plan's order, but for some. */
  next(count: number, except: readonly number[]): StoredItem[];
  /** As `next`, one a subscription at most, and none of the `busy` ones, nor of those of the excepted. */
  nextOfLanes(count: number, except: readonly number[], busy: readonly number[]): StoredItem[];
  /** What waits of a subscription is not sent; gives how many that are. */
  hold(subscription: number, why: string, now: number): number;
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
  queued(begun: Begun, at: number): void;
  /** Whether it was queued is not known. */
  doubt(batch: StoredBatch, error: string): void;
  /** It was certainly not queued: its webhooks wait again. */
  undone(begun: Begun, error: string): void;
  /** The service refuses it; `final` where it is one webhook, which is then done with. */
  refused(begun: Begun, error: string, now: number): void;
  resolve(resolutions: readonly Resolution[], now: number): void;
  /**
   * What was seen in the log: outcomes; doubtful webhooks that were sent after all; doubtful ones that never were, and wait
   * again.
   */
  judged(verdict: Verdict, now: number): void;
}

const wasSent = ({ outcome, batch }: StoredItem) =>
  batch !== null && outcome !== 'waiting' && outcome !== 'refused';

/** Waiting webhooks among which those of free subscriptions are looked for. */
const LANES_LOOKED_AT = 2000;

export interface Begun {
  batch: StoredBatch;
  items: StoredItem[];
}

export function openJournal(books: WritableDb, job: string): Journal {
  const counts = outcomeCounts(books, job);
  let sent = countSent(books, job);
  const set = (item: StoredItem, change: Partial<StoredItem>) => {
    counts[item.outcome]--;
    sent -= Number(wasSent(item));
    Object.assign(item, change);
    counts[item.outcome]++;
    sent += Number(wasSent(item));
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

  function resolve(resolutions: readonly Resolution[], now: number): void {
    for (const { item, outcome, last_error } of resolutions)
      set(item, { outcome, last_error, resolved_at: now });
    settle(batchesOf(resolutions.map(({ item }) => item)));
  }

  return {
    counts: () => counts,
    sent: () => sent,
    waitingIds: () => waitingIds(books, job),
    next: (count, except) => waitingItems(books, job, count, except),

    nextOfLanes(count, except, given) {
      const busy = [...given, ...subscriptionsOf(books, job, except)];
      const taken = new Set<number>();
      const found: StoredItem[] = [];
      for (const item of waitingItems(books, job, Math.max(count, LANES_LOOKED_AT), except, busy)) {
        if (item.subscription_id !== null && taken.has(item.subscription_id)) continue;
        if (item.subscription_id !== null) taken.add(item.subscription_id);
        found.push(item);
        if (found.length === count) break;
      }
      return found;
    },

    hold(subscription, why, now) {
      const held = holdWaiting(books, job, subscription, why, now);
      counts.waiting -= held;
      counts.unresolved += held;
      return held;
    },

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

    queued({ batch, items }, at) {
      commit(books, () => {
        saveBatch(books, { ...batch, state: 'queued', posted_at: at });
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
      if (resolutions.length > 0) commit(books, () => resolve(resolutions, now));
    },

    judged({ resolutions, certain, again }, now) {
      if (resolutions.length + certain.length + again.length === 0) return;
      commit(books, () => {
        resolve(resolutions, now);
        for (const { item } of certain) set(item, { outcome: 'queued' });
        const numbers = batchesOf(again.map(({ item }) => item));
        for (const { item } of again) set(item, { outcome: 'waiting', batch: null, sent_at: null });
        settle(numbers);
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
