import { z } from 'zod';
import { periodSchema } from './common-schemas.ts';

/**
 * ID of a workpaper figure, made of its schedule and its name, for example `S2.direct`. Closed figures contain it, so it
 * is never renamed.
 */
export const figureIdSchema = z
  .string()
  .regex(/^S[123]\.[a-z][a-z0-9-]{0,60}$/, 'a figure, such as S2.payments');

/**
 * A figure of a month in one currency. A list filtered by it contains exactly the rows that add up to the figure, as in
 * `workpapers.rows`.
 */
export const figureOfSchema = z.object({
  period: periodSchema,
  currency: z.string().max(3),
  figure: figureIdSchema,
});
export type FigureOf = z.infer<typeof figureOfSchema>;
