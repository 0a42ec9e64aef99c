import { BillingError } from '../../billing/index.ts';
import type { ReplayJob } from '../../contract/index.ts';
import type { LogState, StoredItem } from '../store/replay.ts';
import { type Breaker, closedBreaker, hear, probeDelay } from './breaker.ts';
import { type Begun, deliveryFields, type Journal, type Resolution, type Underway } from './journal.ts';
import { outcomeOf } from './outcome.ts';
import { afterLook, median, type Polling, startPolling } from './polling.ts';
import {
  afterOutcome,
  afterStep,
  isCanary,
  type Mode,
  type Ramp,
  room,
  startRamp,
  stepName,
} from './ramp.ts';
import { judge } from './verdict.ts';

/** What the engine asks of the world. */
export interface World {
  journal: Journal;
  /** Has webhooks queued; settles when the service says so. */
  post(ids: readonly number[]): Promise<void>;
  /** What the log shows of these now; may leave out some, `all` asks for every one. */
  look(ids: readonly number[], all: boolean): Promise<ReadonlyMap<number, LogState>>;
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
  show(state: { state: ReplayJob['state']; reason: string | null; step: string; unresolved: number }): void;
  readonly signal: AbortSignal;
  /** Every wait is multiplied by this. */
  readonly waits: number;
}

export interface Orders {
  mode: Mode;
  batch_size: number;
  /** Webhooks a second; null: no bound. */
  rate: number | null;
}

export type Ending = { state: 'done' } | { state: 'stopped'; reason: string };

