import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { figureIdSchema } from '../shared/figure-reference.ts';

/**
 * Information produced by the entity (IPE): how each figure of a workpaper was produced from its sources, and which part
 * of their completeness and accuracy is proved.
 */

/** A figure that consists of rows, counted and added up again from these rows. */
export const ipeFigureSchema = z.object({
  currency: z.string(),
  figure: figureIdSchema,
  rows: z.int(),
  amount_in_cents: field.cents,
  /** SHA-256 (hex) of the figure's rows in `tables/figure_rows.csv` of the evidence pack, including line breaks. */
  sha256: z.string(),
  /** Keys of the sources that the rows come from. */
  sources: z.array(z.string()),
  completeness: z.string(),
  accuracy: z.string(),
  /** Version of the matching rules; null if no row of the figure depends on a match. */
  rules: z.string().nullable(),
});
export type IpeFigure = z.infer<typeof ipeFigureSchema>;

/** A source of figures: a list of the billing service, an account, an imported file, or decisions in the app. */
export const ipeSourceSchema = z.object({
  /** Permanent key of the source, for example `statements`, `account-2` or `file-7`. */
  source: z.string(),
  title: z.string(),
  /** Requests, file or table that the source consists of. */
  origin: z.string(),
  /** First and last time by the service's clock, or first and last day; null if unknown. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Number of recorded requests; null if the source was not requested from the service. */
  requests: z.int().nullable(),
  rows: z.int(),
  /** Currency of the amount; null if the source has no amounts. */
  currency: z.string().nullable(),
  /** Control total of the source's amounts in cents; null if it has none. */
  amount_in_cents: field.cents.nullable(),
  /** SHA-256 (hex) of the file, or of the table in the evidence pack; null if there is neither. */
  sha256: z.string().nullable(),
  /** True if the source is proved to be complete, false if not, null if completeness does not apply to it. */
  complete: z.boolean().nullable(),
  continuity: z.string(),
  completeness: z.string(),
  accuracy: z.string(),
});
export type IpeSource = z.infer<typeof ipeSourceSchema>;

/** A request whose response delivered statement IDs, or statements closed in the period. */
export const ipeRequestSchema = z.object({
  source: z.string(),
  /** Method, path and parameters, without the address of the service. */
  request: z.string(),
  /** Time of the service according to the response; null if the response states no time. */
  server_date: field.moment.nullable(),
  rows: z.int(),
  bytes: z.int(),
  /** SHA-256 (hex) of the decompressed response. */
  sha256: z.string(),
});
export type IpeRequest = z.infer<typeof ipeRequestSchema>;
