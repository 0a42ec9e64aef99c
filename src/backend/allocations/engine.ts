import { BillingError } from '../../billing/index.ts';
import type { ErrorValue } from '../../contract/index.ts';
import { lookUp, type Sought, sightOf } from '../../domain/allocations/index.ts';
import { counted } from '../../domain/counted.ts';
import { sameQuantity } from '../../domain/ledger/index.ts';
import { failureOf } from '../jobs/failure.ts';
import type { StoredChange } from '../store/allocations/allocation-draft.ts';
import type { Sent, StoredRequest } from '../store/allocations/allocation-request.ts';
import type { PairKey } from '../store/allocations/pair.ts';
import type { Histories } from './histories.ts';
import { type Applied, type Journal, plain } from './journal.ts';
import { placeName } from './preview.ts';

/** What the engine asks of the world. */
export interface World {
  readonly journal: Journal;
  readonly histories: Histories;
  /** Has the changes of one subscription carried out; settles with what the service recorded of each. */
  post(changes: readonly StoredChange[]): Promise<readonly (Applied | null)[]>;
  /** Our clock, ms UTC. */
  now(): number;
  /** Waits, or until something is wished or the signal is aborted. */
  rest(ms: number): Promise<void>;
  paused(): boolean;
  show(current: string | null, reason: string | null): void;
  /** Aborted: nothing more is begun; what is underway ends by itself. */
  readonly signal: AbortSignal;
  /** Every wait is multiplied by this. */
  readonly waits: number;
  /** Changes that may go wrong before nothing more is sent. */
  readonly stopAfter: number;
}

export type Ending = { state: 'done' } | { state: 'stopped'; reason: string };

/** Requests under way at once; the service takes writes one after the other, reads go beside them. */
const AT_ONCE = 4;
/** The service works on a request for two minutes at most: what the history does not show then was not carried out. */
export const WINDOW_MS = 130_000;
const LOOKS_MS = [0, 2000, 5000, 10_000, 20_000, 30_000];
/** How often a change is sent whose answer is lost each time, and which the history does not show. */
const MOST_SENT = 3;
/** After so many requests in a row that came to nothing, sending stops; it can be gone on with. */
const MOST_TROUBLE = 8;

/** A request of which it is not known whether it was carried out. */
interface Doubt {
  request: StoredRequest;
  /** Since when, our clock; after a restart since then, for until then it may have been on its way. */
  since: number;
  looks: number;
  lookAt: number;
}

/**
 * Sends the changes of a draft to its end. Each is sent only while its history shows the quantity that was confirmed; and
 * one whose answer was lost is looked up in the history before anything else is sent to its subscription. What was underway
 * when an earlier run ended is looked up first.
 */
