/** Rows in order of time, each a time, a subscription and a number within the subscription: twelve bytes a row, however many. */
export class Rows {
  length = 0;
  #at: Uint32Array;
  #subscription: Uint32Array;
  #ordinal: Uint32Array;

  constructor(capacity = 1024) {
    this.#at = new Uint32Array(capacity);
    this.#subscription = new Uint32Array(capacity);
    this.#ordinal = new Uint32Array(capacity);
  }

  push(at: number, subscription: number, ordinal: number): void {
    if (this.length === this.#at.length) this.#grow();
    this.#at[this.length] = at;
    this.#subscription[this.length] = subscription;
    this.#ordinal[this.length] = ordinal;
    this.length++;
  }

  at = (row: number): number => this.#at[row] as number;
  subscription = (row: number): number => this.#subscription[row] as number;
  ordinal = (row: number): number => this.#ordinal[row] as number;

  /** The first row at or after an instant. Only of rows in order. */
  firstFrom(at: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The rows that `keep` wants in order of time, rows of the same second as they were pushed; and where each pushed row went. */
  sorted(keep: (row: number) => boolean = () => true): { rows: Rows; places: Uint32Array } {
    const base = this.length === 0 ? 0 : this.#at.subarray(0, this.length).reduce((a, b) => Math.min(a, b));
    const keys = new Float64Array(this.length);
    let kept = 0;
    for (let row = 0; row < this.length; row++) {
      if (keep(row)) keys[kept++] = (this.at(row) - base) * POSITIONS + row;
    }
    const order = keys.subarray(0, kept).sort();
    const rows = new Rows(Math.max(kept, 16));
    const places = new Uint32Array(this.length).fill(0xffffffff);
    for (let place = 0; place < kept; place++) {
      const row = (order[place] as number) % POSITIONS;
      places[row] = place;
      rows.push(this.at(row), this.subscription(row), this.ordinal(row));
    }
    return { rows, places };
  }

  #grow(): void {
    const capacity = this.#at.length * 2;
    const [at, subscription, ordinal] = [this.#at, this.#subscription, this.#ordinal];
    this.#at = new Uint32Array(capacity);
    this.#subscription = new Uint32Array(capacity);
    this.#ordinal = new Uint32Array(capacity);
    this.#at.set(at);
    this.#subscription.set(subscription);
    this.#ordinal.set(ordinal);
  }
}

/** Times and positions share a float's 53 bits. */
const POSITIONS = 2 ** 25;
