import { BillingError, type BillingErrorCode, isUnreachable } from '../../billing/index.ts';
import type { SyncContext } from './context.ts';
import type { Problems } from './problems.ts';

/** What says nothing of the one thing that was asked for: nothing else can be had either, or not now. */
const OF_EVERYTHING: ReadonlySet<BillingErrorCode> = new Set(['auth', 'cancelled', 'rate_limited']);

/** The error where one unit could not be read and others may be; null where it ends the run. */
export function unitFailure(error: unknown): BillingError | null {
  if (!(error instanceof BillingError) || OF_EVERYTHING.has(error.code)) return null;
  return isUnreachable(error) ? null : error;
}

/**
 * Reads a unit. Where the service fails on it, that is kept as a problem under `place`, and the others go on; gives whether
 * it was read. Throws what ends the run, and any failure as long as nothing in this run was answered: then it may not be
 * the billing service that is asked.
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
