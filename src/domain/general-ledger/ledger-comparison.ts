import { addCents, type CalendarDate, type Cents } from '../ledger/index.ts';

/** Row of the billing records or of the general ledger, with the cents by which it changes an area. */
export interface ComparedRow {
  readonly day: CalendarDate;
  readonly cents: Cents;
}

/** Counts the rows of the records and of the ledger by day and amount. Memory grows with the distinct amounts only. */
export class LedgerComparison {
  /** By day and amount: number of record rows minus number of ledger rows. */
  readonly #surplus = new Map<CalendarDate, Map<Cents, number>>();
  #difference: Cents = 0;

  addRecord(row: ComparedRow): void {
    this.#add(row, 1);
  }

  addLedgerRow(row: ComparedRow): void {
    this.#add(row, -1);
  }

  #add({ day, cents }: ComparedRow, count: 1 | -1): void {
    const ofDay = this.#surplus.get(day) ?? new Map<Cents, number>();
    this.#surplus.set(day, ofDay);
    const rest = (ofDay.get(cents) ?? 0) + count;
    if (rest === 0) ofDay.delete(cents);
    else ofDay.set(cents, rest);
    this.#difference = addCents(this.#difference, count === 1 ? cents : 0 - cents);
  }

  /**
   * Returns the rows that explain the difference between records and ledger. Rows agree if their day and amount are
   * equal, if all remaining rows of a day have equal totals, or if their amounts are equal on different days. If the
   * overall totals are equal, no row is unmatched. Unmatched records minus unmatched ledger rows always equal the
   * difference of the totals.
   */
  findUnmatchedRows(): UnmatchedRows {
    if (this.#difference === 0) return new UnmatchedRows(new Map());
    const rest = new Map(
      [...this.#surplus]
        .filter(([, amounts]) => sumSurplus(amounts) !== 0)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    return new UnmatchedRows(removeEqualAmounts(rest));
  }
}

type SurplusByDay = ReadonlyMap<CalendarDate, ReadonlyMap<Cents, number>>;

function sumSurplus(amounts: ReadonlyMap<Cents, number>): Cents {
  let sum = 0;
  for (const [cents, count] of amounts) sum = addCents(sum, cents * count);
  return sum;
}

/** Removes amounts that both sides have, on different days, from the earliest days first. The days must be in order. */
function removeEqualAmounts(surplus: SurplusByDay): Map<CalendarDate, Map<Cents, number>> {
  const agreed = countEqualAmounts(surplus);
  const rest = new Map<CalendarDate, Map<Cents, number>>();
  for (const [day, amounts] of surplus) {
    const ofDay = new Map<Cents, number>();
    for (const [cents, count] of amounts) {
      const side = agreed.get(cents)!;
      const removed = takeSurplus(side, count);
      if (removed !== count) ofDay.set(cents, count - removed);
    }
    if (ofDay.size > 0) rest.set(day, ofDay);
  }
  return rest;
}

interface SideCounts {
  records: number;
  ledger: number;
}

/** Takes up to |count| rows from one side: records if `count` is positive. Returns the signed number taken. */
function takeSurplus(counts: SideCounts, count: number): number {
  const side = count > 0 ? 'records' : 'ledger';
  const taken = Math.min(counts[side], Math.abs(count));
  counts[side] -= taken;
  return count > 0 ? taken : 0 - taken;
}

/** Returns, by amount, how many rows each side shares with the other side, on any day. */
function countEqualAmounts(surplus: SurplusByDay): Map<Cents, SideCounts> {
  const counts = new Map<Cents, SideCounts>();
  for (const amounts of surplus.values()) {
    for (const [cents, count] of amounts) {
      const known = counts.get(cents) ?? { records: 0, ledger: 0 };
      counts.set(cents, known);
      known.records += Math.max(count, 0);
      known.ledger += Math.max(0 - count, 0);
    }
  }
  for (const known of counts.values()) {
    const both = Math.min(known.records, known.ledger);
    known.records = both;
    known.ledger = both;
  }
  return counts;
}

export interface UnmatchedSum {
  readonly count: number;
  readonly cents: Cents;
}

/** Selects the unmatched rows while the caller reads the rows of both sides a second time. */
export class UnmatchedRows {
  readonly #rest: Map<CalendarDate, Map<Cents, number>>;

  constructor(rest: Map<CalendarDate, Map<Cents, number>>) {
    this.#rest = rest;
  }

  /** True if every row of both sides agrees. */
  get isEmpty(): boolean {
    return this.#rest.size === 0;
  }

  /** Returns the count and total of the rows not yet taken, per side, in cents. */
  sum(): { readonly records: UnmatchedSum; readonly ledger: UnmatchedSum } {
    const records = { count: 0, cents: 0 };
    const ledger = { count: 0, cents: 0 };
    for (const amounts of this.#rest.values()) {
      for (const [cents, count] of amounts) {
        const side = count > 0 ? records : ledger;
        side.count += Math.abs(count);
        side.cents = addCents(side.cents, cents * Math.abs(count));
      }
    }
    return { records, ledger };
  }

  /** Returns true if this record is not in the ledger. Call it once per record. */
  takeRecord(row: ComparedRow): boolean {
    return this.#take(row, 1);
  }

  /** Returns true if this ledger row is not in the records. Call it once per ledger row. */
  takeLedgerRow(row: ComparedRow): boolean {
    return this.#take(row, -1);
  }

  #take({ day, cents }: ComparedRow, sign: 1 | -1): boolean {
    const ofDay = this.#rest.get(day);
    const count = ofDay?.get(cents) ?? 0;
    if (ofDay === undefined || count * sign <= 0) return false;
    ofDay.set(cents, count - sign);
    return true;
  }
}
