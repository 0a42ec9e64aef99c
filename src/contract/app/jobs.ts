import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { errorValueSchema } from '../shared/errors.ts';
import {
  defineSiteCommand,
  defineSiteQuery,
  queryProcedure,
  streamProcedure,
} from '../shared/procedure-kinds.ts';

const jobStateSchema = z.enum(['running', 'paused', 'done', 'failed', 'canceled', 'interrupted']);
export type JobState = z.infer<typeof jobStateSchema>;

/** Progress of one part of a job. `total` is null if it is unknown. */
const progressSchema = z.object({
  part: z.string(),
  done: z.int(),
  total: z.int().nullable(),
  /** True if the total is an estimate. */
  estimated: z.boolean().optional(),
  failed: z.int(),
  /** Description of the job's current step. */
  current: z.string().nullable(),
  /** Reason for waiting: the service is rate-limited, unreachable, failing or slow. `until`: time of the next attempt. */
  waits: z
    .object({ reason: z.enum(['limited', 'away', 'failing', 'slow']), until: field.moment.nullable() })
    .nullable()
    .optional(),
});
export type JobProgress = z.infer<typeof progressSchema>;

/** A long-running task, which continues when the window is closed. A canceled job leaves its stored records. */
export const jobSchema = z.object({
  id: z.string(),
  site: field.siteName,
  kind: z.enum([
    'sync',
    'replay',
    'archive',
    'import',
    'match',
    'check',
    'period',
    'report',
    'pack',
    'allocations',
  ]),
  state: jobStateSchema,
  started_at: field.moment,
  ended_at: field.moment.nullable(),
  progress: z.array(progressSchema),
  /** Units per second over the last seconds; null if unknown. */
  rate: z.number().nullable(),
  remaining_ms: z.int().nullable(),
  /** Result of a job that has ended, as one sentence. */
  summary: z.string().nullable(),
  error: errorValueSchema.nullable(),
});
export type Job = z.infer<typeof jobSchema>;

export const jobProcedures = {
  /** Lists jobs: running ones first, then newest first. */
  list: queryProcedure
    .input(z.object({ site: field.siteName.optional(), limit: z.int().min(1).max(200).default(50) }))
    .output(z.array(jobSchema)),
  get: defineSiteQuery({ job: z.string() }).output(jobSchema),
  /** Streams the job's current state and each change, at most ten per second. Ends with the job's final state. */
  watch: streamProcedure
    .input(z.object({ site: field.siteName, job: z.string() }))
    .output(eventIterator(jobSchema)),
  /** Cancels a job within a second, between pages. Stored records remain. */
  cancel: defineSiteCommand({ job: z.string() }).output(jobSchema),
};
