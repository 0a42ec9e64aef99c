import type { ErrorValue, Outputs } from '../../contract/index.ts';
import { isOfflineError } from '../errors/error-texts.ts';
import { parseInstant } from '../texts/moments.ts';

/** When a site is synced without being asked: never, as soon as its service answers again, or that and regularly besides. */
export type AutomaticSync = 'never' | 'back' | 'often';

type SyncState = Pick<Outputs['sync']['status'], 'last' | 'running' | 'other_process' | 'scheduled'>;

/**
 * What makes the next sync begin: a person, an answer of the service, another process that syncs the site on a schedule or
 * that is at work on it and will be done, or a moment (ms UTC).
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

/**
 * What makes the next sync begin. `reach` is why the service cannot be asked just now, null where it answers; `tried` is
 * when one was last begun here by itself, and `failures` how many of those failed in a row: each doubles the pause, up to
 * an hour. Where another process has the site on a schedule, it is left to that one. A key that was refused, and whatever else only a person can mend, waits for one.
 */
export function findNextSyncTrigger(
  automatic: AutomaticSync,
  { last, running, other_process, scheduled }: SyncState,
  reach: ErrorValue | null,
  { tried, failures }: { readonly tried: number; readonly failures: number },
): NextSyncTrigger {
  if (scheduled && running === null) return { by: 'schedule' };
  if (automatic === 'never' || running !== null || last === null) return PERSON;
  if (isOfflineError(reach)) return { by: 'answer' };
  if (other_process) return automatic === 'back' && !isOfflineError(last.error) ? PERSON : { by: 'others' };
  if (reach !== null && !reach.retryable) return PERSON;
  const at = parseInstant(last.at) ?? 0;
  // Nor before the service wants to be asked again.
  const wanted = at + (last.error?.retry_after_ms ?? 0);
  const after = (pause: number): NextSyncTrigger => ({
    by: 'clock',
    at: Math.max(wanted, Math.max(at, tried) + Math.min(MAX_DELAY_MS, pause * 2 ** failures)),
  });
  // It was away when it was last asked, and answers now: at once, but for one that only seems to.
  if (isOfflineError(last.error)) return failures === 0 ? { by: 'clock', at } : after(RETRY_DELAY_MS);
  if (last.error !== null && !last.error.retryable) return PERSON;
  return automatic === 'back' ? PERSON : after(SYNC_INTERVAL_MS);
}
