/**
 * Derives which webhooks the service must have generated but did not, for example while an endpoint was disabled. The
 * stored transactions, statements and allocations and the service's events show what happened; the stored log shows
 * which webhooks exist. What the records cannot show is listed as unknown.
 */

export type {
  DatedAllocation,
  DatedEvent,
  DatedStatement,
  DatedTransaction,
  NotificationRecords,
  TimeRange,
} from './expected-notifications.ts';
export {
  findMissingWebhooks,
  LOG_MARGIN_MS,
  type MissingWebhook,
  RECORD_MARGIN_MS,
  type StoredLog,
  type UncertaintyReason,
  uncertaintyReasons,
} from './missing-webhooks.ts';
export type { LoggedNotification, NotificationSource } from './notification.ts';
export { type ReconstructedWebhook, reconstructWebhook, toReconstructedId } from './reconstructed-webhook.ts';
export {
  type FeedState,
  feedStates,
  listUnknownEvents,
  type RecordCoverage,
  type UnknownEvent,
  type UnknownReason,
  unknownReasons,
} from './unknown-events.ts';
