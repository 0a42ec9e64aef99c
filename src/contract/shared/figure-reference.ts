import { z } from 'zod';
import { period } from './common-schemas.ts';

/**
 * Id of a workpaper figure: its schedule and its name, for example `S2.direct`. Closed figures contain it, so it is never
 * renamed.
 */
export const figureId = z.string().regex(/^S[123]\.[a-z][a-z0-9-]{0,60}$/, 'a figure, such as S2.payments');

/**
 * A figure of a month in one currency. A list filtered by it has exactly the rows that add up to the figure, as in
 * `workpapers.rows`.
 */
export const figureOf = z.object({ period, currency: z.string().max(3), figure: figureId });
export type FigureOf = z.infer<typeof figureOf>;
