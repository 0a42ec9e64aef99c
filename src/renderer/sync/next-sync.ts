import type { ContractOutputs, ErrorValue } from '../../contract/index.ts';
import { isOfflineError } from '../errors/error-texts.ts';
import { parseDateTime } from '../texts/date-times.ts';

/** Setting for automatic syncs: never, once the service responds again, or also at regular intervals. */
type AutomaticSync = 'never' | 'back' | 'often';

type SyncStatus = Pick<ContractOutputs['sync']['status'], 'last' | 'running' | 'other_process' | 'scheduled'>;
type LastSync = NonNullable<SyncStatus['last']>;

/**
 * Event that starts the next sync: a user action, a response from the service, the schedule or the end of another
 * process, or a time in UTC milliseconds.
 */
export type NextSyncTrigger =
  | { readonly by: 'person' }
  | { readonly by: 'answer' }
  | { readonly by: 'schedule' }
  | { readonly by: 'others' }
  | { readonly by: 'clock'; readonly at: number };

const SYNC_INTERVAL_MS = 15 * 60_000;
const RETRY_DELAY_MS = 30_000;
const MAX_DELAY_MS = 60 * 60_000;
const PERSON: NextSyncTrigger = { by: 'person' };

/** Automatic syncs of this window: start of the last one in UTC milliseconds, and number of failures in a row. */
export interface AutoSyncAttempts {
  readonly startedAt: number;
  readonly failures: number;
}

/**
 * Returns the event that starts the next sync. `serviceError` is the reason why the service is unavailable, or null.
 * After an error that only a person can resolve, for example a rejected key, the next sync must be started manually.
 */
export function findNextSyncTrigger(
  automatic: AutomaticSync,
  { last, running, other_process, scheduled }: SyncStatus,
  serviceError: ErrorValue | null,
  attempts: AutoSyncAttempts,
): NextSyncTrigger {
  if (scheduled && running === null) return { by: 'schedule' };
  if (automatic === 'never' || running !== null || last === null) return PERSON;
  if (isOfflineError(serviceError)) return { by: 'answer' };
  const isOnlyRetry = automatic === 'back';
  if (other_process) return isOnlyRetry && !isOfflineError(last.error) ? PERSON : { by: 'others' };
  if (serviceError !== null && !serviceError.retryable) return PERSON;
  return scheduleNextSync(isOnlyRetry, last, attempts);
}

/** Schedules the next sync of a site whose service responds. The delay doubles with each failure. */
function scheduleNextSync(isOnlyRetry: boolean, last: LastSync, attempts: AutoSyncAttempts): NextSyncTrigger {
  const { startedAt, failures } = attempts;
  const { error } = last;
  const lastAt = parseDateTime(last.at) ?? 0;
  const earliest = lastAt + (error?.retry_after_ms ?? 0);
  const afterDelay = (delayMs: number): NextSyncTrigger => ({
    by: 'clock',
    at: Math.max(earliest, Math.max(lastAt, startedAt) + Math.min(MAX_DELAY_MS, delayMs * 2 ** failures)),
  });
  // If the service was offline and responds now, the sync starts at once, unless an attempt has failed since.
  if (isOfflineError(error)) return failures === 0 ? { by: 'clock', at: lastAt } : afterDelay(RETRY_DELAY_MS);
  if (isOnlyRetry || (error !== null && !error.retryable)) return PERSON;
  return afterDelay(SYNC_INTERVAL_MS);
}
