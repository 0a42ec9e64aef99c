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

/** Returns the error for something that a sign-off prevents: what, in which period, and what to do. */
function locked(what: string, day: string): ErrorValue {
  const period = day.slice(0, 7);
  return {
    code: 'period_locked',
    message: `${what} of ${period}, which is closed.`,
    hint: `What was signed stays as it is. Clear what is outstanding in the open period, or reopen ${period} with the reason.`,
    retryable: false,
    detail: { period },
  };
}

/** Throws `period_locked` if any of the matches was signed. */
export function refuseLockedGroups(books: ReadableDb, ids: readonly number[]): void {
  const [first, ...more] = lockedGroups(books, ids);
  if (first === undefined) return;
  const also = more.length === 0 ? 'is part' : `and ${more.length} more are part`;
  throw contractError(locked(`Match ${first.id} ${also}`, first.day));
}

/** Throws `period_locked` if a matching run contains signed matches. */
export function refuseLockedRun(books: ReadableDb, run: number): void {
  const { count, day } = lockedOfRun(books, run);
  if (day === null) return;
  throw contractError(
    locked(
      `${formatCount(count, 'match', 'matches')} that run ${run} made ${count === 1 ? 'is' : 'are'} part`,
      day,
    ),
  );
}

/** Throws `period_locked` if lines of an import, or matches on them, were signed. */
export function refuseLockedImport(books: ReadableDb, id: number): void {
  const lines = lockedOfImport(books, id);
  if (lines.day !== null) {
    const { count } = lines;
    throw contractError(
      locked(`${formatCount(count, 'line')} of import ${id} ${count === 1 ? 'is' : 'are'} part`, lines.day),
    );
  }
  const groups = lockedOnImport(books, id);
  if (groups.day === null) return;
  throw contractError(
    locked(
      `${formatCount(groups.count, 'match', 'matches')} on import ${id} ${groups.count === 1 ? 'is' : 'are'} part`,
      groups.day,
    ),
  );
}

/** Throws `period_locked` if lines of an account were signed. */
export function refuseLockedAccount(books: ReadableDb, id: number, name: string): void {
  const { day } = lockedOfAccount(books, id);
  if (day !== null) throw contractError(locked(`Lines of “${name}” are part`, day));
}

/** Throws `period_locked` if periods of a site were signed in its current currency. */
export function refuseLockedSite(books: ReadableDb, currency: string): void {
  const day = lockedUntil(books);
  if (day !== null) throw contractError(locked(`The currency ${currency} is part`, day));
}

/** Throws `period_locked` for a closed period. */
export function refuseLockedPeriod(period: string): never {
  throw contractError(locked('That is part', period));
}

/** Throws `period_locked` for a signed exception. */
export function refuseLockedException(books: ReadableDb, id: number): void {
  const day = lockedException(books, id);
  if (day !== null) throw contractError(locked(`Exception ${id} is part`, day));
}
