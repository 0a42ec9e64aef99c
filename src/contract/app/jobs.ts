import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { moment, siteName } from '../shared/common-schemas.ts';
import { errorValue } from '../shared/errors.ts';
import { command, query, stream } from '../shared/procedure-kinds.ts';

export const jobState = z.enum(['running', 'paused', 'done', 'failed', 'canceled', 'interrupted']);
export type JobState = z.infer<typeof jobState>;

/** Progress of one part of a job. `total` is null if unknown. */
export const progress = z.object({
  part: z.string(),
  done: z.int(),
  total: z.int().nullable(),
  /** True if the total is an estimate. */
  estimated: z.boolean().optional(),
  failed: z.int(),
  /** Description of the current step. */
  current: z.string().nullable(),
  /**
   * Why the job waits: the service asks for a pause, does not answer, or answers with errors. `until` is the time of the
   * next attempt, if known.
   */
  waits: z
    .object({ reason: z.enum(['limited', 'away', 'failing']), until: moment.nullable() })
    .nullable()
    .optional(),
});
export type Progress = z.infer<typeof progress>;

/** A long-running task. It continues when the window is closed. Canceling keeps what it has stored. */
export const job = z.object({
  id: z.string(),
  site: siteName,
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
  state: jobState,
  started_at: moment,
  ended_at: moment.nullable(),
  progress: z.array(progress),
  /** Units per second over the last seconds, and the estimated remaining time. Null if unknown. */
  rate: z.number().nullable(),
  remaining_ms: z.int().nullable(),
  /** Result of an ended job, as one sentence. */
  summary: z.string().nullable(),
  error: errorValue.nullable(),
});
export type Job = z.infer<typeof job>;

export const jobs = {
  /** Lists jobs: running ones first, then newest first. */
  list: query
    .input(z.object({ site: siteName.optional(), limit: z.int().min(1).max(200).default(50) }))
    .output(z.array(job)),
  get: query.input(z.object({ site: siteName, job: z.string() })).output(job),
  /** Streams the job's current state and each change, at most ten per second. Ends with the job's final state. */
  watch: stream.input(z.object({ site: siteName, job: z.string() })).output(eventIterator(job)),
  /** Stops the job within a second, between pages. Stored records remain. */
  cancel: command.input(z.object({ site: siteName, job: z.string() })).output(job),
};
