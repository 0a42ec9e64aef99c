import { BillingError } from '../../billing/index.ts';
import type { DeliveryFields, StoredReplayItem } from '../store/replay/replay.ts';
import { LogOutcomes } from './log-outcomes.ts';
import type { OutcomeSource } from './outcome-source.ts';
import { ReplayFlowControl } from './replay-flow-control.ts';
import type { JournaledReplayBatch, ReplayJournal } from './replay-journal.ts';
import { detectReplayOutcome } from './replay-outcome.ts';
import { countSendableWebhooks, getRampStepName, getRampWindow, type ReplayMode } from './replay-ramp.ts';
import type { UnresolvedWebhook, WebhookResolution } from './replay-resolution-decisions.ts';
import { buildReplayStatus, type ReplayHaltReason, type ReplayStatus } from './replay-status.ts';
import { ReplayThroughput } from './replay-throughput.ts';
import { ResponseOutcomes, type ResponseSource } from './response-outcomes.ts';
import { ServiceBackoff } from './service-backoff.ts';
import { TokenBucket } from './token-bucket.ts';

/** Interface between the replay engine and the service or the endpoint, the clock and the databases. */
export interface ReplayPorts {
  journal: ReplayJournal;
  /** Requests the service to resend webhooks, or queues them for local delivery. Resolves when they are queued. */
  post(ids: readonly number[]): Promise<void>;
  /** Responses of the endpoint in a local delivery. If absent, outcomes are read from the service's log. */
  readonly responses?: ResponseSource;
  /** Fetches current delivery states from the service's log. May omit some webhooks unless `all` is true. */
  fetchDeliveryStates(ids: readonly number[], all: boolean): Promise<ReadonlyMap<number, DeliveryFields>>;
  /** Returns the webhooks that the service itself still retries, with the expected end of the retries (local clock). */
  retriedByService(ids: readonly number[]): ReadonlyMap<number, number>;
  storedStates(ids: readonly number[]): ReadonlyMap<number, DeliveryFields>;
  /** Local time and service time, in UTC milliseconds. */
  now(): number;
  serviceNow(): number;
  /** Sleeps for the given milliseconds. Ends early on a job command or on abort. */
  sleep(ms: number): Promise<void>;
  isPaused(): boolean;
  resumeCount(): number;
  publishStatus(status: ReplayStatus): void;
  readonly signal: AbortSignal;
  /** Factor by which every delay is multiplied. 1 in production. */
  readonly delayScale: number;
}

export interface ReplayOptions {
  mode: ReplayMode;
  batch_size: number;
  /** Maximum number of webhooks per second. Null means no limit. */
  rate: number | null;
  /** 1 sends a subscription's webhooks one by one and stops after the first not accepted. 0 ignores the order. */
  ordered: number;
}

/** Result of a replay. `failed` is the service's error if the service, not the endpoint, caused the stop. */
export type ReplayResult =
  | { state: 'done' }
  | { state: 'stopped'; reason: string; failed: BillingError | null };

/** Number of single webhooks refused in a row from which the service is considered at fault, not a webhook. */
const MAX_REFUSALS_IN_ROW = 5;
const MAX_SLEEP_MS = 60_000;
/** Minimum time between two published statuses in milliseconds, unless the engine is about to sleep. */
const STATUS_INTERVAL_MS = 100;

/** Runs a replay to its end. First looks up the outcomes that an earlier run left unresolved. */
export async function runReplay(ports: ReplayPorts, options: ReplayOptions): Promise<ReplayResult> {
  return new ReplayEngine(ports, options).run();
}

class ReplayEngine {
  readonly #ports: ReplayPorts;
  readonly #options: ReplayOptions;
  readonly #inFlight: Map<number, UnresolvedWebhook>;
  /** Webhooks that the service itself still retries, each with the time at which to check it again. */
  readonly #retried: Map<number, number>;
  /** Parts of refused batches, posted before other webhooks. */
  readonly #refusedParts: StoredReplayItem[][] = [];
  readonly #throughput: ReplayThroughput;
  readonly #backoff: ServiceBackoff;
  readonly #bucket: TokenBucket;
  readonly #flow: ReplayFlowControl;
  readonly #outcomes: OutcomeSource;
  /** Time of the latest published status in milliseconds of the monotonic clock. */
  #publishedAt = 0;
  #hasStatusChanged = false;
  #refusedInRow = 0;
  /** Reason why nothing is sent until the user resumes the replay. */
  #halt: ReplayHaltReason | null = null;
  #resumeCount: number;
  /** True if all remaining webhooks are still being retried by the service itself. */
  #onlyRetried = false;

