import { z } from 'zod';
import { command, query, remoteCommand } from './kinds.ts';
import { calendarDate, moment, pageInput, pageOf, serviceId, siteName } from './values.ts';
import { webhookFilter } from './webhooks.ts';

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
  /** Left out: accepted already (unless ticked), unknown here, still in the service's own retry window. */
  left_out: z.object({ accepted: z.int(), unknown: z.int(), retrying: z.int() }),
  /** Replay posts and verification reads expected, at least. */
  expected_requests: z.int(),
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

export const replayMode = z.enum(['safe', 'adaptive', 'fast']);

export const replayJob = z.object({
  job: z.string(),
  site: siteName,
  plan: z.string(),
  description: z.string(),
  state: z.enum(['running', 'paused', 'done', 'stopped', 'cancelled', 'interrupted']),
  /** Why it paused or stopped, in a sentence. */
  reason: z.string().nullable(),
  mode: replayMode,
  started_at: moment,
  ended_at: moment.nullable(),
  /** canary, then ramp steps, then full. */
  step: z.string(),
  counts: z.record(replayOutcome, z.int()),
  requests: z.object({ total: z.int(), minimum: z.int() }),
});
export type ReplayJob = z.infer<typeof replayJob>;

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
      }),
    )
    .output(replayPlan),
  getPlan: query.input(z.object({ site: siteName, plan: z.string() })).output(replayPlan),
  plans: query.input(z.object({ site: siteName })).output(z.array(replayPlan)),
  /** Runs a plan: canary, ramp, verification against the log. One replay at a time per site. */
  run: remoteCommand
    .input(
      z.object({
        site: siteName,
        plan: z.string(),
        mode: replayMode.default('adaptive'),
        batch_size: z.int().min(1).max(1000).default(100),
        /** Webhooks a second; absent: as fast as the flow control allows. */
        rate: z.number().positive().optional(),
      }),
    )
    .output(replayJob),
  list: query.input(z.object({ site: siteName })).output(z.array(replayJob)),
  get: query.input(z.object({ site: siteName, job: z.string() })).output(replayJob),
  items: query
    .input(pageInput.extend({ site: siteName, job: z.string(), outcome: z.array(replayOutcome).optional() }))
    .output(pageOf(replayItem)),
  pause: command.input(z.object({ site: siteName, job: z.string() })).output(replayJob),
  resume: remoteCommand.input(z.object({ site: siteName, job: z.string() })).output(replayJob),
  cancel: command.input(z.object({ site: siteName, job: z.string() })).output(replayJob),
  /** A new plan of those that failed again, were refused, or stayed unresolved. */
  retryFailures: command.input(z.object({ site: siteName, job: z.string() })).output(replayPlan),
};
