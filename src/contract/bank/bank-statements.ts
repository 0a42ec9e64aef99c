import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';

/** A bank statement with a closing balance, and its gap to the previous statement of the account. */
export const bankStatementSchema = z.object({
  id: z.int(),
  account: z.object({ id: z.int(), name: z.string() }),
  /** ID of the import that contains the statement; null if a person entered it. */
  import: z.int().nullable(),
  number: z.string().nullable(),
  currency: z.string(),
  /** First and last day that the statement covers. */
  from: field.date,
  to: field.date,
  /** Balance before the first day, in cents; null if the statement does not state it. */
  opening_in_cents: field.cents.nullable(),
  /** Balance at the end of the last day, in cents. */
  closing_in_cents: field.cents,
  /** Total of the statement's lines per file, in cents; null if a person entered the statement. */
  lines_in_cents: field.cents.nullable(),
  /** Closing balance minus opening balance minus lines, in cents; null if one of them is unknown. */
  difference_in_cents: field.cents.nullable(),
  /** Opening balance minus the previous statement's closing balance, in cents; null if one of them is unknown. */
  gap_in_cents: field.cents.nullable(),
  /** Days between the previous statement and this one. If the gap is zero, no movement on them is missing. */
  days_between: z.int(),
  /** Number of statements missing before this one, derived from the statement numbers; null if unknown. */
  missing_numbers: z.int().nullable(),
  /** The imported file, or the file attached to an entered statement. It is stored unchanged under its SHA-256. */
  source: z.object({ file: z.string(), sha256: z.string(), bytes: z.int() }),
  at: field.moment,
  user: z.string(),
});
export type BankStatement = z.infer<typeof bankStatementSchema>;

/** A bank statement to enter, with its source file attached. */
export const newBankStatementSchema = z.object({
  account: field.rowId,
  /** Currency of the balances. By default, the account's currency, or else the site's. */
  currency: field.currencyCode.optional(),
  number: z.string().trim().min(1).max(60).optional(),
  from: field.date,
  to: field.date,
  opening_in_cents: field.cents,
  closing_in_cents: field.cents,
  /** Uploaded source file, for example a scan of the statement. */
  upload: z.string().max(60),
});
