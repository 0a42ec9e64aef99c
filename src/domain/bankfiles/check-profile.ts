import { z } from 'zod';
import { isEncoding } from './encoding.ts';
import { lineKinds } from './line-kind.ts';
import { dateOrders, decimalMarks, type Field, fields, type Profile } from './profile.ts';
import { delimiters } from './table/table.ts';

const header = z.string().trim().min(1).max(200);
const headers = z.array(header).max(50);
const text = z.string().max(200);
const ofFields = <Value extends z.ZodType>(value: Value) => z.partialRecord(z.enum(fields), value);

const shape = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'lower-case letters, digits and dashes, at most 60'),
  label: z.string().trim().min(1).max(100),
  source: z.enum(['bank', 'processor']),
  recognized_by: z.array(header).max(500),
  columns: ofFields(headers),
  positions: ofFields(z.int().min(1).max(500)).optional(),
  header_line: z.int().min(0).max(1000).optional(),
  delimiter: z.enum(delimiters).optional(),
  encoding: z.string().max(40).refine(isEncoding, 'no encoding that is known').optional(),
  date_order: z.enum(dateOrders).optional(),
  decimal_mark: z.enum(decimalMarks).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'three capital letters')
    .optional(),
  sheet: z.string().max(100).optional(),
  turned: z.boolean().optional(),
  unit: z.enum(['decimal', 'minor']).optional(),
  fee_sign: z.enum(['positive', 'negative']).optional(),
  kinds: z.record(text, z.enum(lineKinds)).optional(),
  kind_otherwise: z.enum(lineKinds).optional(),
  outgoing: z.array(z.enum(lineKinds)).optional(),
  idle_statuses: z.array(text).max(200).optional(),
  outgoing_directions: z.array(text).max(200).optional(),
});

/** Validates a saved or imported profile. Returns it, or a sentence per fault. */
export function checkProfile(
  given: unknown,
): { readonly profile: Profile } | { readonly faults: readonly string[] } {
  const result = shape.safeParse(given);
  if (!result.success) {
    return {
      faults: result.error.issues.map(({ path, message }) => `${path.join('.') || 'profile'}: ${message}`),
    };
  }
  const profile = result.data as Profile;
  const named = (field: Field) =>
    (profile.columns[field]?.length ?? 0) > 0 || profile.positions?.[field] !== undefined;
  if (!named('booked_on')) return { faults: ['columns: no column of dates (booked_on)'] };
  const amounts: Field[] = ['amount', 'credit', 'debit', 'net', 'net_credit'];
  return amounts.some(named) ? { profile } : { faults: ['columns: no column of amounts'] };
}
