import { z } from 'zod';
import { calendarDate, moment, pageInput, pageOf, siteName } from '../shared/common-schemas.ts';
import { errorValue } from '../shared/errors.ts';
import { command, query, remoteCommand } from '../shared/procedure-kinds.ts';

export const syncPart = z.enum(['webhooks', 'statements', 'allocations', 'pdf']);
export type SyncPart = z.infer<typeof syncPart>;

/** A record or page that could not be read. The sync continued without it. */
export const syncProblem = z.object({
  id: z.int(),
  part: syncPart,
  /** Location, such as `webhooks[id=17]`, `statement 4` or `page 3 of the log from 2026-10-01 to 2026-10-31`. */
  location: z.string(),
  reason: z.string(),
  /** The data the service sent, at most 64 kB. */
  raw: z.string().nullable(),
  seen_at: moment,
});
export type SyncProblem = z.infer<typeof syncProblem>;

/** What is stored of a part, how current it is and what is missing. */
export const partStatus = z.object({
  part: syncPart,
  stored: z.int(),
  /** Number of records at the service. Null if unknown. */
  expected: z.int().nullable(),
  synced_at: moment.nullable(),
  /** Time of the newest stored record. */
  newest_at: moment.nullable(),
  /** True if the part was read to its end and no record is known to be missing. */
  complete: z.boolean(),
  problems: z.int(),
  /** Date from which webhooks were requested, if older ones were excluded. */
  since: calendarDate.nullable().optional(),
  /**
   * Time ranges of the webhook log that were not read completely. Null means that the range has no limit on that side.
   */
  gaps: z.array(z.object({ from: moment.nullable(), to: moment.nullable() })).optional(),
  /** Number of stored records that the service no longer lists. */
  gone: z.int().optional(),
  /** Start of the log that the service still has. Older webhooks exist only in the local copy. */
  kept_from_before: moment.nullable().optional(),
});
export type PartStatus = z.infer<typeof partStatus>;

export const syncRun = z.object({
  job: z.string(),
  started_at: moment,
  ended_at: moment.nullable(),
  state: z.enum(['running', 'done', 'failed', 'canceled', 'interrupted']),
  /** Requests sent, the minimum that was possible, and the number of each kind. */
  requests: z.object({ total: z.int(), minimum: z.int(), by_kind: z.record(z.string(), z.int()) }),
  /** Number of new or changed rows by table. */
  rows: z.record(z.string(), z.int()),
  bytes: z.int(),
  seconds: z.number(),
  complete: z.boolean(),
  problems: z.array(syncProblem),
  error: errorValue.nullable(),
});
export type SyncRun = z.infer<typeof syncRun>;

/** Another process that syncs the site on a schedule, such as `tieout sync --watch`. */
export const syncSchedule = z.object({
  pid: z.int(),
  every_minutes: z.int(),
  /** Time of its next sync. Null while a sync is running. */
  next_at: moment.nullable(),
});
export type SyncSchedule = z.infer<typeof syncSchedule>;

/** Another process that works on the site, and its activity, such as `a sync`. */
export const siteHolder = z.object({ pid: z.int(), activity: z.string(), started_at: moment });

export const sync = {
  /**
   * Announces that this process syncs the site on a schedule, so that other processes do not. Null or the end of the
   * process ends the schedule. Throws `conflict` if another process has one.
   */
  schedule: command
    .input(z.object({ site: siteName, schedule: syncSchedule.omit({ pid: true }).nullable() }))
    .output(z.object({})),
  /** Starts a sync as a job. Throws `conflict` if one is running, in any process. */
  start: remoteCommand
    .input(
      z.object({
        site: siteName,
        /** Defaults to webhooks, statements and allocations. */
        only: z.array(syncPart).optional(),
        /** Downloads all records again and compares them. */
        full: z.boolean().default(false),
        /** First sync only: downloads webhooks created on or after this date. */
        since: calendarDate.optional(),
      }),
    )
    .output(z.object({ job: z.string() })),
  status: query.input(z.object({ site: siteName })).output(
    z.object({
      site: siteName,
      parts: z.array(partStatus),
      complete: z.boolean(),
      /**
       * The latest attempt, or null before the first. `ok: false` with an error means that the service was unreachable or
       * refused.
       */
      last: z
        .object({
          at: moment,
          ok: z.boolean(),
          error: errorValue.nullable(),
          state: z.enum(['done', 'failed', 'canceled', 'interrupted']),
          /** True if the sync downloaded everything that was requested. */
          complete: z.boolean(),
        })
        .nullable(),
      running: z.string().nullable(),
      /** Another process that works on the site. This process waits for it. */
      other_process: siteHolder.nullable().optional(),
      /** Another process that syncs the site on a schedule. */
      scheduled: syncSchedule.nullable().optional(),
      /** When a damaged copy was set aside. Null once its records were downloaded again. */
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
