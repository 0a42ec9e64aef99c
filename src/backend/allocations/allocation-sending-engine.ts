import { BillingError } from '../../billing/index.ts';
import type { ErrorValue } from '../../contract/index.ts';
import {
  type AllocationHistory,
  lookUpSentAllocationChange,
  type SentAllocationChange,
  summarizeAllocationHistory,
} from '../../domain/allocations/index.ts';
import { isSameQuantity } from '../../domain/ledger/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import type { StoredAllocationChange } from '../store/allocations/allocation-draft.ts';
import type { JournaledChange, StoredAllocationRequest } from '../store/allocations/allocation-request.ts';
import type { ComponentKey } from '../store/allocations/subscription-component.ts';
import { describeAllocationChange } from './allocation-change-preview.ts';
import type { AllocationHistories } from './allocation-histories.ts';
import {
  type AbsentChangeDecision,
  type AllocationJournal,
  type AppliedAllocationChange,
  toAppliedAllocationChange,
  type UnsentChangeOutcome,
} from './allocation-sending-journal.ts';

/** Interface between the sending engine and the service, the clock and the databases. */
export interface AllocationSendingPorts {
  readonly journal: AllocationJournal;
  readonly histories: Pick<AllocationHistories, 'read' | 'add' | 'explainMissing'>;
  /** Posts changes of one subscription. Resolves with each recorded allocation, or null if it could not be read. */
  post(changes: readonly StoredAllocationChange[]): Promise<readonly (AppliedAllocationChange | null)[]>;
  /** Marks a subscription as changed, so that its statements are read again. */
  markChanged(subscription: number): void;
  /** Returns the local time in UTC milliseconds. */
  now(): number;
  /** Sleeps for the given milliseconds. Ends early on a job command or on abort. */
  sleep(ms: number): Promise<void>;
  isPaused(): boolean;
  publishStatus(current: string | null, reason: string | null): void;
  /** After an abort, no further requests are started. Running requests are completed. */
  readonly signal: AbortSignal;
  /** Factor by which every delay is multiplied. 1 in production. */
  readonly delayScale: number;
  /** Number of failed changes after which sending stops. */
  readonly stopAfter: number;
}

export type AllocationSendingResult = { state: 'done' } | { state: 'stopped'; reason: string };

/** Maximum number of concurrent requests. The service executes writes one by one, but reads in parallel with them. */
const MAX_CONCURRENT_SENDS = 4;
/**
 * Maximum duration of a request in milliseconds. The service works on a request for at most two minutes. A change that is
 * not in the history after that was not applied.
 */
export const MAX_ALLOCATION_REQUEST_MS = 130_000;
const LOOKUP_DELAYS_MS = [0, 2000, 5000, 10_000, 20_000, 30_000];
/** Maximum number of times a change is posted if every response is lost and the history does not show the change. */
const MAX_POSTS_PER_CHANGE = 3;
/** Number of failed requests in a row after which sending stops. The user can resume it. */
const MAX_FAILED_REQUESTS = 8;

/** Request whose response was lost, so that its outcome is unknown. */
interface UncertainRequest {
  request: StoredAllocationRequest;
  /** Local time of the lost response or, after a restart, of the restart: the request may have run until then. */
  since: number;
  lookups: number;
  nextLookupAt: number;
}

/**
 * Sends all changes of a draft. A change is sent only if the history still shows the confirmed quantity. If a response
 * is lost, the engine looks for the change in the history before it sends anything else to the same subscription.
 * Requests that an earlier run left with an unknown outcome are looked up first.
 */
export function sendAllocationChanges(ports: AllocationSendingPorts): Promise<AllocationSendingResult> {
  return new AllocationSender(ports).run();
}

class AllocationSender {
  readonly #ports: AllocationSendingPorts;
  /** Running requests by subscription. */
  readonly #running = new Map<number, Promise<void>>();
  /** Requests with an unknown outcome by subscription. */
  readonly #uncertain = new Map<number, UncertainRequest>();
  #failedChanges = 0;
  #failedRequests = 0;
  /** Latest error of the service, shown while the engine delays requests. */
  #reason: string | null = null;
  /** Local time, in UTC milliseconds, before which no request is started. */
  #retryAt = 0;
  #stopReason: string | null = null;
  #failure: { error: unknown } | null = null;

  constructor(ports: AllocationSendingPorts) {
    this.#ports = ports;
    const { journal } = ports;
    for (const request of journal.uncertainRequests())
      this.#addUncertain(journal.markUncertain(request, null));
  }

