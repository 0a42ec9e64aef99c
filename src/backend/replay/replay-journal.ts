import type { ReplayOutcome } from '../../contract/index.ts';
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
import { commit, type WritableDb } from '../store/sqlite/connection.ts';
import type { ResolutionDecisions } from './resolution-decisions.ts';
import type { UnresolvedWebhook, WebhookResolution } from './unresolved-webhook.ts';

/** Journal of a replay in books.db. Each step is written before the request that it causes. */
export interface ReplayJournal {
  /** Returns the number of webhooks per outcome. */
  counts(): Readonly<Record<ReplayOutcome, number>>;
  /** Returns the number of webhooks posted, regardless of their outcome. */
  sentCount(): number;
  /** Returns the ids of all webhooks that wait to be sent. */
  waitingIds(): number[];
  /** Returns the next webhooks to send, in the order of the plan, without those in `except`. */
  next(count: number, except: readonly number[]): StoredItem[];
  /**
   * Returns the next webhooks to send, at most one per subscription. Omits the subscriptions in `busy` and those of the
   * webhooks in `except`.
   */
  nextOrdered(count: number, except: readonly number[], busy: readonly number[]): StoredItem[];
  /** Leaves out all waiting webhooks of a subscription and returns their number. */
  leaveOutSubscription(subscription: number, reason: string, now: number): number;
  /** Returns the webhooks that were posted, or may have been, and have no outcome yet. */
  unresolved(): UnresolvedWebhook[];
  failed(): StoredItem[];
  /** Records a batch before it is posted. `before` are the current delivery states of its webhooks. */
  addBatch(
    items: readonly StoredItem[],
    before: ReadonlyMap<number, LogState>,
    step: string,
    t0: number,
    now: number,
  ): JournaledBatch;
  /** Records that the service has queued the batch. */
  markQueued(begun: JournaledBatch, at: number): void;
  /** Records that it is unknown whether the service has queued the batch. */
  markUncertain(batch: StoredBatch, error: string): void;
  /** Records that the service has certainly not queued the batch. Its webhooks wait to be sent again. */
  markNotQueued(begun: JournaledBatch, error: string): void;
  /** Records that the service has refused the batch, and resolves its webhooks as refused. */
  markRefused(begun: JournaledBatch, error: string, now: number): void;
  resolve(resolutions: readonly WebhookResolution[], now: number): void;
  /**
   * Records decisions made from the service's log: outcomes, uncertain webhooks that turned out to be queued, and
   * uncertain ones that are sent again.
   */
  recordDecisions(verdict: ResolutionDecisions, now: number): void;
}

const wasSent = ({ outcome, batch }: StoredItem) =>
  batch !== null && outcome !== 'waiting' && outcome !== 'refused';

/** Minimum number of waiting webhooks to search for the next ones to send in order. */
const MIN_ORDERED_CANDIDATES = 2000;

export interface JournaledBatch {
  batch: StoredBatch;
  items: StoredItem[];
}

export function openReplayJournal(books: WritableDb, job: string): ReplayJournal {
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

  /** Marks batches as resolved if none of their webhooks is unresolved. */
  function closeResolvedBatches(numbers: ReadonlySet<number>): void {
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

  function resolve(resolutions: readonly WebhookResolution[], now: number): void {
    for (const { item, outcome, last_error } of resolutions)
      set(item, { outcome, last_error, resolved_at: now });
    closeResolvedBatches(batchesOf(resolutions.map(({ item }) => item)));
  }

  return {
    counts: () => counts,
    sentCount: () => sent,
    waitingIds: () => waitingIds(books, job),
    next: (count, except) => waitingItems(books, job, count, except),

    nextOrdered(count, except, given) {
      const busy = [...given, ...subscriptionsOf(books, job, except)];
      const taken = new Set<number>();
      const found: StoredItem[] = [];
      for (const item of waitingItems(books, job, Math.max(count, MIN_ORDERED_CANDIDATES), except, busy)) {
        if (item.subscription_id !== null && taken.has(item.subscription_id)) continue;
        if (item.subscription_id !== null) taken.add(item.subscription_id);
        found.push(item);
        if (found.length === count) break;
      }
      return found;
    },

    leaveOutSubscription(subscription, reason, now) {
      const stored = holdWaiting(books, job, subscription, reason, now);
      counts.waiting -= stored;
      counts.unresolved += stored;
      return stored;
    },

    failed: () => itemsIn(books, job, ['failed']),

    unresolved() {
      const batches = new Map(
        (['posting', 'unknown', 'queued'] as const)
          .flatMap((state) => batchesIn(books, job, state))
          .map((batch) => [batch.batch, batch]),
      );
      return itemsIn(books, job, ['sending', 'queued']).map((item) => {
        const batch = item.batch === null ? undefined : batches.get(item.batch);
        const posted_at = batch?.posted_at ?? item.sent_at ?? 0;
        return { item, posted_at, isUncertain: batch?.state !== 'queued' };
      });
    },

    addBatch(items, before, step, t0, now) {
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

    markQueued({ batch, items }, at) {
      commit(books, () => {
        saveBatch(books, { ...batch, state: 'queued', posted_at: at });
        for (const item of items) set(item, { outcome: 'queued' });
      });
    },

    markUncertain: (batch, error) => saveBatch(books, { ...batch, state: 'unknown', error }),

    markNotQueued({ batch, items }, error) {
      commit(books, () => {
        saveBatch(books, { ...batch, state: 'refused', error });
        for (const item of items) set(item, { outcome: 'waiting', batch: null, sent_at: null });
      });
    },

    markRefused({ batch, items }, error, now) {
      commit(books, () => {
        saveBatch(books, { ...batch, state: 'refused', error });
        for (const item of items)
          set(item, { outcome: 'refused', sent_at: null, resolved_at: now, last_error: error });
      });
    },

    resolve(resolutions, now) {
      if (resolutions.length > 0) commit(books, () => resolve(resolutions, now));
    },

    recordDecisions({ resolutions, certain, again }, now) {
      if (resolutions.length + certain.length + again.length === 0) return;
      commit(books, () => {
        resolve(resolutions, now);
        for (const { item } of certain) set(item, { outcome: 'queued' });
        const numbers = batchesOf(again.map(({ item }) => item));
        for (const { item } of again) set(item, { outcome: 'waiting', batch: null, sent_at: null });
        closeResolvedBatches(numbers);
      });
    },
  };
}
