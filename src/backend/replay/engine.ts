import { BillingError } from '../../billing/index.ts';
import type { LogState, StoredItem } from '../store/replay/replay.ts';
import { type Breaker, closedBreaker, hear, probeDelay } from './breaker.ts';
import { createBucket } from './bucket.ts';
import { type Begun, deliveryFields, type Journal, type Resolution, type Underway } from './journal.ts';
import { outcomeOf } from './outcome.ts';
import { afterLook, type Polling, startPolling } from './polling.ts';
import {
  afterOutcome,
  afterStep,
  isCanary,
  type Mode,
  type Ramp,
  room,
  startRamp,
  stepName,
  windowOf,
} from './ramp.ts';
import { type Halt, type Standing, standingOf } from './standing.ts';
import { createTempo } from './tempo.ts';
import { createTrouble } from './trouble.ts';
import { judge } from './verdict.ts';

/** What the engine asks of the world. */
export interface World {
  journal: Journal;
  /** Has webhooks queued; settles when the service says so. */
  post(ids: readonly number[]): Promise<void>;
  /** What the log shows of these now; may leave out some, `all` asks for every one. */
  look(ids: readonly number[], all: boolean): Promise<ReadonlyMap<number, LogState>>;
  /** Which of these the service still tries by itself, and up to when (our clock). */
  retried(ids: readonly number[]): ReadonlyMap<number, number>;
  /** What is held of these here. */
  held(ids: readonly number[]): ReadonlyMap<number, LogState>;
  /** Our clock, and the service's, ms UTC. */
  now(): number;
  serviceNow(): number;
  /** Waits, or until something is wished or the signal is aborted. */
  rest(ms: number): Promise<void>;
  /** Whether the user wants nothing sent now, and how often the user has asked for going on. */
  paused(): boolean;
  resumes(): number;
  show(standing: Standing): void;
  readonly signal: AbortSignal;
  /** Every wait is multiplied by this. */
  readonly waits: number;
}

export interface Orders {
  mode: Mode;
  batch_size: number;
  /** Webhooks a second; null: no bound. */
  rate: number | null;
  /** 1: at most one webhook of a subscription at once, and none behind one that was not accepted. */
  ordered: number;
}

/** `failed`: with what, where it was the service and not the endpoint that made it stop. */
export type Ending = { state: 'done' } | { state: 'stopped'; reason: string; failed: BillingError | null };

/** Fruitless looks after which every page is read again, even if the newest of it shows nothing new. */
const LOOK_AT_ALL = 3;
/** Single webhooks refused one after the other, with nothing taken, before it is the service and not a webhook. */
const HOPELESS = 5;

/**
 * Runs a replay to its end: sends as much as the ramp, the breaker and the rate allow, looks what became of it, and goes
 * by what it sees. What was underway when an earlier run ended is looked up before anything is sent.
 */
