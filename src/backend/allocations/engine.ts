import { BillingError } from '../../billing/index.ts';
import type { ErrorValue } from '../../contract/index.ts';
import { lookUpSentChange, type SentChange, summarizeHistory } from '../../domain/allocations/index.ts';
import { isSameQuantity } from '../../domain/ledger/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import type { StoredChange } from '../store/allocations/allocation-draft.ts';
import type { Sent, StoredRequest } from '../store/allocations/allocation-request.ts';
import type { ComponentKey } from '../store/allocations/subscription-component.ts';
import type { AllocationHistories } from './histories.ts';
import { type AllocationJournal, type AppliedChange, toAppliedChange } from './journal.ts';
import { changeName } from './preview.ts';

/** The effects that the engine needs. */
export interface AllocationPorts {
  readonly journal: AllocationJournal;
  readonly histories: AllocationHistories;
  /** Posts the changes of one subscription. Resolves with what the service recorded for each. */
  post(changes: readonly StoredChange[]): Promise<readonly (AppliedChange | null)[]>;
  /** Local clock, UTC milliseconds. */
  now(): number;
  /** Sleeps until the time is over, a job command arrives or the signal is aborted. */
  rest(ms: number): Promise<void>;
  paused(): boolean;
  show(current: string | null, reason: string | null): void;
  /** When aborted, nothing new is started and running requests finish. */
  readonly signal: AbortSignal;
  /** Factor for every delay. 1 in production. */
  readonly waits: number;
  /** Number of failed changes after which nothing more is sent. */
  readonly stopAfter: number;
}

export type SendingEnd = { state: 'done' } | { state: 'stopped'; reason: string };

/** Number of concurrent requests. The service executes writes one after the other; reads run beside them. */
const AT_ONCE = 4;
/**
 * The service works on a request for at most two minutes. A change that the history does not show after that was not
 * applied.
 */
export const MAX_REQUEST_MS = 130_000;
const LOOKS_MS = [0, 2000, 5000, 10_000, 20_000, 30_000];
/** Maximum number of posts of a change whose answer is lost each time and which the history does not show. */
const MOST_SENT = 3;
/** Number of failed requests in a row after which sending stops. It can be resumed. */
const MOST_TROUBLE = 8;

/** A request with an unknown outcome. */
interface Doubt {
  request: StoredRequest;
  /**
   * Since when (local clock). After a restart, the time of the restart, because the request may have been in transit
   * until then.
   */
  since: number;
  looks: number;
  lookAt: number;
}

/**
 * Sends the changes of a draft to its end. A change is sent only while its history shows the confirmed quantity. If an
 * answer is lost, the change is looked up in the history before anything else is sent to its subscription. Requests left
 * by an earlier run are looked up first.
 */
