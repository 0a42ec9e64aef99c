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
 * Delivery state, from the log's fields only: `accepted` (successful), `failed` (not successful and an error is recorded),
 * `pending` (not successful and no error: never sent, or queued again by a replay).
 */
export const delivery = z.enum(['accepted', 'failed', 'pending']);
export type Delivery = z.infer<typeof delivery>;

/** A row of the webhook log (interface 2.1), with the hints its body gives. */
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
  /** The body as posted. */
  body: z.string(),
  body_form: z.enum(['form', 'json', 'object', 'unreadable']),
  /** The decoded body in order, nested keys dotted; duplicates kept. */
  fields: z.array(z.object({ key: z.string(), value: z.string() })),
  signature: z.string().nullable(),
  extra,
  /** When our copy was read from the service. */
  synced_at: moment,
  /** What our own replays did with this webhook, newest first. */
  replays: z.array(z.object({ job: z.string(), outcome: z.string(), sent_at: moment.nullable() })),
});
export type WebhookDetail = z.infer<typeof webhookDetail>;

/** An instant as ISO 8601 with its offset. */
const instant = z.iso.datetime({ offset: true });

export const webhookFilter = z.object({
  /** `successful` and `failed` as the service's own filter; `pending` is the part of failed without an error. */
  status: z.enum(['successful', 'failed', 'pending']).optional(),
  event: z.array(z.string()).optional(),
  /** First and last day of created_at, in the calendar of the site as the service writes it. */
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  /** First and last instant of created_at, both included: an outage's, or a piece of the timeline's. */
  from: instant.optional(),
  to: instant.optional(),
  /** Words, ids or a "quoted phrase" in the body, the event or the error. */
  search: z.string().max(200).optional(),
  subscription_id: serviceId.optional(),
  statement_id: serviceId.optional(),
  url: z.string().optional(),
  /** Normalized error group, as `webhooks.errors` names it. */
  error: z.string().optional(),
});
export type WebhookFilter = z.infer<typeof webhookFilter>;

export const webhookSort = z.object({
  by: z.enum(['created_at', 'last_sent_at', 'event', 'id']).default('created_at'),
  direction: direction.default('desc'),
});

/** Not accepted webhooks with the same normalized last_error. */
export const errorGroup = z.object({
  error: z.string(),
  count: z.int(),
  example: z.string(),
  /** When the first and the last of them were created. */
  first_at: moment.nullable(),
  last_at: moment.nullable(),
  /** Where they were last sent, without the query; the most frequent first. */
  urls: z.array(z.object({ url: z.string(), count: z.int() })),
});
export type ErrorGroup = z.infer<typeof errorGroup>;

/**
 * `failures`: webhooks to an address were not accepted for a while. `never_sent`: the log has webhooks that were never sent,
 * as while the service has paused an endpoint. `hole`: the log has none at all for much longer than is usual, as while the
 * service has disabled an endpoint; there is nothing to replay of that.
 */
export const outageKind = z.enum(['failures', 'never_sent', 'hole']);
export type OutageKind = z.infer<typeof outageKind>;

export const outage = z.object({
  /** Names it among the others for as long as the log shows it. */
  id: z.string(),
  kind: outageKind,
  /** created_at of the first and the last webhook that it has; of a hole, of those around it. ISO 8601 UTC. */
  from: moment,
  to: moment,
  /** Without the query; empty where the log has none. Null of a hole. */
  url: z.string().nullable(),
  /** Webhooks of that address and time by delivery. */
  accepted: z.int(),
  failed: z.int(),
  pending: z.int(),
  /** The most frequent error. */
  error: z.string().nullable(),
  /** Of a hole: how many webhooks there usually are in such a time. */
  expected: z.int().nullable(),
  /** Nothing was accepted since. */
  ongoing: z.boolean(),
  /** Selects the webhooks to replay, for a plan or a list; null where there are none. */
  filter: webhookFilter.nullable(),
});
export type Outage = z.infer<typeof outage>;

export const timeline = z.object({
  /** Where the first bucket begins and the last one ends, ISO 8601 UTC; null where the log has nothing that fits. */
  from: moment.nullable(),
  to: moment.nullable(),
  /** How long a bucket is. */
  bucket_ms: z.int(),
  /** One behind the other without a gap, by created_at. */
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
  /** What the filter bar offers: counts by delivery state and by event, and the first and last day held. */
  facets: query.input(z.object({ site: siteName })).output(
    z.object({
      total: z.int(),
      delivery: z.object({ accepted: z.int(), failed: z.int(), pending: z.int() }),
      events: z.array(z.object({ event: z.string(), count: z.int(), failed: z.int() })),
      first_day: calendarDate.nullable(),
      last_day: calendarDate.nullable(),
    }),
  ),
  /** Not accepted webhooks grouped by normalized last_error, the most frequent first. */
  errors: query
    .input(z.object({ site: siteName, filter: webhookFilter.default({}) }))
    .output(z.array(errorGroup)),
  /** When the endpoint did not take what was sent, the newest first; `more` of them are older than those listed. */
  outages: query
    .input(z.object({ site: siteName, limit: z.int().min(1).max(500).default(100) }))
    .output(z.object({ outages: z.array(outage), more: z.int() })),
  /**
   * How many webhooks were created when, by delivery, for a plot: at most so many buckets over what fits the filter. For a
   * closer look give `from` and `to` in the filter. A bucket is at least a day where there are very many rows.
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
