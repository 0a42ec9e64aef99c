import { BillingError } from '../../billing/index.ts';
import type { LogState, StoredItem } from '../store/replay/replay.ts';
import { type CircuitBreaker, initialBreaker, probeDelay, recordOutcome } from './breaker.ts';
import { createTokenBucket } from './bucket.ts';
import type { BegunBatch, ReplayJournal } from './journal.ts';
import { replayOutcome } from './outcome.ts';
import { afterPoll, type PollingSchedule, startPolling } from './polling.ts';
import {
  currentWindow,
  isCanary,
  type Ramp,
  type ReplayMode,
  rampAfterOutcome,
  rampAfterStep,
  rampStepName,
  sendableNow,
  startRamp,
} from './ramp.ts';
import { type ReplayHalt, type ReplayStatus, replayStatus } from './standing.ts';
import { createThroughput } from './tempo.ts';
import { createServiceBackoff } from './trouble.ts';
import { deliveryFields, type UnresolvedWebhook, type WebhookResolution } from './underway.ts';
import { decideUnresolved } from './verdict.ts';

/** The effects that the engine needs. */
export interface ReplayPorts {
  journal: ReplayJournal;
  /** Queues webhooks for resending. Resolves when the service confirms it. */
  post(ids: readonly number[]): Promise<void>;
  /** Returns the current delivery states from the service's log. It may leave out some unless `all` is true. */
  look(ids: readonly number[], all: boolean): Promise<ReadonlyMap<number, LogState>>;
  /** Returns which of these the service still retries itself, and until when (local clock). */
  retried(ids: readonly number[]): ReadonlyMap<number, number>;
  /** Returns the stored delivery states. */
  stored(ids: readonly number[]): ReadonlyMap<number, LogState>;
  /** The local and the service's clock, UTC milliseconds. */
  now(): number;
  serviceNow(): number;
  /** Sleeps until the time is over, a job command arrives or the signal is aborted. */
  rest(ms: number): Promise<void>;
  /** Returns whether the user has paused the replay, and how often they have resumed it. */
  paused(): boolean;
  resumes(): number;
  show(standing: ReplayStatus): void;
  readonly signal: AbortSignal;
  /** Factor for every delay. 1 in production. */
  readonly waits: number;
}

export interface ReplayOptions {
  mode: ReplayMode;
  batch_size: number;
  /** Webhooks per second. Null for no limit. */
  rate: number | null;
  /** 1 sends at most one webhook of a subscription at a time, and none after one that was not accepted. */
  ordered: number;
}

/** `failed` is the service's error if the service, not the endpoint, caused the stop. */
export type ReplayEnd = { state: 'done' } | { state: 'stopped'; reason: string; failed: BillingError | null };

/** Number of polls without a result after which every page is read again. */
const LOOK_AT_ALL = 3;
/** Number of single webhooks refused in a row, with none accepted, after which the service is considered at fault. */
const HOPELESS = 5;

/**
 * Runs a replay to its end: sends as much as the ramp, the breaker and the rate allow, reads the outcomes, and adapts.
 * Webhooks left unresolved by an earlier run are looked up before anything is sent.
 */
