import type { RequestKind } from '../http/request-log.ts';
import { hashNumbers, randomFraction, randomTopic } from '../simulation/random.ts';
import type { FaultSpec } from './fault-spec.ts';

/** A fault that is applied to one request. */
export type RequestFault =
  | { does: 'nothing' }
  | { does: 'error'; status: number }
  | { does: 'busy' }
  | { does: 'deny' }
  | { does: 'cut' | 'stall' }
  | { does: 'half' | 'short' | 'type' | 'html' | 'lose_answer' | 'stale_page' };

const SERVER_ERRORS = [500, 502, 503, 504];

/** Faults with a rate, in the order of evaluation. One random number selects at most one of them. */
const FAULTS_BY_RATE: readonly [keyof FaultSpec, (draw: number) => RequestFault][] = [
  ['error_rate', (draw) => ({ does: 'error', status: SERVER_ERRORS[draw % SERVER_ERRORS.length] as number })],
  ['busy_rate', () => ({ does: 'busy' })],
  ['cut_rate', () => ({ does: 'cut' })],
  ['half_rate', () => ({ does: 'half' })],
  ['short_rate', () => ({ does: 'short' })],
  ['type_rate', () => ({ does: 'type' })],
  ['html_rate', () => ({ does: 'html' })],
  ['stall_rate', () => ({ does: 'stall' })],
];

/** Selects the fault of each request, based on the seed and the number of previous requests. */
export class FaultInjector {
  spec: FaultSpec = {};
  readonly #seed: number;
  /** Number of requests since the faults were set. */
  #all = 0;
  #aimed = 0;
  #spoilt = 0;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(seed: number) {
    this.#seed = seed;
  }

  set(spec: FaultSpec): void {
    this.spec = spec;
    this.#all = 0;
    this.#aimed = 0;
    this.#spoilt = 0;
  }

  /** Returns the delay (in milliseconds) and the fault for the next request. */
  next(kind: RequestKind, method: string): { delay: number; damage: RequestFault } {
    const { only, after = 0, times = Number.POSITIVE_INFINITY, latency, expire_key_after } = this.spec;
    this.#all++;
    if (expire_key_after !== undefined && this.#all > expire_key_after)
      return { delay: 0, damage: { does: 'deny' } };
    if (only && !only.includes(kind)) return { delay: 0, damage: { does: 'nothing' } };
    const n = this.#aimed++;
    const [from, to] = latency ?? [0, 0];
    const delay = from + randomFraction(this.#seed, n, randomTopic.fault, 1) * (to - from);
    const damage =
      n < after || this.#spoilt >= times ? ({ does: 'nothing' } as const) : this.#draw(n, method);
    if (damage.does !== 'nothing') this.#spoilt++;
    return { delay, damage };
  }

  /**
   * Waits for a free processing slot and returns a function that releases it. Returns null if too many requests are
   * already waiting.
   */
  async enter(): Promise<(() => void) | null> {
    const { concurrency } = this.spec;
    if (concurrency !== undefined && this.#active >= concurrency) {
      if (this.#waiting.length >= concurrency * 5) return null;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#active++;
    }
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#active--;
    };
  }

  #draw(n: number, method: string): RequestFault {
    const { burst, lost_answer_rate = 0, stale_page_rate = 0 } = this.spec;
    if (burst && n % burst[0] >= burst[0] - burst[1]) return { does: 'error', status: 503 };
    let place = randomFraction(this.#seed, n, randomTopic.fault, 2);
    for (const [name, damage] of FAULTS_BY_RATE) {
      const rate = (this.spec[name] as number | undefined) ?? 0;
      if (place < rate) return damage(hashNumbers(this.#seed, n, randomTopic.fault, 3));
      place -= rate;
    }
    if (method === 'POST' && place < lost_answer_rate) return { does: 'lose_answer' };
    return method === 'GET' && place < stale_page_rate ? { does: 'stale_page' } : { does: 'nothing' };
  }
}
