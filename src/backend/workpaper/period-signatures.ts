import { signedStatementsSchema, type Workpaper } from '../../contract/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { findPeriod, listPeriodEntries, type StoredPeriodEntry } from '../store/periods/period.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

type PeriodSignatures = Pick<Workpaper['head'], 'state' | 'signatures'>;

const signatureRoles: Readonly<Partial<Record<string, PeriodSignatures['signatures'][number]['role']>>> = {
  submitted: 'prepared',
  approved: 'reviewed',
  rejected: 'rejected',
  closed: 'closed',
  reopened: 'reopened',
};

/** Returns the state of a period and its signatures, oldest first. */
export function readPeriodSignatures(books: ReadableDb, name: string): PeriodSignatures {
  const period = findPeriod(books, name);
  if (period === null) return { state: 'none', signatures: [] };
  return { state: period.state, signatures: toPeriodSignatures(listPeriodEntries(books, period.id)) };
}

/** Returns the signatures among the history entries of a period. */
export const toPeriodSignatures = (
  history: readonly Omit<StoredPeriodEntry, 'seq'>[],
): PeriodSignatures['signatures'] =>
  history.flatMap(({ action, name: user, at, text, is_self_review, key, statements, receipt }) => {
    const role = signatureRoles[action];
    if (role === undefined) return [];
    const signed = { role, user, at: formatTimestamp(at), text, self_review: is_self_review === 1, key };
    return [{ ...signed, statements: parseSignedStatements(statements), receipt }];
  });

/** Returns the certification statements of a history entry. */
export const parseSignedStatements = (
  statements: string | null,
): PeriodSignatures['signatures'][number]['statements'] =>
  signedStatementsSchema.parse(JSON.parse(statements ?? '[]'));
