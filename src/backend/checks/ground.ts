import { type CheckContext, type LogWindow, rules } from '../../domain/tieout/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { lastSyncBegan, logEnds, missingOnes } from '../store/checks/check-ground.ts';
import type { RecordContext } from '../store/checks/check-records.ts';
import { type CheckState, checkState } from '../store/checks/check-state.ts';
import { switchedOff } from '../store/checks/rule-switch.ts';
import type { ReadableDb } from '../store/database.ts';
import { unitsNamed } from '../store/sync/sync-marks.ts';
import { partState } from '../store/sync/sync-unit.ts';
import { noteClock, serviceTime } from './clock.ts';

/** What a check stands on: what is known besides the rows of a subscription. */
export interface Ground {
  readonly context: CheckContext & { readonly disabled: ReadonlySet<string>; readonly log: LogWindow | null };
  readonly records: RecordContext;
  /** The checks’ own state, with what was learned just now; to be saved when the check ends. */
  readonly state: CheckState;
  /** Up to here, by the service’s clock, everything that would be there is. */
  readonly horizon: number;
}

/** Reads what a check stands on. `now`: our clock, ms UTC. */
export function groundOf({ cache, books }: Pick<OpenSite, 'cache' | 'books'>, now: number): Ground {
  const kept = checkState(cache);
  const ends = logEnds(cache);
  const { skew = 0 } = partState<{ skew?: number }>(cache, 'webhooks')?.checkpoint ?? {};
  const newest = ends?.newest ?? 0;
  // No webhook is made before its time: the newest shows how late it is at the service, at least.
  const ahead = Math.max(skew, newest - now);
  const clock = noteClock(kept.clock, lastSyncBegan(cache) ?? now, ahead);
  const log = logWindow(cache, ends, kept.log_from, clock);
  const service = Math.max(now, now + skew, newest);
  return {
    context: { now: service, disabled: offNow(books), log, habits: new Map(kept.habits_since) },
    records: {
      serviceTime: (moment) => serviceTime(clock, moment),
      isComplete: completeness(cache),
      bodies: false,
    },
    state: { ...kept, clock, log_from: log?.from ?? kept.log_from },
    horizon: Math.min(service, log?.to ?? service),
  };
}

/** The rules as they are applied now, as text: where it differs from the last full check’s, everything is to be checked anew. */
export function rulesInForce(off: ReadonlySet<string>): string {
  return rules.map(({ id, version }) => `${id} ${off.has(id) ? 'off' : version}`).join(', ');
}

/** Why everything should be checked anew, in a sentence; null where it need not be. */
export function staleness({ cache, books }: { cache: ReadableDb; books: ReadableDb }): string | null {
  const { full_at, rules, whole } = checkState(cache);
  if (full_at === null) return 'Not everything that is held was checked yet.';
  if (!whole && isWhole(cache)) return 'More is held than when everything was last checked.';
  return rules === rulesInForce(offNow(books)) ? null : 'The rules are not those of the last full check.';
}

/** Whether webhooks and statements were read to their end. */
export function isWhole(cache: ReadableDb): boolean {
  return partState(cache, 'webhooks')?.complete === true && partState(cache, 'statements')?.complete === true;
}

/** The rules that are switched off now. */
export function offNow(books: ReadableDb): ReadonlySet<string> {
  return new Set(switchedOff(books).map(({ rule }) => rule));
}

/** A day of the service may begin and end so much later than in UTC. */
const LATEST_DAY = 14 * 3_600_000;

/** From when to when the webhook log is held whole; null where it never was read to its end. */
function logWindow(
  cache: ReadableDb,
  ends: { oldest: number; newest: number } | null,
  known: number | null,
  clock: CheckState['clock'],
): LogWindow | null {
  const part = partState(cache, 'webhooks');
  if (part?.synced_at == null || ends === null) return null;
  const windows = unitsNamed<{ since?: string | null }>(cache, 'webhooks', 'window ');
  const since = windows.reduce<string | null | undefined>((first, window) => {
    const day = window.since ?? null;
    return first === undefined || day === null || (first !== null && day < first) ? day : first;
  }, undefined);
  const from =
    since == null ? ends.oldest : Math.max(ends.oldest, Date.parse(`${since}T00:00:00Z`) + LATEST_DAY);
  const to = serviceTime(clock, part.synced_at);
  return { from: Math.min(from, known ?? from), to: part.complete ? Math.max(to, ends.newest) : to };
}

/** Whether all statements of a subscription are held. One that is missing may be anybody’s, unless something tells whose it is. */
function completeness(cache: ReadableDb): (subscription_id: number) => boolean {
  const part = partState(cache, 'statements');
  if (part === null) return () => false;
  if (part.complete) return () => true;
  const missing = missingOnes(cache);
  if (missing.some(({ subscription_id }) => subscription_id === null)) return () => false;
  const lacking = new Set(missing.map(({ subscription_id }) => subscription_id));
  return (subscription_id) => !lacking.has(subscription_id);
}