export async function sendChanges(world: AllocationPorts): Promise<SendingEnd> {
  const { journal, histories, waits } = world;
  const in_flight = new Map<number, Promise<void>>();
  const doubts = new Map<number, Doubt>();
  let wrong = 0;
  let trouble = 0;
  let reason: string | null = null;
  let retryAt = 0;
  let stop: string | null = null;
  let failure: { error: unknown } | null = null;

  for (const request of journal.doubtful()) doubt(journal.doubt(request, null));

  function doubt(request: StoredRequest): void {
    const now = world.now();
    doubts.set(request.subscription_id, { request, since: now, looks: 0, lookAt: now });
  }

  function wentWrong(text: string): void {
    if (++wrong >= world.stopAfter && stop === null) {
      stop = `Stopped after ${formatCount(wrong, 'change that was', 'changes that were')} not applied. The last: ${text}`;
    }
  }

  /** Handles an unreachable service, or a change that was certainly not applied: retries later or gives up. */
  function meetTrouble(error: BillingError): void {
    if (error.code === 'canceled') return;
    if (error.code === 'auth' || error.code === 'forbidden')
      stop ??= `${error.message} ${error.hint ?? ''}`.trim();
    else if (++trouble >= MOST_TROUBLE)
      stop ??= `Stopped, as the service cannot be reached: ${error.message}`;
    const wait = error.retry_after_ms ?? Math.min(60_000, 1000 * 2 ** trouble);
    retryAt = Math.max(retryAt, world.now() + wait * waits);
    reason = error.message;
  }

  /** Runs a read and handles its billing errors. Other errors end the run. */
  async function asking<Result>(ask: () => Promise<Result>): Promise<Result | null> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      meetTrouble(error);
      return null;
    }
  }

  async function send(changes: readonly StoredChange[]): Promise<void> {
    const sent: Sent[] = [];
    const left: string[] = [];
    for (const change of changes) {
      const told = await asking(() => histories.read(findSubscriptionComponent(change)));
      if (told === null || world.signal.aborted) return;
      if (told.is === 'stored') {
        const sought = soughtOf(change, told.history.entries[0]?.quantity ?? null);
        if (isAsConfirmed(change, sought.previous)) {
          const before = { ...summarizeHistory(told.history, sought), service_at: told.service_at };
          sent.push({ ordinal: change.ordinal, sought, before });
          continue;
        }
        leave(change, 'moved', {
          code: 'conflict',
          message: movedText(change, sought.previous),
          retryable: false,
        });
      } else if (told.is === 'missing') {
        const which = await asking(() => histories.whichIsMissing(findSubscriptionComponent(change)));
        if (which === null) return;
        leave(change, 'refused', { code: 'not_found', message: which, retryable: false });
      } else {
        const message = `The history of component ${change.component_id} on subscription ${change.subscription_id} cannot be read.`;
        leave(change, 'not_applied', { code: 'service', message, retryable: true });
      }
      left.push(changeName(change));
    }
    trouble = 0;
    if (left.length > 0) {
      const ready = changes.filter(({ ordinal }) => sent.some((each) => each.ordinal === ordinal));
      const message = `Not sent, as ${left.join(', ')} of the same request could not be.`;
      for (const change of ready)
        leave(change, 'not_applied', { code: 'conflict', message, retryable: true });
    } else await post(journal.begin(changes, sent), changes);
  }

  function leave(
    change: StoredChange,
    outcome: 'moved' | 'refused' | 'not_applied',
    error: ErrorValue,
  ): void {
    journal.left(change, outcome, error);
    wentWrong(error.message);
  }

  async function post(request: StoredRequest, changes: readonly StoredChange[]): Promise<void> {
    let applied: readonly (AppliedChange | null)[];
    try {
      applied = await world.post(changes);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      // A conflict means that the service has received this request before. The history shows whether it was applied.
      if (error.outcome_unknown || error.code === 'conflict') {
        doubt(journal.doubt(request, error.message));
        reason = error.message;
      } else if (isRefusal(error)) {
        journal.refused(request, await refusalOf(error, changes));
        for (const _ of changes) wentWrong(error.message);
      } else {
        journal.undone(request, error.message);
        meetTrouble(error);
      }
      return;
    }
    histories.changed(request.subscription_id);
    journal.applied(request, applied);
    trouble = 0;
    reason = null;
    for (const [at, change] of changes.entries())
      await record(change, request.sent[at] as Sent, applied[at] ?? null);
  }

  /** Updates the stored history. If the answer could not be read, the history shows what was recorded. */
  async function record(change: StoredChange, sent: Sent, applied: AppliedChange | null): Promise<void> {
    const told = await asking(() => histories.add(findSubscriptionComponent(change), applied));
    if (applied !== null || told?.is !== 'stored') return;
    const verdict = lookUpSentChange(sent.sought, sent.before, told.history);
    if (verdict.is === 'applied') journal.recorded(change.ordinal, toAppliedChange(verdict.entry));
  }

  /** Returns the reason of a refusal. A 404 does not say which id is unknown, so a read finds out. */
  async function refusalOf(error: BillingError, changes: readonly StoredChange[]): Promise<ErrorValue> {
    const refused = toErrorValue(error);
    const [first] = changes;
    if (error.code !== 'not_found' || first === undefined || changes.length > 1) return refused;
    const which = await asking(() => histories.whichIsMissing(findSubscriptionComponent(first)));
    return which === null ? refused : { ...refused, message: which };
  }

  async function look(each: Doubt): Promise<void> {
    const { request, since } = each;
    const over = world.now() - since >= MAX_REQUEST_MS * waits;
    for (const { change, sent } of journal.sought(request)) {
      const told = await asking(() => histories.read(findSubscriptionComponent(change)));
      if (told === null) {
        each.lookAt = retryAt;
        return;
      }
      if (told.is === 'stored') {
        const verdict = lookUpSentChange(sent.sought, sent.before, told.history);
        if (verdict.is === 'applied') histories.changed(request.subscription_id);
        const again = journal.timesSent(change) < MOST_SENT ? 'again' : 'not_applied';
        journal.found(request, sent, told.history, verdict, over ? again : 'look');
        if (verdict.is === 'undecided' || (verdict.is === 'absent' && over && again === 'not_applied')) {
          wentWrong(verdict.text);
        }
      } else if (over) {
        const text = 'Its answer was lost, and its history cannot be read any more.';
        journal.unreadable(request, sent, text);
        wentWrong(text);
      }
    }
    trouble = 0;
    if (journal.sought(request).length === 0) doubts.delete(request.subscription_id);
    else each.lookAt = nextLook(each, world.now(), waits);
  }

  function begin(subscription: number, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .then(() => void in_flight.delete(subscription));
    in_flight.set(subscription, done);
  }

  /** Starts every request that may be started now. */
  function fill(): void {
    const now = world.now();
    if (now < retryAt) return;
    for (const [subscription, each] of doubts) {
      if (in_flight.size >= AT_ONCE) return;
      if (each.lookAt <= now && !in_flight.has(subscription)) begin(subscription, look(each));
    }
    while (in_flight.size < AT_ONCE && stop === null && !world.paused()) {
      const changes = journal.next([...in_flight.keys(), ...doubts.keys()]);
      const [first] = changes;
      if (first === undefined) return;
      world.show(nameOf(first), reason);
      begin(first.subscription_id as number, send(changes));
    }
  }

  /** Returns the milliseconds until something may be started, or null for never. */
  function idle(): number | null {
    const now = world.now();
    const next = Math.min(
      ...[...doubts]
        .filter(([key]) => !in_flight.has(key))
        .map(([, { lookAt }]) => Math.max(lookAt, retryAt)),
      retryAt > now ? retryAt : Number.POSITIVE_INFINITY,
    );
    return Number.isFinite(next) ? Math.max(1, next - now) : null;
  }

  while (failure === null && !world.signal.aborted) {
    fill();
    world.show(null, whyIdle());
    if (in_flight.size === 0 && doubts.size === 0) {
      if (stop !== null) break;
      if (!world.paused() && world.now() >= retryAt && journal.next([]).length === 0) break;
    }
    if (stop !== null && in_flight.size === 0) break;
    const wait = idle();
    const rest = world.rest(wait ?? (in_flight.size === 0 && !world.paused() ? 1 : 60_000));
    await Promise.race([...in_flight.values(), rest]);
  }
  await Promise.all(in_flight.values());
  if (failure !== null) throw (failure as { error: unknown }).error;
  return stop === null ? { state: 'done' } : { state: 'stopped', reason: stop };

  function whyIdle(): string | null {
    if (world.paused()) return 'Paused.';
    if (doubts.size > 0) return `An answer was lost; the history is being looked at. ${reason ?? ''}`.trim();
    return reason;
  }
}

