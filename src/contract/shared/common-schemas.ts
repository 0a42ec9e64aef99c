import { z } from 'zod';
import { siteNamePattern } from './site-name.ts';

/** Short name of a site: name of its folder and keychain account, and value of `--site`. */
export const siteNameSchema = z
  .string()
  .regex(siteNamePattern, 'must be at most 40 lowercase letters, digits and dashes');

const isWindows = globalThis.process?.platform === 'win32';
const absolutePathPattern = isWindows ? /^(?:[A-Za-z]:[\\/]|\\\\)[^\0]*$/ : /^\/[^\0]*$/;
const isAbsolutePath = (path: string): boolean => absolutePathPattern.test(path);

/** Schemas of single fields that many procedures share. */
export const field = {
  /** Amount of money in whole cents. */
  cents: z.int(),
  currencyCode: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters, for example USD'),
  /** Opaque cursor to a position in a list, created by the list. */
  cursor: z.string().max(2000),
  date: z.iso.date(),
  direction: z.enum(['asc', 'desc']),
  /** Fields that the service sent but Tieout does not use. */
  extra: z.record(z.string(), z.json()),
  /** ID as text, in its only spelling: without leading zeros. At most 15 digits, so that it is exact as a number. */
  idText: z.string().regex(/^(0|[1-9]\d{0,14})$/, 'must be an ID, for example 17'),
  /** A timestamp as text. Timestamps of the service are unchanged; those of the app are ISO 8601 UTC (`…Z`). */
  moment: z.string(),
  /** Absolute path of a file or folder on this computer. A relative one would depend on where Tieout was started. */
  path: z
    .string()
    .min(1)
    .max(4000)
    .refine(isAbsolutePath, 'must be an absolute path without null characters'),
  /** A calendar month of the site, `YYYY-MM`. */
  period: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, for example 2026-10'),
  /** A component quantity: an integer, or the exact decimal text if the service allows fractions. */
  quantity: z.union([z.int(), z.string().regex(/^-?\d+(\.\d+)?$/)]),
  /** Reason for a decision, for the audit log. */
  reason: z.string().trim().min(1).max(2000),
  /** ID of a row in the books. */
  rowId: z.int().positive(),
  search: z.string().max(200),
  /** Identifier assigned by the billing service. */
  serviceId: z.int().nonnegative(),
  /** SHA-256 of a file. Files are stored under it, so any other text could name a file elsewhere. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits'),
  siteName: siteNameSchema,
};

/** Reference to the job that a command started. */
export const jobRefSchema = z.object({ job: z.string() });

/** Input fields that select a page of a list. */
export const pageInputSchema = z.object({
  /** Cursor after which the page starts. If absent, the page starts at the beginning. */
  after: field.cursor.optional(),
  limit: z.int().min(1).max(1000).default(100),
});

/** Returns the schema of a sort order. The first field and the direction are the defaults. */
export function createSortSchema<const Fields extends readonly [string, ...string[]]>(
  fields: Fields,
  direction: 'asc' | 'desc',
) {
  const sort = z.object({
    by: z.enum(fields).default(fields[0] as never),
    direction: field.direction.default(direction),
  });
  return sort.default({ by: fields[0], direction } as never);
}

/** Number of rows that match a filter. `exact` is false if counting stopped at the limit. */
const totalSchema = z.object({ count: z.int(), exact: z.boolean() });
export type ListTotal = z.infer<typeof totalSchema>;

/** Returns the schema of one page of a list. `next` is null on the last page. Only the first page has `total`. */
export function toPageSchema<Row extends z.ZodType>(row: Row) {
  return z.object({ rows: z.array(row), next: field.cursor.nullable(), total: totalSchema.nullable() });
}

/**
 * Input for the page marks of a list. Page marks are the cursors before every `every`-th row, in order. `marks[0]` is
 * null and means the start. A grid uses page marks to jump to any position by keyset, so its scrollbar is exact.
 */
export const pageMarksInput = { every: z.int().min(50).max(1000).default(200) };
export const pageMarksSchema = z.object({
  every: z.int(),
  total: z.int(),
  marks: z.array(field.cursor.nullable()),
});
export type PageMarks = z.infer<typeof pageMarksSchema>;

/** Handle of a one-time file. The shell serves it as `app://tieout/blob/<id>`, or `/blob/<id>` in the browser. */
export const oneTimeFileHandleSchema = z.object({
  blob: z.string(),
  name: z.string(),
  type: z.string(),
  bytes: z.int(),
});
export type OneTimeFileHandle = z.infer<typeof oneTimeFileHandleSchema>;
