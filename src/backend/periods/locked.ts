import { contractError, type ErrorValue } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import type { ReadableDb } from '../store/database.ts';
import {
  lockedException,
  lockedGroups,
  lockedOfAccount,
  lockedOfImport,
  lockedOfRun,
  lockedOnImport,
  lockedUntil,
} from '../store/periods/period-lock.ts';

/** What cannot be done since it is signed: what, of which period, and what to do. */
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

/** Throws `period_locked` for matches that were signed. */
export function refuseLockedGroups(books: ReadableDb, ids: readonly number[]): void {
  const [first, ...more] = lockedGroups(books, ids);
  if (first === undefined) return;
  const also = more.length === 0 ? 'is part' : `and ${more.length} more are part`;
  throw contractError(locked(`Match ${first.id} ${also}`, first.day));
}

/** Throws `period_locked` for a run of which matches were signed. */
export function refuseLockedRun(books: ReadableDb, run: number): void {
  const { count, day } = lockedOfRun(books, run);
  if (day === null) return;
  throw contractError(
    locked(
      `${counted(count, 'match', 'matches')} that run ${run} made ${count === 1 ? 'is' : 'are'} part`,
      day,
    ),
  );
}

/** Throws `period_locked` for an import of which lines were signed, or matches on them. */
export function refuseLockedImport(books: ReadableDb, id: number): void {
  const lines = lockedOfImport(books, id);
  if (lines.day !== null) {
    const { count } = lines;
    throw contractError(
      locked(`${counted(count, 'line')} of import ${id} ${count === 1 ? 'is' : 'are'} part`, lines.day),
    );
  }
  const groups = lockedOnImport(books, id);
  if (groups.day === null) return;
  throw contractError(
    locked(
      `${counted(groups.count, 'match', 'matches')} on import ${id} ${groups.count === 1 ? 'is' : 'are'} part`,
      groups.day,
    ),
  );
}

/** Throws `period_locked` for an account of which lines were signed. */
export function refuseLockedAccount(books: ReadableDb, id: number, name: string): void {
  const { day } = lockedOfAccount(books, id);
  if (day !== null) throw contractError(locked(`Lines of “${name}” are part`, day));
}

/** Throws `period_locked` where periods were signed in the currency of a site. */
export function refuseLockedSite(books: ReadableDb, currency: string): void {
  const day = lockedUntil(books);
  if (day !== null) throw contractError(locked(`The currency ${currency} is part`, day));
}

/** Throws `period_locked` for a period that is closed. */
export function refuseLockedPeriod(period: string): never {
  throw contractError(locked('That is part', period));
}

/** Throws `period_locked` for an exception that was signed. */
export function refuseLockedException(books: ReadableDb, id: number): void {
  const day = lockedException(books, id);
  if (day !== null) throw contractError(locked(`Exception ${id} is part`, day));
}

/** What the books’ own triggers refused, as an error of the contract; null for anything else. */
export function lockedByBooks(thrown: unknown): ErrorValue | null {
  if (!(thrown instanceof Error) || !('code' in thrown) || thrown.code !== 'SQLITE_CONSTRAINT_TRIGGER')
    return null;
  const named = /^period_locked: (\w+) (\S+)$/.exec(thrown.message);
  if (named === null) return null;
  const [, what = '', id = ''] = named;
  return {
    code: 'period_locked',
    message: `${what[0]?.toUpperCase()}${what.slice(1)} ${id} is part of a period that is closed.`,
    hint: 'What was signed stays as it is. Clear what is outstanding in the open period, or reopen that one with the reason.',
    retryable: false,
  };
}
