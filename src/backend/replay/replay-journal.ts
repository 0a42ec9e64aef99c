import type { ReplayOutcome } from '../../contract/index.ts';
import {
  type DeliveryFields,
  listReplayBatchesInState,
  listReplayItemsByOutcome,
  type StoredReplayBatch,
  type StoredReplayItem,
  saveReplayBatch,
  saveReplayItem,
} from '../store/replay/replay.ts';
import { countSentReplayItems, findLastReplayBatchNumber } from '../store/replay/replay-figures.ts';
import { countReplayOutcomes } from '../store/replay/replay-list.ts';
import {
  listSubscriptionsForWebhooks,
  listWaitingWebhookIds,
  readWaitingReplayItems,
  skipWaitingReplayItems,
} from '../store/replay/waiting-replay-items.ts';
import { runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';
import type { ReplayDecisions, UnresolvedWebhook, WebhookResolution } from './replay-resolution-decisions.ts';
import { type DeliveryResponse, toResolutions } from './response-outcomes.ts';

/** Minimum number of waiting webhooks to search for the next webhooks in order. */
const MIN_ORDERED_CANDIDATES = 2000;
/** States of batches that may have unresolved webhooks. */
const OPEN_BATCH_STATES = ['posting', 'queued', 'unknown'] as const;

export interface JournaledReplayBatch {
  batch: StoredReplayBatch;
  items: StoredReplayItem[];
}

/** Journal of a replay in the books. Each step is written before the request that it causes. */
export class ReplayJournal {
  readonly #books: WritableDb;
  readonly #job: string;
  readonly #counts: Record<ReplayOutcome, number>;
  #sentCount: number;

  constructor(books: WritableDb, job: string) {
    this.#books = books;
    this.#job = job;
    this.#counts = countReplayOutcomes(books, job);
    this.#sentCount = countSentReplayItems(books, job);
  }

  counts(): Readonly<Record<ReplayOutcome, number>> {
    return this.#counts;
  }

  /** Returns the number of webhooks posted, regardless of their outcome. */
  sentCount(): number {
    return this.#sentCount;
  }

  waitingIds(): number[] {
    return listWaitingWebhookIds(this.#books, this.#job);
  }

  /** Returns the next webhooks to send in plan order, without those in `except`. */
  next(count: number, except: readonly number[]): StoredReplayItem[] {
    return [...readWaitingReplayItems(this.#books, this.#job, count, { except })];
  }

  /** Returns the next webhooks in plan order, one per subscription. Omits `busy` subscriptions and `except` ids. */
  nextOrdered(count: number, except: readonly number[], busy: readonly number[]): StoredReplayItem[] {
    const omitted = [...busy, ...listSubscriptionsForWebhooks(this.#books, this.#job, except)];
    const limit = Math.max(count, MIN_ORDERED_CANDIDATES);
    const taken = new Set<number>();
    const next: StoredReplayItem[] = [];
    for (const item of readWaitingReplayItems(this.#books, this.#job, limit, { except, busy: omitted })) {
      if (item.subscription_id !== null && taken.has(item.subscription_id)) continue;
      if (item.subscription_id !== null) taken.add(item.subscription_id);
      next.push(item);
      if (next.length === count) break;
    }
    return next;
  }

  /** Leaves out all waiting webhooks of a subscription and records the reason. */
  leaveOutSubscription(subscription: number, reason: string, now: number): void {
    const count = skipWaitingReplayItems(this.#books, this.#job, subscription, { reason, now });
    this.#counts.waiting -= count;
    this.#counts.unresolved += count;
  }

  /** Returns the webhooks without an outcome that were or may have been posted. */
  unresolved(): UnresolvedWebhook[] {
    const batches = new Map(
      OPEN_BATCH_STATES.flatMap((state) => listReplayBatchesInState(this.#books, this.#job, state)).map(
        (batch) => [batch.batch, batch],
      ),
    );
    return listReplayItemsByOutcome(this.#books, this.#job, ['sending', 'queued']).map((item) => {
      const batch = item.batch === null ? undefined : batches.get(item.batch);
      const posted_at = batch?.posted_at ?? item.sent_at ?? 0;
      return { item, posted_at, isUncertain: batch?.state !== 'queued' };
    });
  }

  /**
   * Requeues webhooks whose response was lost in an interruption. An earlier attempt may have reached the endpoint,
   * which recognizes the unchanged id. Returns the number of requeued webhooks.
   */
  requeueWithoutResponse(): number {
    const items = listReplayItemsByOutcome(this.#books, this.#job, ['sending']);
    runInTransaction(this.#books, () => {
      for (const state of OPEN_BATCH_STATES)
        for (const batch of listReplayBatchesInState(this.#books, this.#job, state))
          saveReplayBatch(this.#books, {
            ...batch,
            state: 'unknown',
            error: 'interrupted before a response',
          });
      for (const item of items) this.#saveItem(item, NOT_SENT);
    });
    return items.length;
  }

  /** Records responses that arrived after the engine was stopped. */
  recordResponses(responses: readonly DeliveryResponse[], now: number): void {
    const sending = new Map(
      listReplayItemsByOutcome(this.#books, this.#job, ['sending']).map((item) => [item.webhook_id, item]),
    );
    const resolutions = toResolutions(responses, (id) => sending.get(id));
    runInTransaction(this.#books, () => this.#saveResolutions(resolutions, now));
  }

  failed(): StoredReplayItem[] {
    return listReplayItemsByOutcome(this.#books, this.#job, ['failed']);
  }

  /** Records a batch before it is posted. `states` are the current delivery states of its webhooks. */
  addBatch(
    items: readonly StoredReplayItem[],
    states: ReadonlyMap<number, DeliveryFields>,
    post: Pick<StoredReplayBatch, 'step' | 't0' | 'posted_at'>,
  ): JournaledReplayBatch {
    const batch: StoredReplayBatch = {
      ...post,
      job: this.#job,
      batch: findLastReplayBatchNumber(this.#books, this.#job) + 1,
      state: 'posting',
      ids: items.map((item) => item.webhook_id),
      error: null,
    };
    this.#saveBatch({ batch, items }, {}, (item) => ({
      outcome: 'sending',
      batch: batch.batch,
      before: states.get(item.webhook_id) ?? item.before,
      sent_at: post.posted_at,
      resolved_at: null,
    }));
    return { batch, items: [...items] };
  }

  markQueued(batch: JournaledReplayBatch, posted_at: number): void {
    this.#saveBatch(batch, { state: 'queued', posted_at }, () => ({ outcome: 'queued' }));
  }

  /** Records that it is unknown whether the service has queued the batch. */
  markUncertain({ batch }: JournaledReplayBatch, error: string): void {
    saveReplayBatch(this.#books, { ...batch, state: 'unknown', error });
  }

  /** Records that the service has certainly not queued the batch. Its webhooks wait to be sent again. */
  markNotQueued(batch: JournaledReplayBatch, error: string): void {
    this.#saveBatch(batch, { state: 'refused', error }, () => NOT_SENT);
  }

  /** Records that the service has refused the batch, and resolves its webhooks as refused. */
  markRefused(batch: JournaledReplayBatch, error: string, now: number): void {
    const refused = { outcome: 'refused', sent_at: null, resolved_at: now, last_error: error } as const;
    this.#saveBatch(batch, { state: 'refused', error }, () => refused);
  }

  /** Records the outcomes of webhooks. */
  resolve(resolutions: readonly WebhookResolution[], now: number): void {
    if (resolutions.length > 0) runInTransaction(this.#books, () => this.#saveResolutions(resolutions, now));
  }

  /** Records outcomes, and uncertain webhooks that were queued after all or must be sent again. */
  recordDecisions({ resolutions, confirmedSent, toResend }: ReplayDecisions, now: number): void {
    if (resolutions.length + confirmedSent.length + toResend.length === 0) return;
    runInTransaction(this.#books, () => {
      this.#saveResolutions(resolutions, now);
      for (const { item } of confirmedSent) this.#saveItem(item, { outcome: 'queued' });
      const numbers = batchNumbers(toResend);
      for (const { item } of toResend) this.#saveItem(item, NOT_SENT);
      this.#closeResolvedBatches(numbers);
    });
  }

  #saveResolutions(resolutions: readonly WebhookResolution[], now: number): void {
    const numbers = batchNumbers(resolutions);
    for (const { item, resolved_at = now, ...resolution } of resolutions)
      this.#saveItem(item, { ...resolution, resolved_at });
    this.#closeResolvedBatches(numbers);
  }

  /** Saves a changed batch with its changed webhooks in one transaction. */
  #saveBatch(
    { batch, items }: { batch: StoredReplayBatch; items: readonly StoredReplayItem[] },
    change: Partial<StoredReplayBatch>,
    changeItem: (item: StoredReplayItem) => Partial<StoredReplayItem>,
  ): void {
    runInTransaction(this.#books, () => {
      saveReplayBatch(this.#books, { ...batch, ...change });
      for (const item of items) this.#saveItem(item, changeItem(item));
    });
  }

  #saveItem(item: StoredReplayItem, change: Partial<StoredReplayItem>): void {
    this.#counts[item.outcome]--;
    this.#sentCount -= Number(wasSent(item));
    Object.assign(item, change);
    this.#counts[item.outcome]++;
    this.#sentCount += Number(wasSent(item));
    saveReplayItem(this.#books, item);
  }

  /** Marks batches as resolved if all their webhooks are resolved. */
  #closeResolvedBatches(numbers: ReadonlySet<number | null>): void {
    const open = new Set(
      listReplayItemsByOutcome(this.#books, this.#job, ['sending', 'queued']).map((item) => item.batch),
    );
    for (const state of OPEN_BATCH_STATES) {
      for (const batch of listReplayBatchesInState(this.#books, this.#job, state)) {
        if (numbers.has(batch.batch) && !open.has(batch.batch))
          saveReplayBatch(this.#books, { ...batch, state: 'resolved' });
      }
    }
  }
}

/** Fields of a webhook that waits to be sent again. */
const NOT_SENT = { outcome: 'waiting', batch: null, sent_at: null } as const;

const batchNumbers = (webhooks: readonly { item: StoredReplayItem }[]) =>
  new Set(webhooks.map(({ item }) => item.batch));

const wasSent = ({ outcome, batch }: StoredReplayItem) =>
  batch !== null && outcome !== 'waiting' && outcome !== 'refused';
