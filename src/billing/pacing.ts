import { setTimeout as delay } from 'node:timers/promises';
import { BillingError, cancelled } from './errors.ts';

export interface PacingOptions {
  /** Requests at once, at most and to begin with; 4 by default. */
  max?: number;
  /** Tries of a read, the first included; 5 by default. */
  tries?: number;
  /** A longer `Retry-After` than this is told to the caller instead of waited for; 15 minutes by default. */
  longest_wait_ms?: number;
  now?: () => number;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  random?: () => number;
  /** Every wait is multiplied by this; for tests. */
  scale?: number;
}

/** What the pacing is doing, for the screen. */
export interface PacingState {
  /** Requests allowed at once now. */
  limit: number;
  max: number;
  in_flight: number;
  waiting: number;
  /** Nothing is sent before this moment, ms UTC; null: not paused. */
  paused_until: number | null;
}

/** The right to make one request. Exactly one of the ends is called, once. */
export interface Slot {
  /** The service answered as it should; `ms` to the first byte, compared among requests of the same kind. */
  good(kind: string, ms: number): void;
  /** 503, a timeout: the service has too much to do. */
  strained(retryAfterMs: number | null): void;
  /** 429. */
  limited(retryAfterMs: number | null): void;
  /** Any other end; says nothing about the load. */
  ended(): void;
}

export interface Pacing {
  enter(signal?: AbortSignal): Promise<Slot>;
  /** How long to wait before try number `attempt` + 1: full jitter under 1, 2, 4 … 32 s. */
  backoff(attempt: number, signal?: AbortSignal): Promise<void>;
  state(): PacingState;
  readonly tries: number;
  readonly longest_wait_ms: number;
}

/** Good answers that earn one more request at once. */
const ANSWERS_PER_STEP = 50;
/** Answers of one kind whose median is compared with the quickest median so far. */
const WINDOW = 20;
/** A median is not called doubled below this difference: noise of quick services. */
const NOISE_MS = 50;
const PAUSES_MS = [30_000, 60_000, 120_000, 240_000];

interface Latency {
  recent: number[];
  quickest: number | null;
}

function tooLong(pause: number): BillingError {
  const minutes = Math.ceil(pause / 60_000);
  return new BillingError(
    'rate_limited',
    `The billing service wants no requests for another ${minutes} minutes.`,
    {
      hint: 'What is held stays; go on later.',
      retry_after_ms: pause,
      retryable: true,
    },
  );
}

/**
 * Keeps to what the service can bear: additive increase, halving on 429, 503, timeouts and doubled latency; a 429 pauses
 * everything, for as long as `Retry-After` says or else for 30, 60, 120, 240 s and a little.
 */
export function createPacing(options: PacingOptions = {}): Pacing {
  const { max = 4, tries = 5, longest_wait_ms = 900_000, scale = 1 } = options;
  const { now = Date.now, random = Math.random } = options;
  const sleep = options.sleep ?? ((ms, signal) => delay(ms, undefined, signal ? { signal } : {}));

  let limit = max;
  let inFlight = 0;
  let goodAnswers = 0;
  let pausedUntil = 0;
  let pausesInRow = 0;
  /** Slots older than this began before the last cut: their bad news is known already. */
  let cut = 0;
  let slots = 0;
  let alarm: AbortController | null = null;
  const waiting: { go: () => void; refuse: (error: BillingError) => void }[] = [];
  const latencies = new Map<string, Latency>();

  function admit(): void {
    const pause = pausedUntil - now();
    if (pause > longest_wait_ms) {
      for (const each of waiting.splice(0)) each.refuse(tooLong(pause));
    } else if (pause > 0) {
      if (alarm === null && waiting.length > 0) void wakeIn(pause);
    } else {
      while (inFlight < limit && waiting.length > 0) {
        inFlight++;
        waiting.shift()?.go();
      }
    }
    if (waiting.length === 0) alarm?.abort();
  }

  /** Ends early where nobody waits any more, so that no timer keeps the program alive. */
  async function wakeIn(ms: number): Promise<void> {
    alarm = new AbortController();
    await sleep(ms, alarm.signal).catch(() => {});
    alarm = null;
    admit();
  }

  function halve(slot: number): boolean {
    if (slot < cut) return false;
    cut = slots;
    limit = Math.max(1, Math.floor(limit / 2));
    goodAnswers = 0;
    return true;
  }

  function pause(ms: number): void {
    pausedUntil = Math.max(pausedUntil, now() + ms * scale);
  }

  function slowedDown(kind: string, ms: number): boolean {
    let latency = latencies.get(kind);
    if (latency === undefined) {
      latency = { recent: [], quickest: null };
      latencies.set(kind, latency);
    }
    latency.recent.push(ms);
    if (latency.recent.length < WINDOW) return false;
    const median = latency.recent.sort((a, b) => a - b)[WINDOW / 2] as number;
    latency.recent = [];
    const { quickest } = latency;
    // With nothing left to lower, a slow service is simply a slow service: its pace becomes the measure.
    if (quickest === null || median < quickest || limit === 1) latency.quickest = median;
    return quickest !== null && median > 2 * quickest && median - quickest > NOISE_MS;
  }

  function newSlot(): Slot {
    const number = slots++;
    let open = true;
    const end = (news: () => void) => {
      if (!open) return;
      open = false;
      inFlight--;
      news();
      admit();
    };
    return {
      good: (kind, ms) =>
        end(() => {
          pausesInRow = 0;
          if (slowedDown(kind, ms)) {
            halve(number);
          } else if (++goodAnswers >= ANSWERS_PER_STEP) {
            goodAnswers = 0;
            limit = Math.min(max, limit + 1);
          }
        }),
      strained: (retryAfterMs) =>
        end(() => {
          halve(number);
          if (retryAfterMs !== null) pause(retryAfterMs);
        }),
      limited: (retryAfterMs) =>
        end(() => {
          const first = halve(number);
          if (retryAfterMs !== null) {
            pause(retryAfterMs);
          } else if (first) {
            const step = PAUSES_MS[Math.min(pausesInRow++, PAUSES_MS.length - 1)] as number;
            pause(step * (1 + random() / 4));
          }
        }),
      ended: () => end(() => {}),
    };
  }

  return {
    tries,
    longest_wait_ms,
    async enter(signal) {
      if (signal?.aborted) throw cancelled('the request was not sent');
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const place = { go: resolve, refuse: reject };
      const leave = () => {
        const at = waiting.indexOf(place);
        if (at < 0) return;
        waiting.splice(at, 1);
        reject(cancelled('the request was not sent'));
        admit();
      };
      waiting.push(place);
      signal?.addEventListener('abort', leave, { once: true });
      admit();
      try {
        await promise;
      } finally {
        signal?.removeEventListener('abort', leave);
      }
      return newSlot();
    },
    async backoff(attempt, signal) {
      const ceiling = Math.min(32_000, 1000 * 2 ** (attempt - 1));
      try {
        await sleep(random() * ceiling * scale, signal);
      } catch {
        throw cancelled('the request was not repeated');
      }
    },
    state: () => ({
      limit,
      max,
      in_flight: inFlight,
      waiting: waiting.length,
      paused_until: pausedUntil > now() ? pausedUntil : null,
    }),
  };
}
