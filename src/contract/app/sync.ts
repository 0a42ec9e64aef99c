import { z } from 'zod';
import { field, jobRefSchema, toPageSchema } from '../shared/common-schemas.ts';
import { errorValueSchema } from '../shared/errors.ts';
import {
  definePageQuery,
  defineRemoteSiteCommand,
  defineSiteCommand,
  defineSiteQuery,
} from '../shared/procedure-kinds.ts';

export const syncPartSchema = z.enum(['webhooks', 'statements', 'allocations', 'pdf']);
export type SyncPart = z.infer<typeof syncPartSchema>;

/** A record or page that could not be read. The sync continued without it. */
const syncProblemSchema = z.object({
  id: z.int(),
  part: syncPartSchema,
  /** Location of the problem, for example `webhooks[id=17]` or `statement 4`. */
  location: z.string(),
  reason: z.string(),
  /** Affected data as sent by the billing service, at most 64 kB. */
  raw: z.string().nullable(),
  seen_at: field.moment,
});
export type SyncProblem = z.infer<typeof syncProblemSchema>;

/** Status of a sync part: which records are stored, how current they are and what is missing. */
export const syncPartStatusSchema = z.object({
  part: syncPartSchema,
  stored: z.int(),
  /** Number of records that the service has; null if unknown. */
  expected: z.int().nullable(),
  synced_at: field.moment.nullable(),
  /** Time of the newest stored record. */
  newest_at: field.moment.nullable(),
  /** True if the sync part was read completely and no record is known to be missing. */
  complete: z.boolean(),
  problems: z.int(),
  /** Start date of the requested webhooks, if older ones were excluded. */
  since: field.date.nullable().optional(),
  /** Time ranges of the webhook log that are not read completely. Null means no limit on that side. */
  gaps: z.array(z.object({ from: field.moment.nullable(), to: field.moment.nullable() })).optional(),
  /** Number of stored records that the service no longer lists. */
  gone: z.int().optional(),
  /** Start of the log that the service still provides. Older webhooks exist only in the local copy. */
  kept_from_before: field.moment.nullable().optional(),
});
export type SyncPartStatus = z.infer<typeof syncPartStatusSchema>;

export const syncRunSchema = z.object({
  job: z.string(),
  started_at: field.moment,
  ended_at: field.moment.nullable(),
  state: z.enum(['running', 'done', 'failed', 'canceled', 'interrupted']),
  /** Number of requests sent, theoretical minimum of requests, and number of requests by kind. */
  requests: z.object({ total: z.int(), minimum: z.int(), by_kind: z.record(z.string(), z.int()) }),
  /** Number of new or changed rows by table. */
  rows: z.record(z.string(), z.int()),
  bytes: z.int(),
  seconds: z.number(),
  complete: z.boolean(),
  problems: z.array(syncProblemSchema),
  error: errorValueSchema.nullable(),
});
export type SyncRun = z.infer<typeof syncRunSchema>;

/** Another process that syncs the site on a schedule, such as `tieout sync --watch`. */
const syncScheduleSchema = z.object({
  pid: z.int(),
  every_minutes: z.int(),
  /** Time of the next scheduled sync; null while a sync is running. */
  next_at: field.moment.nullable(),
});
export type SyncSchedule = z.infer<typeof syncScheduleSchema>;

/** Another process that is working on the site, with its activity, for example `a sync`. */
export const siteProcessSchema = z.object({ pid: z.int(), activity: z.string(), started_at: field.moment });

export const syncProcedures = {
  /**
   * Announces that this process syncs the site on a schedule, so that other processes do not. The schedule ends when
   * null is passed or the process exits. Throws `conflict` if another process has a schedule.
   */
  schedule: defineSiteCommand({ schedule: syncScheduleSchema.omit({ pid: true }).nullable() }).output(
    z.object({}),
  ),
  /** Starts a sync as a job. Throws `conflict` if any process is already running one. */
  start: defineRemoteSiteCommand({
    /** Parts to sync. The default is webhooks, statements and allocations. */
    only: z.array(syncPartSchema).optional(),
    /** True to download all records again and compare them. */
    full: z.boolean().default(false),
    /** True to download all statements of closed periods again. */
    closed_periods: z.boolean().default(false),
    /** Earliest date of the webhooks to download in the first sync. */
    since: field.date.optional(),
  }).output(jobRefSchema),
  status: defineSiteQuery().output(
    z.object({
      site: field.siteName,
      parts: z.array(syncPartStatusSchema),
      complete: z.boolean(),
      /** Oldest of the last sync times of the default parts; null if one was never synced completely. */
      synced_at: field.moment.nullable(),
      /** Latest sync attempt; null before the first one. `ok` is false if the service failed or was unreachable. */
      last: z
        .object({
          at: field.moment,
          ok: z.boolean(),
          error: errorValueSchema.nullable(),
          state: z.enum(['done', 'failed', 'canceled', 'interrupted']),
          /** True if the latest sync downloaded everything that was requested. */
          complete: z.boolean(),
        })
        .nullable(),
      running: z.string().nullable(),
      /** Another process that is working on the site. The sync waits for that process. */
      other_process: siteProcessSchema.nullable().optional(),
      /** Another process that syncs the site on a schedule. */
      scheduled: syncScheduleSchema.nullable().optional(),
      /** Time at which a damaged copy was set aside; null once its records have been downloaded again. */
      set_aside: field.moment.nullable().optional(),
    }),
  ),
  runs: defineSiteQuery({ limit: z.int().min(1).max(200).default(20) }).output(z.array(syncRunSchema)),
  run: defineSiteQuery({ job: z.string() }).output(syncRunSchema),
  problems: definePageQuery({ part: syncPartSchema.optional() }).output(toPageSchema(syncProblemSchema)),
};
