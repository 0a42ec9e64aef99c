import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { streamProcedure } from '../shared/procedure-kinds.ts';

/** Stored results that a recomputation compares. `totals`: counts and sums that are kept beside the records. */
const partSchema = z.enum(['exceptions', 'payments', 'matches', 'totals']);
export type RecomputedPart = z.infer<typeof partSchema>;

/** Difference between the stored and the recomputed results. */
const differenceSchema = z.object({
  part: partSchema,
  /** `stored`: only the stored results have the item. `recomputed`: only the recomputed ones have it. `changed`: they differ. */
  change: z.enum(['stored', 'recomputed', 'changed']),
  /** Short description of the item. */
  text: z.string(),
});
export type RecomputedDifference = z.infer<typeof differenceSchema>;

const recomputationSchema = z.object({
  site: field.siteName,
  /** True if there is no difference and everything was computed again. */
  ok: z.boolean(),
  /** Number of subscriptions that could not be checked again. */
  unchecked: z.int(),
  /** Number of differences of each part. */
  parts: z.array(z.object({ part: partSchema, items: z.int(), differences: z.int() })),
  /** The first differences, at most 50 per part and kind of change. */
  differences: z.array(differenceSchema),
  /** Reasons for which differences are expected, for example a sync since the last matching run. Empty if there are none. */
  outdated: z.array(z.string()),
});
export type Recomputation = z.infer<typeof recomputationSchema>;

const stepSchema = z.object({
  step: z.enum(['copy', 'check', 'matching', 'comparison']),
  done: z.int(),
  total: z.int().nullable(),
  /** The result, in the last event. */
  result: recomputationSchema.nullable(),
});
export type RecomputationStep = z.infer<typeof stepSchema>;

/**
 * Computes the exceptions, payments and matches again from all records of a copy, adds up all stored totals, and
 * compares them with the stored ones. Changes nothing. Streams the progress and ends with the result. Throws `conflict`
 * while a job of any process is running on the site.
 */
export const recomputeProcedure = streamProcedure
  .input(z.object({ site: field.siteName }))
  .output(eventIterator(stepSchema));
