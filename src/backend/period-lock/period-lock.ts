import { contractError, type ErrorValue } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import {
  lockedException,
  lockedGroups,
  lockedOfAccount,
  lockedOfImport,
  lockedOfRun,
  lockedOnImport,
  lockedUntil,
} from '../store/period-lock/period-lock.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Returns the error for a change that a closed period prevents. */
function periodLockedError(what: string, day: string): ErrorValue {
  const period = day.slice(0, 7);
  return {
    code: 'period_locked',
    message: `${what} of ${period}, which is closed.`,
    hint: `What was signed stays as it is. Clear what is outstanding in the open period, or reopen ${period} with the reason.`,
    retryable: false,
    detail: { period },
  };
}

/** Throws `period_locked` if any of the matches belongs to a closed period. */
export function refuseLockedMatches(books: ReadableDb, ids: readonly number[]): void {
  const [first, ...more] = lockedGroups(books, ids);
  if (first === undefined) return;
  const also = more.length === 0 ? 'is part' : `and ${more.length} more are part`;
  throw contractError(periodLockedError(`Match ${first.id} ${also}`, first.day));
}

/** Throws `period_locked` if the matching run made matches that belong to a closed period. */
export function refuseLockedRun(books: ReadableDb, run: number): void {
  const { count, day } = lockedOfRun(books, run);
  if (day === null) return;
  throw contractError(
    periodLockedError(
      `${formatCount(count, 'match', 'matches')} that run ${run} made ${count === 1 ? 'is' : 'are'} part`,
      day,
    ),
  );
}

/** Throws `period_locked` if lines of the import, or matches on them, belong to a closed period. */
export function refuseLockedImport(books: ReadableDb, id: number): void {
  const lines = lockedOfImport(books, id);
  if (lines.day !== null) {
    const { count } = lines;
    throw contractError(
      periodLockedError(
        `${formatCount(count, 'line')} of import ${id} ${count === 1 ? 'is' : 'are'} part`,
        lines.day,
      ),
    );
  }
  const groups = lockedOnImport(books, id);
  if (groups.day === null) return;
  throw contractError(
    periodLockedError(
      `${formatCount(groups.count, 'match', 'matches')} on import ${id} ${groups.count === 1 ? 'is' : 'are'} part`,
      groups.day,
    ),
  );
}

/** Throws `period_locked` if lines of the account belong to a closed period. */
export function refuseLockedAccount(books: ReadableDb, id: number, name: string): void {
  const { day } = lockedOfAccount(books, id);
  if (day !== null) throw contractError(periodLockedError(`Lines of “${name}” are part`, day));
}

/** Throws `period_locked` if the site has closed periods. Their figures are in its current currency. */
export function refuseLockedSite(books: ReadableDb, currency: string): void {
  const day = lockedUntil(books);
  if (day !== null) throw contractError(periodLockedError(`The currency ${currency} is part`, day));
}

/** Throws `period_locked` for a change of a closed period. */
export function refuseLockedPeriod(period: string): never {
  throw contractError(periodLockedError('That is part', period));
}

/** Throws `period_locked` if the exception belongs to a closed period. */
export function refuseLockedException(books: ReadableDb, id: number): void {
  const day = lockedException(books, id);
  if (day !== null) throw contractError(periodLockedError(`Exception ${id} is part`, day));
}
