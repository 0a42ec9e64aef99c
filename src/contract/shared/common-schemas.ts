import { z } from 'zod';
import { siteNamePattern } from './site-name.ts';

/** Amount of money in whole cents. */
export const centsSchema = z.int();
/** A timestamp as text. Timestamps of the service are unchanged; those of the app are ISO 8601 UTC (`…Z`). */
export const momentSchema = z.string();
export const calendarDateSchema = z.iso.date();
/** A calendar month of the site, `YYYY-MM`. */
export const periodSchema = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'a month as 2026-10');
/** An identifier of the billing service. */
export const serviceIdSchema = z.int().nonnegative();
/** Short name of a site: name of its folder and keychain account, and value of `--site`. */
export const siteNameSchema = z
  .string()
  .regex(siteNamePattern, 'lower-case letters, digits and dashes, at most 40');
/** Fields that the service sent but Tieout does not use. */
export const extraSchema = z.record(z.string(), z.json());

/** A component quantity: an integer, or the exact decimal text if the service allows fractions. */
export const quantitySchema = z.union([z.int(), z.string().regex(/^-?\d+(\.\d+)?$/)]);

/** Opaque cursor to a position in a list, created by the list. */
export const cursorSchema = z.string().max(2000);

/** Input fields that select a page of a list. */
export const pageInputSchema = z.object({
  /** Cursor after which the page starts. If absent, the page starts at the beginning. */
  after: cursorSchema.optional(),
  limit: z.int().min(1).max(1000).default(100),
});

export const directionSchema = z.enum(['asc', 'desc']);

/** Number of rows that match a filter. `exact` is false if counting stopped at the limit. */
export const totalSchema = z.object({ count: z.int(), exact: z.boolean() });
export type Total = z.infer<typeof totalSchema>;

/**
 * Returns the schema of one page of a list. `next` is null on the last page. Only the first page has `total`, so that
 * later pages need no second count.
 */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({ rows: z.array(row), next: cursorSchema.nullable(), total: totalSchema.nullable() });
}

/**
 * Input for the page marks of a list: the cursors before every `every`-th row, in order. `marks[0]` is null and means the
 * start. A grid uses page marks to jump to any position by keyset, so its scrollbar is exact.
 */
export const marksInput = { every: z.int().min(50).max(1000).default(200) };
export const marksOutputSchema = z.object({
  every: z.int(),
  total: z.int(),
  marks: z.array(cursorSchema.nullable()),
});
export type Marks = z.infer<typeof marksOutputSchema>;

/** Handle of a one-time file. The shell serves it as `app://tieout/blob/<id>`, or `/blob/<id>` in the browser. */
export const blobSchema = z.object({ blob: z.string(), name: z.string(), type: z.string(), bytes: z.int() });
export type Blob = z.infer<typeof blobSchema>;
