import { z } from 'zod';
import { bankLineKinds } from './model/line-kind.ts';
import {
  type BankFileProfile,
  type BankProfileField,
  bankProfileFields,
  csvDelimiters,
  dateOrders,
  decimalMarks,
  feeRules,
  signRules,
} from './model/profile.ts';
import { isEncodingName } from './text/encoding.ts';

const header = z.string().trim().min(1).max(200);
const headers = z.array(header).max(50);
const text = z.string().max(200);
const byField = <Value extends z.ZodType>(value: Value) => z.partialRecord(z.enum(bankProfileFields), value);

const shape = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'must contain only lowercase letters, digits and dashes, at most 60'),
  label: z.string().trim().min(1).max(100),
  source: z.enum(['bank', 'processor']),
  recognized_by: z.array(header).max(500),
  columns: byField(headers),
  positions: byField(z.int().min(1).max(500)).optional(),
  header_line: z.int().min(0).max(1000).optional(),
  delimiter: z.enum(csvDelimiters).optional(),
  encoding: z.string().max(40).refine(isEncodingName, 'must be a known encoding').optional(),
  date_order: z.enum(dateOrders).optional(),
  decimal_mark: z.enum(decimalMarks).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be three capital letters')
    .optional(),
  sheet: z.string().max(100).optional(),
  negated: z.boolean().optional(),
  unit: z.enum(['decimal', 'minor']).optional(),
  fee_sign: z.enum(['positive', 'negative']).optional(),
  signs: z.enum(signRules).optional(),
  fees: z.enum(feeRules).optional(),
  kinds: z.record(text, z.enum(bankLineKinds)).optional(),
  default_kind: z.enum(bankLineKinds).optional(),
  outgoing: z.array(z.enum(bankLineKinds)).optional(),
  idle_statuses: z.array(text).max(200).optional(),
  outgoing_directions: z.array(text).max(200).optional(),
});

/** Validates a saved or imported profile. Returns the profile, or one sentence per error. */
export function validateProfile(
  candidate: unknown,
): { readonly profile: BankFileProfile } | { readonly faults: readonly string[] } {
  const result = shape.safeParse(candidate);
  if (!result.success) {
    return {
      faults: result.error.issues.map(({ path, message }) => `${path.join('.') || 'profile'}: ${message}`),
    };
  }
  const profile = result.data as BankFileProfile;
  const hasColumn = (field: BankProfileField) =>
    (profile.columns[field]?.length ?? 0) > 0 || profile.positions?.[field] !== undefined;
  if (!hasColumn('booked_on')) return { faults: ['columns: add a date column (booked_on)'] };
  const amounts: BankProfileField[] = ['amount', 'credit', 'debit', 'net', 'net_credit'];
  return amounts.some(hasColumn) ? { profile } : { faults: ['columns: add an amount column'] };
}
