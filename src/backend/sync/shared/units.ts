import { BillingError, type BillingErrorCode, isServiceUnreachable } from '../../../billing/index.ts';
import type { SyncContext } from './context.ts';
import type { Problems } from './problems.ts';

/** Errors that affect every request, so that no other unit can be read either, or not now. */
const OF_EVERYTHING: ReadonlySet<BillingErrorCode> = new Set(['auth', 'canceled', 'rate_limited']);

/** Returns the error if only this unit failed, or null if the error ends the run. */
export function unitFailure(error: unknown): BillingError | null {
  if (!(error instanceof BillingError) || OF_EVERYTHING.has(error.code)) return null;
  return isServiceUnreachable(error) ? null : error;
}

/**
 * Reads a unit. If the service fails on it, records a problem under `place` and continues. Returns true if it was read.
 * Throws errors that end the run, and any failure before the first successful answer, because the server may not be the
 * billing service.
 */
export async function attempt(
  { tally }: Pick<SyncContext, 'tally'>,
  problems: Problems,
  place: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    const failure = unitFailure(error);
    if (failure === null || tally.answered === 0) throw error;
    tally.strikes.bad(failure);
    tally.failed++;
    problems.keep(place, failure.message, null);
    return false;
  }
  problems.solve(place);
  return true;
}
