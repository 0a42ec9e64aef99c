import { addCents, type CalendarDate, type Cents } from '../ledger/index.ts';

/** A row of the records or of the ledger, with the cents that it adds to an area. */
export interface ComparedRow {
  readonly day: CalendarDate;
  readonly cents: Cents;
}

/** Counts the rows of both sides by day and amount. Its size depends on the distinct amounts, not on the rows. */
export class LedgerComparison {
  /** Number of record rows less ledger rows by day and amount. */
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
   * Returns the rows that explain the difference between both sides. Rows agree if their day and amount are equal, if
   * all remaining rows of a day add up to the same amount, if their amounts are equal on other days, or if both sides
   * have the same total. Records less ledger rows always add up to the difference of the totals.
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

/** Removes amounts that the other side has on another day, earliest days first. The days must be in order. */
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

/** Numbers of rows of one amount on each side. */
interface SideCounts {
  records: number;
  ledger: number;
}

/** Reduces the counts by at most `count` rows, which are ledger rows if it is negative. Returns the signed reduction. */
function takeSurplus(counts: SideCounts, count: number): number {
  const side = count > 0 ? 'records' : 'ledger';
  const taken = Math.min(counts[side], Math.abs(count));
  counts[side] -= taken;
  return count > 0 ? taken : 0 - taken;
}

/** Returns the number of rows of each amount that both sides have, on any days. */
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

/** Selects the unmatched rows while the rows of both sides are read a second time. */
export class UnmatchedRows {
  readonly #rest: Map<CalendarDate, Map<Cents, number>>;

  constructor(rest: Map<CalendarDate, Map<Cents, number>>) {
    this.#rest = rest;
  }

  /** True if every row of both sides agrees. */
  get isEmpty(): boolean {
    return this.#rest.size === 0;
  }

  /** Returns the number and the total cents of the rows that have not been taken yet, per side. */
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
