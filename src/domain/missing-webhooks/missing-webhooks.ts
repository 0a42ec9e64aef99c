import {
  deriveExpectedNotifications,
  type NotificationRecords,
  type TimeRange,
} from './expected-notifications.ts';
import type { ExpectedNotification, LoggedNotification } from './notification.ts';
import { pairByIdentity } from './pair-by-identity.ts';

/**
 * Reason why it is unknown whether a notification is missing. `outside_log`: the stored log does not cover its time.
 * `event_not_in_log`: the log contains no webhook of this event, so the site may not receive it. `unidentified_webhook`:
 * a webhook of the same event and hour names no subscription. `signup`: the change may be part of a signup.
 */
export const uncertaintyReasons = [
  'outside_log',
  'event_not_in_log',
  'unidentified_webhook',
  'signup',
] as const;
export type UncertaintyReason = (typeof uncertaintyReasons)[number];

/** A notification without a webhook in the stored log. */
export interface MissingWebhook extends ExpectedNotification {
  /** Null if the notification is missing. Otherwise the reason why this is unknown. */
  readonly uncertainty: UncertaintyReason | null;
}

/** The stored part of the webhook log. */
export interface StoredLog {
  /** Webhooks in and around the time range. */
  readonly webhooks: readonly LoggedNotification[];
  /** Time range within which every webhook is stored, or null if the log was never read completely. */
  readonly complete: TimeRange | null;
  /** Events of which the stored log contains at least one webhook at any time. */
  readonly events: ReadonlySet<string>;
}

/** Maximum time between an event and the creation of its webhook, as in the checks of the records. */
const WEBHOOK_TOLERANCE_MS = 3_600_000;

/** Time around the range, in milliseconds, within which records are needed. */
export const RECORD_MARGIN_MS = 2 * WEBHOOK_TOLERANCE_MS;
/** Time around the range, in milliseconds, within which webhooks are needed. A webhook may be created with a delay. */
export const LOG_MARGIN_MS = 86_400_000;

/**
 * Returns the notifications that the service must have generated in a time range but that no webhook of the stored log
 * reports, oldest first. `records` and `log` must include the margins around the range.
 */
export function findMissingWebhooks(
  records: NotificationRecords,
  log: StoredLog,
  range: TimeRange,
): MissingWebhook[] {
  const expected = deriveExpectedNotifications(records, {
    from: range.from - RECORD_MARGIN_MS,
    to: range.to + RECORD_MARGIN_MS,
  });
  const reported = pairByIdentity(expected, log.webhooks, WEBHOOK_TOLERANCE_MS);
  const logged = new Set(reported.values());
  const closings = indexStatementWebhooks(log.webhooks);
  const unidentified = log.webhooks.filter((each) => each.subscription_id === null && !reported.has(each));
  return expected
    .filter(({ at }) => at >= range.from && at <= range.to)
    .filter((item) => !logged.has(item) && !isReportedByClosing(item, closings))
    .map((item) => ({ ...item, uncertainty: findUncertainty(item, log, unidentified) }));
}

/** Returns the times of the webhooks about each statement. */
function indexStatementWebhooks(webhooks: readonly LoggedNotification[]): ReadonlyMap<number, number[]> {
  const times = new Map<number, number[]>();
  for (const { statement_id, at } of webhooks) {
    if (statement_id === null) continue;
    const known = times.get(statement_id);
    if (known === undefined) times.set(statement_id, [at]);
    else known.push(at);
  }
  return times;
}

/** Returns true if the closing of the statement was reported, as closed or as settled. */
const isReportedByClosing = (
  { statement_id, event, at }: ExpectedNotification,
  closings: ReadonlyMap<number, number[]>,
): boolean =>
  event === 'statement_closed' &&
  statement_id !== null &&
  (closings.get(statement_id) ?? []).some((time) => Math.abs(time - at) <= WEBHOOK_TOLERANCE_MS);

function findUncertainty(
  { event, at, mayBeSignup }: ExpectedNotification,
  { complete, events }: StoredLog,
  unidentified: readonly LoggedNotification[],
): UncertaintyReason | null {
  if (complete === null || at < complete.from || at > complete.to) return 'outside_log';
  if (!events.has(event)) return 'event_not_in_log';
  const mayReport = (webhook: LoggedNotification) =>
    webhook.event === event && Math.abs(webhook.at - at) <= WEBHOOK_TOLERANCE_MS;
  if (unidentified.some(mayReport)) return 'unidentified_webhook';
  return mayBeSignup ? 'signup' : null;
}
