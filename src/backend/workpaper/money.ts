import type { CalendarDate, Period } from '../../domain/ledger/index.ts';
import {
  type Contribution,
  contributionsOf,
  type MatchContribution,
  withdrawalsOf,
} from '../../domain/workpaper/index.ts';
import type { ReadableDb } from '../store/database.ts';
import { claimedGroups } from '../store/periods/claimed-groups.ts';
import { debits, firstLineDay, openBeforeParts } from '../store/periods/workpaper-money.ts';

/** The day from which on a period is reconciled: its first, or that of the first line of any file, where that is earlier. */
export function reconciledFrom(books: ReadableDb, { first }: Period): CalendarDate {
  const line = firstLineDay(books);
  return line === null || line > first ? first : line;
}

/** What lies before that, and is not reconciled here. */
export function* contributionsBefore(
  books: ReadableDb,
  period: Period,
): Generator<Contribution, void, undefined> {
  for (const part of openBeforeParts(books, reconciledFrom(books, period)))
    yield { figure: BEFORE, part: '', kind: 'payment', ...part };
}

export const BEFORE = 'S2.before';

/** What confirmed matches add to S2 and S3, match by match; and the money that went out. */
export function* matchContributions(
  books: ReadableDb,
  period: Period,
): Generator<MatchContribution, void, undefined> {
  /** What of a line went out for receipts; the rest of it is other money. */
  const given = new Map<number, number>();
  for (const group of claimedGroups(books, period)) {
    for (const each of contributionsOf(group, period)) {
      yield each;
      // What S2 takes out as received directly is what S3 begins with.
      if (each.figure === 'S2.direct') yield { ...each, figure: 'S3.direct', cents: 0 - each.cents };
    }
    for (const { id, day, cents } of withdrawalsOf(group, period)) {
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
