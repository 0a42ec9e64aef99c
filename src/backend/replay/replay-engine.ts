import { BillingError } from '../../billing/index.ts';
import type { LogState, StoredItem } from '../store/replay/replay.ts';
import {
  breakerAfterOutcome,
  type CircuitBreaker,
  INITIAL_BREAKER,
  nextProbeDelay,
} from './circuit-breaker.ts';
import { createPollingSchedule, type PollingSchedule, pollingScheduleAfterPoll } from './polling-schedule.ts';
import type { JournaledBatch, ReplayJournal } from './replay-journal.ts';
import { detectReplayOutcome } from './replay-outcome.ts';
import {
  countSendable,
  createReplayRamp,
  currentRampWindow,
  isCanaryStep,
  type ReplayMode,
  type ReplayRamp,
  rampAfterOutcome,
  rampAfterStep,
  rampStepName,
} from './replay-ramp.ts';
import { type ReplayHalt, type ReplayStatus, replayStatus } from './replay-status.ts';
import { createReplayThroughput } from './replay-throughput.ts';
import { decideUnresolvedWebhooks } from './resolution-decisions.ts';
import { createServiceBackoff } from './service-backoff.ts';
import { createTokenBucket } from './token-bucket.ts';
import { toDeliveryFields, type UnresolvedWebhook, type WebhookResolution } from './unresolved-webhook.ts';

/** Interface between the replay engine and the service, the clock and the databases. */
export interface ReplayPorts {
  journal: ReplayJournal;
  /** Asks the service to resend webhooks. Resolves when the service confirms that they are queued. */
  post(ids: readonly number[]): Promise<void>;
  /** Fetches current delivery states from the service's log. May omit some webhooks unless `all` is true. */
  fetchDeliveryStates(ids: readonly number[], all: boolean): Promise<ReadonlyMap<number, LogState>>;
  /** Returns the webhooks that the service itself still retries, each with the time until which it does (local clock). */
  retriedByService(ids: readonly number[]): ReadonlyMap<number, number>;
  /** Returns the delivery states stored locally. */
  storedStates(ids: readonly number[]): ReadonlyMap<number, LogState>;
  /** Local time and service time, in UTC milliseconds. */
  now(): number;
  serviceNow(): number;
  /** Sleeps for the given milliseconds. Ends early if a job command arrives or the signal is aborted. */
  sleep(ms: number): Promise<void>;
  /** Whether the user has paused the replay, and how many times they have resumed it. */
  isPaused(): boolean;
  resumeCount(): number;
  publishStatus(standing: ReplayStatus): void;
  readonly signal: AbortSignal;
  /** Factor by which every delay is multiplied. 1 in production. */
  readonly delayScale: number;
}

export interface ReplayOptions {
  mode: ReplayMode;
  batch_size: number;
  /** Maximum number of webhooks per second. Null means no limit. */
  rate: number | null;
  /**
   * 1 sends a subscription's webhooks one at a time and stops sending them after one that was not accepted. 0 sends in
   * any order.
   */
  ordered: number;
}

/** Result of a replay. `failed` is the service's error if the service, not the endpoint, caused the stop. */
export type ReplayResult =
  | { state: 'done' }
  | { state: 'stopped'; reason: string; failed: BillingError | null };

/** Number of polls without an outcome after which the next poll reads every page that may contain one. */
const POLLS_BEFORE_FULL_READ = 3;
/** Number of single webhooks refused in a row after which the service, not a webhook, is considered at fault. */
const MAX_REFUSALS_IN_ROW = 5;

/**
 * Runs a replay to its end: sends as many webhooks as the ramp, the breaker and the rate limit allow, reads their
 * outcomes, and adapts. Looks up webhooks that an earlier run left unresolved before it sends any.
 */
