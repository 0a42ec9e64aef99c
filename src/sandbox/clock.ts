/** The sandbox's own time: it starts where it is told, runs on with real time, and can be moved forward. Milliseconds UTC. */
export class Clock {
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

  /** Moves to an instant; never backwards. */
  moveTo(ms: number): void {
    if (ms <= this.ms) return;
    this.#start = ms;
    this.#since = performance.now();
  }
}
