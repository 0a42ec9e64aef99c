import { type Ints, NumberIndex } from './column.ts';

/** Numbers made small: 0, 1, 2 … in the order in which they came first. */
export class Dense {
  readonly #index = new NumberIndex();
  count = 0;

  of(number: number): number {
    const link = this.#index.first(number);
    if (link !== -1) return this.#index.row(link);
    this.#index.add(number, this.count);
    return this.count++;
  }

  find(number: number): number {
    const link = this.#index.first(number);
    return link === -1 ? -1 : this.#index.row(link);
  }
}

/** An amount of a currency as one whole number. */
export function moneyKey(amount: number, currency: number): number {
  return (Math.abs(amount) * 2 + (amount < 0 ? 1 : 0)) * 128 + currency;
}

/**
 * Rows on shelves, those of each in the order of their days: how many of a shelf are of certain days is the distance of two places, and nobody
 * has to be looked at.
 */
export class Shelves {
  readonly rows: Int32Array;
  readonly days: Int32Array;
  readonly #from: Int32Array;

  constructor(rows: Ints, shelfOf: Ints, dayOf: (row: number) => number, shelves: number) {
    const count = rows.length;
    const byDay = sortedByDay(count, (at) => dayOf(rows.at(at)));
    this.#from = new Int32Array(shelves + 1);
    for (let at = 0; at < count; at++) {
      const next = shelfOf.at(at) + 1;
      this.#from[next] = (this.#from[next] as number) + 1;
    }
    for (let shelf = 0; shelf < shelves; shelf++) {
      this.#from[shelf + 1] = (this.#from[shelf + 1] as number) + (this.#from[shelf] as number);
    }
    const place = this.#from.slice();
    this.rows = new Int32Array(count);
    this.days = new Int32Array(count);
    for (const at of byDay) {
      const shelf = shelfOf.at(at);
      const to = place[shelf] as number;
      place[shelf] = to + 1;
      this.rows[to] = rows.at(at);
      this.days[to] = dayOf(rows.at(at));
    }
  }

  from(shelf: number): number {
    return this.#from[shelf] as number;
  }

  to(shelf: number): number {
    return this.#from[shelf + 1] as number;
  }

  get shelves(): number {
    return this.#from.length - 1;
  }

  /** The first place of a shelf whose day is not before the given one. */
  at(shelf: number, day: number): number {
    let low = this.from(shelf);
    let high = this.to(shelf);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.days[middle] as number) < day) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The numbers 0 … count-1 by their day; those of one day in their order. */
export function sortedByDay(count: number, dayOf: (at: number) => number): Int32Array {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; at++) {
    const day = dayOf(at);
    if (day < first) first = day;
    if (day > last) last = day;
  }
  const sorted = new Int32Array(count);
  if (count === 0) return sorted;
  const span = last - first + 1;
  if (span > 200_000) {
    for (let at = 0; at < count; at++) sorted[at] = at;
    return sorted.sort((a, b) => dayOf(a) - dayOf(b) || a - b);
  }
  const place = new Int32Array(span + 1);
  for (let at = 0; at < count; at++) {
    const next = dayOf(at) - first + 1;
    place[next] = (place[next] as number) + 1;
  }
  for (let day = 0; day < span; day++) place[day + 1] = (place[day + 1] as number) + (place[day] as number);
  for (let at = 0; at < count; at++) {
    const day = dayOf(at) - first;
    const to = place[day] as number;
    place[day] = to + 1;
    sorted[to] = at;
  }
  return sorted;
}