export async function runReplay(ports: ReplayPorts, options: ReplayOptions): Promise<ReplayResult> {
  const { journal, delayScale } = ports;
  const in_flight = new Map<number, UnresolvedWebhook>();
  for (const each of journal.unresolved()) in_flight.set(each.item.webhook_id, each);
  /** Webhooks that the service itself still retries, each with the time at which to check it again. */
  const retried = new Map(ports.retriedByService(journal.waitingIds()));
  /** Parts of refused batches. They are posted before other webhooks. */
  const refusedParts: StoredItem[][] = [];
  const startedAt = ports.now();
  const throughput = createReplayThroughput(startedAt);
  const backoff = createServiceBackoff(delayScale);
  const bucket = createTokenBucket(options.rate, options.batch_size, delayScale, startedAt);
  let ramp: ReplayRamp = createReplayRamp(options.mode);
  let breaker: CircuitBreaker = INITIAL_BREAKER;
  let polling: PollingSchedule = createPollingSchedule(null);
  let step = { accepted: 0, total: 0 };
  let pollAt = 0;
  let probeAt = 0;
  // The first poll after a restart reads all pages, so that no webhook of the earlier run is missed.
  let pollsWithoutOutcome = in_flight.size > 0 ? POLLS_BEFORE_FULL_READ : 0;
  let refusedInRow = 0;
  /** Reason why nothing is sent until the user resumes the replay. */
  let halt: ReplayHalt | null = null;
  let resumes = ports.resumeCount();
  /** Webhook id of the current probe. */
  let probe: number | null = null;
  /** True if all remaining webhooks are still being retried by the service itself. */
  let onlyRetried = false;
  let stop: string | null = null;

  const show = () => {
    const now = ports.now();
    ports.publishStatus(
      replayStatus({
        now,
        step: rampStepName(ramp),
        window: currentRampWindow(ramp),
        unresolved: in_flight.size,
        left: journal.counts().waiting + in_flight.size,
        perSecond: throughput.perSecond(now),
        halt,
        paused: ports.isPaused(),
        breaker,
        probeAt,
        pollAt: in_flight.size > 0 && !isKeyRefused() ? pollAt : null,
        sendAt: Math.max(
          backoff.until(),
          bucket.readyAt(now) ?? 0,
          (onlyRetried ? nextRetriedAt() : null) ?? 0,
        ),
        retried: onlyRetried ? retried.size : 0,
        trouble: backoff.lastErrorText(),
      }),
    );
  };

  /** Returns true if the service has refused the API key, so that nothing can be read either. */
  const isKeyRefused = () => halt?.by === 'key';

  /** Returns the number of webhooks that may be sent now. */
  function sendableCount(): number {
    const now = ports.now();
    if (ports.isPaused() || halt !== null || now < backoff.until()) return 0;
    if (breaker.state === 'open') return in_flight.size === 0 && now >= probeAt ? 1 : 0;
    return Math.min(countSendable(ramp, in_flight.size), options.batch_size, bucket.allowed(now));
  }

  function nextBatch(most: number): StoredItem[] {
    const half = refusedParts.shift();
    if (half !== undefined) {
      if (half.length > most) refusedParts.unshift(half.slice(most));
      return half.slice(0, most);
    }
    const except = [...retried.keys()];
    if (options.ordered === 0) return journal.next(most, except);
    const busy = [...in_flight.values()].flatMap(({ item }) => item.subscription_id ?? []);
    return journal.nextOrdered(most, except, busy);
  }

  async function send(chosen: readonly StoredItem[]): Promise<void> {
    const before = ports.storedStates(chosen.map((item) => item.webhook_id));
    const items = resolveAccepted(chosen, before);
    if (items.length === 0) return;
    const begun = journal.addBatch(items, before, rampStepName(ramp), ports.serviceNow(), ports.now());
    try {
      await ports.post(begun.batch.ids);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      if (error.outcome_unknown) {
        journal.markUncertain(begun.batch, error.message);
        markSent(begun, true);
      } else if (isRefusal(error)) {
        splitRefusedBatch(begun, error);
      } else {
        journal.markNotQueued(begun, error.message);
        handleServiceError(error);
      }
      return;
    }
    journal.markQueued(begun, ports.now());
    markSent(begun, false);
    refusedInRow = 0;
    backoff.recordSuccess();
  }

  function markSent({ batch, items }: JournaledBatch, doubtful: boolean): void {
    const posted_at = ports.now();
    for (const item of items) in_flight.set(item.webhook_id, { item, posted_at, isUncertain: doubtful });
    bucket.spend(items.length);
    if (breaker.state === 'open') probe = batch.ids[0] ?? null;
    polling = createPollingSchedule(throughput.usualOutcomeMs());
    pollsWithoutOutcome = 0;
    pollAt = posted_at + polling.delay * delayScale;
  }

  /** Resolves webhooks that have been accepted since the plan was made, and returns the others. */
  function resolveAccepted(
    items: readonly StoredItem[],
    stored: ReadonlyMap<number, LogState>,
  ): StoredItem[] {
    const meanwhile = (item: StoredItem) =>
      !item.before.successful && stored.get(item.webhook_id)?.successful === true;
    journal.resolve(
      items.filter(meanwhile).map((item) => ({ item, outcome: 'accepted', last_error: null })),
      ports.now(),
    );
    return items.filter((item) => item.outcome === 'waiting');
  }

  /** Splits a refused batch into halves until the refused webhook is alone. */
  function splitRefusedBatch(begun: JournaledBatch, error: BillingError): void {
    const { items } = begun;
    const [only] = items;
    if (items.length === 1 && only !== undefined) {
      journal.markRefused(begun, error.message, ports.now());
      leaveOutLater(only);
      if (++refusedInRow >= MAX_REFUSALS_IN_ROW) {
        halt = { by: 'refusals', reason: `The service refuses every webhook: ${error.message}` };
      }
      return;
    }
    journal.markNotQueued(begun, error.message);
    const middle = Math.ceil(items.length / 2);
    refusedParts.unshift(items.slice(0, middle), items.slice(middle));
  }

  /**
   * Leaves out the later webhooks of a subscription after one was not accepted, because they would arrive out of order.
   */
  function leaveOutLater({ webhook_id, subscription_id }: StoredItem): void {
    if (options.ordered === 0 || subscription_id === null) return;
    const reason = `not sent: the earlier webhook ${webhook_id} of the same subscription was not accepted`;
    journal.leaveOutSubscription(subscription_id, reason, ports.now());
  }

  function handleServiceError(error: BillingError): void {
    if (error.code === 'canceled') throw error;
    if (error.code === 'auth' || error.code === 'forbidden') {
      halt = { by: 'key', reason: `${error.message} ${error.hint ?? ''}`.trim() };
      return;
    }
    backoff.recordFailure(error, ports.now());
    pollAt = Math.max(pollAt, backoff.until());
  }

  /**
   * Checks the webhooks for which the service's own retries should be over. The service may have delivered or retried
   * them in the meantime.
   */
  async function pollRetried(now: number): Promise<void> {
    const due = [...retried].filter(([, until]) => until <= now).map(([id]) => id);
    try {
      await ports.fetchDeliveryStates(due, true);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      handleServiceError(error);
      return;
    }
    backoff.recordSuccess();
    for (const id of due) retried.delete(id);
    for (const [id, until] of ports.retriedByService(due)) retried.set(id, until);
  }

  /** Returns when the next webhook retried by the service is to be checked, or null if there is none. */
  const nextRetriedAt = () => (retried.size === 0 ? null : Math.min(...retried.values()));

  async function look(): Promise<void> {
    const ids = [...in_flight.keys()];
    const all = pollsWithoutOutcome >= POLLS_BEFORE_FULL_READ;
    let seen: ReadonlyMap<number, LogState>;
    try {
      seen = await ports.fetchDeliveryStates(ids, all);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      handleServiceError(error);
      return;
    }
    backoff.recordSuccess();
    const now = ports.now();
    const verdict = decideUnresolvedWebhooks(
      [...in_flight.values()],
      { seen, all },
      now,
      throughput.usualOutcomeMs(),
      delayScale,
    );
    journal.recordDecisions(verdict, now);
    for (const each of verdict.certain) each.isUncertain = false;
    for (const { item } of verdict.again) in_flight.delete(item.webhook_id);
    for (const each of verdict.resolutions) recordResolution(each, now);
    const sawSome = verdict.resolutions.length > 0;
    pollsWithoutOutcome = sawSome ? 0 : pollsWithoutOutcome + 1;
    polling = pollingScheduleAfterPoll(polling, sawSome);
    pollAt = now + polling.delay * delayScale;
    if (in_flight.size === 0) endStep(verdict.resolutions);
  }

  function recordResolution({ item, outcome }: WebhookResolution, now: number): void {
    const posted_at = in_flight.get(item.webhook_id)?.posted_at ?? now;
    in_flight.delete(item.webhook_id);
    const accepted = outcome === 'accepted';
    step.total++;
    if (accepted) step.accepted++;
    else leaveOutLater(item);
    if (outcome === 'unresolved') return;
    throughput.recordResolved(now, (now - posted_at) / delayScale);
    ramp = rampAfterOutcome(ramp, accepted);
    // While the breaker is open, only the probe shows whether the endpoint works again.
    if (breaker.state === 'open' && item.webhook_id !== probe) return;
    const before = breaker;
    breaker = breakerAfterOutcome(breaker, accepted);
    if (breaker.state === 'open') {
      const delay = nextProbeDelay(breaker);
      if (delay === null) {
        stop = 'The endpoint did not recover: three probes failed as well.';
      } else probeAt = now + delay * delayScale;
    } else if (before.state === 'open') {
      // The successful probe replaces the canary.
      ramp = { ...createReplayRamp(options.mode), step: 1 };
    }
  }

  /**
   * Ends a step of the ramp after all its webhooks are resolved. The ramp then takes the next step or repeats this one.
   */
  function endStep(last: readonly WebhookResolution[]): void {
    if (isCanaryStep(ramp) && step.total > 0 && step.accepted === 0) {
      const [first] = last;
      const error = first?.last_error == null ? 'it was not delivered in time' : first.last_error;
      stop = `The first webhook${first === undefined ? '' : ` (${first.item.webhook_id})`} was not accepted: ${error}. Nothing else was sent.`;
      return;
    }
    ramp = rampAfterStep(ramp, step.accepted, step.total);
    step = { accepted: 0, total: 0 };
  }

  /** Returns the time at which the engine must act next, unless a job command arrives earlier. */
  function nextWakeAt(now: number): number {
    const moments: number[] = [now + 60_000 * delayScale];
    if (in_flight.size > 0 && !isKeyRefused()) moments.push(pollAt);
    if (breaker.state === 'open' && probeAt > now) moments.push(probeAt);
    if (backoff.until() > now) moments.push(backoff.until());
    const first = nextRetriedAt();
    if (first !== null && first > now) moments.push(first);
    const ready = bucket.readyAt(now);
    if (ready !== null) moments.push(ready);
    return Math.min(...moments);
  }

  show();
  for (;;) {
    ports.signal.throwIfAborted();
    if (ports.resumeCount() !== resumes) {
      resumes = ports.resumeCount();
      halt = null;
      refusedInRow = 0;
      backoff.recordSuccess();
      probeAt = 0;
    }
    if (stop !== null && in_flight.size === 0) return { state: 'stopped', reason: stop, failed: null };
    const failed = backoff.errorToGiveUpWith(ports.now());
    if (failed !== null) return { state: 'stopped', reason: stopReason(failed), failed };
    const isLeft = journal.counts().waiting > 0 || refusedParts.length > 0;
    if (!isLeft && in_flight.size === 0) break;

    const count = stop === null && isLeft ? sendableCount() : 0;
    const batch = count > 0 ? nextBatch(count) : [];
    onlyRetried = count > 0 && batch.length === 0 && in_flight.size === 0;
    const now = ports.now();
    const canRequest = halt === null && now >= backoff.until();
    if (batch.length > 0) await send(batch);
    else if (canRequest && stop === null && (nextRetriedAt() ?? Infinity) <= now) await pollRetried(now);
    else if (in_flight.size > 0 && now >= pollAt && !isKeyRefused()) await look();
    else {
      if (onlyRetried) show();
      await ports.sleep(Math.max(1, nextWakeAt(now) - now));
    }
    show();
  }
  await refetchFailed(ports);
  return { state: 'done' };
}

