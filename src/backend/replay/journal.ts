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
import type { UnresolvedWebhook, WebhookResolution } from './underway.ts';
import type { ResolutionDecisions } from './verdict.ts';

/** The replay's journal in books.db. Each step is written before the request that it causes. */
export interface ReplayJournal {
  /** Returns the number of webhooks per outcome. */
  counts(): Readonly<Record<ReplayOutcome, number>>;
  /** Returns the number of webhooks posted, whatever their outcome. */
  sent(): number;
  /** Returns the ids of all waiting webhooks. */
  waitingIds(): number[];
  /** Returns the next webhooks to send in the plan's order, except the given ones. */
  next(count: number, except: readonly number[]): StoredItem[];
  /**
   * Like `next`, with at most one webhook per subscription and none of the `busy` subscriptions or those of excepted
   * webhooks.
   */
  nextOfLanes(count: number, except: readonly number[], busy: readonly number[]): StoredItem[];
  /** Leaves out a subscription's waiting webhooks. Returns their number. */
  hold(subscription: number, reason: string, now: number): number;
  /** Returns the webhooks that were or may have been posted before the last stop. */
  in_flight(): UnresolvedWebhook[];
  failed(): StoredItem[];
  /** Records a batch before it is posted. `before` holds the current delivery states. */
  begin(
    items: readonly StoredItem[],
    before: ReadonlyMap<number, LogState>,
    step: string,
    t0: number,
    now: number,
  ): BegunBatch;
  /** Records that the service has queued the batch. */
  queued(begun: BegunBatch, at: number): void;
  /** Records that it is unknown whether the batch was queued. */
  doubt(batch: StoredBatch, error: string): void;
  /** Records that the batch was certainly not queued. Its webhooks wait again. */
  undone(begun: BegunBatch, error: string): void;
  /** Records that the service refuses the batch. `final` marks a single webhook, which is then resolved as refused. */
  refused(begun: BegunBatch, error: string, now: number): void;
  resolve(resolutions: readonly WebhookResolution[], now: number): void;
  /**
   * Records what the log shows: outcomes, uncertain webhooks that were sent after all, and uncertain ones that were not
   * and wait again.
   */
  judged(verdict: ResolutionDecisions, now: number): void;
}

const wasSent = ({ outcome, batch }: StoredItem) =>
  batch !== null && outcome !== 'waiting' && outcome !== 'refused';

/** Number of waiting webhooks searched for those of free subscriptions. */
const LANES_LOOKED_AT = 2000;

export interface BegunBatch {
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

  /** Closes a batch when none of its webhooks is unresolved. */
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

  function resolve(resolutions: readonly WebhookResolution[], now: number): void {
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

    hold(subscription, reason, now) {
      const stored = holdWaiting(books, job, subscription, reason, now);
      counts.waiting -= stored;
      counts.unresolved += stored;
      return stored;
    },

    failed: () => itemsIn(books, job, ['failed']),

    in_flight() {
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
