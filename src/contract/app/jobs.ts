import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { moment, siteName } from '../shared/common-schemas.ts';
import { errorValue } from '../shared/errors.ts';
import { command, query, stream } from '../shared/procedure-kinds.ts';

export const jobState = z.enum(['running', 'paused', 'done', 'failed', 'canceled', 'interrupted']);
export type JobState = z.infer<typeof jobState>;

/** Progress of one part of a job; `total` is null where it cannot be known. */
export const progress = z.object({
  part: z.string(),
  done: z.int(),
  total: z.int().nullable(),
  /** The total is reckoned, not counted. */
  estimated: z.boolean().optional(),
  failed: z.int(),
  /** What is under way, for reading. */
  current: z.string().nullable(),
  /**
   * Why nothing comes just now: the service asks to wait, does not answer, or answers with errors. `until`: when it is asked
   * again, where that is known.
   */
  waits: z
    .object({ reason: z.enum(['limited', 'away', 'failing']), until: moment.nullable() })
    .nullable()
    .optional(),
});
export type Progress = z.infer<typeof progress>;

/** Long work. It survives the window; what it has stored stays when it is canceled. */
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
  /** Units a second over the last seconds, and an honest estimate; null where unknown. */
  rate: z.number().nullable(),
  remaining_ms: z.int().nullable(),
  /** What it did, in a sentence; when ended. */
  summary: z.string().nullable(),
  error: errorValue.nullable(),
});
export type Job = z.infer<typeof job>;

export const jobs = {
  /** Running first, then the newest. */
  list: query
    .input(z.object({ site: siteName.optional(), limit: z.int().min(1).max(200).default(50) }))
    .output(z.array(job)),
  get: query.input(z.object({ site: siteName, job: z.string() })).output(job),
  /** The job now and after each change, at most ten a second; ends with the job's last state. */
  watch: stream.input(z.object({ site: siteName, job: z.string() })).output(eventIterator(job)),
  /** Stops within a second, between pages; what is stored stays. */
  cancel: command.input(z.object({ site: siteName, job: z.string() })).output(job),
};
