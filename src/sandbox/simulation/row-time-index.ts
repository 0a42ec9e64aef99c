/** Index of rows by time. A row has a time, a subscription and an ordinal, and takes twelve bytes. */
export class TimeIndex {
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

  /** Returns the first row at or after a time. The rows must be sorted. */
  findFirstRow(at: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns an index of the rows to keep, sorted by time and then by row, and the new position of each previous row. */
  sorted(keep: (row: number) => boolean = () => true): { rows: TimeIndex; newRows: Uint32Array } {
    const base = this.length === 0 ? 0 : this.#at.subarray(0, this.length).reduce((a, b) => Math.min(a, b));
    const keys = new Float64Array(this.length);
    let keptCount = 0;
    for (let row = 0; row < this.length; row++) {
      if (keep(row)) keys[keptCount++] = (this.at(row) - base) * MAX_ROWS + row;
    }
    const order = keys.subarray(0, keptCount).sort();
    const rows = new TimeIndex(Math.max(keptCount, 16));
    const newRows = new Uint32Array(this.length).fill(0xffffffff);
    for (let position = 0; position < keptCount; position++) {
      const row = (order[position] as number) % MAX_ROWS;
      newRows[row] = position;
      rows.push(this.at(row), this.subscription(row), this.ordinal(row));
    }
    return { rows, newRows };
  }

  #grow(): void {
    const grow = (values: Uint32Array): Uint32Array => {
      const grown = new Uint32Array(values.length * 2);
      grown.set(values);
      return grown;
    };
    this.#at = grow(this.#at);
    this.#subscription = grow(this.#subscription);
    this.#ordinal = grow(this.#ordinal);
  }
}

/** Maximum number of rows, so that a time and a row number fit into the 53 bits of a float. */
const MAX_ROWS = 2 ** 25;
