import { setTimeout as delay } from 'node:timers/promises';
import { BillingError, createCanceledError } from '../errors/billing-error.ts';

export interface RequestPacingOptions {
  /** Initial and maximum number of concurrent requests. The default is 4. */
  maxConcurrent?: number;
  /** Maximum number of attempts of a read, including the first one. The default is 5. */
  maxAttempts?: number;
  /** Longest `Retry-After`, in milliseconds, to wait for. A longer one is an error. The default is 15 minutes. */
  maxRetryAfterMs?: number;
  now?: () => number;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  random?: () => number;
  /** Factor that scales every delay. Used by tests. */
  delayScale?: number;
}

/** Current limits of the request rate, shown in the window. */
export interface RequestPacingState {
  /** Number of concurrent requests that are currently allowed. */
  limit: number;
  max: number;
  in_flight: number;
  waiting: number;
  /** Time until which no request is sent, in UTC milliseconds; null if requests are not paused. */
  paused_until: number | null;
}

/** Permission to send one request. The first reported outcome frees the slot, and further reports are ignored. */
export interface RequestSlot {
  /** Reports a normal response. `ms` is the time to the first byte, compared within the same kind. */
  succeeded(kind: string, ms: number): void;
  /** Reports a 503 response or a timeout, which mean that the service is overloaded. */
  overloaded(retryAfterMs: number | null): void;
  /** Reports a 429 response. */
  rateLimited(retryAfterMs: number | null): void;
  /** Reports any other outcome, which does not indicate the load of the service. */
  released(): void;
}

/** Number of normal responses after which one more concurrent request is allowed. Chosen by judgment. */
const RESPONSES_PER_INCREASE = 50;
/** Number of responses per median latency, which is compared with the fastest median. Chosen by judgment. */
const LATENCY_SAMPLE_SIZE = 20;
/** Minimum increase in latency that counts as a slowdown, so that noise has no effect. Chosen by judgment. */
const MIN_SLOWDOWN_MS = 50;
/** Pauses after consecutive 429 responses without a `Retry-After` header, in milliseconds. */
const PAUSES_MS = [30_000, 60_000, 120_000, 240_000];

interface LatencySamples {
  recent: number[];
  fastestMedian: number | null;
}

interface QueuedRequest {
  admit: () => void;
  reject: (error: BillingError) => void;
}

/**
 * Adapts the request rate to the load of the service. The limit increases by one at a time and is halved after a 429, a
 * 503, a timeout or doubled latency. A 429 also pauses all requests for the `Retry-After`, or for 30, 60, 120 and 240 s
 * plus jitter if there is none.
 */
export class RequestPacer {
  readonly maxAttempts: number;
  readonly maxRetryAfterMs: number;
  readonly #max: number;
  readonly #delayScale: number;
  readonly #now: () => number;
  readonly #sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly #random: () => number;

  #limit: number;
  #inFlight = 0;
  #normalResponses = 0;
  #pausedUntil = 0;
  #consecutivePauses = 0;
  #slotCount = 0;
  /** Lowest number of a slot started after the last halving. Failures of earlier slots do not halve the limit again. */
  #firstSlotSinceHalving = 0;
  #wakeUp: AbortController | null = null;
  readonly #queue: QueuedRequest[] = [];
  readonly #latencies = new Map<string, LatencySamples>();

  constructor(options: RequestPacingOptions = {}) {
    this.#max = options.maxConcurrent ?? 4;
    this.#limit = this.#max;
    this.maxAttempts = options.maxAttempts ?? 5;
    this.maxRetryAfterMs = options.maxRetryAfterMs ?? 900_000;
    this.#delayScale = options.delayScale ?? 1;
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? Math.random;
    this.#sleep = options.sleep ?? ((ms, signal) => delay(ms, undefined, signal ? { signal } : {}));
  }