  constructor(ports: ReplayPorts, options: ReplayOptions) {
    const { journal, delayScale } = ports;
    this.#ports = ports;
    this.#options = options;
    this.#inFlight = new Map(journal.unresolved().map((each) => [each.item.webhook_id, each]));
    this.#retried = new Map(ports.retriedByService(journal.waitingIds()));
    const startedAt = ports.now();
    this.#throughput = new ReplayThroughput(startedAt);
    this.#backoff = new ServiceBackoff(delayScale);
    this.#bucket = new TokenBucket(options.rate, options.batch_size, delayScale, startedAt);
    this.#flow = new ReplayFlowControl(options.mode, delayScale);
    this.#outcomes =
      ports.responses === undefined
        ? new LogOutcomes((ids, all) => this.#fetchStates(ids, all), delayScale, this.#inFlight.size > 0)
        : new ResponseOutcomes(ports.responses);
    this.#resumeCount = ports.resumeCount();
  }

  async run(): Promise<ReplayResult> {
    const { signal, journal } = this.#ports;
    this.#publishStatus();
    for (;;) {
      signal.throwIfAborted();
      this.#applyResume();
      const reason = this.#flow.stopReason;
      if (reason !== null && this.#inFlight.size === 0) return { state: 'stopped', reason, failed: null };
      const failed = this.#backoff.findFatalError(this.#ports.now());
      if (failed !== null) return { state: 'stopped', reason: describeServiceStop(failed), failed };
      const hasUnsent = journal.counts().waiting > 0 || this.#refusedParts.length > 0;
      if (!hasUnsent && this.#inFlight.size === 0) break;
      await this.#act(hasUnsent);
      this.#hasStatusChanged = true;
      // The log is polled rarely, so each poll publishes a status. Responses arrive continuously, so statuses are
      // throttled.
      const isDue = performance.now() - this.#publishedAt >= STATUS_INTERVAL_MS;
      if (this.#ports.responses === undefined || isDue) this.#publishStatus();
    }
    this.#publishStatus();
    if (this.#ports.responses === undefined) await refetchFailed(this.#ports);
    return { state: 'done' };
  }

  /** Performs the next possible action: sends webhooks, polls for outcomes or sleeps. */
  async #act(hasUnsent: boolean): Promise<void> {
    const isStopping = this.#flow.stopReason !== null;
    const count = !isStopping && hasUnsent ? this.#countSendable() : 0;
    const batch = count > 0 ? this.#nextBatch(count) : [];
    this.#onlyRetried = count > 0 && batch.length === 0 && this.#inFlight.size === 0;
    const now = this.#ports.now();
    const canRequest = this.#halt === null && now >= this.#backoff.until && !isStopping;
    if (batch.length > 0) await this.#send(batch);
    else if (canRequest && (this.#nextRetriedAt() ?? Infinity) <= now) await this.#pollRetried(now);
    else if ((this.#nextPollAt() ?? Infinity) <= now) await this.#poll();
    else await this.#sleep(now);
  }

  /** Sleeps until the next action. First publishes a changed status. */
  async #sleep(now: number): Promise<void> {
    if (this.#onlyRetried) this.#publishStatus();
    const isUnpublished = this.#hasStatusChanged && this.#ports.responses !== undefined;
    const wakeAt = isUnpublished ? now + STATUS_INTERVAL_MS : Infinity;
    await this.#ports.sleep(Math.max(1, Math.min(wakeAt, this.#nextWakeAt(now)) - now));
  }

  /** If the user has resumed the replay, ends the halt and the backoff, and allows a probe immediately. */
  #applyResume(): void {
    if (this.#ports.resumeCount() === this.#resumeCount) return;
    this.#resumeCount = this.#ports.resumeCount();
    this.#halt = null;
    this.#refusedInRow = 0;
    this.#backoff.recordSuccess();
    this.#flow.probeAt = 0;
  }

  #publishStatus(): void {
    this.#publishedAt = performance.now();
    this.#hasStatusChanged = false;
    const now = this.#ports.now();
    const { ramp, breaker, probeAt } = this.#flow;
    const retriedAt = this.#onlyRetried ? this.#nextRetriedAt() : null;
    this.#ports.publishStatus(
      buildReplayStatus({
        now,
        step: getRampStepName(ramp),
        window: this.#limitInFlight(getRampWindow(ramp)),
        unresolved: this.#inFlight.size,
        remaining: this.#ports.journal.counts().waiting + this.#inFlight.size,
        perSecond: this.#throughput.perSecond(now),
        halt: this.#halt,
        paused: this.#ports.isPaused(),
        breaker,
        probeAt,
        pollAt: this.#ports.responses === undefined ? this.#nextPollAt() : null,
        sendAt: Math.max(this.#backoff.until, this.#bucket.readyAt(now) ?? 0, retriedAt ?? 0),
        retried: this.#onlyRetried ? this.#retried.size : 0,
        serviceError: this.#backoff.lastError?.message ?? null,
      }),
    );
  }

  #countSendable(): number {
    const now = this.#ports.now();
    if (this.#ports.isPaused() || this.#halt !== null || now < this.#backoff.until) return 0;
    const { ramp, breaker, probeAt } = this.#flow;
    if (breaker.state === 'open') return this.#inFlight.size === 0 && now >= probeAt ? 1 : 0;
    return Math.min(
      countSendableWebhooks({ ...ramp, window: this.#limitInFlight(ramp.window) }, this.#inFlight.size),
      this.#options.batch_size,
      this.#bucket.allowed(now),
    );
  }

  #limitInFlight(count: number): number {
    return Math.min(count, this.#ports.responses?.maxInFlight ?? Infinity);
  }

  #nextBatch(limit: number): StoredReplayItem[] {
    const { journal } = this.#ports;
    const part = this.#refusedParts.shift();
    if (part !== undefined) {
      if (part.length > limit) this.#refusedParts.unshift(part.slice(limit));
      return part.slice(0, limit);
    }
    const except = [...this.#retried.keys()];
    if (this.#options.ordered === 0) return journal.next(limit, except);
    const busy = [...this.#inFlight.values()].flatMap(({ item }) => item.subscription_id ?? []);
    return journal.nextOrdered(limit, except, busy);
  }

  async #send(chosen: readonly StoredReplayItem[]): Promise<void> {
    const { journal } = this.#ports;
    const states = this.#ports.storedStates(chosen.map((item) => item.webhook_id));
    const items = this.#resolveAccepted(chosen, states);
    if (items.length === 0) return;
    const batch = journal.addBatch(items, states, {
      step: getRampStepName(this.#flow.ramp),
      t0: this.#ports.serviceNow(),
      posted_at: this.#ports.now(),
    });
    try {
      await this.#ports.post(batch.batch.ids);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      this.#handlePostError(batch, error);
      return;
    }
    if (this.#ports.responses === undefined) journal.markQueued(batch, this.#ports.now());
    this.#markSent(batch, false);
    this.#refusedInRow = 0;
    this.#backoff.recordSuccess();
  }

  #handlePostError(batch: JournaledReplayBatch, error: BillingError): void {
    if (error.outcome_unknown) {
      this.#ports.journal.markUncertain(batch, error.message);
      this.#markSent(batch, true);
    } else if (isRefusal(error)) {
      this.#splitRefusedBatch(batch, error);
    } else {
      this.#ports.journal.markNotQueued(batch, error.message);
      this.#handleServiceError(error);
    }
  }

  #markSent({ batch, items }: JournaledReplayBatch, isUncertain: boolean): void {
    const posted_at = this.#ports.now();
    for (const item of items) this.#inFlight.set(item.webhook_id, { item, posted_at, isUncertain });
    this.#bucket.spend(items.length);
    this.#flow.recordPost(batch.ids);
    this.#outcomes.recordPost(posted_at, this.#throughput.usualOutcomeMs());
  }

  /** Resolves webhooks that were accepted after the plan was made, and returns the others. */
  #resolveAccepted(
    items: readonly StoredReplayItem[],
    states: ReadonlyMap<number, DeliveryFields>,
  ): StoredReplayItem[] {
    const accepted = items.filter(
      (item) => !item.before.successful && states.get(item.webhook_id)?.successful === true,
    );
    this.#ports.journal.resolve(
      accepted.map((item) => ({ item, outcome: 'accepted', last_error: null })),
      this.#ports.now(),
    );
    return items.filter((item) => item.outcome === 'waiting');
  }

  /** Splits a refused batch into halves until it contains only the refused webhook. */
  #splitRefusedBatch(batch: JournaledReplayBatch, error: BillingError): void {
    const { journal, now } = this.#ports;
    const { items } = batch;
    const [only] = items;
    if (items.length === 1 && only !== undefined) {
      journal.markRefused(batch, error.message, now());
      this.#leaveOutLater(only);
      if (++this.#refusedInRow >= MAX_REFUSALS_IN_ROW) {
        this.#halt = { by: 'refusals', reason: `The service refuses every webhook: ${error.message}` };
      }
      return;
    }
    journal.markNotQueued(batch, error.message);
    const middle = Math.ceil(items.length / 2);
    this.#refusedParts.unshift(items.slice(0, middle), items.slice(middle));
  }

  /** Leaves out a subscription's later webhooks after one was not accepted, because they would arrive out of order. */
  #leaveOutLater({ webhook_id, subscription_id }: StoredReplayItem): void {
    if (this.#options.ordered === 0 || subscription_id === null) return;
    const reason = `not sent: the earlier webhook ${webhook_id} of the same subscription was not accepted`;
    this.#ports.journal.leaveOutSubscription(subscription_id, reason, this.#ports.now());
  }

  #handleServiceError(error: BillingError): void {
    if (error.code === 'canceled') throw error;
    if (error.code === 'auth' || error.code === 'forbidden') {
      this.#halt = { by: 'key', reason: `${error.message} ${error.hint ?? ''}`.trim() };
      return;
    }
    this.#backoff.recordFailure(error, this.#ports.now());
    this.#outcomes.delayPoll(this.#backoff.until);
  }

  /** Fetches delivery states. Returns null if the service fails, which delays the next request. */
  async #fetchStates(
    ids: readonly number[],
    all: boolean,
  ): Promise<ReadonlyMap<number, DeliveryFields> | null> {
    let states: ReadonlyMap<number, DeliveryFields>;
    try {
      states = await this.#ports.fetchDeliveryStates(ids, all);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      this.#handleServiceError(error);
      return null;
    }
    this.#backoff.recordSuccess();
    return states;
  }

  /** Checks webhooks whose retries by the service should be over. The service may have delivered or retried them. */
  async #pollRetried(now: number): Promise<void> {
    const expiredIds = [...this.#retried].filter(([, until]) => until <= now).map(([id]) => id);
    if ((await this.#fetchStates(expiredIds, true)) === null) return;
    for (const id of expiredIds) this.#retried.delete(id);
    for (const [id, until] of this.#ports.retriedByService(expiredIds)) this.#retried.set(id, until);
  }

  /** Polls for the outcomes of the webhooks in flight. */
  async #poll(): Promise<void> {
    const { journal, now } = this.#ports;
    const decisions = await this.#outcomes.poll(this.#inFlight, now, this.#throughput.usualOutcomeMs());
    if (decisions === null) return;
    journal.recordDecisions(decisions, now());
    for (const each of decisions.confirmedSent) each.isUncertain = false;
    for (const { item } of decisions.toResend) this.#inFlight.delete(item.webhook_id);
    for (const each of decisions.resolutions) this.#recordResolution(each, now());
    if (this.#inFlight.size === 0) this.#flow.endStep(decisions.resolutions);
  }

  #recordResolution(resolution: WebhookResolution, now: number): void {
    const { item, outcome } = resolution;
    const posted_at = this.#inFlight.get(item.webhook_id)?.posted_at ?? now;
    this.#inFlight.delete(item.webhook_id);
    if (outcome !== 'accepted') this.#leaveOutLater(item);
    if (outcome !== 'unresolved') {
      this.#throughput.recordResolved(now, (now - posted_at) / this.#ports.delayScale);
    }
    this.#flow.recordResolution(resolution, now);
  }

  /** Returns when to check the next webhook that the service itself retries, or null if no webhook is retried. */
  #nextRetriedAt(): number | null {
    return this.#retried.size === 0 ? null : Math.min(...this.#retried.values());
  }

  /** Returns when to poll for outcomes, or null if nothing is in flight or the service has refused the API key. */
  #nextPollAt(): number | null {
    return this.#inFlight.size > 0 && this.#halt?.by !== 'key' ? this.#outcomes.pollAt : null;
  }

  /** Returns the time at which the engine must act next, unless a job command arrives earlier. */
  #nextWakeAt(now: number): number {
    const { breaker, probeAt } = this.#flow;
    const laterTimes = [
      breaker.state === 'open' ? probeAt : now,
      this.#backoff.until,
      this.#nextRetriedAt() ?? now,
    ].filter((at) => at > now);
    return Math.min(
      now + MAX_SLEEP_MS * this.#ports.delayScale,
      this.#nextPollAt() ?? Infinity,
      this.#bucket.readyAt(now) ?? Infinity,
      ...laterTimes,
    );
  }
}

function describeServiceStop(failed: BillingError): string {
  return `The service has not responded for half an hour: ${failed.message} Webhooks that were not sent are still waiting.`;
}

/** Fetches the failed webhooks again, because the service itself may have retried them since. */
async function refetchFailed({ journal, fetchDeliveryStates, now, signal }: ReplayPorts): Promise<void> {
  const failed = journal.failed();
  if (failed.length === 0 || signal.aborted) return;
  try {
    const ids = failed.map((item) => item.webhook_id);
    const states = await fetchDeliveryStates(ids, true);
    const accepted = failed.flatMap((item): WebhookResolution[] => {
      const state = states.get(item.webhook_id);
      if (state === undefined) return [];
      const outcome = detectReplayOutcome(item.before, state);
      return outcome === 'accepted' ? [{ item, outcome, last_error: null }] : [];
    });
    journal.resolve(accepted, now());
  } catch (error) {
    // The failed webhooks keep their last known state until the next sync reads them.
    if (!(error instanceof BillingError) || error.code === 'canceled') throw error;
  }
}

/** Returns true if the service refused a request because of its content, not because of its sender or timing. */
function isRefusal(error: BillingError): boolean {
  return error.code === 'validation' || error.code === 'not_found' || error.code === 'conflict';
}
