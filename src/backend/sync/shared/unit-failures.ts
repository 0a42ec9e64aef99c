import { BillingError, type BillingErrorCode, isServiceUnreachable } from '../../../billing/index.ts';
import type { SyncContext } from './sync-context.ts';
import type { SyncProblems } from './sync-problems.ts';

/** Errors that affect every request, so that reading other units would fail as well. */
const RUN_ENDING_ERRORS: ReadonlySet<BillingErrorCode> = new Set(['auth', 'canceled', 'rate_limited']);

/** Returns the error if only this sync unit failed, or null if the error ends the whole sync. */
export function toUnitError(error: unknown): BillingError | null {
  if (!(error instanceof BillingError) || RUN_ENDING_ERRORS.has(error.code)) return null;
  return isServiceUnreachable(error) ? null : error;
}

/**
 * Reads a sync unit. If the service fails only on this unit, records a problem and returns false. Throws errors that
 * end the sync, and any error before the first answer, because the server may be another one.
 */
export async function attemptSyncUnit(
  { tally }: Pick<SyncContext, 'tally'>,
  problems: SyncProblems,
  location: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    const failure = toUnitError(error);
    if (failure === null || tally.answered === 0) throw error;
    tally.failureLimit.recordFailure(failure);
    tally.failed++;
    problems.record(location, failure.message, null);
    return false;
  }
  problems.clear(location);
  return true;
}
