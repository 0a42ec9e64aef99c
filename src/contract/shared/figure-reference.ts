import { z } from 'zod';
import { field } from './common-schemas.ts';

/** ID of a schedule: `S1` to `S99`, or for example `S3-2` for the schedule of bank account 2. */
export const scheduleIdSchema = z
  .string()
  .regex(/^S[1-9]\d?(-[1-9]\d{0,8})?$/, 'must be a schedule, for example S2');

/** ID of a figure, for example `S2.direct` or `S3-2.received`. Closed figures contain it, so figures are never renamed. */
export const figureIdSchema = z
  .string()
  .regex(/^S[1-9]\d?(-[1-9]\d{0,8})?\.[a-z][a-z0-9-]{0,60}$/, 'must be a figure, for example S2.payments');

/** A figure of a month in one currency. A list filtered by it contains the rows that add up to it. */
export const figureReferenceSchema = z.object({
  period: field.period,
  currency: z.string().max(3),
  figure: figureIdSchema,
});
export type FigureReference = z.infer<typeof figureReferenceSchema>;
