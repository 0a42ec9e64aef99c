import { z } from 'zod';
import { siteNamePattern } from './site-name.ts';

/** Amount of money in whole cents. */
export const cents = z.int();
/** A timestamp as text. Values of the service are unchanged; our own are ISO 8601 UTC (`…Z`). */
export const moment = z.string();
export const calendarDate = z.iso.date();
/** A calendar month of the site, `YYYY-MM`. */
export const period = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'a month as 2026-10');
/** An identifier of the billing service. */
export const serviceId = z.int().nonnegative();
/** Short name of a site: name of its folder and keychain account, and value of `--site`. */
export const siteName = z
  .string()
  .regex(siteNamePattern, 'lower-case letters, digits and dashes, at most 40');
/** Fields that the service sent and Tieout does not model. */
export const extra = z.record(z.string(), z.json());

/** A component quantity: an integer, or the exact decimal text if the service allows fractions. */
export const quantity = z.union([z.int(), z.string().regex(/^-?\d+(\.\d+)?$/)]);

/** Opaque position in a list, created by the list. */
export const cursor = z.string().max(2000);

/** Input fields that select a page of a list. */
export const pageInput = z.object({
  /** The page starts after this cursor. If absent, it starts at the beginning. */
  after: cursor.optional(),
  limit: z.int().min(1).max(1000).default(100),
});

export const direction = z.enum(['asc', 'desc']);

/** Number of rows that match a filter. `exact` is false if counting stopped at the limit. */
export const total = z.object({ count: z.int(), exact: z.boolean() });
export type Total = z.infer<typeof total>;

/**
 * Returns the schema of one page of a list. `next` is null at the end. Only the first page has `total`, so that later
 * pages need no second count.
 */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({ rows: z.array(row), next: cursor.nullable(), total: total.nullable() });
}

/**
 * Page marks of a list: the cursor before every `every`-th row, in order. `marks[0]` is null, the start. A grid uses them
 * to jump to any position by keyset, so its scrollbar is exact.
 */
export const marksInput = { every: z.int().min(50).max(1000).default(200) };
export const marksOutput = z.object({ every: z.int(), total: z.int(), marks: z.array(cursor.nullable()) });
export type Marks = z.infer<typeof marksOutput>;

/** Handle of a one-time file. The shell serves it as `app://tieout/blob/<id>`, or `/blob/<id>` in the browser. */
export const blob = z.object({ blob: z.string(), name: z.string(), type: z.string(), bytes: z.int() });
export type Blob = z.infer<typeof blob>;