function stopReason(failed: BillingError): string {
  return `The service has not answered for half an hour: ${failed.message} Webhooks that were not sent are still waiting.`;
}

/** Fetches the failed webhooks once more, because the service itself may have retried them since. */
async function refetchFailed({ journal, fetchDeliveryStates, now, signal }: ReplayPorts): Promise<void> {
  const failed = journal.failed();
  if (failed.length === 0 || signal.aborted) return;
  try {
    const seen = await fetchDeliveryStates(
      failed.map((item) => item.webhook_id),
      true,
    );
    const accepted = failed.flatMap((item): WebhookResolution[] => {
      const state = seen.get(item.webhook_id);
      if (state === undefined) return [];
      const outcome = detectReplayOutcome(toDeliveryFields(item.before), toDeliveryFields(state));
      return outcome === 'accepted' ? [{ item, outcome, last_error: null }] : [];
    });
    journal.resolve(accepted, now());
  } catch (error) {
    // The failed webhooks keep their last known state. The next sync reads them again.
    if (!(error instanceof BillingError) || error.code === 'canceled') throw error;
  }
}

/** Returns true if the service refused what a request contains, not who sent it or when. */
function isRefusal(error: BillingError): boolean {
  return error.code === 'validation' || error.code === 'not_found' || error.code === 'conflict';
}
