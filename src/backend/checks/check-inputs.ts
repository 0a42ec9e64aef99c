import { type CheckContext, checkRules, type WebhookLogWindow } from '../../domain/checks/index.ts';
import type { ReadOnlySite } from '../sites/read-only-databases.ts';
import {
  findLastSyncStart,
  findWebhookLogTimeRange,
  listMissingStatements,
} from '../store/checks/check-coverage.ts';
import { type CheckState, readCheckState } from '../store/checks/check-state.ts';
import type { CheckRecordContext } from '../store/checks/check-statements.ts';
import { listSwitchedOffRules } from '../store/checks/switched-off-rule.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { listSyncCheckpointsByPrefix } from '../store/sync/sync-checkpoints.ts';
import { readSyncPartState } from '../store/sync/sync-unit.ts';
import { addClockReading, toServiceTime } from './clock-readings.ts';

/** Inputs of a check that do not come from a single subscription's records. */
export interface CheckInputs {
  readonly context: CheckContext & {
    readonly disabled: ReadonlySet<string>;
    readonly webhookLog: WebhookLogWindow | null;
  };
  readonly records: CheckRecordContext;
  /** Stored state of the checks, updated by this check. Saved when the check ends. */
  readonly state: CheckState;
  /** Time in UTC milliseconds, by the service's clock, up to which all records are expected to be stored. */
  readonly horizon: number;
}

/** Reads the inputs of a check. `now` is UTC milliseconds by the local clock. */
export function readCheckInputs(
  { cache, books }: Pick<ReadOnlySite, 'cache' | 'books'>,
  now: number,
): CheckInputs {
  const stored = readCheckState(cache);
  const ends = findWebhookLogTimeRange(cache);
  const { skew = 0 } = readSyncPartState<{ skew?: number }>(cache, 'webhooks')?.checkpoint ?? {};
  const newest = ends?.newest ?? 0;
  // Webhooks are never created in the future, so the service's clock is at least at the time of the newest one.
  const ahead = Math.max(skew, newest - now);
  const clock = addClockReading(stored.clock, findLastSyncStart(cache) ?? now, ahead);
  const log = findCompleteLogWindow(cache, ends, stored.log_from, clock);
  const service = Math.max(now, now + skew, newest);
  return {
    context: {
      now: service,
      disabled: listDisabledRules(books),
      webhookLog: log,
      habits: new Map(stored.habits_since),
    },
    records: {
      serviceTime: (moment) => toServiceTime(clock, moment),
      isComplete: createCompletenessTest(cache),
      bodies: false,
    },
    state: { ...stored, clock, log_from: log?.from ?? stored.log_from },
    horizon: Math.min(service, log?.to ?? service),
  };
}

/** Lists the enabled rules with their versions. If this text has changed, the next check covers all records. */
export function describeRulesInForce(off: ReadonlySet<string>): string {
  return checkRules.map(({ id, version }) => `${id} ${off.has(id) ? 'off' : version}`).join(', ');
}

export function findReasonForFullCheck(site: { cache: ReadableDb; books: ReadableDb }): string | null {
  const { cache, books } = site;
  const { full_at, rules, whole } = readCheckState(cache);
  if (full_at === null) return 'Some stored data has not been checked yet.';
  if (!whole && areWebhooksAndStatementsComplete(cache)) return 'Data was added after the last full check.';
  return rules === describeRulesInForce(listDisabledRules(books))
    ? null
    : 'The rules changed after the last full check.';
}

/** Returns true if a sync has read all webhooks and statements. */
export function areWebhooksAndStatementsComplete(cache: ReadableDb): boolean {
  return (
    readSyncPartState(cache, 'webhooks')?.complete === true &&
    readSyncPartState(cache, 'statements')?.complete === true
  );
}

/** Returns the ids of the rules that are switched off. */
export function listDisabledRules(books: ReadableDb): ReadonlySet<string> {
  return new Set(listSwitchedOffRules(books).map(({ rule }) => rule));
}

/** Maximum number of milliseconds by which a day may begin later in the service's time zone than in UTC. */
const MAX_TIME_ZONE_LAG_MS = 14 * 3_600_000;

/** Returns the time range in which the stored webhook log is complete, or null if it was never read completely. */
function findCompleteLogWindow(
  cache: ReadableDb,
  ends: { oldest: number; newest: number } | null,
  knownFrom: number | null,
  clock: CheckState['clock'],
): WebhookLogWindow | null {
  const part = readSyncPartState(cache, 'webhooks');
  if (part?.synced_at == null || ends === null) return null;
  const windows = listSyncCheckpointsByPrefix<{ since?: string | null }>(cache, 'webhooks', 'window ');
  const since = windows.reduce<string | null | undefined>((first, window) => {
    const day = window.since ?? null;
    return first === undefined || day === null || (first !== null && day < first) ? day : first;
  }, undefined);
  const from =
    since == null
      ? ends.oldest
      : Math.max(ends.oldest, Date.parse(`${since}T00:00:00Z`) + MAX_TIME_ZONE_LAG_MS);
  const to = toServiceTime(clock, part.synced_at);
  return { from: Math.min(from, knownFrom ?? from), to: part.complete ? Math.max(to, ends.newest) : to };
}

/**
 * Creates a function that returns true if all statements of a subscription are stored. A missing statement with an
 * unknown subscription makes every subscription incomplete.
 */
function createCompletenessTest(cache: ReadableDb): (subscription_id: number) => boolean {
  const part = readSyncPartState(cache, 'statements');
  if (part === null) return () => false;
  if (part.complete) return () => true;
  const missing = listMissingStatements(cache);
  if (missing.some(({ subscription_id }) => subscription_id === null)) return () => false;
  const incompleteSubscriptions = new Set(missing.map(({ subscription_id }) => subscription_id));
  return (subscription_id) => !incompleteSubscriptions.has(subscription_id);
}
