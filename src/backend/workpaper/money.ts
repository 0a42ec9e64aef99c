import type { CalendarDate, DateRange } from '../../domain/ledger/index.ts';
import {
  type Contribution,
  computeMatchContributions,
  findReturnedReceipts,
  type MatchContribution,
} from '../../domain/workpaper/index.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { claimedGroups } from '../store/workpaper/claimed-groups.ts';
import { debits, firstLineDay, openBeforeParts } from '../store/workpaper/workpaper-money.ts';

/**
 * Returns the first reconciled day of a period: its first day, or the date of the first line of any file if that is
 * earlier.
 */
export function reconciledFrom(books: ReadableDb, { first }: DateRange): CalendarDate {
  const line = firstLineDay(books);
  return line === null || line > first ? first : line;
}

/** Yields the contributions dated before that day, which are not reconciled. */
export function* contributionsBefore(
  books: ReadableDb,
  period: DateRange,
): Generator<Contribution, void, undefined> {
  for (const part of openBeforeParts(books, reconciledFrom(books, period)))
    yield { figure: BEFORE, part: '', kind: 'payment', ...part };
}

export const BEFORE = 'S2.before';

/** Yields the contributions of confirmed matches to S2 and S3, match by match, and the outgoing money. */
export function* matchContributions(
  books: ReadableDb,
  period: DateRange,
): Generator<MatchContribution, void, undefined> {
  /** Per line: the part paid out for receipts. The rest of it is unrelated money. */
  const given = new Map<number, number>();
  for (const group of claimedGroups(books, period)) {
    for (const each of computeMatchContributions(group, period)) {
      yield each;
      // What S2 removes as received directly is the starting point of S3.
      if (each.figure === 'S2.direct') yield { ...each, figure: 'S3.direct', cents: 0 - each.cents };
    }
    for (const { id, day, cents } of findReturnedReceipts(group, period)) {
      given.set(id, (given.get(id) ?? 0) + cents);
      const { currency } = group;
      yield { figure: 'S3.returned', part: '', currency, kind: 'line', id, match: group.id, day, cents };
    }
  }
  for (const { id, currency, day, cents } of debits(books, period)) {
    const other = cents - (given.get(id) ?? 0);
    if (other !== 0)
      yield { figure: 'S3.other-out', part: '', currency, kind: 'line', id, day, cents: other };
  }
}
