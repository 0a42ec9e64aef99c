import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { momentSchema, siteNameSchema } from '../shared/common-schemas.ts';
import { errorValueSchema } from '../shared/errors.ts';
import { command, query, stream } from '../shared/procedure-kinds.ts';

export const jobStateSchema = z.enum(['running', 'paused', 'done', 'failed', 'canceled', 'interrupted']);
export type JobState = z.infer<typeof jobStateSchema>;

/** Progress of one part of a job. `total` is null if it is unknown. */
export const progressSchema = z.object({
  part: z.string(),
  done: z.int(),
  total: z.int().nullable(),
  /** True if the total is an estimate. */
  estimated: z.boolean().optional(),
  failed: z.int(),
  /** Description of the current step. */
  current: z.string().nullable(),
  /**
   * Reason why the job is waiting: the service requests a pause, does not answer, or answers with errors. `until` is the
   * time of the next attempt, if it is known.
   */
  waits: z
    .object({ reason: z.enum(['limited', 'away', 'failing']), until: momentSchema.nullable() })
    .nullable()
    .optional(),
});
export type Progress = z.infer<typeof progressSchema>;

/** A long-running task. It continues when the window is closed. If it is canceled, the records it has stored remain. */
export const jobSchema = z.object({
  id: z.string(),
  site: siteNameSchema,
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
  started_at: momentSchema,
  ended_at: momentSchema.nullable(),
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
  list: query
    .input(z.object({ site: siteNameSchema.optional(), limit: z.int().min(1).max(200).default(50) }))
    .output(z.array(jobSchema)),
  get: query.input(z.object({ site: siteNameSchema, job: z.string() })).output(jobSchema),
  /** Streams the job's current state and each change, at most ten per second. Ends with the job's final state. */
  watch: stream.input(z.object({ site: siteNameSchema, job: z.string() })).output(eventIterator(jobSchema)),
  /** Cancels a job within a second, between pages. Stored records remain. */
  cancel: command.input(z.object({ site: siteNameSchema, job: z.string() })).output(jobSchema),
};
