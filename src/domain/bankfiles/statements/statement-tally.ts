import type { CalendarDate } from '../../ledger/index.ts';
import type { BankLine, ReportedPayout } from '../model/bank-file.ts';

/** Maximum number of running-balance breaks listed individually. Further breaks are only counted. */
export const MAX_LISTED_BALANCE_BREAKS = 20;

export class StatementTally {
  lines = 0;
  sum = 0;
  exact = true;
  readonly currencies = new Set<string | null>();
  from: CalendarDate | null = null;
  to: CalendarDate | null = null;
  readonly balances = new RunningBalances();

  add(line: BankLine): void {
    const { booked_on, currency } = line;
    this.lines++;
    this.sum += getBalanceEffect(line);
    this.exact &&= Number.isSafeInteger(this.sum);
    this.currencies.add(currency);
    if (this.from === null || booked_on < this.from) this.from = booked_on;
    if (this.to === null || booked_on > this.to) this.to = booked_on;
    this.balances.add(line);
  }
}

/** Returns the effect of a line on the account's balance. */
export const getBalanceEffect = (line: BankLine): number => line.net_in_cents ?? line.amount_in_cents;

/** A line whose stated balance does not follow from the previous line. */
export type LineBalanceBreak = { readonly before: BankLine; readonly line: BankLine };

/** Checks whether the balances stated after each line follow from each other, reading both downward and upward. */
export class RunningBalances {
  /** True if every line read so far states a balance. */
  stated = true;
  first: BankLine | null = null;
  last: BankLine | null = null;
  readonly downward: { count: number; readonly breaks: LineBalanceBreak[] } = { count: 0, breaks: [] };
  /** Breaks found when reading from bottom to top, in file order. The break nearest to the bottom is last. */
  readonly upward: { count: number; readonly breaks: LineBalanceBreak[] } = { count: 0, breaks: [] };

  add(line: BankLine): void {
    this.stated &&= line.balance_in_cents !== null;
    if (!this.stated) return;
    this.first ??= line;
    const above = this.last;
    this.last = line;
    if (above === null) return;
    if (!follows(above, line)) {
      this.downward.count++;
      if (this.downward.breaks.length < MAX_LISTED_BALANCE_BREAKS)
        this.downward.breaks.push({ before: above, line });
    }
    if (!follows(line, above)) {
      this.upward.count++;
      this.upward.breaks.push({ before: line, line: above });
      if (this.upward.breaks.length > MAX_LISTED_BALANCE_BREAKS) this.upward.breaks.shift();
    }
  }
}

const follows = (before: BankLine, line: BankLine): boolean =>
  getStatedBalance(before) + getBalanceEffect(line) === getStatedBalance(line);

/** Returns the balance that a line states, or 0 if it states none. */
export const getStatedBalance = (line: BankLine): number => line.balance_in_cents ?? 0;

type Batch = { -readonly [Name in keyof ReportedPayout]: ReportedPayout[Name] };

export class PayoutTally {
  readonly #batches = new Map<string, Batch>();

  add({ payout_id, net_in_cents, currency, ...line }: BankLine): void {
    if (payout_id === null || net_in_cents === null) return;
    const key = JSON.stringify([payout_id, currency]);
    let payout = this.#batches.get(key);
    if (payout === undefined) {
      payout = { payout_id, currency, paid_on: null, last_on: line.booked_on, ...EMPTY_TOTALS };
      this.#batches.set(key, payout);
    }
    if (line.booked_on > payout.last_on) payout.last_on = line.booked_on;
    if (line.kind === 'payout') {
      payout.stated_in_cents = (payout.stated_in_cents ?? 0) - net_in_cents;
      payout.paid_on ??= line.booked_on;
    } else {
      payout.gross_in_cents += line.amount_in_cents;
      payout.fee_in_cents += line.fee_in_cents ?? 0;
      payout.net_in_cents += net_in_cents;
      payout.lines += 1;
    }
  }

  /** Returns the payouts in order of first occurrence. `paidOn` contains the dates stated in the report. */
  listPayouts(paidOn: ReadonlyMap<string, string>): ReportedPayout[] {
    return [...this.#batches.values()].map((payout) => ({
      ...payout,
      paid_on: paidOn.get(payout.payout_id) ?? payout.paid_on,
    }));
  }
}

const EMPTY_TOTALS = {
  stated_in_cents: null,
  gross_in_cents: 0,
  fee_in_cents: 0,
  net_in_cents: 0,
  lines: 0,
} as const;
