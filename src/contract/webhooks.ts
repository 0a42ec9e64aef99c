import { z } from 'zod';
import { query } from './kinds.ts';
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
} from './values.ts';

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

export const webhookFilter = z.object({
  /** `successful` and `failed` as the service's own filter; `pending` is the part of failed without an error. */
  status: z.enum(['successful', 'failed', 'pending']).optional(),
  event: z.array(z.string()).optional(),
  /** First and last day of created_at, in the calendar of the site as the service writes it. */
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  /** Words, ids or a "quoted phrase" in the body, the event or the error. */
  search: z.string().max(200).optional(),
  subscription_id: serviceId.optional(),
  statement_id: serviceId.optional(),
  url: z.string().optional(),
  /** Normalised error group, as `webhooks.errors` names it. */
  error: z.string().optional(),
});
export type WebhookFilter = z.infer<typeof webhookFilter>;

export const webhookSort = z.object({
  by: z.enum(['created_at', 'last_sent_at', 'event', 'id']).default('created_at'),
  direction: direction.default('desc'),
});

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
  /** Not accepted webhooks grouped by normalised last_error. */
  errors: query.input(z.object({ site: siteName, filter: webhookFilter.default({}) })).output(
    z.array(
      z.object({
        error: z.string(),
        count: z.int(),
        example: z.string(),
        first_at: moment.nullable(),
        last_at: moment.nullable(),
      }),
    ),
  ),
};
