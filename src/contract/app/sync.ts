import { z } from 'zod';
import { calendarDate, moment, pageInput, pageOf, siteName } from '../shared/common-schemas.ts';
import { errorValue } from '../shared/errors.ts';
import { command, query, remoteCommand } from '../shared/procedure-kinds.ts';

export const syncPart = z.enum(['webhooks', 'statements', 'allocations', 'pdf']);
export type SyncPart = z.infer<typeof syncPart>;

/** A record or unit that could not be read; the rest went on. */
export const syncProblem = z.object({
  id: z.int(),
  part: syncPart,
  /** Where: `webhooks[id=17]`, `statement 4`, `page 3 of the log from 2026-10-01 to 2026-10-31`. */
  location: z.string(),
  reason: z.string(),
  /** What the service sent, at most 64 kB. */
  raw: z.string().nullable(),
  seen_at: moment,
});
export type SyncProblem = z.infer<typeof syncProblem>;

/** What is held of a part, how fresh it is, and what is missing. */
export const partStatus = z.object({
  part: syncPart,
  stored: z.int(),
  /** How many the service is known to have; null where it cannot be known. */
  expected: z.int().nullable(),
  synced_at: moment.nullable(),
  /** The newest record held. */
  newest_at: moment.nullable(),
  /** Whether it was read to its end, and nothing is known of since that is not held. */
  complete: z.boolean(),
  problems: z.int(),
  /** The day from which on webhooks were asked for, where older ones were left out. */
  since: calendarDate.nullable().optional(),
  /** Stretches of the webhook log of which not everything was read; null: open to that side. */
  gaps: z.array(z.object({ from: moment.nullable(), to: moment.nullable() })).optional(),
  /** How many of those held the service no longer lists. */
  gone: z.int().optional(),
  /** The service keeps its log for a limited time: what was created before this is gone there, and kept here. */
  kept_from_before: moment.nullable().optional(),
});
export type PartStatus = z.infer<typeof partStatus>;

export const syncRun = z.object({
  job: z.string(),
  started_at: moment,
  ended_at: moment.nullable(),
  state: z.enum(['running', 'done', 'failed', 'canceled', 'interrupted']),
  /** Requests sent, the least that could have done it, and how many of each kind. */
  requests: z.object({ total: z.int(), minimum: z.int(), by_kind: z.record(z.string(), z.int()) }),
  /** Rows written that were new or had changed, by table. */
  rows: z.record(z.string(), z.int()),
  bytes: z.int(),
  seconds: z.number(),
  complete: z.boolean(),
  problems: z.array(syncProblem),
  error: errorValue.nullable(),
});
export type SyncRun = z.infer<typeof syncRun>;

/** Another process that syncs a site on a schedule, as `tieout sync --watch` does. */
export const syncSchedule = z.object({
  pid: z.int(),
  every_minutes: z.int(),
  /** When its next sync begins; null while one runs. */
  next_at: moment.nullable(),
});
export type SyncSchedule = z.infer<typeof syncSchedule>;

/** Another process that works on a site now, and on what: `a sync`. */
export const siteHolder = z.object({ pid: z.int(), activity: z.string(), started_at: moment });

export const sync = {
  /**
   * Says that this process syncs the site on a schedule, and when next, so that others leave that to it; null ends it, and so
   * does the end of the process. `conflict` where another one does.
   */
  schedule: command
    .input(z.object({ site: siteName, schedule: syncSchedule.omit({ pid: true }).nullable() }))
    .output(z.object({})),
  /** Starts a sync as a job. `conflict` where one runs already, here or in another window. */
  start: remoteCommand
    .input(
      z.object({
        site: siteName,
        /** Default: webhooks, statements, allocations. */
        only: z.array(syncPart).optional(),
        /** Read everything again and compare. */
        full: z.boolean().default(false),
        /** Webhooks from this day on only, on a first sync. */
        since: calendarDate.optional(),
      }),
    )
    .output(z.object({ job: z.string() })),
  status: query.input(z.object({ site: siteName })).output(
    z.object({
      site: siteName,
      parts: z.array(partStatus),
      complete: z.boolean(),
      /** The last try: null before the first. `ok: false` with the error means: offline or refused. */
      last: z
        .object({
          at: moment,
          ok: z.boolean(),
          error: errorValue.nullable(),
          state: z.enum(['done', 'failed', 'canceled', 'interrupted']),
          /** Whether it brought all that was asked of it. */
          complete: z.boolean(),
        })
        .nullable(),
      running: z.string().nullable(),
      /** Another process that works on the site now; this one’s work waits for it. */
      other_process: siteHolder.nullable().optional(),
      /** Another process that syncs it by itself. */
      scheduled: syncSchedule.nullable().optional(),
      /** When a damaged copy was set aside, as long as what it held was not fetched again. */
      set_aside: moment.nullable().optional(),
    }),
  ),
  runs: query
    .input(z.object({ site: siteName, limit: z.int().min(1).max(200).default(20) }))
    .output(z.array(syncRun)),
  run: query.input(z.object({ site: siteName, job: z.string() })).output(syncRun),
  problems: query
    .input(pageInput.extend({ site: siteName, part: syncPart.optional() }))
    .output(pageOf(syncProblem)),
};