export async function runChanges(world: World): Promise<Ending> {
  const { journal, histories, waits } = world;
  const underway = new Map<number, Promise<void>>();
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
      stop = `Stopped after ${counted(wrong, 'change that was', 'changes that were')} not applied. The last: ${text}`;
    }
  }

  /** The service could not be asked, or did certainly not do it: later, or not at all. */
  function meetTrouble(error: BillingError): void {
    if (error.code === 'cancelled') return;
    if (error.code === 'auth' || error.code === 'forbidden')
      stop ??= `${error.message} ${error.hint ?? ''}`.trim();
    else if (++trouble >= MOST_TROUBLE)
      stop ??= `Stopped, as the service cannot be reached: ${error.message}`;
    const wait = error.retry_after_ms ?? Math.min(60_000, 1000 * 2 ** trouble);
    retryAt = Math.max(retryAt, world.now() + wait * waits);
    reason = error.message;
  }

  /** What an error of a read means for the run; others are the program's own and end it. */
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
      const told = await asking(() => histories.read(pairOf(change)));
      if (told === null || world.signal.aborted) return;
      if (told.is === 'held') {
        const sought = soughtOf(change, told.history.entries[0]?.quantity ?? null);
        if (isAsConfirmed(change, sought.previous)) {
          const before = { ...sightOf(told.history, sought), service_at: told.service_at };
          sent.push({ ordinal: change.ordinal, sought, before });
          continue;
        }
        leave(change, 'moved', {
          code: 'conflict',
          message: movedText(change, sought.previous),
          retryable: false,
        });
      } else if (told.is === 'missing') {
        const which = await asking(() => histories.whichIsMissing(pairOf(change)));
        if (which === null) return;
        leave(change, 'refused', { code: 'not_found', message: which, retryable: false });
      } else {
        const message = `The history of component ${change.component_id} on subscription ${change.subscription_id} cannot be read.`;
        leave(change, 'not_applied', { code: 'service', message, retryable: true });
      }
      left.push(placeName(change));
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
    let applied: readonly (Applied | null)[];
    try {
      applied = await world.post(changes);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      // A conflict says that the service has had this request before: whether it did it is to be looked up.
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

  /** Brings the history that is held up to date; where the answer could not be read, it tells what was recorded. */
  async function record(change: StoredChange, sent: Sent, applied: Applied | null): Promise<void> {
    const told = await asking(() => histories.add(pairOf(change), applied));
    if (applied !== null || told?.is !== 'held') return;
    const verdict = lookUp(sent.sought, sent.before, told.history);
    if (verdict.is === 'applied') journal.recorded(change.ordinal, plain(verdict.entry));
  }

  /** A 404 does not say which id the service does not know; a look tells. */
  async function refusalOf(error: BillingError, changes: readonly StoredChange[]): Promise<ErrorValue> {
    const refused = failureOf(error);
    const [first] = changes;
    if (error.code !== 'not_found' || first === undefined || changes.length > 1) return refused;
    const which = await asking(() => histories.whichIsMissing(pairOf(first)));
    return which === null ? refused : { ...refused, message: which };
  }

  async function look(each: Doubt): Promise<void> {
    const { request, since } = each;
    const over = world.now() - since >= WINDOW_MS * waits;
    for (const { change, sent } of journal.sought(request)) {
      const told = await asking(() => histories.read(pairOf(change)));
      if (told === null) {
        each.lookAt = retryAt;
        return;
      }
      if (told.is === 'held') {
        const verdict = lookUp(sent.sought, sent.before, told.history);
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
      .then(() => void underway.delete(subscription));
    underway.set(subscription, done);
  }

  /** Begins what can be begun now. */
  function fill(): void {
    const now = world.now();
    if (now < retryAt) return;
    for (const [subscription, each] of doubts) {
      if (underway.size >= AT_ONCE) return;
      if (each.lookAt <= now && !underway.has(subscription)) begin(subscription, look(each));
    }
    while (underway.size < AT_ONCE && stop === null && !world.paused()) {
      const changes = journal.next([...underway.keys(), ...doubts.keys()]);
      const [first] = changes;
      if (first === undefined) return;
      world.show(nameOf(first), reason);
      begin(first.subscription_id as number, send(changes));
    }
  }

  /** Ms until something may be begun by itself; null: never. */
  function idle(): number | null {
    const now = world.now();
    const next = Math.min(
      ...[...doubts].filter(([key]) => !underway.has(key)).map(([, { lookAt }]) => Math.max(lookAt, retryAt)),
      retryAt > now ? retryAt : Number.POSITIVE_INFINITY,
    );
    return Number.isFinite(next) ? Math.max(1, next - now) : null;
  }

  while (failure === null && !world.signal.aborted) {
    fill();
    world.show(null, whyIdle());
    if (underway.size === 0 && doubts.size === 0) {
      if (stop !== null) break;
      if (!world.paused() && world.now() >= retryAt && journal.next([]).length === 0) break;
    }
    if (stop !== null && underway.size === 0) break;
    const wait = idle();
    const rest = world.rest(wait ?? (underway.size === 0 && !world.paused() ? 1 : 60_000));
    await Promise.race([...underway.values(), rest]);
  }
  await Promise.all(underway.values());
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
  return Math.max(now + 1, Math.min(now + wait * waits, each.since + WINDOW_MS * waits));
}

/** Refusals say that a change was not made and will not be, as it stands. */
function isRefusal({ code, status }: BillingError): boolean {
  return (
    code === 'validation' ||
    code === 'not_found' ||
    (code === 'service' && status !== undefined && status < 500)
  );
}

function pairOf({ subscription_id, component_id }: StoredChange): PairKey {
  return { subscription_id: subscription_id as number, component_id: component_id as number };
}

function soughtOf({ quantity, memo }: StoredChange, previous: Sought['previous']): Sought {
  return { previous, quantity: quantity as number | string, memo };
}

function isAsConfirmed({ current_quantity: confirmed }: StoredChange, now: Sought['previous']): boolean {
  return confirmed === null || now === null ? confirmed === now : sameQuantity(confirmed, now);
}

function movedText({ current_quantity: confirmed, quantity }: StoredChange, now: Sought['previous']): string {
  const is = now === null ? 'not recorded' : String(now);
  if (now !== null && quantity !== null && sameQuantity(now, quantity)) {
    return `The quantity is ${is} already; it was ${confirmed ?? 'not recorded'} when this was confirmed. Nothing was sent.`;
  }
  return `The quantity is ${is} now, not ${confirmed ?? 'unrecorded'} as confirmed. Nothing was sent.`;
}

function nameOf({ component_id, subscription_id }: StoredChange): string {
  return `component ${component_id} on subscription ${subscription_id}`;
}
