import { z } from 'zod';
import {
  calendarDate,
  direction,
  extra,
  marksInput,
  marksOutput,
  moment,
  pageInput,
  pageOf,
  serviceId,
  siteName,
} from '../shared/common-schemas.ts';
import { query } from '../shared/procedure-kinds.ts';

/**
 * Delivery state, from the log's fields only. `accepted`: successful. `failed`: not successful, with an error. `pending`:
 * not successful, without an error, so never sent or queued again by a replay.
 */
export const delivery = z.enum(['accepted', 'failed', 'pending']);
export type Delivery = z.infer<typeof delivery>;

/** A row of the webhook log (interface 2.1), with IDs found in its body. */
export const webhookRow = z.object({
  id: serviceId,
  event: z.string(),
  successful: z.boolean(),
  delivery,
  created_at: moment.nullable(),
  accepted_at: moment.nullable(),
  last_sent_at: moment.nullable(),
  last_error_at: moment.nullable(),
  last_sent_url: z.string().nullable(),
  last_error: z.string().nullable(),
  subscription_id: serviceId.nullable(),
  statement_id: serviceId.nullable(),
});
export type WebhookRow = z.infer<typeof webhookRow>;

export const webhookDetail = webhookRow.extend({
  /** The body as sent. */
  body: z.string(),
  body_form: z.enum(['form', 'json', 'object', 'unreadable']),
  /** Decoded fields in order. Nested keys are joined with dots. Duplicates are kept. */
  fields: z.array(z.object({ key: z.string(), value: z.string() })),
  signature: z.string().nullable(),
  extra,
  /** When the local copy was downloaded. */
  synced_at: moment,
  /** Replays of this webhook by Tieout, newest first. */
  replays: z.array(z.object({ job: z.string(), outcome: z.string(), sent_at: moment.nullable() })),
});
export type WebhookDetail = z.infer<typeof webhookDetail>;

/** An instant in ISO 8601 format with offset. */
const instant = z.iso.datetime({ offset: true });

export const webhookFilter = z.object({
  /** `successful` and `failed` work like the service's filter. `pending` selects failed webhooks without an error. */
  status: z.enum(['successful', 'failed', 'pending']).optional(),
  event: z.array(z.string()).optional(),
  /** Range of `created_at` days, inclusive, in the site's time zone as written by the service. */
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  /** Range of `created_at` instants, inclusive, such as those of an outage. */
  from: instant.optional(),
  to: instant.optional(),
  /** Words, IDs or a "quoted phrase" in the body, event or error. */
  search: z.string().max(200).optional(),
  subscription_id: serviceId.optional(),
  statement_id: serviceId.optional(),
  url: z.string().optional(),
  /** Normalized error group, as returned by `webhooks.errors`. */
  error: z.string().optional(),
});
export type WebhookFilter = z.infer<typeof webhookFilter>;

export const webhookSort = z.object({
  by: z.enum(['created_at', 'last_sent_at', 'event', 'id']).default('created_at'),
  direction: direction.default('desc'),
});

/** Webhooks that were not accepted, grouped by normalized `last_error`. */
export const errorGroup = z.object({
  error: z.string(),
  count: z.int(),
  example: z.string(),
  /** When the first and last of them were created. */
  first_at: moment.nullable(),
  last_at: moment.nullable(),
  /** Addresses they were last sent to, without query, most frequent first. */
  urls: z.array(z.object({ url: z.string(), count: z.int() })),
});
export type ErrorGroup = z.infer<typeof errorGroup>;

/**
 * Kind of outage. `failures`: an address did not accept webhooks for a while. `never_sent`: webhooks were never sent, for
 * example while the service paused the endpoint. `hole`: the log has no webhooks for much longer than usual, for example
 * while the service disabled the endpoint. A hole has nothing to replay.
 */
export const outageKind = z.enum(['failures', 'never_sent', 'hole']);
export type OutageKind = z.infer<typeof outageKind>;

export const outage = z.object({
  /** Identifies the outage as long as the log shows it. */
  id: z.string(),
  kind: outageKind,
  /** `created_at` of its first and last webhook, or of the webhooks around a hole. ISO 8601 in UTC. */
  from: moment,
  to: moment,
  /** Address without query. Empty if the log has none. Null for a hole. */
  url: z.string().nullable(),
  /** Webhooks to that address in that time, by delivery state. */
  accepted: z.int(),
  failed: z.int(),
  pending: z.int(),
  /** Most frequent error. */
  error: z.string().nullable(),
  /** For a hole, the number of webhooks usual in such a time. */
  expected: z.int().nullable(),
  /** True if nothing was accepted since. */
  ongoing: z.boolean(),
  /** Filter that selects the webhooks to replay. Null if there are none. */
  filter: webhookFilter.nullable(),
});
export type Outage = z.infer<typeof outage>;

export const timeline = z.object({
  /** Start of the first bucket and end of the last, ISO 8601 in UTC. Null if no webhook matches. */
  from: moment.nullable(),
  to: moment.nullable(),
  /** Duration of a bucket in milliseconds. */
  bucket_ms: z.int(),
  /** Consecutive buckets by `created_at`. */
  buckets: z.array(z.object({ at: moment, accepted: z.int(), failed: z.int(), pending: z.int() })),
});
export type Timeline = z.infer<typeof timeline>;

const selection = {
  site: siteName,
  filter: webhookFilter.default({}),
  sort: webhookSort.default({ by: 'created_at', direction: 'desc' }),
};

export const webhooks = {
  list: query.input(pageInput.extend(selection)).output(pageOf(webhookRow)),
  marks: query.input(z.object({ ...selection, ...marksInput })).output(marksOutput),
  get: query.input(z.object({ site: siteName, id: serviceId })).output(webhookDetail),
  /** Returns values for the filter bar: counts by delivery state and event, and the first and last stored day. */
  facets: query.input(z.object({ site: siteName })).output(
    z.object({
      total: z.int(),
      delivery: z.object({ accepted: z.int(), failed: z.int(), pending: z.int() }),
      events: z.array(z.object({ event: z.string(), count: z.int(), failed: z.int() })),
      first_day: calendarDate.nullable(),
      last_day: calendarDate.nullable(),
    }),
  ),
  /** Lists error groups of webhooks that were not accepted, most frequent first. */
  errors: query
    .input(z.object({ site: siteName, filter: webhookFilter.default({}) }))
    .output(z.array(errorGroup)),
  /** Lists outages of the merchant's endpoint, newest first. `more` counts older outages that are not listed. */
  outages: query
    .input(z.object({ site: siteName, limit: z.int().min(1).max(500).default(100) }))
    .output(z.object({ outages: z.array(outage), more: z.int() })),
  /**
   * Returns the number of webhooks over time by delivery state, in a limited number of buckets. `from` and `to` in the
   * filter select a shorter range. With very many rows, a bucket is at least a day.
   */
  timeline: query
    .input(
      z.object({
        site: siteName,
        filter: webhookFilter.default({}),
        buckets: z.int().min(1).max(1000).default(200),
      }),
    )
    .output(timeline),
};
