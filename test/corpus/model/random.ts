/** Deterministic random numbers (splitmix32): the same sequence for the same seed on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x5bd1_e995, 0x9e37_79b1) | 0;
    for (let n = 0; n < 4; n++) this.fraction();
  }

  /** Returns a number from 0 up to, but not including, 1. */
  fraction(): number {
    this.#state = (this.#state + 0x9e37_79b9) | 0;
    let mixed = this.#state ^ (this.#state >>> 16);
    mixed = Math.imul(mixed, 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer in a closed range. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.fraction() * (to - from + 1));
  }

  chance(share: number): boolean {
    return this.fraction() < share;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.integer(0, values.length - 1)] as T;
  }

  /** Returns a share drawn from a range. Every third draw returns 0, so that worlds without the error occur. */
  rate(to: number): number {
    return this.chance(1 / 3) ? 0 : this.fraction() * to;
  }

  shuffle<T>(values: T[]): T[] {
    for (let n = values.length - 1; n > 0; n--) {
      const other = this.integer(0, n);
      [values[n], values[other]] = [values[other] as T, values[n] as T];
    }
    return values;
  }
}