/** Fruitless looks after which every page is read again, even if the newest of it shows nothing new. */
const LOOK_AT_ALL = 3;
const BUCKET_MS = 10_000;
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
  /** Parts of a refused batch, to be posted before anything else. */
  const halves: StoredItem[][] = [];
  const times: number[] = [];
  let ramp: Ramp = startRamp(orders.mode);
  let breaker: Breaker = closedBreaker;
  let polling: Polling = startPolling(null);
  let step = { accepted: 0, total: 0 };
  let pollAt = 0;
  let probeAt = 0;
  let retryAt = 0;
  let failuresInRow = 0;
  let fruitless = 0;
  let refusedInRow = 0;
  let tokens = 1;
  let filledAt = world.now();
  /** Why nothing is sent until the user says so. */
  let halted: string | null = null;
  let resumes = world.resumes();
  /** The webhook that tries whether the endpoint is back. */
  let probe: number | null = null;
  let trouble: string | null = null;
  let stop: string | null = null;

  const usual = () => median(times);
  const show = () => {
    const held = world.paused() || halted !== null || breaker.state === 'open';
    world.show({
      state: held ? 'paused' : 'running',
      reason: reasonNow(),
      step: stepName(ramp),
      unresolved: underway.size,
    });
  };

  function reasonNow(): string | null {
    if (halted !== null) return halted;
    if (world.paused()) {
      return underway.size === 0 ? 'Paused.' : `Paused; ${underway.size} are queued already and go on.`;
    }
    if (breaker.state === 'open') {
      return 'The endpoint stopped accepting webhooks. One is tried now and then; the rest goes on when it is accepted.';
    }
    return trouble;
  }

  /** How many may be sent now. */
  function allowed(): number {
    const now = world.now();
    if (world.paused() || halted !== null || now < retryAt) return 0;
    if (breaker.state === 'open') return underway.size === 0 && now >= probeAt ? 1 : 0;
    const free = Math.min(room(ramp, underway.size), orders.batch_size);
    if (orders.rate === null || free === 0) return free;
    const full = Math.max(1, Math.min(orders.batch_size, (orders.rate * BUCKET_MS) / 1000));
    tokens = Math.min(full, tokens + ((now - filledAt) * orders.rate) / 1000 / waits);
    filledAt = now;
    return Math.min(free, Math.floor(tokens));
  }

  async function send(chosen: readonly StoredItem[]): Promise<void> {
    const before = world.held(chosen.map((item) => item.webhook_id));
    const items = leaveOutAccepted(chosen, before);
    if (items.length === 0) return;
    const begun = journal.begin(items, before, stepName(ramp), world.serviceNow(), world.now());
    const doubtful = () => {
      for (const item of begun.items) {
        underway.set(item.webhook_id, { item, posted_at: world.now(), doubtful: true });
      }
    };
    try {
      await world.post(begun.batch.ids);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      if (error.outcome_unknown) {
        journal.doubt(begun.batch, error.message);
        doubtful();
        startLooking();
      } else if (isRefusal(error)) {
        refuse(begun, error);
      } else {
        journal.undone(begun, error.message);
        meetTrouble(error);
      }
      return;
    }
    const at = world.now();
    journal.queued(begun.batch, at);
    for (const item of begun.items) {
      item.outcome = 'queued';
      underway.set(item.webhook_id, { item, posted_at: at, doubtful: false });
    }
    tokens -= begun.items.length;
    if (breaker.state === 'open') probe = begun.batch.ids[0] ?? null;
    failuresInRow = 0;
    refusedInRow = 0;
    trouble = null;
    startLooking();
  }

  /** What was accepted since the plan was made is not sent. */
  function leaveOutAccepted(items: readonly StoredItem[], held: ReadonlyMap<number, LogState>): StoredItem[] {
    const meanwhile = (item: StoredItem) =>
      !item.before.successful && held.get(item.webhook_id)?.successful === true;
    journal.resolve(
      items.filter(meanwhile).map((item) => ({ item, outcome: 'accepted', last_error: null })),
      world.now(),
    );
    return items.filter((item) => !meanwhile(item));
  }

  function startLooking(): void {
    polling = startPolling(usual());
    fruitless = 0;
    pollAt = world.now() + polling.delay * waits;
  }

  /** A batch the service refuses is halved until the webhook it refuses stands alone. */
  function refuse(begun: Begun, error: BillingError): void {
    const { items } = begun;
    if (items.length === 1) {
      journal.refused(begun, error.message, world.now());
      if (++refusedInRow >= HOPELESS) halted = `The service refuses every webhook: ${error.message}`;
      return;
    }
    journal.undone(begun, error.message);
    const middle = Math.ceil(items.length / 2);
    halves.unshift(items.slice(0, middle), items.slice(middle));
  }

  function meetTrouble(error: BillingError): void {
    if (error.code === 'cancelled') throw error;
    if (error.code === 'auth' || error.code === 'forbidden') {
      halted = `${error.message} ${error.hint ?? ''}`.trim();
      return;
    }
    failuresInRow++;
    const wait = error.retry_after_ms ?? Math.min(60_000, 1000 * 2 ** failuresInRow);
    retryAt = world.now() + wait * waits;
    pollAt = Math.max(pollAt, retryAt);
    trouble = error.message;
  }

  async function look(): Promise<void> {
    const ids = [...underway.keys()];
    let seen: ReadonlyMap<number, LogState>;
    try {
      seen = await world.look(ids, fruitless >= LOOK_AT_ALL);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      meetTrouble(error);
      return;
    }
    trouble = null;
    failuresInRow = 0;
    const now = world.now();
    const { resolutions, certain, again } = judge([...underway.values()], seen, now, usual(), waits);
    journal.resolve(resolutions, now);
    if (certain.length > 0) journal.certain(certain.map(({ item }) => item));
    if (again.length > 0) journal.again(again.map(({ item }) => item));
    for (const each of certain) each.doubtful = false;
    for (const { item } of again) underway.delete(item.webhook_id);
    for (const each of resolutions) take(each, now);
    const sawSome = resolutions.length > 0;
    fruitless = sawSome ? 0 : fruitless + 1;
    polling = afterLook(polling, sawSome);
    pollAt = now + polling.delay * waits;
    if (underway.size === 0) endStep(resolutions);
  }

  function take({ item, outcome }: Resolution, now: number): void {
    const posted_at = underway.get(item.webhook_id)?.posted_at ?? now;
    underway.delete(item.webhook_id);
    const accepted = outcome === 'accepted';
    step.total++;
    if (accepted) step.accepted++;
    if (outcome === 'unresolved') return;
    times.push((now - posted_at) / waits);
    if (times.length > 100) times.shift();
    ramp = afterOutcome(ramp, accepted);
    // While the breaker is open, only what was sent to try the endpoint says whether it is back.
    if (breaker.state === 'open' && item.webhook_id !== probe) return;
    const before = breaker;
    breaker = hear(breaker, accepted);
    if (breaker.state === 'open') {
      const delay = probeDelay(breaker);
      if (delay === null)
        stop = 'The endpoint did not come back: three webhooks sent one at a time failed as well.';
      else probeAt = now + delay * waits;
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

  show();
  for (;;) {
    world.signal.throwIfAborted();
    if (world.resumes() !== resumes) {
      resumes = world.resumes();
      halted = null;
      refusedInRow = 0;
      retryAt = 0;
      probeAt = 0;
    }
    if (stop !== null && underway.size === 0) return { state: 'stopped', reason: stop };
    const waiting = journal.waiting();
    if (waiting === 0 && halves.length === 0 && underway.size === 0) break;

    const may = stop === null && (waiting > 0 || halves.length > 0) ? allowed() : 0;
    const now = world.now();
    if (may > 0) await send(nextBatch(may));
    else if (underway.size > 0 && now >= pollAt) await look();
    else await world.rest(Math.max(1, restUntil(now) - now));
    show();
  }
  await lookAtFailed(world);
  return { state: 'done' };

  function nextBatch(most: number): StoredItem[] {
    const half = halves.shift();
    if (half === undefined) return journal.next(most);
    if (half.length > most) halves.unshift(half.slice(most));
    return half.slice(0, most);
  }

  /** When something is to be done next, if nobody wishes anything before. */
  function restUntil(now: number): number {
    const moments: number[] = [now + 60_000 * waits];
    if (underway.size > 0) moments.push(pollAt);
    if (breaker.state === 'open' && probeAt > now) moments.push(probeAt);
    if (retryAt > now) moments.push(retryAt);
    if (orders.rate !== null && tokens < 1) moments.push(now + ((1 - tokens) * 1000 * waits) / orders.rate);
    return Math.min(...moments);
  }
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
