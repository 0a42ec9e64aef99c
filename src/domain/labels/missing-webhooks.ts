import type { MissingWebhookList, MissingWebhookRow } from '../../contract/index.ts';

/** Labels of missing webhooks, shared by the window and the command line. */
export const uncertaintyLabels: Record<NonNullable<MissingWebhookRow['uncertainty']>, string> = {
  outside_log: 'Log does not cover this time',
  event_not_in_log: 'Event never occurs in the log',
  unidentified_webhook: 'A webhook at this time names no subscription',
  signup: 'May be part of a signup',
};

export const missingWebhookSourceLabels: Record<MissingWebhookRow['sources'][number], string> = {
  transaction: 'Transaction',
  statement: 'Statement',
  allocation: 'Allocation',
  statement_event: 'Event on a statement',
  events_feed: 'Events feed',
};

/** Reasons why more webhooks of an event may be missing than the list shows. */
export const unknownReasonLabels: Record<MissingWebhookList['unknown'][number]['reason'], string> = {
  statements_incomplete: 'not all statements are stored up to the end of this time range',
  allocations_incomplete: 'not all allocations are stored up to the end of this time range',
  feed_not_read: 'the service’s events have not been read for this time range',
  feed_unavailable: 'the service has no events feed',
  feed_incomplete: 'the service’s events were only partly read',
};

/** Returns one sentence per reason, with the events that it leaves unknown. */
export function describeUnknownEvents(unknown: MissingWebhookList['unknown']): string[] {
  return [...Map.groupBy(unknown, ({ reason }) => reason)].map(
    ([reason, events]) =>
      `Unknown: ${events.map(({ event }) => event).join(', ')}, because ${unknownReasonLabels[reason]}.`,
  );
}
