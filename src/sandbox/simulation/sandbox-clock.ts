/** The sandbox's clock in UTC milliseconds. It starts at a given time, runs in real time and can be moved forward. */
export class SandboxClock {
  #start: number;
  #since: number;

  constructor(start: number) {
    this.#start = start;
    this.#since = performance.now();
  }

  get ms(): number {
    return Math.floor(this.#start + performance.now() - this.#since);
  }

  get seconds(): number {
    return Math.floor(this.ms / 1000);
  }

  /** Moves the clock to a time. Times in the past are ignored. */
  moveTo(ms: number): void {
    if (ms <= this.ms) return;
    this.#start = ms;
    this.#since = performance.now();
  }
}
