import { BillingError } from '../../billing/index.ts';
import type { ErrorValue } from '../../contract/index.ts';
import {
  lookUpSentChange,
  type SentAllocationChange,
  summarizeAllocationHistory,
} from '../../domain/allocations/index.ts';
import { isSameQuantity } from '../../domain/ledger/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import type { StoredChange } from '../store/allocations/allocation-draft.ts';
import type { Sent, StoredRequest } from '../store/allocations/allocation-request.ts';
import type { ComponentKey } from '../store/allocations/subscription-component.ts';
import type { AllocationHistories } from './allocation-histories.ts';
import { allocationChangeName } from './change-preview.ts';
import { type AllocationJournal, type AppliedChange, toAppliedChange } from './sending-journal.ts';

/** Interface between the sending engine and the service, the clock and the databases. */
export interface AllocationPorts {
  readonly journal: AllocationJournal;
  readonly histories: AllocationHistories;
  /**
   * Posts changes of one subscription. Resolves with the allocation that the service recorded for each change, or null if
   * it could not be read.
   */
  post(changes: readonly StoredChange[]): Promise<readonly (AppliedChange | null)[]>;
  /** Returns the local time in UTC milliseconds. */
  now(): number;
  /** Sleeps for the given milliseconds. Ends early if a job command arrives or the signal is aborted. */
  sleep(ms: number): Promise<void>;
  isPaused(): boolean;
  publishStatus(current: string | null, reason: string | null): void;
  /** Aborting this signal starts no further requests. Running requests are completed. */
  readonly signal: AbortSignal;
  /** Factor by which every delay is multiplied. 1 in production. */
  readonly delayScale: number;
  /** Number of failed changes after which sending stops. */
  readonly stopAfter: number;
}

export type AllocationSendingResult = { state: 'done' } | { state: 'stopped'; reason: string };

/**
 * Maximum number of concurrent requests. The service executes writes one after the other, but reads in parallel with
 * them.
 */
const MAX_CONCURRENT_SENDS = 4;
/**
 * Maximum duration of a request in milliseconds. The service works on a request for at most two minutes. A change that is
 * not in the history after that was not applied.
 */
export const MAX_ALLOCATION_REQUEST_MS = 130_000;
const LOOKUP_DELAYS_MS = [0, 2000, 5000, 10_000, 20_000, 30_000];
/** Maximum number of times a change is posted if every answer is lost and the history does not show the change. */
const MAX_POSTS_PER_CHANGE = 3;
/** Number of failed requests in a row after which sending stops. The user can resume it. */
const MAX_FAILED_REQUESTS = 8;

/** Request whose answer was lost, so that its outcome is unknown. */
interface UncertainRequest {
  request: StoredRequest;
  /**
   * Time by the local clock at which the answer was lost. After a restart, this is the time of the restart, because the
   * request may have been in transit until then.
   */
  since: number;
  lookups: number;
  nextLookupAt: number;
}

/**
 * Sends all changes of a draft. A change is sent only if the history still shows the confirmed quantity. If an answer is
 * lost, the change is looked up in the history before anything else is sent to the same subscription. Requests that an
 * earlier run left with an unknown outcome are looked up first.
 */
