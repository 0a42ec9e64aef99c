import { sumCents } from '../../../domain/ledger/index.ts';
import { parseAmount } from '../../texts/money.ts';

/** Bank line or payment to split. Its parts have the same sign and total at most its unmatched cents. */
export interface SplitItem {
  readonly side: 'lines' | 'payments';
  readonly id: number;
  readonly unmatched_in_cents: number;
}

/** Amounts typed for one item, with one text per part. */
export type EnteredSplitAmounts = readonly string[];

/** Parsed amounts of one item to split, and the item's remaining amount. */
export interface ParsedSplitItem {
  /** Amount in cents per part, or null if the text is not an amount. */
  readonly cents: readonly (number | null)[];
  readonly remaining_in_cents: number;
  readonly error: 'amount' | 'direction' | 'tooMuch' | null;
}

export interface SplitPartTotals {
  /** Number of the part, counted from 1. */
  readonly part: number;
  readonly lines_in_cents: number;
  readonly payments_in_cents: number;
  /** Total of the bank lines minus the total of the payments, in cents. */
  readonly difference_in_cents: number;
  readonly hasAmounts: boolean;
}

/** Parsed amounts of each item, and the totals of each part of a split. */
export interface SplitAmounts {
  readonly items: readonly ParsedSplitItem[];
  readonly parts: readonly SplitPartTotals[];
}

/** Validates the typed amounts against the unmatched amounts and adds them up per part. */
export function calculateSplit(
  items: readonly SplitItem[],
  typed: readonly EnteredSplitAmounts[],
  partCount: number,
): SplitAmounts {
  const results = items.map((item, index) => itemResult(item, typed[index] ?? [], partCount));
  return {
    items: results,
    parts: Array.from({ length: partCount }, (_, part) => {
      const amountsOf = (side: SplitItem['side']) =>
        items.flatMap((item, index) => (item.side === side ? (results[index]?.cents[part] ?? 0) : []));
      const lines = sumCents(amountsOf('lines'));
      const payments = sumCents(amountsOf('payments'));
      return {
        part: part + 1,
        lines_in_cents: lines,
        payments_in_cents: payments,
        difference_in_cents: lines - payments,
        hasAmounts: [...amountsOf('lines'), ...amountsOf('payments')].some((cents) => cents !== 0),
      };
    }),
  };
}

function itemResult(
  { unmatched_in_cents: unmatched }: SplitItem,
  typed: EnteredSplitAmounts,
  partCount: number,
): ParsedSplitItem {
  const cents = Array.from({ length: partCount }, (_, part) => {
    const text = typed[part]?.trim() ?? '';
    return text === '' ? 0 : parseAmount(text);
  });
  const allocated = sumCents(cents.map((each) => each ?? 0));
  const error = cents.includes(null)
    ? 'amount'
    : cents.some((each) => each !== null && each !== 0 && Math.sign(each) !== Math.sign(unmatched))
      ? 'direction'
      : Math.abs(allocated) > Math.abs(unmatched)
        ? 'tooMuch'
        : null;
  return { cents, remaining_in_cents: unmatched - allocated, error };
}

/**
 * Returns the amounts to fill in initially, in cents: the smaller side in full, and the same total on the other side.
 * If the items have different signs, fills in all amounts, because amounts alone do not show what belongs together.
 */
export function suggestSplitAmounts(items: readonly SplitItem[]): number[] {
  const all = items.map(({ unmatched_in_cents }) => unmatched_in_cents);
  if (new Set(all.map(Math.sign)).size !== 1) return all;
  const total = (side: SplitItem['side']) =>
    sumCents(items.flatMap((item) => (item.side === side ? Math.abs(item.unmatched_in_cents) : [])));
  const available = { lines: total('payments'), payments: total('lines') };
  return items.map(({ side, unmatched_in_cents }) => {
    const allocated = Math.min(Math.abs(unmatched_in_cents), available[side]);
    available[side] -= allocated;
    return allocated * Math.sign(unmatched_in_cents);
  });
}
