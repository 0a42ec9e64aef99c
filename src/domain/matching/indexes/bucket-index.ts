import { type IntColumn, NumberIndex } from './columns.ts';

/** Assigns consecutive numbers (0, 1, 2 …) to values in order of first occurrence. */
export class DenseNumbering {
  readonly #index = new NumberIndex();
  count = 0;

  assignNumber(value: number): number {
    const link = this.#index.findFirstLink(value);
    if (link !== -1) return this.#index.getRow(link);
    this.#index.add(value, this.count);
    return this.count++;
  }

  /** Returns the number assigned to a value; -1 if there is none. */
  findNumber(value: number): number {
    const link = this.#index.findFirstLink(value);
    return link === -1 ? -1 : this.#index.getRow(link);
  }
}

/** Combines an amount and a currency into one integer key. */
export const toMoneyKey = (amount: number, currency: number): number =>
  (Math.abs(amount) * 2 + (amount < 0 ? 1 : 0)) * 128 + currency;

/** Rows grouped by key and sorted by day, so that counting a day range takes two binary searches. */
export class BucketIndex {
  readonly rows: Int32Array;
  readonly days: Int32Array;
  readonly #bucketStarts: Int32Array;

  constructor(rows: IntColumn, bucketOf: IntColumn, dayOf: (row: number) => number, bucketCount: number) {
    const count = rows.length;
    const byDay = sortByDay(count, (at) => dayOf(rows.at(at)));
    this.#bucketStarts = new Int32Array(bucketCount + 1);
    for (let at = 0; at < count; at++) {
      const next = bucketOf.at(at) + 1;
      this.#bucketStarts[next] = (this.#bucketStarts[next] as number) + 1;
    }
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      this.#bucketStarts[bucket + 1] =
        (this.#bucketStarts[bucket + 1] as number) + (this.#bucketStarts[bucket] as number);
    }
    const position = this.#bucketStarts.slice();
    this.rows = new Int32Array(count);
    this.days = new Int32Array(count);
    for (const at of byDay) {
      const bucket = bucketOf.at(at);
      const to = position[bucket] as number;
      position[bucket] = to + 1;
      this.rows[to] = rows.at(at);
      this.days[to] = dayOf(rows.at(at));
    }
  }

  bucketStart(bucket: number): number {
    return this.#bucketStarts[bucket] as number;
  }

  bucketEnd(bucket: number): number {
    return this.#bucketStarts[bucket + 1] as number;
  }

  get bucketCount(): number {
    return this.#bucketStarts.length - 1;
  }

  /** Returns the first position in a bucket whose day is on or after the given day. */
  firstOnOrAfter(bucket: number, day: number): number {
    return findFirstOnOrAfter(this.days, day, this.bucketStart(bucket), this.bucketEnd(bucket));
  }
}

/** Returns the first position from `from` up to `to` in the sorted days whose day is on or after the given day. */
export function findFirstOnOrAfter(days: Int32Array, day: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] as number) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the numbers 0 to count-1 sorted by day. The sort is stable. */
export function sortByDay(count: number, dayOf: (at: number) => number): Int32Array {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; at++) {
    const day = dayOf(at);
    if (day < first) first = day;
    if (day > last) last = day;
  }
  const sorted = new Int32Array(count);
  if (count === 0) return sorted;
  const dayCount = last - first + 1;
  // A counting sort needs memory for each day, so it is limited to 200,000 days. Chosen by judgment.
  if (dayCount > 200_000) {
    for (let at = 0; at < count; at++) sorted[at] = at;
    return sorted.sort((a, b) => dayOf(a) - dayOf(b) || a - b);
  }
  const position = new Int32Array(dayCount + 1);
  for (let at = 0; at < count; at++) {
    const next = dayOf(at) - first + 1;
    position[next] = (position[next] as number) + 1;
  }
  for (let day = 0; day < dayCount; day++)
    position[day + 1] = (position[day + 1] as number) + (position[day] as number);
  for (let at = 0; at < count; at++) {
    const day = dayOf(at) - first;
    const to = position[day] as number;
    position[day] = to + 1;
    sorted[to] = at;
  }
  return sorted;
}