export async function sendAllocationChanges(ports: AllocationPorts): Promise<AllocationSendingResult> {
  const { journal, histories, delayScale } = ports;
  const running = new Map<number, Promise<void>>();
  const uncertain = new Map<number, UncertainRequest>();
  let failedChanges = 0;
  let failedRequests = 0;
  let reason: string | null = null;
  let retryAt = 0;
  let stop: string | null = null;
  let failure: { error: unknown } | null = null;

  for (const request of journal.uncertainRequests()) addUncertain(journal.markUncertain(request, null));

  function addUncertain(request: StoredRequest): void {
    const now = ports.now();
    uncertain.set(request.subscription_id, { request, since: now, lookups: 0, nextLookupAt: now });
  }

  function recordFailedChange(text: string): void {
    if (++failedChanges >= ports.stopAfter && stop === null) {
      stop = `Stopped after ${formatCount(failedChanges, 'change was', 'changes were')} not applied. Latest reason: ${text}`;
    }
  }

  /** Handles an error after which the request can be repeated: delays all requests, or stops after too many failures. */
  function handleServiceError(error: BillingError): void {
    if (error.code === 'canceled') return;
    if (error.code === 'auth' || error.code === 'forbidden')
      stop ??= `${error.message} ${error.hint ?? ''}`.trim();
    else if (++failedRequests >= MAX_FAILED_REQUESTS)
      stop ??= `Stopped because the service cannot be reached: ${error.message}`;
    const wait = error.retry_after_ms ?? Math.min(60_000, 1000 * 2 ** failedRequests);
    retryAt = Math.max(retryAt, ports.now() + wait * delayScale);
    reason = error.message;
  }

  /** Runs a read. Handles errors of the service and then returns null. Other errors end the run. */
  async function tryRead<Result>(read: () => Promise<Result>): Promise<Result | null> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      handleServiceError(error);
      return null;
    }
  }

  async function send(changes: readonly StoredChange[]): Promise<void> {
    const sent: Sent[] = [];
    const left: string[] = [];
    for (const change of changes) {
      const answer = await tryRead(() => histories.read(toComponentKey(change)));
      if (answer === null || ports.signal.aborted) return;
      if (answer.is === 'stored') {
        const sought = toSentChange(change, answer.history.entries[0]?.quantity ?? null);
        if (hasConfirmedQuantity(change, sought.previous)) {
          const before = {
            ...summarizeAllocationHistory(answer.history, sought),
            service_at: answer.service_at,
          };
          sent.push({ ordinal: change.ordinal, sought, before });
          continue;
        }
        leaveUnsent(change, 'moved', {
          code: 'conflict',
          message: changedQuantityText(change, sought.previous),
          retryable: false,
        });
      } else if (answer.is === 'missing') {
        const which = await tryRead(() => histories.explainMissing(toComponentKey(change)));
        if (which === null) return;
        leaveUnsent(change, 'refused', { code: 'not_found', message: which, retryable: false });
      } else {
        const message = `The history of component ${change.component_id} on subscription ${change.subscription_id} cannot be read.`;
        leaveUnsent(change, 'not_applied', { code: 'service', message, retryable: true });
      }
      left.push(allocationChangeName(change));
    }
    failedRequests = 0;
    if (left.length > 0) {
      const ready = changes.filter(({ ordinal }) => sent.some((each) => each.ordinal === ordinal));
      const message = `Not sent because ${left.join(', ')} of the same request could not be sent.`;
      for (const change of ready)
        leaveUnsent(change, 'not_applied', { code: 'conflict', message, retryable: true });
    } else await post(journal.addRequest(changes, sent), changes);
  }

  function leaveUnsent(
    change: StoredChange,
    outcome: 'moved' | 'refused' | 'not_applied',
    error: ErrorValue,
  ): void {
    journal.markUnsent(change, outcome, error);
    recordFailedChange(error.message);
  }

  async function post(request: StoredRequest, changes: readonly StoredChange[]): Promise<void> {
    let applied: readonly (AppliedChange | null)[];
    try {
      applied = await ports.post(changes);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      // A conflict means that the service has already received this request. The history shows whether it was applied.
      if (error.outcome_unknown || error.code === 'conflict') {
        addUncertain(journal.markUncertain(request, error.message));
        reason = error.message;
      } else if (isRefusal(error)) {
        journal.markRefused(request, await explainRefusal(error, changes));
        for (const _ of changes) recordFailedChange(error.message);
      } else {
        journal.markNotExecuted(request, error.message);
        handleServiceError(error);
      }
      return;
    }
    histories.markChanged(request.subscription_id);
    journal.markApplied(request, applied);
    failedRequests = 0;
    reason = null;
    for (const [at, change] of changes.entries())
      await updateHistory(change, request.sent[at] as Sent, applied[at] ?? null);
  }

  /** Adds an applied change to the stored history. If the answer could not be read, reads the change from the history. */
  async function updateHistory(
    change: StoredChange,
    sent: Sent,
    applied: AppliedChange | null,
  ): Promise<void> {
    const answer = await tryRead(() => histories.add(toComponentKey(change), applied));
    if (applied !== null || answer?.is !== 'stored') return;
    const verdict = lookUpSentChange(sent.sought, sent.before, answer.history);
    if (verdict.is === 'applied') journal.saveApplied(change.ordinal, toAppliedChange(verdict.entry));
  }

  /** Returns the error of a refused request. A 404 does not say which id is unknown, so another read finds out. */
  async function explainRefusal(error: BillingError, changes: readonly StoredChange[]): Promise<ErrorValue> {
    const refused = toErrorValue(error);
    const [first] = changes;
    if (error.code !== 'not_found' || first === undefined || changes.length > 1) return refused;
    const which = await tryRead(() => histories.explainMissing(toComponentKey(first)));
    return which === null ? refused : { ...refused, message: which };
  }

  async function lookUp(each: UncertainRequest): Promise<void> {
    const { request, since } = each;
    const over = ports.now() - since >= MAX_ALLOCATION_REQUEST_MS * delayScale;
    for (const { change, sent } of journal.unresolvedChanges(request)) {
      const answer = await tryRead(() => histories.read(toComponentKey(change)));
      if (answer === null) {
        each.nextLookupAt = retryAt;
        return;
      }
      if (answer.is === 'stored') {
        const verdict = lookUpSentChange(sent.sought, sent.before, answer.history);
        if (verdict.is === 'applied') histories.markChanged(request.subscription_id);
        const again = journal.countPosts(change) < MAX_POSTS_PER_CHANGE ? 'again' : 'not_applied';
        journal.recordLookup(request, sent, answer.history, verdict, over ? again : 'look');
        if (verdict.is === 'undecided' || (verdict.is === 'absent' && over && again === 'not_applied')) {
          recordFailedChange(verdict.text);
        }
      } else if (over) {
        const text = 'The answer was lost, and the history can no longer be read.';
        journal.markUndecided(request, sent, text);
        recordFailedChange(text);
      }
    }
    failedRequests = 0;
    if (journal.unresolvedChanges(request).length === 0) uncertain.delete(request.subscription_id);
    else each.nextLookupAt = scheduleNextLookup(each, ports.now(), delayScale);
  }

  function start(subscription: number, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .then(() => void running.delete(subscription));
    running.set(subscription, done);
  }

  /** Starts all requests that may be started now. */
  function startRequests(): void {
    const now = ports.now();
    if (now < retryAt) return;
    for (const [subscription, each] of uncertain) {
      if (running.size >= MAX_CONCURRENT_SENDS) return;
      if (each.nextLookupAt <= now && !running.has(subscription)) start(subscription, lookUp(each));
    }
    while (running.size < MAX_CONCURRENT_SENDS && stop === null && !ports.isPaused()) {
      const changes = journal.nextChanges([...running.keys(), ...uncertain.keys()]);
      const [first] = changes;
      if (first === undefined) return;
      ports.publishStatus(describeComponent(first), reason);
      start(first.subscription_id as number, send(changes));
    }
  }

  /** Returns the milliseconds until another request may be started, or null if none is scheduled. */
  function idleTime(): number | null {
    const now = ports.now();
    const next = Math.min(
      ...[...uncertain]
        .filter(([key]) => !running.has(key))
        .map(([, { nextLookupAt }]) => Math.max(nextLookupAt, retryAt)),
      retryAt > now ? retryAt : Number.POSITIVE_INFINITY,
    );
    return Number.isFinite(next) ? Math.max(1, next - now) : null;
  }

  while (failure === null && !ports.signal.aborted) {
    startRequests();
    ports.publishStatus(null, idleReason());
    if (running.size === 0 && uncertain.size === 0) {
      if (stop !== null) break;
      if (!ports.isPaused() && ports.now() >= retryAt && journal.nextChanges([]).length === 0) break;
    }
    if (stop !== null && running.size === 0) break;
    const wait = idleTime();
    const rest = ports.sleep(wait ?? (running.size === 0 && !ports.isPaused() ? 1 : 60_000));
    await Promise.race([...running.values(), rest]);
  }
  await Promise.all(running.values());
  if (failure !== null) throw (failure as { error: unknown }).error;
  return stop === null ? { state: 'done' } : { state: 'stopped', reason: stop };

  function idleReason(): string | null {
    if (ports.isPaused()) return 'Paused.';
    if (uncertain.size > 0)
      return `An answer was lost. Looking up the change in the history. ${reason ?? ''}`.trim();
    return reason;
  }
}

