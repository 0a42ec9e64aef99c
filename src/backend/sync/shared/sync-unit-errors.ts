import { BillingError, type BillingErrorCode, isServiceUnreachable } from '../../../billing/index.ts';
import type { SyncContext } from './sync-context.ts';
import type { SyncProblemRecorder } from './sync-problems.ts';

/** Codes of errors that affect every request, so that reading other sync units would fail as well. */
const RUN_ENDING_ERRORS: ReadonlySet<BillingErrorCode> = new Set(['auth', 'canceled', 'rate_limited']);

/** Returns the error if only this sync unit failed, or null if the error ends the entire sync. */
export function toSyncUnitError(error: unknown): BillingError | null {
  if (!(error instanceof BillingError) || RUN_ENDING_ERRORS.has(error.code)) return null;
  return isServiceUnreachable(error) ? null : error;
}

/**
 * Reads a sync unit. If the service fails only on this unit, records a problem and returns false. Throws errors that
 * end the sync. Also throws any error before the first response, because the server may not be the billing service.
 */
export async function attemptSyncUnit(
  { tally }: Pick<SyncContext, 'tally'>,
  problems: SyncProblemRecorder,
  location: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    const failure = toSyncUnitError(error);
    if (failure === null || tally.answered === 0) throw error;
    tally.failureLimit.recordFailure(failure);
    tally.failed++;
    problems.record(location, failure.message, null);
    return false;
  }
  problems.clear(location);
  return true;
}