export async function runReplay(world: ReplayPorts, orders: ReplayOptions): Promise<ReplayEnd> {
  const { journal, waits } = world;
  const in_flight = new Map<number, UnresolvedWebhook>();
  for (const each of journal.in_flight()) in_flight.set(each.item.webhook_id, each);
  /** Webhooks that the service still retries itself, with the time of the next inquiry. */
  const retried = new Map(world.retried(journal.waitingIds()));
  /** Parts of a refused batch, which are posted first. */
  const halves: StoredItem[][] = [];
  const begunAt = world.now();
  const tempo = createThroughput(begunAt);
  const trouble = createServiceBackoff(waits);
  const bucket = createTokenBucket(orders.rate, orders.batch_size, waits, begunAt);
  let ramp: Ramp = startRamp(orders.mode);
  let breaker: CircuitBreaker = initialBreaker;
  let polling: PollingSchedule = startPolling(null);
  let step = { accepted: 0, total: 0 };
  let pollAt = 0;
  let probeAt = 0;
  // Webhooks left by an earlier run are searched on every page before their outcome is decided.
  let fruitless = in_flight.size > 0 ? LOOK_AT_ALL : 0;
  let refusedInRow = 0;
  /** The reason why nothing is sent until the user decides. */
  let halt: ReplayHalt | null = null;
  let resumes = world.resumes();
  /** The id of the current probe. */
  let probe: number | null = null;
  /** True if everything left to send waits for the service's own retries. */
  let onlyRetried = false;
  let stop: string | null = null;

  const show = () => {
    const now = world.now();
    world.show(
      replayStatus({
        now,
        step: rampStepName(ramp),
        window: currentWindow(ramp),
        unresolved: in_flight.size,
        left: journal.counts().waiting + in_flight.size,
        perSecond: tempo.perSecond(now),
        halt,
        paused: world.paused(),
        breaker,
        probeAt,
        lookAt: in_flight.size > 0 && !keyRefused() ? pollAt : null,
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

  /** Without a valid key nothing can be read either. */
  const keyRefused = () => halt?.by === 'key';

  /** Returns how many webhooks may be sent now. */
  function allowed(): number {
    const now = world.now();
    if (world.paused() || halt !== null || now < trouble.until()) return 0;
    if (breaker.state === 'open') return in_flight.size === 0 && now >= probeAt ? 1 : 0;
    return Math.min(sendableNow(ramp, in_flight.size), orders.batch_size, bucket.allowed(now));
  }

  function nextBatch(most: number): StoredItem[] {
    const half = halves.shift();
    if (half !== undefined) {
      if (half.length > most) halves.unshift(half.slice(most));
      return half.slice(0, most);
    }
    const except = [...retried.keys()];
    if (orders.ordered === 0) return journal.next(most, except);
    const busy = [...in_flight.values()].flatMap(({ item }) => item.subscription_id ?? []);
    return journal.nextOfLanes(most, except, busy);
  }

  async function send(chosen: readonly StoredItem[]): Promise<void> {
    const before = world.stored(chosen.map((item) => item.webhook_id));
    const items = leaveOutAccepted(chosen, before);
    if (items.length === 0) return;
    const begun = journal.begin(items, before, rampStepName(ramp), world.serviceNow(), world.now());
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

  function nowUnderway({ batch, items }: BegunBatch, doubtful: boolean): void {
    const posted_at = world.now();
    for (const item of items) in_flight.set(item.webhook_id, { item, posted_at, doubtful });
    bucket.spend(items.length);
    if (breaker.state === 'open') probe = batch.ids[0] ?? null;
    polling = startPolling(tempo.usual());
    fruitless = 0;
    pollAt = posted_at + polling.delay * waits;
  }

  /** Leaves out webhooks that were accepted since the plan was made. */
  function leaveOutAccepted(
    items: readonly StoredItem[],
    stored: ReadonlyMap<number, LogState>,
  ): StoredItem[] {
    const meanwhile = (item: StoredItem) =>
      !item.before.successful && stored.get(item.webhook_id)?.successful === true;
    journal.resolve(
      items.filter(meanwhile).map((item) => ({ item, outcome: 'accepted', last_error: null })),
      world.now(),
    );
    return items.filter((item) => item.outcome === 'waiting');
  }

  /** Halves a refused batch until the refused webhook is alone. */
  function refuse(begun: BegunBatch, error: BillingError): void {
    const { items } = begun;
    const [only] = items;
    if (items.length === 1 && only !== undefined) {
      journal.refused(begun, error.message, world.now());
      holdLane(only);
      if (++refusedInRow >= HOPELESS) {
        halt = { by: 'refusals', reason: `The service refuses every webhook: ${error.message}` };
      }
      return;
    }
    journal.undone(begun, error.message);
    const middle = Math.ceil(items.length / 2);
    halves.unshift(items.slice(0, middle), items.slice(middle));
  }

  /**
   * Leaves out the later webhooks of a subscription after one that was not accepted, because they would arrive out of
   * order.
   */
  function holdLane({ webhook_id, subscription_id }: StoredItem): void {
    if (orders.ordered === 0 || subscription_id === null) return;
    const reason = `not sent: ${webhook_id} of the same subscription, which comes before it, was not accepted`;
    journal.hold(subscription_id, reason, world.now());
  }

  function meetTrouble(error: BillingError): void {
    if (error.code === 'canceled') throw error;
    if (error.code === 'auth' || error.code === 'forbidden') {
      halt = { by: 'key', reason: `${error.message} ${error.hint ?? ''}`.trim() };
      return;
    }
    trouble.meet(error, world.now());
    pollAt = Math.max(pollAt, trouble.until());
  }

  /**
   * Inquires about webhooks whose time for the service's own retries is over. They may have been accepted or retried just
   * now.
   */
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

  /** Returns when the first of them is due for an inquiry, or null if there are none. */
  const retriedFirst = () => (retried.size === 0 ? null : Math.min(...retried.values()));

  async function look(): Promise<void> {
    const ids = [...in_flight.keys()];
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
    const verdict = decideUnresolved([...in_flight.values()], { seen, all }, now, tempo.usual(), waits);
    journal.judged(verdict, now);
    for (const each of verdict.certain) each.doubtful = false;
    for (const { item } of verdict.again) in_flight.delete(item.webhook_id);
    for (const each of verdict.resolutions) take(each, now);
    const sawSome = verdict.resolutions.length > 0;
    fruitless = sawSome ? 0 : fruitless + 1;
    polling = afterPoll(polling, sawSome);
    pollAt = now + polling.delay * waits;
    if (in_flight.size === 0) endStep(verdict.resolutions);
  }

  function take({ item, outcome }: WebhookResolution, now: number): void {
    const posted_at = in_flight.get(item.webhook_id)?.posted_at ?? now;
    in_flight.delete(item.webhook_id);
    const accepted = outcome === 'accepted';
    step.total++;
    if (accepted) step.accepted++;
    else holdLane(item);
    if (outcome === 'unresolved') return;
    tempo.note(now, (now - posted_at) / waits);
    ramp = rampAfterOutcome(ramp, accepted);
    // While the breaker is open, only the probe shows whether the endpoint is back.
    if (breaker.state === 'open' && item.webhook_id !== probe) return;
    const before = breaker;
    breaker = recordOutcome(breaker, accepted);
    if (breaker.state === 'open') {
      const delay = probeDelay(breaker);
      if (delay === null) {
        stop = 'The endpoint did not come back: three webhooks sent one at a time failed as well.';
      } else probeAt = now + delay * waits;
    } else if (before.state === 'open') {
      // The probe has served as the canary.
      ramp = { ...startRamp(orders.mode), step: 1 };
    }
  }

  /** Ends a step after everything sent is resolved: takes the next step or repeats this one. */
  function endStep(last: readonly WebhookResolution[]): void {
    if (isCanary(ramp) && step.total > 0 && step.accepted === 0) {
      const [first] = last;
      const error = first?.last_error == null ? 'it was not delivered in time' : first.last_error;
      stop = `The first webhook${first === undefined ? '' : ` (${first.item.webhook_id})`} was not accepted: ${error}. Nothing else was sent.`;
      return;
    }
    ramp = rampAfterStep(ramp, step.accepted, step.total);
    step = { accepted: 0, total: 0 };
  }

  /** Returns when the engine must act next unless a job command arrives earlier. */
  function restUntil(now: number): number {
    const moments: number[] = [now + 60_000 * waits];
    if (in_flight.size > 0 && !keyRefused()) moments.push(pollAt);
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
    if (stop !== null && in_flight.size === 0) return { state: 'stopped', reason: stop, failed: null };
    const failed = trouble.givenUp(world.now());
    if (failed !== null) return { state: 'stopped', reason: givenUpText(failed), failed };
    const isLeft = journal.counts().waiting > 0 || halves.length > 0;
    if (!isLeft && in_flight.size === 0) break;

    const may = stop === null && isLeft ? allowed() : 0;
    const batch = may > 0 ? nextBatch(may) : [];
    onlyRetried = may > 0 && batch.length === 0 && in_flight.size === 0;
    const now = world.now();
    const canAsk = halt === null && now >= trouble.until();
    if (batch.length > 0) await send(batch);
    else if (canAsk && stop === null && (retriedFirst() ?? Infinity) <= now) await lookAtRetried(now);
    else if (in_flight.size > 0 && now >= pollAt && !keyRefused()) await look();
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

/** Reads failed webhooks once more, because the service may have retried them itself since. */
async function lookAtFailed({ journal, look, now, signal }: ReplayPorts): Promise<void> {
  const failed = journal.failed();
  if (failed.length === 0 || signal.aborted) return;
  try {
    const seen = await look(
      failed.map((item) => item.webhook_id),
      true,
    );
    const accepted = failed.flatMap((item): WebhookResolution[] => {
      const state = seen.get(item.webhook_id);
      if (state === undefined) return [];
      const outcome = replayOutcome(deliveryFields(item.before), deliveryFields(state));
      return outcome === 'accepted' ? [{ item, outcome, last_error: null }] : [];
    });
    journal.resolve(accepted, now());
  } catch (error) {
    // They stay as last seen. The next sync reads them again.
    if (!(error instanceof BillingError) || error.code === 'canceled') throw error;
  }
}

/** Returns true if the service refused the content of a request, not its sender or its timing. */
function isRefusal(error: BillingError): boolean {
  return error.code === 'validation' || error.code === 'not_found' || error.code === 'conflict';
}