function scheduleNextLookup(each: UncertainRequest, now: number, delayScale: number): number {
  each.lookups += 1;
  const wait = LOOKUP_DELAYS_MS[Math.min(each.lookups, LOOKUP_DELAYS_MS.length - 1)] as number;
  return Math.max(
    now + 1,
    Math.min(now + wait * delayScale, each.since + MAX_ALLOCATION_REQUEST_MS * delayScale),
  );
}

/** Returns true if the service refused the request, so that repeating it unchanged would fail again. */
function isRefusal({ code, status }: BillingError): boolean {
  return (
    code === 'validation' ||
    code === 'not_found' ||
    (code === 'service' && status !== undefined && status < 500)
  );
}

function toComponentKey({ subscription_id, component_id }: StoredChange): ComponentKey {
  return { subscription_id: subscription_id as number, component_id: component_id as number };
}

function toSentChange(
  { quantity, memo }: StoredChange,
  previous: SentAllocationChange['previous'],
): SentAllocationChange {
  return { previous, quantity: quantity as number | string, memo };
}

function hasConfirmedQuantity(
  { current_quantity: confirmed }: StoredChange,
  now: SentAllocationChange['previous'],
): boolean {
  return confirmed === null || now === null ? confirmed === now : isSameQuantity(confirmed, now);
}

function changedQuantityText(
  { current_quantity: confirmed, quantity }: StoredChange,
  now: SentAllocationChange['previous'],
): string {
  const is = now === null ? 'not recorded' : String(now);
  if (now !== null && quantity !== null && isSameQuantity(now, quantity)) {
    return `The quantity is already ${is}. It was ${confirmed ?? 'not recorded'} when you confirmed the change. Nothing was sent.`;
  }
  return `The quantity is now ${is}. It was ${confirmed ?? 'not recorded'} when you confirmed the change. Nothing was sent.`;
}

function describeComponent({ component_id, subscription_id }: StoredChange): string {
  return `component ${component_id} on subscription ${subscription_id}`;
}
