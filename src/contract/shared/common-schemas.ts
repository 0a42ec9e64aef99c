import { z } from 'zod';
import { siteNamePattern } from './site-name.ts';

/** Money: whole cents, never a fraction. */
export const cents = z.int();
/** A moment as text: what the service sent, word for word; our own are ISO 8601 UTC (`…Z`). */
export const moment = z.string();
/** A calendar date, `YYYY-MM-DD`. */
export const calendarDate = z.iso.date();
/** A month of the site's calendar, `2026-10`. */
export const period = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'a month as 2026-10');
/** The service's identifiers. */
export const serviceId = z.int().nonnegative();
/** A site's short name: its folder, its keychain account, the `--site` of the command line. */
export const siteName = z
  .string()
  .regex(siteNamePattern, 'lower-case letters, digits and dashes, at most 40');
/** What the service sent that we do not model. */
export const extra = z.record(z.string(), z.json());

/** A component quantity: a whole number, or the exact decimal text where the service allows fractions. */
export const quantity = z.union([z.int(), z.string().regex(/^-?\d+(\.\d+)?$/)]);

/** Opaque place in a list; made by the list, given back to it. */
export const cursor = z.string().max(2000);

/** The part of every list's input that says where to begin and how much to bring. */
export const pageInput = z.object({
  /** Continue behind this cursor; absent: from the start. */
  after: cursor.optional(),
  limit: z.int().min(1).max(1000).default(100),
});

export const direction = z.enum(['asc', 'desc']);

/** How many rows a filter matches. `exact` is false where counting stopped at the bound. */
export const total = z.object({ count: z.int(), exact: z.boolean() });
export type Total = z.infer<typeof total>;

/**
 * A page of a list. `next` is null at the end. `total` comes with the first page only (no `after`), so that
 * paging on never counts again.
 */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({ rows: z.array(row), next: cursor.nullable(), total: total.nullable() });
}

/**
 * Page marks of a list: the cursor before every `every`-th row, in order; `marks[0]` is null (the start).
 * With them a grid jumps to any place of a million rows by keyset, and its scrollbar is exact.
 */
export const marksInput = { every: z.int().min(50).max(1000).default(200) };
export const marksOutput = z.object({ every: z.int(), total: z.int(), marks: z.array(cursor.nullable()) });
export type Marks = z.infer<typeof marksOutput>;

/** A one-time handle on bytes; the shell serves it (`app://tieout/blob/<id>`, or `/blob/<id>` in the browser). */
export const blob = z.object({ blob: z.string(), name: z.string(), type: z.string(), bytes: z.int() });
export type Blob = z.infer<typeof blob>;
