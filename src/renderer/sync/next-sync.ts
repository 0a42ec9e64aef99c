import type { ErrorValue, Outputs } from '../../contract/index.ts';
import { isOfflineError } from '../errors/error-texts.ts';
import { parseInstant } from '../texts/moments.ts';

/** When a site is synced automatically: never, as soon as the service responds again, or also at a regular interval. */
export type AutomaticSync = 'never' | 'back' | 'often';

type SyncStatus = Pick<Outputs['sync']['status'], 'last' | 'running' | 'other_process' | 'scheduled'>;
type LastSync = NonNullable<SyncStatus['last']>;

/**
 * What starts the next sync: a person, a response of the service, another process with a schedule, the end of another process's
 * work, or the clock (UTC milliseconds).
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

/** Automatic syncs started in this window: when the last one started (UTC milliseconds), and how many failed in a row. */
export interface SyncAttempts {
  readonly startedAt: number;
  readonly failures: number;
}

/**
 * Returns what starts the next sync. `serviceError` is the reason why the service is unavailable, or null. Errors that only a
 * person can resolve, for example a rejected key, wait for a person.
 */
export function findNextSyncTrigger(
  automatic: AutomaticSync,
  { last, running, other_process, scheduled }: SyncStatus,
  serviceError: ErrorValue | null,
  attempts: SyncAttempts,
): NextSyncTrigger {
  if (scheduled && running === null) return { by: 'schedule' };
  if (automatic === 'never' || running !== null || last === null) return PERSON;
  if (isOfflineError(serviceError)) return { by: 'answer' };
  const isOnlyRetry = automatic === 'back';
  if (other_process) return isOnlyRetry && !isOfflineError(last.error) ? PERSON : { by: 'others' };
  if (serviceError !== null && !serviceError.retryable) return PERSON;
  return scheduleNextSync(isOnlyRetry, last, attempts);
}

/** Schedules the next sync for a service that responds. Each failure doubles the delay. */
function scheduleNextSync(isOnlyRetry: boolean, last: LastSync, attempts: SyncAttempts): NextSyncTrigger {
  const { startedAt, failures } = attempts;
  const { error } = last;
  const lastAt = parseInstant(last.at) ?? 0;
  const earliest = lastAt + (error?.retry_after_ms ?? 0);
  const afterDelay = (delayMs: number): NextSyncTrigger => ({
    by: 'clock',
    at: Math.max(earliest, Math.max(lastAt, startedAt) + Math.min(MAX_DELAY_MS, delayMs * 2 ** failures)),
  });
  // The service was offline at the last sync and responds now: sync at once, unless an attempt has failed since.
  if (isOfflineError(error)) return failures === 0 ? { by: 'clock', at: lastAt } : afterDelay(RETRY_DELAY_MS);
  if (isOnlyRetry || (error !== null && !error.retryable)) return PERSON;
  return afterDelay(SYNC_INTERVAL_MS);
}
