/** A sorted set of row numbers that is much smaller than the log. */
export class SortedRowSet {
  readonly #rows: number[] = [];

  get size(): number {
    return this.#rows.length;
  }

  /** Returns the number of members below a row. */
  below(row: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[middle] as number) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  has(row: number): boolean {
    return this.#rows[this.below(row)] === row;
  }

  set(row: number, member: boolean): void {
    const place = this.below(row);
    const present = this.#rows[place] === row;
    if (member && !present) this.#rows.splice(place, 0, row);
    if (!member && present) this.#rows.splice(place, 1);
  }

  at(place: number): number {
    return this.#rows[place] as number;
  }

  /** Returns the k-th row, counting from 0, at or after `low` that is not in the set. */
  missing(low: number, k: number): number {
    const start = this.below(low);
    let from = 0;
    let to = this.#rows.length - start;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#rows[start + middle] as number) - low - middle <= k) from = middle + 1;
      else to = middle;
    }
    return low + k + from;
  }
}
