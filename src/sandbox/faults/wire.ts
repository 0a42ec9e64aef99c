import type { RequestKind } from '../http/traffic.ts';
import { fraction, hash, topic } from '../world/random.ts';
import type { FaultSpec } from './spec.ts';

/** What is done to one request. */
export type Damage =
  | { does: 'nothing' }
  | { does: 'error'; status: number }
  | { does: 'busy' }
  | { does: 'deny' }
  | { does: 'cut' | 'stall' }
  | { does: 'half' | 'short' | 'type' | 'html' | 'lose_answer' | 'stale_page' };

const errors = [500, 502, 503, 504];

/** In this order one draw falls into at most one of the rates. */
const rates: readonly [keyof FaultSpec, (draw: number) => Damage][] = [
  ['error_rate', (draw) => ({ does: 'error', status: errors[draw % errors.length] as number })],
  ['busy_rate', () => ({ does: 'busy' })],
  ['cut_rate', () => ({ does: 'cut' })],
  ['half_rate', () => ({ does: 'half' })],
  ['short_rate', () => ({ does: 'short' })],
  ['type_rate', () => ({ does: 'type' })],
  ['html_rate', () => ({ does: 'html' })],
  ['stall_rate', () => ({ does: 'stall' })],
];

/** Decides what becomes of each request, by the seed and how many there have been. */
export class Wire {
  spec: FaultSpec = {};
  readonly #seed: number;
  /** Requests since the faults were last set; those the faults are for; those that were spoilt. */
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

  /** Milliseconds the next request is to wait, and what is done to it. */
  next(kind: RequestKind, method: string): { delay: number; damage: Damage } {
    const { only, after = 0, times = Number.POSITIVE_INFINITY, latency, expire_key_after } = this.spec;
    this.#all++;
    if (expire_key_after !== undefined && this.#all > expire_key_after)
      return { delay: 0, damage: { does: 'deny' } };
    if (only && !only.includes(kind)) return { delay: 0, damage: { does: 'nothing' } };
    const n = this.#aimed++;
    const [from, to] = latency ?? [0, 0];
    const delay = from + fraction(this.#seed, n, topic.fault, 1) * (to - from);
    const damage =
      n < after || this.#spoilt >= times ? ({ does: 'nothing' } as const) : this.#draw(n, method);
    if (damage.does !== 'nothing') this.#spoilt++;
    return { delay, damage };
  }

  /** Waits for one of the places that are worked on at once; null when too many wait already. */
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

  #draw(n: number, method: string): Damage {
    const { burst, lost_answer_rate = 0, stale_page_rate = 0 } = this.spec;
    if (burst && n % burst[0] >= burst[0] - burst[1]) return { does: 'error', status: 503 };
    let place = fraction(this.#seed, n, topic.fault, 2);
    for (const [name, damage] of rates) {
      const rate = (this.spec[name] as number | undefined) ?? 0;
      if (place < rate) return damage(hash(this.#seed, n, topic.fault, 3));
      place -= rate;
    }
    if (method === 'POST' && place < lost_answer_rate) return { does: 'lose_answer' };
    return method === 'GET' && place < stale_page_rate ? { does: 'stale_page' } : { does: 'nothing' };
  }
}
