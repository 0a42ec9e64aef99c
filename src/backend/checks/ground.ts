import { type CheckContext, checkRules, type WebhookLogWindow } from '../../domain/checks/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { lastSyncBegan, logEnds, missingOnes } from '../store/checks/check-ground.ts';
import { type CheckState, checkState } from '../store/checks/check-state.ts';
import type { RecordContext } from '../store/checks/record-context.ts';
import { switchedOff } from '../store/checks/rule-switch.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { unitsNamed } from '../store/sync/sync-marks.ts';
import { partState } from '../store/sync/sync-unit.ts';
import { addClockReading, toServiceTime } from './clock.ts';

/** Context of a check: what is known besides the rows of a subscription. */
export interface CheckInputs {
  readonly context: CheckContext & {
    readonly disabled: ReadonlySet<string>;
    readonly webhookLog: WebhookLogWindow | null;
  };
  readonly records: RecordContext;
  /** The stored state of the checks, plus what was just learned. Saved when the check ends. */
  readonly state: CheckState;
  /** Instant by the service's clock up to which all records are expected to be stored. */
  readonly horizon: number;
}

/** Reads the context of a check. `now` is UTC milliseconds, local clock. */
export function readCheckInputs(
  { cache, books }: Pick<OpenSite, 'cache' | 'books'>,
  now: number,
): CheckInputs {
  const kept = checkState(cache);
  const ends = logEnds(cache);
  const { skew = 0 } = partState<{ skew?: number }>(cache, 'webhooks')?.checkpoint ?? {};
  const newest = ends?.newest ?? 0;
  // No webhook is created in the future, so the newest one is a lower limit of the service's clock.
  const ahead = Math.max(skew, newest - now);
  const clock = addClockReading(kept.clock, lastSyncBegan(cache) ?? now, ahead);
  const log = logWindow(cache, ends, kept.log_from, clock);
  const service = Math.max(now, now + skew, newest);
  return {
    context: {
      now: service,
      disabled: disabledRules(books),
      webhookLog: log,
      habits: new Map(kept.habits_since),
    },
    records: {
      serviceTime: (moment) => toServiceTime(clock, moment),
      isComplete: completeness(cache),
      bodies: false,
    },
    state: { ...kept, clock, log_from: log?.from ?? kept.log_from },
    horizon: Math.min(service, log?.to ?? service),
  };
}

/**
 * Returns the rules in force as text. If it differs from the text at the last full check, everything must be checked
 * again.
 */
export function describeRulesInForce(off: ReadonlySet<string>): string {
  return checkRules.map(({ id, version }) => `${id} ${off.has(id) ? 'off' : version}`).join(', ');
}

/** Returns a sentence about why everything should be checked again, or null. */
export function reasonForFullCheck({
  cache,
  books,
}: {
  cache: ReadableDb;
  books: ReadableDb;
}): string | null {
  const { full_at, rules, whole } = checkState(cache);
  if (full_at === null) return 'Not everything that is held was checked yet.';
  if (!whole && isLogAndStatementsComplete(cache))
    return 'More is held than when everything was last checked.';
  return rules === describeRulesInForce(disabledRules(books))
    ? null
    : 'The rules are not those of the last full check.';
}

/** Returns true if webhooks and statements were read to their end. */
export function isLogAndStatementsComplete(cache: ReadableDb): boolean {
  return partState(cache, 'webhooks')?.complete === true && partState(cache, 'statements')?.complete === true;
}

/** Returns the rules that are switched off. */
export function disabledRules(books: ReadableDb): ReadonlySet<string> {
  return new Set(switchedOff(books).map(({ rule }) => rule));
}

/** Maximum milliseconds by which a day of the service may begin and end later than in UTC. */
const LATEST_DAY = 14 * 3_600_000;

/** Returns the time range in which the stored webhook log is complete, or null if it was never read to its end. */
function logWindow(
  cache: ReadableDb,
  ends: { oldest: number; newest: number } | null,
  known: number | null,
  clock: CheckState['clock'],
): WebhookLogWindow | null {
  const part = partState(cache, 'webhooks');
  if (part?.synced_at == null || ends === null) return null;
  const windows = unitsNamed<{ since?: string | null }>(cache, 'webhooks', 'window ');
  const since = windows.reduce<string | null | undefined>((first, window) => {
    const day = window.since ?? null;
    return first === undefined || day === null || (first !== null && day < first) ? day : first;
  }, undefined);
  const from =
    since == null ? ends.oldest : Math.max(ends.oldest, Date.parse(`${since}T00:00:00Z`) + LATEST_DAY);
  const to = toServiceTime(clock, part.synced_at);
  return { from: Math.min(from, known ?? from), to: part.complete ? Math.max(to, ends.newest) : to };
}

/**
 * Returns a function that tells whether all statements of a subscription are stored. A missing statement may belong to
 * any subscription unless something names it.
 */
function completeness(cache: ReadableDb): (subscription_id: number) => boolean {
  const part = partState(cache, 'statements');
  if (part === null) return () => false;
  if (part.complete) return () => true;
  const missing = missingOnes(cache);
  if (missing.some(({ subscription_id }) => subscription_id === null)) return () => false;
  const lacking = new Set(missing.map(({ subscription_id }) => subscription_id));
  return (subscription_id) => !lacking.has(subscription_id);
}
