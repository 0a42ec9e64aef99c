import { createNonRetryableError } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import {
  countLockedLinesOfAccount,
  countLockedLinesOfImport,
  countLockedMatchesOfImport,
  countLockedMatchesOfRun,
  findLastLockedDay,
  findLockedExceptionDay,
  listLockedMatches,
} from '../store/period-lock/period-lock.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Creates the error for a change that would affect a closed period. */
function periodLockedError(subject: string, day: string) {
  const period = day.slice(0, 7);
  return createNonRetryableError(
    'period_locked',
    `${subject} of ${period}, which is closed.`,
    `Signed figures cannot be changed. Clear outstanding items in the open period, or reopen ${period} with a reason.`,
    { period },
  );
}

const arePart = (count: number): string => (count === 1 ? 'is part' : 'are part');

/** Throws `period_locked` if any of the matches belongs to a closed period. */
export function assertMatchesNotLocked(books: ReadableDb, ids: readonly number[]): void {
  const [first, ...more] = listLockedMatches(books, ids);
  if (first === undefined) return;
  const predicate = more.length === 0 ? 'is part' : `and ${more.length} more are part`;
  throw periodLockedError(`Match ${first.id} ${predicate}`, first.day);
}

/** Throws `period_locked` if the matching run made matches that belong to a closed period. */
export function assertMatchingRunNotLocked(books: ReadableDb, run: number): void {
  const { count, day } = countLockedMatchesOfRun(books, run);
  const matches = formatCount(count, 'match', 'matches');
  if (day !== null) throw periodLockedError(`${matches} that run ${run} made ${arePart(count)}`, day);
}

/** Throws `period_locked` if lines of the import, or matches on them, belong to a closed period. */
export function assertImportNotLocked(books: ReadableDb, id: number): void {
  const lines = countLockedLinesOfImport(books, id);
  if (lines.day !== null) {
    const subject = `${formatCount(lines.count, 'line')} of import ${id} ${arePart(lines.count)}`;
    throw periodLockedError(subject, lines.day);
  }
  const { count, day } = countLockedMatchesOfImport(books, id);
  const matches = formatCount(count, 'match', 'matches');
  if (day !== null) throw periodLockedError(`${matches} on import ${id} ${arePart(count)}`, day);
}

/** Throws `period_locked` if lines of the account belong to a closed period. */
export function assertAccountNotLocked(books: ReadableDb, id: number, name: string): void {
  const { day } = countLockedLinesOfAccount(books, id);
  if (day !== null) throw periodLockedError(`Lines of “${name}” are part`, day);
}

/** Throws `period_locked` if the day belongs to a closed period. The error message begins with `subject`. */
export function assertDayNotLocked(books: ReadableDb, day: string, subject: string): void {
  const locked = findLastLockedDay(books);
  if (locked !== null && day <= locked) throw periodLockedError(subject, day);
}

/** Throws `period_locked` if the site has closed periods, because their figures are in the site's current currency. */
export function assertSiteHasNoClosedPeriods(books: ReadableDb, currency: string): void {
  const day = findLastLockedDay(books);
  if (day !== null) throw periodLockedError(`The currency ${currency} is part`, day);
}

/** Throws `period_locked` for a change to a closed period. */
export function throwPeriodClosedError(period: string): never {
  throw periodLockedError('That is part', period);
}

/** Throws `period_locked` if the exception belongs to a closed period. */
export function assertExceptionNotLocked(books: ReadableDb, id: number): void {
  const day = findLockedExceptionDay(books, id);
  if (day !== null) throw periodLockedError(`Exception ${id} is part`, day);
}