export async function runReplay(world: World, orders: Orders): Promise<Ending> {
  const { journal, waits } = world;
  const underway = new Map<number, Underway>();
  for (const each of journal.underway()) underway.set(each.item.webhook_id, each);
  /** What the service still tries by itself, by when it is to be asked about again: it waits. */
  const retried = new Map(world.retried(journal.waitingIds()));
  /** Parts of a refused batch, to be posted before anything else. */
  const halves: StoredItem[][] = [];
  const begunAt = world.now();
  const tempo = createTempo(begunAt);
  const trouble = createTrouble(waits);
  const bucket = createBucket(orders.rate, orders.batch_size, waits, begunAt);
  let ramp: Ramp = startRamp(orders.mode);
  let breaker: Breaker = closedBreaker;
  let polling: Polling = startPolling(null);
  let step = { accepted: 0, total: 0 };
  let pollAt = 0;
  let probeAt = 0;
  // What an earlier run left underway is looked for on every page, before anything is said of it.
  let fruitless = underway.size > 0 ? LOOK_AT_ALL : 0;
  let refusedInRow = 0;
  /** Why nothing is sent until the user says so. */
  let halt: Halt | null = null;
  let resumes = world.resumes();
  /** The webhook that tries whether the endpoint is back. */
  let probe: number | null = null;
  /** Whether all that may be sent waits for what the service still tries by itself. */
  let onlyRetried = false;
  let stop: string | null = null;

  const show = () => {
    const now = world.now();
    world.show(
      standingOf({
        now,
        step: stepName(ramp),
        window: windowOf(ramp),
        unresolved: underway.size,
        left: journal.counts().waiting + underway.size,
        perSecond: tempo.perSecond(now),
        halt,
        paused: world.paused(),
        breaker,
        probeAt,
        lookAt: underway.size > 0 && !keyRefused() ? pollAt : null,
        sendAt: Math.max(
          trouble.until(),
          bucket.readyAt(now) ?? 0,
          (onlyRetried ? retriedFirst() : null) ?? 0,
        ),
        retried: onlyRetried ? retried.size : 0,
        trouble: trouble.text(),
      }),
    );
  };

  /** Without a key nothing can be read either. */
  const keyRefused = () => halt?.by === 'key';

  /** How many may be sent now. */
  function allowed(): number {
    const now = world.now();
    if (world.paused() || halt !== null || now < trouble.until()) return 0;
    if (breaker.state === 'open') return underway.size === 0 && now >= probeAt ? 1 : 0;
    return Math.min(room(ramp, underway.size), orders.batch_size, bucket.allowed(now));
  }

  function nextBatch(most: number): StoredItem[] {
    const half = halves.shift();
    if (half !== undefined) {
      if (half.length > most) halves.unshift(half.slice(most));
      return half.slice(0, most);
    }
    const except = [...retried.keys()];
    if (orders.ordered === 0) return journal.next(most, except);
    const busy = [...underway.values()].flatMap(({ item }) => item.subscription_id ?? []);
    return journal.nextOfLanes(most, except, busy);
  }

  async function send(chosen: readonly StoredItem[]): Promise<void> {
    const before = world.held(chosen.map((item) => item.webhook_id));
    const items = leaveOutAccepted(chosen, before);
    if (items.length === 0) return;
    const begun = journal.begin(items, before, stepName(ramp), world.serviceNow(), world.now());
    try {
      await world.post(begun.batch.ids);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      if (error.outcome_unknown) {
        journal.doubt(begun.batch, error.message);
        nowUnderway(begun, true);
      } else if (isRefusal(error)) {
        refuse(begun, error);
      } else {
        journal.undone(begun, error.message);
        meetTrouble(error);
      }
      return;
    }
    journal.queued(begun, world.now());
    nowUnderway(begun, false);
    refusedInRow = 0;
    trouble.clear();
  }

  function nowUnderway({ batch, items }: Begun, doubtful: boolean): void {
    const posted_at = world.now();
    for (const item of items) underway.set(item.webhook_id, { item, posted_at, doubtful });
    bucket.spend(items.length);
    if (breaker.state === 'open') probe = batch.ids[0] ?? null;
    polling = startPolling(tempo.usual());
    fruitless = 0;
    pollAt = posted_at + polling.delay * waits;
  }

  /** What was accepted since the plan was made is not sent. */
  function leaveOutAccepted(items: readonly StoredItem[], held: ReadonlyMap<number, LogState>): StoredItem[] {
    const meanwhile = (item: StoredItem) =>
      !item.before.successful && held.get(item.webhook_id)?.successful === true;
    journal.resolve(
      items.filter(meanwhile).map((item) => ({ item, outcome: 'accepted', last_error: null })),
      world.now(),
    );
    return items.filter((item) => item.outcome === 'waiting');
  }

  /** A batch the service refuses is halved until the webhook it refuses stands alone. */
  function refuse(begun: Begun, error: BillingError): void {
    const { items } = begun;
    const [only] = items;
    if (items.length === 1 && only !== undefined) {
      journal.refused(begun, error.message, world.now());
      holdLane(only);
      if (++refusedInRow >= HOPELESS) {
        halt = { by: 'refusals', why: `The service refuses every webhook: ${error.message}` };
      }
      return;
    }
    journal.undone(begun, error.message);
    const middle = Math.ceil(items.length / 2);
    halves.unshift(items.slice(0, middle), items.slice(middle));
  }

  /** Behind a webhook that was not accepted, its subscription's later ones would arrive out of order: they are not sent. */
  function holdLane({ webhook_id, subscription_id }: StoredItem): void {
    if (orders.ordered === 0 || subscription_id === null) return;
    const why = `not sent: ${webhook_id} of the same subscription, which comes before it, was not accepted`;
    journal.hold(subscription_id, why, world.now());
  }

  function meetTrouble(error: BillingError): void {
    if (error.code === 'cancelled') throw error;
    if (error.code === 'auth' || error.code === 'forbidden') {
      halt = { by: 'key', why: `${error.message} ${error.hint ?? ''}`.trim() };
      return;
    }
    trouble.meet(error, world.now());
    pollAt = Math.max(pollAt, trouble.until());
  }

  /** What the service has had its time for is looked at: it may have been accepted, or tried again just now. */
  async function lookAtRetried(now: number): Promise<void> {
    const due = [...retried].filter(([, until]) => until <= now).map(([id]) => id);
    try {
      await world.look(due, true);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      meetTrouble(error);
      return;
    }
    trouble.clear();
    for (const id of due) retried.delete(id);
    for (const [id, until] of world.retried(due)) retried.set(id, until);
  }

  /** When the first of them is to be asked about; null where there are none. */
  const retriedFirst = () => (retried.size === 0 ? null : Math.min(...retried.values()));

  async function look(): Promise<void> {
    const ids = [...underway.keys()];
    const all = fruitless >= LOOK_AT_ALL;
    let seen: ReadonlyMap<number, LogState>;
    try {
      seen = await world.look(ids, all);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      meetTrouble(error);
      return;
    }
    trouble.clear();
    const now = world.now();
    const verdict = judge([...underway.values()], { seen, all }, now, tempo.usual(), waits);
    journal.judged(verdict, now);
    for (const each of verdict.certain) each.doubtful = false;
    for (const { item } of verdict.again) underway.delete(item.webhook_id);
    for (const each of verdict.resolutions) take(each, now);
    const sawSome = verdict.resolutions.length > 0;
    fruitless = sawSome ? 0 : fruitless + 1;
    polling = afterLook(polling, sawSome);
    pollAt = now + polling.delay * waits;
    if (underway.size === 0) endStep(verdict.resolutions);
  }

  function take({ item, outcome }: Resolution, now: number): void {
    const posted_at = underway.get(item.webhook_id)?.posted_at ?? now;
    underway.delete(item.webhook_id);
    const accepted = outcome === 'accepted';
    step.total++;
    if (accepted) step.accepted++;
    else holdLane(item);
    if (outcome === 'unresolved') return;
    tempo.note(now, (now - posted_at) / waits);
    ramp = afterOutcome(ramp, accepted);
    // While the breaker is open, only what was sent to try the endpoint says whether it is back.
    if (breaker.state === 'open' && item.webhook_id !== probe) return;
    const before = breaker;
    breaker = hear(breaker, accepted);
    if (breaker.state === 'open') {
      const delay = probeDelay(breaker);
      if (delay === null) {
        stop = 'The endpoint did not come back: three webhooks sent one at a time failed as well.';
      } else probeAt = now + delay * waits;
    } else if (before.state === 'open') {
      // The probe was the canary of what follows.
      ramp = { ...startRamp(orders.mode), step: 1 };
    }
  }

  /** All that was sent is resolved: the next step is taken, or this one again. */
  function endStep(last: readonly Resolution[]): void {
    if (isCanary(ramp) && step.total > 0 && step.accepted === 0) {
      const [first] = last;
      const error = first?.last_error == null ? 'it was not delivered in time' : first.last_error;
      stop = `The first webhook${first === undefined ? '' : ` (${first.item.webhook_id})`} was not accepted: ${error}. Nothing else was sent.`;
      return;
    }
    ramp = afterStep(ramp, step.accepted, step.total);
    step = { accepted: 0, total: 0 };
  }

  /** When something is to be done next, if nobody wishes anything before. */
  function restUntil(now: number): number {
    const moments: number[] = [now + 60_000 * waits];
    if (underway.size > 0 && !keyRefused()) moments.push(pollAt);
    if (breaker.state === 'open' && probeAt > now) moments.push(probeAt);
    if (trouble.until() > now) moments.push(trouble.until());
    const first = retriedFirst();
    if (first !== null && first > now) moments.push(first);
    const ready = bucket.readyAt(now);
    if (ready !== null) moments.push(ready);
    return Math.min(...moments);
  }

  show();
  for (;;) {
    world.signal.throwIfAborted();
    if (world.resumes() !== resumes) {
      resumes = world.resumes();
      halt = null;
      refusedInRow = 0;
      trouble.clear();
      probeAt = 0;
    }
    if (stop !== null && underway.size === 0) return { state: 'stopped', reason: stop, failed: null };
    const failed = trouble.givenUp(world.now());
    if (failed !== null) return { state: 'stopped', reason: givenUpText(failed), failed };
    const isLeft = journal.counts().waiting > 0 || halves.length > 0;
    if (!isLeft && underway.size === 0) break;

    const may = stop === null && isLeft ? allowed() : 0;
    const batch = may > 0 ? nextBatch(may) : [];
    onlyRetried = may > 0 && batch.length === 0 && underway.size === 0;
    const now = world.now();
    const canAsk = halt === null && now >= trouble.until();
    if (batch.length > 0) await send(batch);
    else if (canAsk && stop === null && (retriedFirst() ?? Infinity) <= now) await lookAtRetried(now);
    else if (underway.size > 0 && now >= pollAt && !keyRefused()) await look();
    else {
      if (onlyRetried) show();
      await world.rest(Math.max(1, restUntil(now) - now));
    }
    show();
  }
  await lookAtFailed(world);
  return { state: 'done' };
}

function givenUpText(failed: BillingError): string {
  return `The service did not answer for half an hour: ${failed.message} What was not sent is still waiting.`;
}

/** The service may have tried those that failed again by itself since: they are looked at once more. */
async function lookAtFailed({ journal, look, now, signal }: World): Promise<void> {
  const failed = journal.failed();
  if (failed.length === 0 || signal.aborted) return;
  try {
    const seen = await look(
      failed.map((item) => item.webhook_id),
      true,
    );
    const accepted = failed.flatMap((item): Resolution[] => {
      const state = seen.get(item.webhook_id);
      if (state === undefined) return [];
      const outcome = outcomeOf(deliveryFields(item.before), deliveryFields(state));
      return outcome === 'accepted' ? [{ item, outcome, last_error: null }] : [];
    });
    journal.resolve(accepted, now());
  } catch (error) {
    // They stay as they were seen; the next sync sees more.
    if (!(error instanceof BillingError) || error.code === 'cancelled') throw error;
  }
}

/** A refusal of what was asked for, not of who asked or when. */
function isRefusal(error: BillingError): boolean {
  return error.code === 'validation' || error.code === 'not_found' || error.code === 'conflict';
}
