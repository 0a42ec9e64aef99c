import type { RequestKind } from '../http/request-log.ts';
import { hashNumbers, randomFraction, randomTopics } from '../simulation/seeded-random.ts';
import type { FaultSpec } from './fault-spec.ts';

export type RequestFault =
  | { does: 'error'; status: number }
  | { does: 'nothing' | 'busy' | 'deny' | 'cut' | 'stall' }
  | { does: 'half' | 'short' | 'type' | 'html' | 'lose_answer' | 'stale_page' };

const SERVER_ERRORS = [500, 502, 503, 504];

/** Faults with a rate, in the order of evaluation. One random number selects at most one of them. */
const FAULTS_BY_RATE = ['error', 'busy', 'cut', 'half', 'short', 'type', 'html', 'stall'] as const;

/** Selects a fault for each request, based on the seed and the number of previous requests. */
export class FaultInjector {
  spec: FaultSpec = {};
  readonly #seed: number;
  /** Number of requests since the faults were set. */
  #requests = 0;
  #targeted = 0;
  #faultyRequests = 0;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(seed: number) {
    this.#seed = seed;
  }

  set(spec: FaultSpec): void {
    this.spec = spec;
    this.#requests = 0;
    this.#targeted = 0;
    this.#faultyRequests = 0;
  }

  /** Returns the delay (in milliseconds) and the fault for the next request. */
  chooseFault(kind: RequestKind, method: string): { delay: number; fault: RequestFault } {
    const { only, after = 0, times = Number.POSITIVE_INFINITY, latency, expire_key_after } = this.spec;
    this.#requests++;
    if (expire_key_after !== undefined && this.#requests > expire_key_after)
      return { delay: 0, fault: { does: 'deny' } };
    if (only && !only.includes(kind)) return { delay: 0, fault: { does: 'nothing' } };
    const n = this.#targeted++;
    const [from, to] = latency ?? [0, 0];
    const delay = from + randomFraction(this.#seed, n, randomTopics.fault, 1) * (to - from);
    const fault =
      n < after || this.#faultyRequests >= times ? ({ does: 'nothing' } as const) : this.#draw(n, method);
    if (fault.does !== 'nothing') this.#faultyRequests++;
    return { delay, fault };
  }

  /** Waits for a free processing slot. Returns the function that frees it again, or null if too many requests wait. */
  async acquireSlot(): Promise<(() => void) | null> {
    const { concurrency } = this.spec;
    if (concurrency !== undefined && this.#active >= concurrency) {
      if (this.#waiting.length >= concurrency * 5) return null;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#active++;
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#active--;
    };
  }

  #draw(n: number, method: string): RequestFault {
    const { burst, lost_answer_rate = 0, stale_page_rate = 0 } = this.spec;
    if (burst && n % burst[0] >= burst[0] - burst[1]) return { does: 'error', status: 503 };
    let draw = randomFraction(this.#seed, n, randomTopics.fault, 2);
    for (const does of FAULTS_BY_RATE) {
      const rate = this.spec[`${does}_rate`] ?? 0;
      if (draw < rate) return does === 'error' ? { does, status: this.#pickServerError(n) } : { does };
      draw -= rate;
    }
    if (method === 'POST' && draw < lost_answer_rate) return { does: 'lose_answer' };
    return method === 'GET' && draw < stale_page_rate ? { does: 'stale_page' } : { does: 'nothing' };
  }

  #pickServerError(n: number): number {
    const draw = hashNumbers(this.#seed, n, randomTopics.fault, 3);
    return SERVER_ERRORS[draw % SERVER_ERRORS.length] as number;
  }
}
