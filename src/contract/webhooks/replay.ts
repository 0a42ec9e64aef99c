import { z } from 'zod';
import {
  blob,
  calendarDate,
  marksInput,
  marksOutput,
  moment,
  pageInput,
  pageOf,
  serviceId,
  siteName,
} from '../shared/common-schemas.ts';
import { command, query, remoteCommand } from '../shared/procedure-kinds.ts';
import { webhookFilter } from './webhooks.ts';

export const replayMode = z.enum(['safe', 'adaptive', 'fast']);
export type ReplayMode = z.infer<typeof replayMode>;

/** Estimated cost of a replay without errors. */
const forecast = z.object({ requests: z.int(), ms: z.int() });

/** A fixed list of webhook IDs with their state at that time. It never changes. */
export const replayPlan = z.object({
  plan: z.string(),
  site: siteName,
  created_at: moment,
  /** Description of the selection. */
  description: z.string(),
  count: z.int(),
  /** SHA-256 of the IDs in order. Proves that the replay sent the displayed list. */
  ids_sha256: z.string(),
  oldest_at: moment.nullable(),
  newest_at: moment.nullable(),
  by_event: z.array(z.object({ event: z.string(), count: z.int() })),
  by_error: z.array(z.object({ error: z.string(), count: z.int() })),
  by_day: z.array(z.object({ day: calendarDate, count: z.int() })),
  by_url: z.array(z.object({ url: z.string(), count: z.int() })),
  /**
   * Excluded webhooks: already accepted (unless included) or unknown. `retrying` occurs only in plans of earlier
   * versions.
   */
  excluded: z.object({ accepted: z.int(), unknown: z.int(), retrying: z.int() }),
  /**
   * Webhooks that the service is still retrying, included in the count. Each waits until the retries end and is sent only
   * if they failed.
   */
  retrying: z.int(),
  /** When the last of these retries ends. Null if there are none. */
  retrying_until: moment.nullable(),
  /** Expected minimum of replay and verification requests. */
  expected_requests: z.int(),
  /** Estimated requests and duration by mode, based on earlier replays of this site. Null in older plans. */
  expected: z.object({ safe: forecast, adaptive: forecast, fast: forecast }).nullable(),
  /** The replay of this plan. Null if it has not run. A plan runs only once. */
  job: z.string().nullable(),
});
export type ReplayPlan = z.infer<typeof replayPlan>;

export const replayOutcome = z.enum([
  'waiting',
  'sending',
  'queued',
  'accepted',
  'failed',
  'refused',
  'unresolved',
]);
export type ReplayOutcome = z.infer<typeof replayOutcome>;

/** A webhook of a replay: its state before, and its state in the log now. */
export const replayItem = z.object({
  id: serviceId,
  event: z.string(),
  outcome: replayOutcome,
  sent_at: moment.nullable(),
  resolved_at: moment.nullable(),
  last_error: z.string().nullable(),
});
export type ReplayItem = z.infer<typeof replayItem>;

/** A webhook of a plan, with its state when the plan was created. */
export const replayPlanItem = z.object({
  id: serviceId,
  event: z.string(),
  created_at: moment,
  last_sent_at: moment.nullable(),
  last_error: z.string().nullable(),
  subscription_id: serviceId.nullable(),
});
export type ReplayPlanItem = z.infer<typeof replayPlanItem>;

/** Current state of a running or paused replay. */
export const replayLive = z.object({
  /** Time of this state. */
  at: moment,
  /** Maximum number of unresolved webhooks, and the current number. */
  window: z.int(),
  unresolved: z.int(),
  /** Webhooks resolved per second over the last minute, and the estimated remaining time. Null if unknown. */
  per_second: z.number().nullable(),
  remaining_ms: z.int().nullable(),
  /** When the log is read next. Null if nothing is in flight. */
  next_poll_at: moment.nullable(),
  /** When sending continues, if it is delayed by the rate or by service errors. */
  next_send_at: moment.nullable(),
  breaker: z.object({
    /** `open`: the endpoint stopped accepting, and single webhooks test whether it has recovered. */
    state: z.enum(['closed', 'open']),
    /** Of the last 20 outcomes. */
    accepted: z.int(),
    failed: z.int(),
    /**
     * Number of test webhooks since the breaker opened, and when the next one is sent. The replay stops after
     * `max_probes`.
     */
    probes: z.int(),
    max_probes: z.int(),
    next_probe_at: moment.nullable(),
  }),
});
export type ReplayLive = z.infer<typeof replayLive>;

