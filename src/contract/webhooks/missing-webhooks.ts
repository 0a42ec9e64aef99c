import { z } from 'zod';
import { field, oneTimeFileHandleSchema } from '../shared/common-schemas.ts';
import { defineRemoteSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';

/** A time range: that of an outage or gap, or one with a start and an end (ISO 8601). */
const range = z.union([
  z.object({ outage: z.string().max(100) }),
  z.object({ from: z.string().max(40), to: z.string().max(40) }),
]);
export type MissingWebhookRange = z.infer<typeof range>;

/** A webhook that the service must have generated, according to stored records, but that is not in the stored log. */
export const missingWebhookSchema = z.object({
  /** Always true: Tieout composed the webhook. The service has neither sent nor signed it. */
  reconstructed: z.literal(true),
  /** ID that no webhook of the service can have. It stays the same. */
  id: z.string(),
  event: z.string(),
  /** Time of the event. */
  at: field.moment,
  subscription_id: field.serviceId.nullable(),
  transaction_id: field.serviceId.nullable(),
  statement_id: field.serviceId.nullable(),
  component_id: field.serviceId.nullable(),
  event_id: field.serviceId.nullable(),
  /** Records that show the event. */
  sources: z.array(z.enum(['transaction', 'statement', 'allocation', 'statement_event', 'events_feed'])),
  /**
   * Null if the webhook is missing; otherwise the reason why this is unknown. `outside_log`: the stored log does not
   * cover the time. `event_not_in_log`: the log contains no webhook of this event. `unidentified_webhook`: a webhook of
   * the same event and hour names no subscription. `signup`: the change may be part of a signup.
   */
  uncertainty: z.enum(['outside_log', 'event_not_in_log', 'unidentified_webhook', 'signup']).nullable(),
  /** Reconstructed body in the service's form encoding, marked as reconstructed. */
  body: z.string(),
});
export type MissingWebhookRow = z.infer<typeof missingWebhookSchema>;

/** State of the stored events feed. A service without a feed is `unavailable`. */
const feedState = z.enum(['complete', 'incomplete', 'unavailable', 'not_read']);

const missingWebhookList = z.object({
  from: field.moment,
  to: field.moment,
  /** True if all records of a kind are stored up to the end of the time range. */
  coverage: z.object({ statements: z.boolean(), allocations: z.boolean(), feed: feedState }),
  /** Events of which more webhooks may be missing than the stored records show. */
  unknown: z.array(
    z.object({
      event: z.string(),
      reason: z.enum([
        ...(['statements_incomplete', 'allocations_incomplete', 'feed_not_read'] as const),
        ...(['feed_unavailable', 'feed_incomplete'] as const),
      ]),
    }),
  ),
  /** Number of webhooks that are missing, and number of those of which this is unknown. */
  missing: z.int(),
  unconfirmed: z.int(),
  by_event: z.array(z.object({ event: z.string(), missing: z.int(), unconfirmed: z.int() })),
  rows: z.array(missingWebhookSchema),
  /** Number of webhooks beyond the limit. */
  more: z.int(),
});
export type MissingWebhookList = z.infer<typeof missingWebhookList>;

export const missingWebhookProcedures = {
  /** Lists the webhooks that the service must have generated in a time range but that are not in the stored log. */
  list: defineSiteQuery({ range, limit: z.int().min(0).max(5000).default(500) }).output(missingWebhookList),
  /** Returns a file with all reconstructed webhooks of a time range and what is unknown. */
  export: defineSiteQuery({ range, format: z.enum(['csv', 'json']) }).output(oneTimeFileHandleSchema),
  /** Reads and stores the service's events of a time range. Older services have no events feed. */
  readEvents: defineRemoteSiteCommand({ range }).output(
    z.object({ state: feedState.exclude(['not_read']), events: z.int() }),
  ),
};
