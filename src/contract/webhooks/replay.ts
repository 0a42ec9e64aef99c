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

/** What a replay will about cost where nothing goes wrong. */
const forecast = z.object({ requests: z.int(), ms: z.int() });

/** A frozen list of webhook ids with what is known of them at that moment. Nothing later changes it. */
export const replayPlan = z.object({
  plan: z.string(),
  site: siteName,
  created_at: moment,
  /** The selection in words. */
  description: z.string(),
  count: z.int(),
  /** Over the ids in order; proves that what ran is what was shown. */
  ids_sha256: z.string(),
  oldest_at: moment.nullable(),
  newest_at: moment.nullable(),
  by_event: z.array(z.object({ event: z.string(), count: z.int() })),
  by_error: z.array(z.object({ error: z.string(), count: z.int() })),
  by_day: z.array(z.object({ day: calendarDate, count: z.int() })),
  by_url: z.array(z.object({ url: z.string(), count: z.int() })),
  /** Left out: accepted already (unless ticked), unknown here. `retrying`: by plans of earlier versions. */
  excluded: z.object({ accepted: z.int(), unknown: z.int(), retrying: z.int() }),
  /**
   * Of the count: still in the service's own retry window. Each waits until it is out of that, and is sent then if the service
   * has not brought it through by itself.
   */
  retrying: z.int(),
  /** When the last of those is out of it; null where there are none. */
  retrying_until: moment.nullable(),
  /** Replay posts and verification reads expected, at least. */
  expected_requests: z.int(),
  /** Requests and time to be expected in each mode, going by the replays of this site so far; null of older plans. */
  expected: z.object({ safe: forecast, adaptive: forecast, fast: forecast }).nullable(),
  /** The replay that carries it out; null where it was not run yet. A plan is run once. */
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

/** Per webhook of a replay: what was known before, and what the log shows now. */
export const replayItem = z.object({
  id: serviceId,
  event: z.string(),
  outcome: replayOutcome,
  sent_at: moment.nullable(),
  resolved_at: moment.nullable(),
  last_error: z.string().nullable(),
});
export type ReplayItem = z.infer<typeof replayItem>;

/** A webhook of a plan, as the log showed it when the plan was made. */
export const replayPlanItem = z.object({
  id: serviceId,
  event: z.string(),
  created_at: moment,
  last_sent_at: moment.nullable(),
  last_error: z.string().nullable(),
  subscription_id: serviceId.nullable(),
});
export type ReplayPlanItem = z.infer<typeof replayPlanItem>;

/** How a replay stands that is running or paused. */
export const replayLive = z.object({
  /** When this was so. */
  at: moment,
  /** How many may be unresolved at once, now, and how many are. */
  window: z.int(),
  unresolved: z.int(),
  /** Webhooks resolved a second over the last minute, and about how long the rest takes; null where unknown. */
  per_second: z.number().nullable(),
  remaining_ms: z.int().nullable(),
  /** When the log is read next; null where nothing is underway. */
  next_poll_at: moment.nullable(),
  /** When something is sent next, where that is put off: by the rate, or because the service was in trouble. */
  next_send_at: moment.nullable(),
  breaker: z.object({
    /** Open: the endpoint stopped accepting; one webhook at a time tries whether it is back. */
    state: z.enum(['closed', 'open']),
    /** Of the last 20 outcomes. */
    accepted: z.int(),
    failed: z.int(),
    /** Tries since it opened, and when the next one is; the replay stops after `probes_at_most`. */
    probes: z.int(),
    max_probes: z.int(),
    next_probe_at: moment.nullable(),
  }),
});
export type ReplayLive = z.infer<typeof replayLive>;

/**
 * Who or what paused it. `user`: somebody asked for it. `key`: the service refuses the API key. `breaker`: the endpoint
 * stopped accepting; it goes on by itself when it is back. `refusals`: the service refuses every webhook.
 */
export const pausedBy = z.enum(['user', 'key', 'breaker', 'refusals']);

export const replayJob = z.object({
  job: z.string(),
  site: siteName,
  plan: z.string(),
  description: z.string(),
  state: z.enum(['running', 'paused', 'done', 'stopped', 'canceled', 'interrupted']),
  /** Why it paused or stopped, in a sentence. */
  reason: z.string().nullable(),
  /** Null unless it is paused. */
  paused_by: pausedBy.nullable(),
  mode: replayMode,
  batch_size: z.int(),
  /** Webhooks a second at most; null: as fast as the flow control allows. */
  rate: z.number().nullable(),
  /** At most one webhook of a subscription is underway, the oldest first. */
  ordered: z.boolean(),
  started_at: moment,
  ended_at: moment.nullable(),
  /** canary, then ramp steps, then full. */
  step: z.string(),
  counts: z.record(replayOutcome, z.int()),
  /** Handed to the service and not resolved: these cannot be called back. */
  in_flight: z.int(),
  /** Null where it has ended. */
  live: replayLive.nullable(),
  requests: z.object({ total: z.int(), minimum: z.int() }),
});
export type ReplayJob = z.infer<typeof replayJob>;

/** Why it is done; kept in the audit log. */
const reason = z.string().trim().min(1).max(500).optional();
const ofJob = z.object({ site: siteName, job: z.string() });

export const replay = {
  /** Freezes a selection into a plan. It reads the local log alone and sends nothing. */
  plan: command
    .input(
      z.object({
        site: siteName,
        selection: z.union([
          z.object({ filter: webhookFilter }),
          z.object({ ids: z.array(serviceId).min(1).max(1_000_000) }),
        ]),
        /** Also those the log shows as accepted. */
        include_accepted: z.boolean().default(false),
        reason,
      }),
    )
    .output(replayPlan),
  /** Forgets a plan that was not carried out; `conflict` where it was. */
  discardPlan: command.input(z.object({ site: siteName, plan: z.string(), reason })).output(z.object({})),
  plans: query.input(z.object({ site: siteName })).output(z.array(replayPlan)),
  /** What a plan would send, in the order of sending. */
  planItems: query
    .input(pageInput.extend({ site: siteName, plan: z.string() }))
    .output(pageOf(replayPlanItem)),
  /**
   * Runs a plan: canary, ramp, verification against the log. One replay at a time per site, and one replay a plan: where its
   * replay stopped or was interrupted, that one goes on; where it ended, this is a `conflict`.
   * Fails at once, with nothing sent, where the service cannot be reached or refuses the key.
   */
  run: remoteCommand
    .input(
      z.object({
        site: siteName,
        plan: z.string(),
        mode: replayMode.default('adaptive'),
        /** Webhooks a request at most; absent: 100, in fast mode 1000. */
        batch_size: z.int().min(1).max(1000).optional(),
        /** Webhooks a second; absent: as fast as the flow control allows. */
        rate: z.number().positive().max(10_000).optional(),
        /** At most one webhook of a subscription at once, the oldest first; behind one that fails, none of it is sent. */
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
  /** What was not brought through so far, by normalized error, the most frequent first. */
  errors: query
    .input(ofJob)
    .output(z.array(z.object({ error: z.string(), count: z.int(), example: z.string() }))),
  pause: command.input(ofJob.extend({ reason })).output(replayJob),
  resume: remoteCommand.input(ofJob.extend({ reason })).output(replayJob),
  cancel: command.input(ofJob.extend({ reason })).output(replayJob),
  /** A new plan of those that failed again, were refused, or stayed unresolved. */
  retryFailures: command.input(ofJob.extend({ reason })).output(replayPlan),
  /** The outcome of each webhook as a file: CSV with a row each, or JSON with the replay, its plan and the rows. */
  report: query.input(ofJob.extend({ format: z.enum(['csv', 'json']) })).output(blob),
};
