import { BucketIndex, DenseNumbering, findFirstOnOrAfter, toMoneyKey } from './bucket-index.ts';
import { IntColumn, type NumberColumn } from './columns.ts';

/** Amount of a row in cents, and its currency. */
export type MoneyKey = readonly [cents: number, currency: number];

interface AmountTable {
  readonly amountCents: NumberColumn;
  readonly currency: IntColumn;
  readonly day: IntColumn;
  readonly length: number;
}

const NO_ROWS = new Int32Array();

/** Rows by amount and day, for counting the alternatives to a match. */
export class RowsByAmount {
  readonly #table: AmountTable;
  readonly #isIncluded: (row: number) => boolean;
  readonly #buckets: BucketIndex;
  readonly #amounts = new DenseNumbering();

  constructor(table: AmountTable, isIncluded: (row: number) => boolean) {
    this.#table = table;
    this.#isIncluded = isIncluded;
    const [rows, buckets] = [new IntColumn(), new IntColumn()];
    for (let row = 0; row < table.length; row++) {
      if (!isIncluded(row)) continue;
      rows.push(row);
      buckets.push(this.#amounts.assignNumber(toMoneyKey(table.amountCents.at(row), table.currency.at(row))));
    }
    this.#buckets = new BucketIndex(rows, buckets, (row) => table.day.at(row), this.#amounts.count);
  }

  /** All rows, grouped by amount and sorted by day. */
  get rows(): Int32Array {
    return this.#buckets.rows;
  }

  /** Returns the positions in `rows` of an amount from one day to another. The end is not included. */
  findPositions(amount: MoneyKey, from: number, to: number): readonly [start: number, end: number] {
    const bucket = this.#amounts.findNumber(toMoneyKey(amount[0], amount[1]));
    if (bucket === -1) return [0, 0];
    const start = this.#buckets.firstOnOrAfter(bucket, from);
    return [start, findFirstOnOrAfter(this.#buckets.days, to + 1, start, this.#buckets.bucketEnd(bucket))];
  }

  /** Returns the rows of an amount from one day to another, sorted by day. */
  find(amount: MoneyKey, from: number, to: number): Int32Array {
    const [start, end] = this.findPositions(amount, from, to);
    return start === end ? NO_ROWS : this.rows.subarray(start, end);
  }

  /** Returns true if `find` returns the row. */
  includes(row: number, amount: MoneyKey, from: number, to: number): boolean {
    const { amountCents, currency, day } = this.#table;
    if (amountCents.at(row) !== amount[0] || currency.at(row) !== amount[1]) return false;
    return day.at(row) >= from && day.at(row) <= to && this.#isIncluded(row);
  }
}

/** Counts the rows of an amount, and those of them that have a given state. */
export class StateCounts {
  readonly #rows: RowsByAmount;
  readonly #states: Uint8Array;
  readonly #state: number;
  /** Per position: number of earlier rows that have the state. Has one more entry than there are rows. */
  readonly #countBefore: Int32Array;

  constructor(rows: RowsByAmount, states: Uint8Array, state: number) {
    this.#rows = rows;
    this.#states = states;
    this.#state = state;
    this.#countBefore = new Int32Array(rows.rows.length + 1);
    for (let at = 0; at < rows.rows.length; at++)
      this.#countBefore[at + 1] = (this.#countBefore[at] as number) + this.#hasState(rows.rows[at] as number);
  }

  /** Counts the rows of an amount from one day to another without one row that is among them. */
  countOthers(own: number, amount: MoneyKey, [from, to]: readonly [from: number, to: number]) {
    const [start, end] = this.#rows.findPositions(amount, from, to);
    const withState = (this.#countBefore[end] as number) - (this.#countBefore[start] as number);
    return this.#rows.includes(own, amount, from, to)
      ? { all: end - start - 1, withState: withState - this.#hasState(own) }
      : { all: end - start, withState };
  }

  #hasState(row: number): 0 | 1 {
    return this.#states[row] === this.#state ? 1 : 0;
  }
}
