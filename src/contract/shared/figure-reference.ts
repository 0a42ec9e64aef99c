import { z } from 'zod';
import { field } from './common-schemas.ts';

/** ID of a figure, for example `S2.direct`. Closed figures contain it, so figures are never renamed. */
export const figureIdSchema = z
  .string()
  .regex(/^S[123]\.[a-z][a-z0-9-]{0,60}$/, 'must be a figure, for example S2.payments');

/** A figure of a month in one currency. A list filtered by it contains the rows that add up to it. */
export const figureReferenceSchema = z.object({
  period: field.period,
  currency: z.string().max(3),
  figure: figureIdSchema,
});
export type FigureReference = z.infer<typeof figureReferenceSchema>;
