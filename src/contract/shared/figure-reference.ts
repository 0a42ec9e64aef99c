import { z } from 'zod';
import { period } from './common-schemas.ts';

/** A figure of the workpaper: its schedule, and its own name there, as `S2.direct`. Kept in sealed workpapers, so never renamed. */
export const figureId = z.string().regex(/^S[123]\.[a-z][a-z0-9-]{0,60}$/, 'a figure, such as S2.payments');

/** A figure of a month in one currency. A list filtered by it has the rows that come to it, as `workpapers.rows` gives them, and no other. */
export const figureOf = z.object({ period, currency: z.string().max(3), figure: figureId });
export type FigureOf = z.infer<typeof figureOf>;