  async run(): Promise<AllocationSendingResult> {
    const { signal, sleep, publishStatus } = this.#ports;
    while (this.#failure === null && !signal.aborted) {
      this.#startRequests();
      publishStatus(null, this.#idleReason());
      if (this.#isFinished()) break;
      await Promise.race([...this.#running.values(), sleep(this.#getSleepMs())]);
    }
    await Promise.all(this.#running.values());
    if (this.#failure !== null) throw this.#failure.error;
    return this.#stopReason === null ? { state: 'done' } : { state: 'stopped', reason: this.#stopReason };
  }

  #startRequests(): void {
    const { journal, now, isPaused, publishStatus } = this.#ports;
    const startedAt = now();
    if (startedAt < this.#retryAt) return;
    for (const [subscription, each] of this.#uncertain) {
      if (this.#running.size >= MAX_CONCURRENT_SENDS) return;
      if (each.nextLookupAt <= startedAt && !this.#running.has(subscription))
        this.#start(subscription, this.#lookUp(each));
    }
    while (this.#running.size < MAX_CONCURRENT_SENDS && this.#stopReason === null && !isPaused()) {
      const changes = journal.nextChanges([...this.#running.keys(), ...this.#uncertain.keys()]);
      const [first] = changes;
      if (first === undefined) return;
      publishStatus(describeComponent(first), this.#reason);
      this.#start(first.subscription_id as number, this.#send(changes));
    }
  }

  #start(subscription: number, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .then(() => void this.#running.delete(subscription));
    this.#running.set(subscription, done);
  }

  #isFinished(): boolean {
    const { journal, now, isPaused } = this.#ports;
    if (this.#running.size > 0) return false;
    if (this.#stopReason !== null) return true;
    return (
      this.#uncertain.size === 0 &&
      !isPaused() &&
      now() >= this.#retryAt &&
      journal.nextChanges([]).length === 0
    );
  }

  #idleReason(): string | null {
    if (this.#ports.isPaused()) return 'Paused.';
    if (this.#uncertain.size > 0)
      return `A response was lost. Looking up the change in the history. ${this.#reason ?? ''}`.trim();
    return this.#reason;
  }

  /** Returns the milliseconds until another request may be started, or a minute if only a command can start one. */
  #getSleepMs(): number {
    const now = this.#ports.now();
    const lookups = [...this.#uncertain]
      .filter(([subscription]) => !this.#running.has(subscription))
      .map(([, { nextLookupAt }]) => Math.max(nextLookupAt, this.#retryAt));
    const next = Math.min(...lookups, this.#retryAt > now ? this.#retryAt : Number.POSITIVE_INFINITY);
    if (Number.isFinite(next)) return Math.max(1, next - now);
    return this.#running.size === 0 && !this.#ports.isPaused() ? 1 : 60_000;
  }

  /** Sends changes of one subscription in one request. Sends none of them if one of them must not be sent. */
  async #send(changes: readonly StoredAllocationChange[]): Promise<void> {
    const { journal } = this.#ports;
    const ready: StoredAllocationChange[] = [];
    const sent: JournaledChange[] = [];
    for (const change of changes) {
      const state = await this.#prepare(change);
      if (state === 'waiting') return;
      if (state === 'not_sent') continue;
      ready.push(change);
      sent.push(state);
    }
    this.#failedRequests = 0;
    if (ready.length === changes.length) return await this.#post(journal.addRequest(changes, sent), changes);
    const unsent = changes.filter((change) => !ready.includes(change)).map(describeAllocationChange);
    const message = `Not sent because ${unsent.join(', ')} of the same request could not be sent.`;
    for (const change of ready)
      this.#leaveUnsent(change, 'not_applied', { code: 'conflict', message, retryable: true });
  }

  /**
   * Reads the history of a change. Returns the change with its history if the confirmed quantity is still current.
   * Otherwise records why the change was not sent. Returns `waiting` if the service failed or the job was canceled.
   */
  async #prepare(change: StoredAllocationChange): Promise<JournaledChange | 'not_sent' | 'waiting'> {
    const { histories, signal } = this.#ports;
    const answer = await this.#tryRead(() => histories.read(toComponentKey(change)));
    if (answer === null || signal.aborted) return 'waiting';
    if (answer.is === 'missing') {
      const message = await this.#tryRead(() => histories.explainMissing(toComponentKey(change)));
      if (message === null) return 'waiting';
      return this.#leaveUnsent(change, 'refused', { code: 'not_found', message, retryable: false });
    }
    if (answer.is === 'unreadable') {
      const message = `The history of ${describeComponent(change)} cannot be read.`;
      return this.#leaveUnsent(change, 'not_applied', { code: 'service', message, retryable: true });
    }
    const sought = toSearchedChange(change, answer.history.entries[0]?.quantity ?? null);
    if (!hasConfirmedQuantity(change, sought.previous)) {
      const message = changedQuantityText(change, sought.previous);
      return this.#leaveUnsent(change, 'quantity_changed', { code: 'conflict', message, retryable: false });
    }
    const before = { ...summarizeAllocationHistory(answer.history, sought), service_at: answer.service_at };
    return { ordinal: change.ordinal, sought, before };
  }

  #leaveUnsent(change: StoredAllocationChange, outcome: UnsentChangeOutcome, error: ErrorValue): 'not_sent' {
    this.#ports.journal.markUnsent(change, outcome, error);
    this.#recordFailedChange(error.message);
    return 'not_sent';
  }

  async #post(request: StoredAllocationRequest, changes: readonly StoredAllocationChange[]): Promise<void> {
    const { journal, post, markChanged } = this.#ports;
    let applied: readonly (AppliedAllocationChange | null)[];
    try {
      applied = await post(changes);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      return await this.#handlePostError(error, request, changes);
    }
    markChanged(request.subscription_id);
    journal.markApplied(request, applied);
    this.#failedRequests = 0;
    this.#reason = null;
    for (const [at, change] of changes.entries())
      await this.#updateHistory(change, request.sent[at] as JournaledChange, applied[at] ?? null);
  }

  async #handlePostError(
    error: BillingError,
    request: StoredAllocationRequest,
    changes: readonly StoredAllocationChange[],
  ): Promise<void> {
    const { journal } = this.#ports;
    // A conflict means that the service has already received this request. The history shows whether it was applied.
    if (error.outcome_unknown || error.code === 'conflict') {
      this.#addUncertain(journal.markUncertain(request, error.message));
      this.#reason = error.message;
    } else if (isRefusal(error)) {
      journal.markRefused(request, await this.#explainRefusal(error, changes));
      for (const _ of changes) this.#recordFailedChange(error.message);
    } else {
      journal.markNotExecuted(request, error.message);
      this.#handleServiceError(error);
    }
  }

  /** Adds an applied change to the stored history. If the response is unreadable, reads the change from the history. */
  async #updateHistory(
    change: StoredAllocationChange,
    sent: JournaledChange,
    applied: AppliedAllocationChange | null,
  ): Promise<void> {
    const { histories, journal } = this.#ports;
    const answer = await this.#tryRead(() => histories.add(toComponentKey(change), applied));
    if (applied !== null || answer?.is !== 'stored') return;
    const result = lookUpSentAllocationChange(sent.sought, sent.before, answer.history);
    if (result.is === 'applied') journal.saveApplied(change.ordinal, toAppliedAllocationChange(result.entry));
  }

  /** Returns the error of a refused request. A 404 does not say which id is unknown, so another read finds out. */
  async #explainRefusal(
    error: BillingError,
    changes: readonly StoredAllocationChange[],
  ): Promise<ErrorValue> {
    const refused = toErrorValue(error);
    const [first] = changes;
    if (error.code !== 'not_found' || first === undefined || changes.length > 1) return refused;
    const message = await this.#tryRead(() => this.#ports.histories.explainMissing(toComponentKey(first)));
    return message === null ? refused : { ...refused, message };
  }

  /** Looks up all unresolved changes of a request whose response was lost. */
  async #lookUp(each: UncertainRequest): Promise<void> {
    const { journal, now, delayScale } = this.#ports;
    const { request } = each;
    const isOver = now() - each.since >= MAX_ALLOCATION_REQUEST_MS * delayScale;
    for (const { change, sent } of journal.unresolvedChanges(request)) {
      const answer = await this.#tryRead(() => this.#ports.histories.read(toComponentKey(change)));
      if (answer === null) {
        each.nextLookupAt = this.#retryAt;
        return;
      }
      if (answer.is === 'stored') {
        const ifAbsent = isOver ? this.#decideIfAbsent(change) : 'look_up_again';
        this.#recordLookup(request, sent, answer.history, ifAbsent);
      } else if (isOver) {
        const text = 'The response was lost, and the history can no longer be read.';
        journal.markUndecided(request, sent, text);
        this.#recordFailedChange(text);
      }
    }
    this.#failedRequests = 0;
    if (journal.unresolvedChanges(request).length === 0) this.#uncertain.delete(request.subscription_id);
    else each.nextLookupAt = scheduleNextLookup(each, now(), delayScale);
  }

  #decideIfAbsent(change: StoredAllocationChange): AbsentChangeDecision {
    return this.#ports.journal.countPosts(change) < MAX_POSTS_PER_CHANGE ? 'send_again' : 'not_applied';
  }

  #recordLookup(
    request: StoredAllocationRequest,
    sent: JournaledChange,
    history: AllocationHistory,
    ifAbsent: AbsentChangeDecision,
  ): void {
    const { journal, markChanged } = this.#ports;
    const result = lookUpSentAllocationChange(sent.sought, sent.before, history);
    if (result.is === 'applied') markChanged(request.subscription_id);
    journal.recordLookup({ request, sent, history, result, ifAbsent });
    if (result.is === 'undecided' || (result.is === 'absent' && ifAbsent === 'not_applied'))
      this.#recordFailedChange(result.text);
  }

  #addUncertain(request: StoredAllocationRequest): void {
    const now = this.#ports.now();
    this.#uncertain.set(request.subscription_id, { request, since: now, lookups: 0, nextLookupAt: now });
  }

  #recordFailedChange(text: string): void {
    if (++this.#failedChanges < this.#ports.stopAfter) return;
    this.#stopReason ??= `Stopped after ${formatCount(this.#failedChanges, 'change was', 'changes were')} not applied. Latest reason: ${text}`;
  }

  /** Runs a read. Handles errors of the service and then returns null. Other errors end the run. */
  async #tryRead<Result>(read: () => Promise<Result>): Promise<Result | null> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      this.#handleServiceError(error);
      return null;
    }
  }

  /** Handles an error after which requests can be repeated: delays all requests, or stops after too many failures. */
  #handleServiceError(error: BillingError): void {
    if (error.code === 'canceled') return;
    if (error.code === 'auth' || error.code === 'forbidden')
      this.#stopReason ??= `${error.message} ${error.hint ?? ''}`.trim();
    else if (++this.#failedRequests >= MAX_FAILED_REQUESTS)
      this.#stopReason ??= `Stopped because the service cannot be reached: ${error.message}`;
    const { now, delayScale } = this.#ports;
    const wait = error.retry_after_ms ?? Math.min(60_000, 1000 * 2 ** this.#failedRequests);
    this.#retryAt = Math.max(this.#retryAt, now() + wait * delayScale);
    this.#reason = error.message;
  }
}

function scheduleNextLookup(each: UncertainRequest, now: number, delayScale: number): number {
  each.lookups += 1;
  const wait = LOOKUP_DELAYS_MS[Math.min(each.lookups, LOOKUP_DELAYS_MS.length - 1)] as number;
  const latest = each.since + MAX_ALLOCATION_REQUEST_MS * delayScale;
  return Math.max(now + 1, Math.min(now + wait * delayScale, latest));
}

/** Returns true if the service refused the request, so that repeating it unchanged would fail again. */
function isRefusal({ code, status }: BillingError): boolean {
  return (
    code === 'validation' ||
    code === 'not_found' ||
    (code === 'service' && status !== undefined && status < 500)
  );
}

/** Returns the subscription component of a change whose row could be read. */
export function toComponentKey({ subscription_id, component_id }: StoredAllocationChange): ComponentKey {
  return { subscription_id: subscription_id as number, component_id: component_id as number };
}

function toSearchedChange(
  { quantity, memo }: StoredAllocationChange,
  previous: SentAllocationChange['previous'],
): SentAllocationChange {
  return { previous, quantity: quantity as number | string, memo };
}

function hasConfirmedQuantity(
  { current_quantity: confirmed }: StoredAllocationChange,
  now: SentAllocationChange['previous'],
): boolean {
  return confirmed === null || now === null ? confirmed === now : isSameQuantity(confirmed, now);
}

function changedQuantityText(
  { current_quantity: confirmed, quantity }: StoredAllocationChange,
  now: SentAllocationChange['previous'],
): string {
  const when = now !== null && quantity !== null && isSameQuantity(now, quantity) ? 'already' : 'now';
  return `The quantity is ${when} ${now ?? 'not recorded'}. It was ${confirmed ?? 'not recorded'} when you confirmed the change. Nothing was sent.`;
}

function describeComponent({ component_id, subscription_id }: StoredAllocationChange): string {
  return `component ${component_id} on subscription ${subscription_id}`;
}