function nextLook(each: Doubt, now: number, waits: number): number {
  each.looks += 1;
  const wait = LOOKS_MS[Math.min(each.looks, LOOKS_MS.length - 1)] as number;
  return Math.max(now + 1, Math.min(now + wait * waits, each.since + MAX_REQUEST_MS * waits));
}

/** Returns true if the change was not applied and will not be as it is. */
function isRefusal({ code, status }: BillingError): boolean {
  return (
    code === 'validation' ||
    code === 'not_found' ||
    (code === 'service' && status !== undefined && status < 500)
  );
}

function findSubscriptionComponent({ subscription_id, component_id }: StoredChange): ComponentKey {
  return { subscription_id: subscription_id as number, component_id: component_id as number };
}

function soughtOf({ quantity, memo }: StoredChange, previous: SentChange['previous']): SentChange {
  return { previous, quantity: quantity as number | string, memo };
}

function isAsConfirmed({ current_quantity: confirmed }: StoredChange, now: SentChange['previous']): boolean {
  return confirmed === null || now === null ? confirmed === now : isSameQuantity(confirmed, now);
}

function movedText(
  { current_quantity: confirmed, quantity }: StoredChange,
  now: SentChange['previous'],
): string {
  const is = now === null ? 'not recorded' : String(now);
  if (now !== null && quantity !== null && isSameQuantity(now, quantity)) {
    return `The quantity is ${is} already; it was ${confirmed ?? 'not recorded'} when this was confirmed. Nothing was sent.`;
  }
  return `The quantity is ${is} now, not ${confirmed ?? 'unrecorded'} as confirmed. Nothing was sent.`;
}

function nameOf({ component_id, subscription_id }: StoredChange): string {
  return `component ${component_id} on subscription ${subscription_id}`;
}
