import { z } from 'zod';
import {
  field,
  oneTimeFileHandleSchema,
  pageMarksInput,
  pageMarksSchema,
  toPageSchema,
} from '../shared/common-schemas.ts';
import {
  definePageQuery,
  defineRemoteSiteCommand,
  defineSiteCommand,
  defineSiteQuery,
} from '../shared/procedure-kinds.ts';
import { webhookFilterSchema } from './webhooks.ts';

const replayModeSchema = z.enum(['safe', 'adaptive', 'fast']);
export type ReplayMode = z.infer<typeof replayModeSchema>;

/** Estimated cost of a replay without errors. */
const forecast = z.object({
  requests: z.int(),
  ms: z.int(),
  /** Maximum number of webhooks that the endpoint may have to process at once. */
  at_once: z.int(),
  /** Highest rate at which the endpoint receives webhooks, per second. */
  per_second: z.number(),
});

/** A fixed list of webhook IDs with their states when the plan was created. It never changes. */
const replayPlanSchema = z.object({
  plan: z.string(),
  site: field.siteName,
  created_at: field.moment,
  /** Description of how the webhooks were selected. */
  description: z.string(),
  count: z.int(),
  /** SHA-256 of the IDs in order. Proves that the replay sent the displayed list. */
  ids_sha256: z.string(),
  oldest_at: field.moment.nullable(),
  newest_at: field.moment.nullable(),
  by_event: z.array(z.object({ event: z.string(), count: z.int() })),
  by_error: z.array(z.object({ error: z.string(), count: z.int() })),
  by_day: z.array(z.object({ day: field.date, count: z.int() })),
  by_url: z.array(z.object({ url: z.string(), count: z.int() })),
  /**
   * Address to which Tieout posts the stored bodies itself; null if the service resends the webhooks. Without its query,
   * which may contain a secret.
   */
  endpoint: z.string().nullable(),
  /**
   * Number of excluded webhooks. `retrying` only occurs in plans created by earlier versions. Only in a local delivery,
   * `unreadable` counts bodies that are not stored in their original form encoding, and `unverified` those whose stored
   * signature the shared key does not reproduce.
   */
  excluded: z.object({
    accepted: z.int(),
    unknown: z.int(),
    retrying: z.int(),
    unreadable: z.int(),
    unverified: z.int(),
  }),
  /** Number of webhooks that the service still retries. Each is sent only after its retries have failed. */
  retrying: z.int(),
  /** Time at which the service's last retry of these webhooks ends; null if it retries none. */
  retrying_until: field.moment.nullable(),
  /** Minimum number of requests expected for the replay and its verification. */
  expected_requests: z.int(),
  /** Estimated number of requests and duration by mode, based on earlier replays of the site; null in older plans. */
  expected: z.object({ safe: forecast, adaptive: forecast, fast: forecast }).nullable(),
  /** Estimated duration in milliseconds if the rate is limited, in ascending order of the limit (webhooks per second). */
  rates: z.array(z.object({ per_second: z.number(), ms: z.int() })),
  /** Number of webhooks that a later webhook of the same event and subscription supersedes. */
  superseded: z.int(),
  /** Number of webhooks of the subscription with the most webhooks. In order, they are sent one after another. */
  largest_subscription: z.int(),
  /** Job that replays the plan; null if it has not run. A plan runs only once. */
  job: z.string().nullable(),
});
export type ReplayPlan = z.infer<typeof replayPlanSchema>;

export const replayOutcomeSchema = z.enum([
  'waiting',
  'sending',
  'queued',
  'accepted',
  'failed',
  'refused',
  'unresolved',
]);
export type ReplayOutcome = z.infer<typeof replayOutcomeSchema>;

/** A webhook of a replay, with its state before the replay and its current state in the log. */
export const replayItemSchema = z.object({
  id: field.serviceId,
  event: z.string(),
  outcome: replayOutcomeSchema,
  sent_at: field.moment.nullable(),
  resolved_at: field.moment.nullable(),
  last_error: z.string().nullable(),
});
export type ReplayItem = z.infer<typeof replayItemSchema>;

