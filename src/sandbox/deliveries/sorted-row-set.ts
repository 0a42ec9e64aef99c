/** Sorted set of row numbers that contains only a small part of the log's rows. */
export class SortedRowSet {
  readonly #rows: number[] = [];

  get size(): number {
    return this.#rows.length;
  }

  /** Returns the number of rows in the set that are below a given row. */
  countBelow(row: number): number {
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
    return this.#rows[this.countBelow(row)] === row;
  }

  set(row: number, member: boolean): void {
    const index = this.countBelow(row);
    const isMember = this.#rows[index] === row;
    if (member && !isMember) this.#rows.splice(index, 0, row);
    if (!member && isMember) this.#rows.splice(index, 1);
  }

  at(index: number): number {
    return this.#rows[index] as number;
  }

  /** Returns the k-th row, counting from 0, at or after `low` that is not in the set. */
  findMissing(low: number, k: number): number {
    const start = this.countBelow(low);
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
