import type { CalendarDate, DateRange } from '../../domain/ledger/index.ts';
import {
  computeMatchContributions,
  findReturnedReceipts,
  type MatchContribution,
  type RowContribution,
} from '../../domain/workpaper/index.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { readConfirmedMatches } from '../store/workpaper/confirmed-matches.ts';
import {
  findEarliestLineDate,
  readBankDebits,
  readUnclaimedPaymentsBefore,
} from '../store/workpaper/workpaper-money.ts';

/** Returns the first reconciled day of a period: its first day, or the day of the first bank line if that is later. */
export function findFirstReconciledDay(books: ReadableDb, { first }: DateRange): CalendarDate {
  const line = findEarliestLineDate(books);
  return line === null || line > first ? first : line;
}

/** Yields the contributions dated before the first reconciled day, which are not reconciled. */
export function* readContributionsBeforeReconciliation(
  books: ReadableDb,
  period: DateRange,
): Generator<RowContribution, void, undefined> {
  for (const part of readUnclaimedPaymentsBefore(books, findFirstReconciledDay(books, period)))
    yield { figure: BEFORE_RECONCILIATION_FIGURE, part: '', kind: 'payment', ...part };
}

export const BEFORE_RECONCILIATION_FIGURE = 'S2.before';

/** Yields the contributions of confirmed matches to schedules S2 and S3, followed by the money paid out. */
export function* readMatchContributions(
  books: ReadableDb,
  period: DateRange,
): Generator<MatchContribution, void, undefined> {
  /** Cents of returned receipts, by bank line. The rest of a line is unrelated to the receipts. */
  const returnedByLine = new Map<number, number>();
  for (const group of readConfirmedMatches(books, period)) {
    for (const each of computeMatchContributions(group, period)) {
      yield each;
      // Schedule S3 starts with the payments received directly, which schedule S2 subtracts.
      if (each.figure === 'S2.direct') yield { ...each, figure: 'S3.direct', cents: 0 - each.cents };
    }
    for (const { id, day, cents } of findReturnedReceipts(group, period)) {
      returnedByLine.set(id, (returnedByLine.get(id) ?? 0) + cents);
      const { currency } = group;
      yield { figure: 'S3.returned', part: '', currency, kind: 'line', id, match: group.id, day, cents };
    }
  }
  for (const { id, currency, day, cents } of readBankDebits(books, period)) {
    const other = cents - (returnedByLine.get(id) ?? 0);
    if (other !== 0)
      yield { figure: 'S3.other-out', part: '', currency, kind: 'line', id, day, cents: other };
  }
}