/** A webhook of a plan, with its state when the plan was created. */
const replayPlanItemSchema = z.object({
  id: field.serviceId,
  event: z.string(),
  created_at: field.moment,
  last_sent_at: field.moment.nullable(),
  last_error: z.string().nullable(),
  subscription_id: field.serviceId.nullable(),
  /** Newest later webhook of the same event and subscription that describes a newer state; null if there is none. */
  superseded_by: field.serviceId.nullable(),
});
export type ReplayPlanItem = z.infer<typeof replayPlanItemSchema>;

/** Current state of a running or paused replay. */
const replayLiveSchema = z.object({
  /** Time at which the state was determined. */
  at: field.moment,
  /** Maximum number of unresolved webhooks at once. */
  window: z.int(),
  unresolved: z.int(),
  /** Number of webhooks resolved per second over the last minute; null if unknown. */
  per_second: z.number().nullable(),
  remaining_ms: z.int().nullable(),
  /** Time of the next read of the log; null if nothing is in flight. */
  next_poll_at: field.moment.nullable(),
  /** Time at which sending continues, if the rate limit or service errors delay it. */
  next_send_at: field.moment.nullable(),
  breaker: z.object({
    /** `open`: the endpoint stopped accepting webhooks, and probes test whether it has recovered. */
    state: z.enum(['closed', 'open']),
    /** Number of accepted webhooks among the last 20 outcomes. */
    accepted: z.int(),
    failed: z.int(),
    /** Number of probes since the breaker opened. The replay stops after `max_probes`. */
    probes: z.int(),
    max_probes: z.int(),
    /** Time of the next probe; null if none is scheduled. */
    next_probe_at: field.moment.nullable(),
  }),
});
export type LiveReplayStatus = z.infer<typeof replayLiveSchema>;

/**
 * Reason for the pause. `key`: the API key was refused. `breaker`: the endpoint stopped accepting webhooks; the replay
 * resumes automatically. `refusals`: the service refuses every webhook.
 */
const pausedBySchema = z.enum(['user', 'key', 'breaker', 'refusals']);

export const replayJobSchema = z.object({
  job: z.string(),
  site: field.siteName,
  plan: z.string(),
  description: z.string(),
  state: z.enum(['running', 'paused', 'done', 'stopped', 'canceled', 'interrupted']),
  /** Reason why the replay was paused or stopped, as one sentence. */
  reason: z.string().nullable(),
  /** Cause of the pause; null unless the replay is paused. */
  paused_by: pausedBySchema.nullable(),
  mode: replayModeSchema,
  batch_size: z.int(),
  /** Maximum number of webhooks per second. Null means that only flow control limits them. */
  rate: z.number().nullable(),
  /** Address to which the stored bodies are posted, without its query; null if the service resends the webhooks. */
  endpoint: z.string().nullable(),
  /** Maximum number of requests at once to the endpoint of a local delivery; null if the service sends. */
  connections: z.int().nullable(),
  /** True if at most one webhook per subscription is in flight, oldest first. */
  ordered: z.boolean(),
  started_at: field.moment,
  ended_at: field.moment.nullable(),
  /** Current step of the replay: canary, ramp steps, then full. */
  step: z.string(),
  counts: z.record(replayOutcomeSchema, z.int()),
  /** Number of webhooks that were sent to the service but are not resolved. They cannot be recalled. */
  in_flight: z.int(),
  /** Current state of the replay; null once it has ended. */
  live: replayLiveSchema.nullable(),
  requests: z.object({ total: z.int(), minimum: z.int() }),
});
export type ReplayJob = z.infer<typeof replayJobSchema>;

/** Reason for the audit log. */
const reason = z.string().trim().min(1).max(500).optional();
const ofJob = { job: z.string() };

