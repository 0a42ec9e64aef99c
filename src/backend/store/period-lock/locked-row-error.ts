import type { ErrorValue } from '../../../contract/index.ts';

/** Converts an error of the period lock triggers to a contract error. Returns null for any other error. */
export function toPeriodLockedError(thrown: unknown): ErrorValue | null {
  if (!(thrown instanceof Error) || !('code' in thrown) || thrown.code !== 'SQLITE_CONSTRAINT_TRIGGER')
    return null;
  const named = /^period_locked: (\w+) (\S+)$/.exec(thrown.message);
  if (named === null) return null;
  const [, what = '', id = ''] = named;
  return {
    code: 'period_locked',
    message: `${what[0]?.toUpperCase()}${what.slice(1)} ${id} is part of a closed period.`,
    hint: 'Signed figures cannot be changed. Clear outstanding items in the open period, or reopen the closed one with a reason.',
    retryable: false,
  };
}
