import { z } from 'zod';
import { createSortSchema, field, toPageSchema } from '../shared/common-schemas.ts';
import { definePageMarksQuery, definePageQuery, defineSiteQuery } from '../shared/procedure-kinds.ts';

/** Delivery state. `failed`: not successful, with an error. `pending`: not successful, without an error. */
const deliverySchema = z.enum(['accepted', 'failed', 'pending']);
export type WebhookDeliveryState = z.infer<typeof deliverySchema>;

/** An entry of the webhook log (interface 2.1), with the IDs found in its body. */
export const webhookRowSchema = z.object({
  id: field.serviceId,
  event: z.string(),
  successful: z.boolean(),
  delivery: deliverySchema,
  created_at: field.moment.nullable(),
  accepted_at: field.moment.nullable(),
  last_sent_at: field.moment.nullable(),
  last_error_at: field.moment.nullable(),
  last_sent_url: z.string().nullable(),
  last_error: z.string().nullable(),
  subscription_id: field.serviceId.nullable(),
  statement_id: field.serviceId.nullable(),
});
export type WebhookRow = z.infer<typeof webhookRowSchema>;

const webhookDetailSchema = webhookRowSchema.extend({
  /** Webhook body as sent. */
  body: z.string(),
  body_form: z.enum(['form', 'json', 'object', 'unreadable']),
  /** Decoded fields of the body in order, including duplicates. Nested keys are joined with dots. */
  fields: z.array(z.object({ key: z.string(), value: z.string() })),
  signature: z.string().nullable(),
  extra: field.extra,
  /** Time at which the local copy was downloaded. */
  synced_at: field.moment,
  /** Replays of this webhook by Tieout, newest first. */
  replays: z.array(z.object({ job: z.string(), outcome: z.string(), sent_at: field.moment.nullable() })),
});
export type WebhookDetail = z.infer<typeof webhookDetailSchema>;

/** An instant in ISO 8601 format with offset. */
const instant = z.iso.datetime({ offset: true });

export const webhookFilterSchema = z.object({
  /** Delivery states to select, like the service's filter. `pending` selects failed webhooks without an error. */
  status: z.enum(['successful', 'failed', 'pending']).optional(),
  event: z.array(z.string()).optional(),
  /** First `created_at` day to include, in the site's time zone as written by the service. */
  since: field.date.optional(),
  until: field.date.optional(),
  /** Earliest `created_at` time to include, for example the start of an outage. */
  from: instant.optional(),
  to: instant.optional(),
  /** Words, IDs or a "quoted phrase" in the body, event or error. */
  search: field.search.optional(),
  subscription_id: field.serviceId.optional(),
  statement_id: field.serviceId.optional(),
  url: z.string().optional(),
  /** Normalized error group, as returned by `webhooks.errors`. */
  error: z.string().optional(),
});
export type WebhookFilter = z.infer<typeof webhookFilterSchema>;

export const webhookSortSchema = createSortSchema(['created_at', 'last_sent_at', 'event', 'id'], 'desc');

/** Webhooks that were not accepted, grouped by normalized `last_error`. */
export const webhookErrorGroupSchema = z.object({
  error: z.string(),
  count: z.int(),
  example: z.string(),
  /** Creation time of the first webhook in the error group. */
  first_at: field.moment.nullable(),
  last_at: field.moment.nullable(),
  /** Addresses to which the webhooks were last sent, without query, most frequent first. */
  urls: z.array(z.object({ url: z.string(), count: z.int() })),
});
export type WebhookErrorGroup = z.infer<typeof webhookErrorGroupSchema>;

/**
 * Kind of outage. `failures`: an address did not accept webhooks. `never_sent`: webhooks were never sent. `gap`: the
 * log has none for much longer than usual, so there is nothing to replay.
 */
export const outageKindSchema = z.enum(['failures', 'never_sent', 'gap']);
export type OutageKind = z.infer<typeof outageKindSchema>;

export const outageSchema = z.object({
  /** ID of the outage, which stays the same as long as the log shows the outage. */
  id: z.string(),
  kind: outageKindSchema,
  /** Creation time of the outage's first webhook, or of the last webhook before a gap. ISO 8601 in UTC. */
  from: field.moment,
  to: field.moment,
  /** Address of the endpoint without query. Empty if the log has none, null for a gap. */
  url: z.string().nullable(),
  /** Number of accepted webhooks to the address during the outage. */
  accepted: z.int(),
  failed: z.int(),
  /** Number of webhooks to the address during the outage that are neither accepted nor failed. */
  pending: z.int(),
  /** Most frequent error of the outage. */
  error: z.string().nullable(),
  /** Usual number of webhooks in a time range of the same length; null unless the outage is a gap. */
  expected: z.int().nullable(),
  /** True while the outage continues, because no later webhook has been accepted. */
  ongoing: z.boolean(),
  /** Filter that selects the webhooks to replay; null if there are none. */
  filter: webhookFilterSchema.nullable(),
});
export type Outage = z.infer<typeof outageSchema>;

const timelineSchema = z.object({
  /** Start time of the first bucket, ISO 8601 in UTC; null if no webhook matches. */
  from: field.moment.nullable(),
  to: field.moment.nullable(),
  /** Duration of a time bucket in milliseconds. */
  bucket_ms: z.int(),
  /** Webhook counts by delivery state, in consecutive time buckets by `created_at`. */
  buckets: z.array(z.object({ at: field.moment, accepted: z.int(), failed: z.int(), pending: z.int() })),
});
export type WebhookTimeline = z.infer<typeof timelineSchema>;

const selection = {
  filter: webhookFilterSchema.default({}),
  sort: webhookSortSchema,
};

export const webhookProcedures = {
  list: definePageQuery(selection).output(toPageSchema(webhookRowSchema)),
  marks: definePageMarksQuery(selection),
  get: defineSiteQuery({ id: field.serviceId }).output(webhookDetailSchema),
  /** Returns values for the filter bar: counts by delivery state and event, and the first and last stored day. */
  facets: defineSiteQuery().output(
    z.object({
      total: z.int(),
      delivery: z.object({ accepted: z.int(), failed: z.int(), pending: z.int() }),
      events: z.array(z.object({ event: z.string(), count: z.int(), failed: z.int() })),
      first_day: field.date.nullable(),
      last_day: field.date.nullable(),
    }),
  ),
  /** Lists error groups of webhooks that were not accepted, most frequent first. */
  errors: defineSiteQuery({ filter: webhookFilterSchema.default({}) }).output(
    z.array(webhookErrorGroupSchema),
  ),
  /** Lists outages of the merchant's endpoint, newest first. `more` counts older outages that are not listed. */
  outages: defineSiteQuery({ limit: z.int().min(1).max(500).default(100) }).output(
    z.object({ outages: z.array(outageSchema), more: z.int() }),
  ),
  /**
   * Returns the number of webhooks over time by delivery state, in a limited number of buckets. `from` and `to` in the
   * filter select a shorter range. With very many rows, a bucket is at least a day.
   */
  timeline: defineSiteQuery({
    filter: webhookFilterSchema.default({}),
    buckets: z.int().min(1).max(1000).default(200),
  }).output(timelineSchema),
};