/**
 * Why the replay is paused. `user`: requested by a user. `key`: the service refuses the API key. `breaker`: the endpoint
 * stopped accepting; the replay continues once it recovers. `refusals`: the service refuses every webhook.
 */
export const pausedBy = z.enum(['user', 'key', 'breaker', 'refusals']);

export const replayJob = z.object({
  job: z.string(),
  site: siteName,
  plan: z.string(),
  description: z.string(),
  state: z.enum(['running', 'paused', 'done', 'stopped', 'canceled', 'interrupted']),
  /** Why it paused or stopped, as one sentence. */
  reason: z.string().nullable(),
  /** Null unless it is paused. */
  paused_by: pausedBy.nullable(),
  mode: replayMode,
  batch_size: z.int(),
  /** Maximum number of webhooks per second. Null means limited by flow control only. */
  rate: z.number().nullable(),
  /** True if at most one webhook per subscription is in flight, oldest first. */
  ordered: z.boolean(),
  started_at: moment,
  ended_at: moment.nullable(),
  /** Current step: canary, ramp steps, then full. */
  step: z.string(),
  counts: z.record(replayOutcome, z.int()),
  /** Sent to the service but not resolved. These cannot be recalled. */
  in_flight: z.int(),
  /** Null once it has ended. */
  live: replayLive.nullable(),
  requests: z.object({ total: z.int(), minimum: z.int() }),
});
export type ReplayJob = z.infer<typeof replayJob>;

/** Reason for the audit log. */
const reason = z.string().trim().min(1).max(500).optional();
const ofJob = z.object({ site: siteName, job: z.string() });

export const replay = {
  /** Creates a plan from a selection. Reads only the local log and sends nothing. */
  plan: command
    .input(
      z.object({
        site: siteName,
        selection: z.union([
          z.object({ filter: webhookFilter }),
          z.object({ ids: z.array(serviceId).min(1).max(1_000_000) }),
        ]),
        /** Includes webhooks that the log shows as accepted. */
        include_accepted: z.boolean().default(false),
        reason,
      }),
    )
    .output(replayPlan),
  /** Deletes a plan that has not run. Throws `conflict` otherwise. */
  discardPlan: command.input(z.object({ site: siteName, plan: z.string(), reason })).output(z.object({})),
  plans: query.input(z.object({ site: siteName })).output(z.array(replayPlan)),
  /** Lists the webhooks of a plan in sending order. */
  planItems: query
    .input(pageInput.extend({ site: siteName, plan: z.string() }))
    .output(pageOf(replayPlanItem)),
  /**
   * Runs a plan: first one webhook, then larger batches, each verified against the log. One replay per site at a time. A
   * stopped or interrupted replay of the plan is resumed. Throws `conflict` if it has ended. Throws before anything is
   * sent if the service is unreachable or refuses the key.
   */
  run: remoteCommand
    .input(
      z.object({
        site: siteName,
        plan: z.string(),
        mode: replayMode.default('adaptive'),
        /** Maximum number of webhooks per request. Default: 100, or 1,000 in fast mode. */
        batch_size: z.int().min(1).max(1000).optional(),
        /** Webhooks per second. Default: limited by flow control only. */
        rate: z.number().positive().max(10_000).optional(),
        /**
         * Sends at most one webhook per subscription at a time, oldest first. A failure holds back the rest of that
         * subscription.
         */
        ordered: z.boolean().default(false),
        reason,
      }),
    )
    .output(replayJob),
  list: query.input(z.object({ site: siteName })).output(z.array(replayJob)),
  get: query.input(ofJob).output(replayJob),
  items: query
    .input(pageInput.extend({ site: siteName, job: z.string(), outcome: z.array(replayOutcome).optional() }))
    .output(pageOf(replayItem)),
  itemMarks: query
    .input(ofJob.extend({ outcome: z.array(replayOutcome).optional(), ...marksInput }))
    .output(marksOutput),
  /** Lists error groups of webhooks that are not accepted so far, most frequent first. */
  errors: query
    .input(ofJob)
    .output(z.array(z.object({ error: z.string(), count: z.int(), example: z.string() }))),
  pause: command.input(ofJob.extend({ reason })).output(replayJob),
  resume: remoteCommand.input(ofJob.extend({ reason })).output(replayJob),
  cancel: command.input(ofJob.extend({ reason })).output(replayJob),
  /** Creates a plan from the webhooks that failed again, were refused or are unresolved. */
  retryFailures: command.input(ofJob.extend({ reason })).output(replayPlan),
  /** Returns a file with the outcome of each webhook: CSV rows, or JSON with the replay, its plan and the rows. */
  report: query.input(ofJob.extend({ format: z.enum(['csv', 'json']) })).output(blob),
};