export const replayProcedures = {
  /** Creates a replay plan from a selection. Only reads the local log and sends nothing. */
  plan: defineSiteCommand({
    selection: z.union([
      z.object({ filter: webhookFilterSchema }),
      z.object({ ids: z.array(field.serviceId).min(1).max(1_000_000) }),
    ]),
    /** True to include webhooks that the log shows as accepted. */
    include_accepted: z.boolean().default(false),
    /**
     * Address to which Tieout posts the stored bodies itself, without the service: https, or http on this computer.
     * Requires the site's shared key.
     */
    endpoint: z.string().trim().min(1).max(2000).optional(),
    /** True to include bodies whose stored signature the shared key does not reproduce, for example after a key change. */
    include_unverified: z.boolean().default(false),
    reason,
  }).output(replayPlanSchema),
  /** Deletes a replay plan that has not run. Throws `conflict` if it has run. */
  discardPlan: defineSiteCommand({ plan: z.string(), reason }).output(z.object({})),
  plans: defineSiteQuery().output(z.array(replayPlanSchema)),
  /** Lists the webhooks of a plan in sending order. */
  planItems: definePageQuery({ plan: z.string() }).output(toPageSchema(replayPlanItemSchema)),
  /**
   * Runs a replay plan: first a single webhook, then larger batches, each verified against the log. A site has only one
   * replay at a time. A stopped or interrupted replay of the plan is resumed. Throws `conflict` if the replay has ended.
   * If the service is unreachable or refuses the key, throws before anything is sent. A plan with an endpoint needs no
   * service: outcomes are the endpoint's own answers. It throws `validation` without a matching confirmation.
   */
  run: defineRemoteSiteCommand({
    plan: z.string(),
    /** Required to start a local delivery: host (with its port) and number of webhooks, as the plan shows them. */
    confirm: z.object({ host: z.string(), count: z.int() }).optional(),
    /** Maximum number of requests at once in a local delivery. The default is 4, 12 or 24 in safe, adaptive or fast mode. */
    connections: z.int().min(1).max(64).optional(),
    mode: replayModeSchema.default('adaptive'),
    /** Maximum number of webhooks per request. The default is 100, or 1,000 in fast mode. */
    batch_size: z.int().min(1).max(1000).optional(),
    /** Maximum number of webhooks per second. By default, only flow control limits them. */
    rate: z.number().positive().max(10_000).optional(),
    /**
     * True to send at most one webhook per subscription at a time, oldest first. A failure holds back the rest. The default
     * is true for a local delivery and false through the service.
     */
    ordered: z.boolean().optional(),
    reason,
  }).output(replayJobSchema),
  list: defineSiteQuery().output(z.array(replayJobSchema)),
  get: defineSiteQuery(ofJob).output(replayJobSchema),
  items: definePageQuery({ job: z.string(), outcome: z.array(replayOutcomeSchema).optional() }).output(
    toPageSchema(replayItemSchema),
  ),
  itemMarks: defineSiteQuery({
    ...ofJob,
    outcome: z.array(replayOutcomeSchema).optional(),
    ...pageMarksInput,
  }).output(pageMarksSchema),
  /** Lists the error groups of a replay's webhooks that have not been accepted so far, most frequent first. */
  errors: defineSiteQuery(ofJob).output(
    z.array(z.object({ error: z.string(), count: z.int(), example: z.string() })),
  ),
  pause: defineSiteCommand({ ...ofJob, reason }).output(replayJobSchema),
  resume: defineRemoteSiteCommand({ ...ofJob, reason }).output(replayJobSchema),
  cancel: defineSiteCommand({ ...ofJob, reason }).output(replayJobSchema),
  /** Creates a replay plan from the webhooks that failed again, were refused or are unresolved. */
  retryFailures: defineSiteCommand({ ...ofJob, reason }).output(replayPlanSchema),
  /** Returns a file with the outcome of each webhook: CSV rows, or JSON with the replay, its plan and the rows. */
  report: defineSiteQuery({ ...ofJob, format: z.enum(['csv', 'json']) }).output(oneTimeFileHandleSchema),
};