  /** Waits until a request may be sent. Throws if the signal aborts or the service requests too long a pause. */
  async acquireSlot(signal?: AbortSignal): Promise<RequestSlot> {
    if (signal?.aborted) throw createCanceledError('before the request was sent');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queued = { admit: resolve, reject };
    const leaveQueue = () => {
      const index = this.#queue.indexOf(queued);
      if (index < 0) return;
      this.#queue.splice(index, 1);
      reject(createCanceledError('before the request was sent'));
      this.#admitQueued();
    };
    this.#queue.push(queued);
    signal?.addEventListener('abort', leaveQueue, { once: true });
    this.#admitQueued();
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', leaveQueue);
    }
    return this.#createSlot();
  }

  /** Waits after attempt number `attempt` with exponential backoff up to 32 s and full jitter. */
  async waitBeforeRetry(attempt: number, signal?: AbortSignal): Promise<void> {
    const ceiling = Math.min(32_000, 1000 * 2 ** (attempt - 1));
    try {
      await this.#sleep(this.#random() * ceiling * this.#delayScale, signal);
    } catch {
      throw createCanceledError('before the request was retried');
    }
  }

  state(): RequestPacingState {
    return {
      limit: this.#limit,
      max: this.#max,
      in_flight: this.#inFlight,
      waiting: this.#queue.length,
      paused_until: this.#pausedUntil > this.#now() ? this.#pausedUntil : null,
    };
  }

  #createSlot(): RequestSlot {
    const slot = this.#slotCount++;
    let isOpen = true;
    const close = (report: () => void) => {
      if (!isOpen) return;
      isOpen = false;
      this.#inFlight--;
      report();
      this.#admitQueued();
    };
    return {
      succeeded: (kind, ms) => close(() => this.#onSuccess(slot, kind, ms)),
      overloaded: (retryAfterMs) => close(() => this.#onOverload(slot, retryAfterMs)),
      rateLimited: (retryAfterMs) => close(() => this.#onRateLimit(slot, retryAfterMs)),
      released: () => close(() => {}),
    };
  }

  #onSuccess(slot: number, kind: string, ms: number): void {
    this.#consecutivePauses = 0;
    if (this.#hasSlowedDown(kind, ms)) {
      this.#halveLimit(slot);
    } else if (++this.#normalResponses >= RESPONSES_PER_INCREASE) {
      this.#normalResponses = 0;
      this.#limit = Math.min(this.#max, this.#limit + 1);
    }
  }

  #onOverload(slot: number, retryAfterMs: number | null): void {
    this.#halveLimit(slot);
    if (retryAfterMs !== null) this.#pauseFor(retryAfterMs);
  }

  #onRateLimit(slot: number, retryAfterMs: number | null): void {
    const isFirstOfBurst = this.#halveLimit(slot);
    if (retryAfterMs !== null) {
      this.#pauseFor(retryAfterMs);
    } else if (isFirstOfBurst) {
      const step = PAUSES_MS[Math.min(this.#consecutivePauses++, PAUSES_MS.length - 1)] as number;
      this.#pauseFor(step * (1 + this.#random() / 4));
    }
  }

  /** Halves the limit of concurrent requests. Returns false if the slot started before the last halving. */
  #halveLimit(slot: number): boolean {
    if (slot < this.#firstSlotSinceHalving) return false;
    this.#firstSlotSinceHalving = this.#slotCount;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#normalResponses = 0;
    return true;
  }

  #pauseFor(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + ms * this.#delayScale);
  }

  #hasSlowedDown(kind: string, ms: number): boolean {
    const samples = this.#latencies.get(kind) ?? { recent: [], fastestMedian: null };
    this.#latencies.set(kind, samples);
    samples.recent.push(ms);
    if (samples.recent.length < LATENCY_SAMPLE_SIZE) return false;
    const median = samples.recent.sort((a, b) => a - b)[LATENCY_SAMPLE_SIZE / 2] as number;
    samples.recent = [];
    const fastest = samples.fastestMedian;
    // A limit of 1 cannot be lowered. The current latency then becomes the baseline.
    if (fastest === null || median < fastest || this.#limit === 1) samples.fastestMedian = median;
    return fastest !== null && median > 2 * fastest && median - fastest > MIN_SLOWDOWN_MS;
  }

  #admitQueued(): void {
    const pause = this.#pausedUntil - this.#now();
    if (pause > this.maxRetryAfterMs) {
      for (const queued of this.#queue.splice(0)) queued.reject(pauseTooLongError(pause));
    } else if (pause > 0) {
      if (this.#wakeUp === null && this.#queue.length > 0) void this.#admitAfter(pause);
    } else {
      while (this.#inFlight < this.#limit && this.#queue.length > 0) {
        this.#inFlight++;
        this.#queue.shift()?.admit();
      }
    }
    if (this.#queue.length === 0) this.#wakeUp?.abort();
  }

  /** Admits waiting requests after a delay, which ends early if the queue becomes empty. */
  async #admitAfter(ms: number): Promise<void> {
    this.#wakeUp = new AbortController();
    await this.#sleep(ms, this.#wakeUp.signal).catch(() => {});
    this.#wakeUp = null;
    this.#admitQueued();
  }
}

function pauseTooLongError(pause: number): BillingError {
  const message = `The billing service accepts no requests for another ${Math.ceil(pause / 60_000)} minutes.`;
  const hint = 'Downloaded data is kept. Try again later.';
  return new BillingError('rate_limited', message, { hint, retry_after_ms: pause, retryable: true });
}
