import { z } from 'zod';
import { calendarDateSchema, centsSchema, directionSchema, momentSchema } from '../shared/common-schemas.ts';
import { figureOfSchema } from '../shared/figure-reference.ts';

const rowId = z.int().positive();

/**
 * Kind of an account. `bank`: bank statements. `processor`: payout reports. `ledger`: an export of the merchant's own
 * books.
 */
export const accountKindSchema = z.enum(['bank', 'processor', 'ledger']);
export type AccountKind = z.infer<typeof accountKindSchema>;

export const accountNameSchema = z.string().trim().min(1).max(100);

/** Money in and out in one currency. `in_cents` is at least 0, `out_cents` at most 0. */
export const moneySumSchema = z.object({
  currency: z.string(),
  count: z.int(),
  in_cents: centsSchema,
  out_cents: centsSchema,
});
export type MoneySum = z.infer<typeof moneySumSchema>;

export const bankAccountSchema = z.object({
  id: z.int(),
  /** Name of the account, unique ignoring case. */
  name: accountNameSchema,
  kind: accountKindSchema,
  /** Currency of lines that state none. Null means the site's currency. */
  currency: z.string().nullable(),
  /**
   * Account number or IBAN from the first file that states it; null if unknown. Files with a different number are
   * refused.
   */
  number: z.string().nullable(),
  /**
   * Range of days after a payment (negative: before it) within which its money can arrive. Null means the default for the
   * account kind.
   */
  window: z.object({ from_days: z.int(), to_days: z.int() }).nullable(),
  lines: z.int(),
  imports: z.int(),
  /** First booking date; null if the account has no lines. */
  first_on: calendarDateSchema.nullable(),
  last_on: calendarDateSchema.nullable(),
  /** Latest closing balance that a file states. */
  balance: z
    .object({ amount_in_cents: centsSchema, currency: z.string(), on: calendarDateSchema })
    .nullable(),
  sums: z.array(moneySumSchema),
  /** Number of the account's lines by match state. */
  states: z.record(z.string(), z.int()),
});
export type BankAccount = z.infer<typeof bankAccountSchema>;

/**
 * How much of a line or payment is matched.
 * - `open`: no match.
 * - `suggested`, `ambiguous`: a match waits for a decision.
 * - `part`: confirmed matches cover a part of the amount.
 * - `matched`: they cover all of it.
 * - `ignored`: a rule or user marked it as out of scope.
 */
export const matchStateSchema = z.enum(['open', 'ambiguous', 'suggested', 'part', 'matched', 'ignored']);
export type MatchState = z.infer<typeof matchStateSchema>;

/**
 * Kind of a bank line. `entry` has no specific meaning. The other kinds come from a payout report or the bank's codes.
 */
export const bankLineKindSchema = z.enum([
  'entry',
  'payment',
  'refund',
  'chargeback',
  'fee',
  'payout',
  'reserve',
  'fx',
  'adjustment',
  'transfer',
  'interest',
]);

/** A bank line of an account, as stated in its file. */
export const bankLineSchema = z.object({
  id: z.int(),
  account: z.object({ id: z.int(), name: z.string() }),
  import: z.int(),
  /** Name of the file that contains the line. */
  file: z.string(),
  row: z.int(),
  booked_on: calendarDateSchema,
  value_on: calendarDateSchema.nullable(),
  /** Amount in cents, positive for money received. In a payout report, the gross amount. */
  amount_in_cents: centsSchema,
  currency: z.string(),
  kind: bankLineKindSchema,
  description: z.string(),
  reference: z.string().nullable(),
  counterparty: z.string().nullable(),
  bank_id: z.string().nullable(),
  payout_id: z.string().nullable(),
  gateway_transaction_id: z.string().nullable(),
  fee_in_cents: centsSchema.nullable(),
  net_in_cents: centsSchema.nullable(),
  state: matchStateSchema,
  /** Amount covered by confirmed matches, in cents. It has the same sign as the line's amount and never exceeds it. */
  claimed_in_cents: centsSchema,
  /** Number of notes on the line. */
  notes: z.int(),
});
export type BankLine = z.infer<typeof bankLineSchema>;

export const matchNoteSchema = z.object({ at: momentSchema, user: z.string(), text: z.string() });
export type MatchNote = z.infer<typeof matchNoteSchema>;

export const bankLineDetailSchema = bankLineSchema.extend({
  /** Location of the line in the file, for example `line 7` or `Sheet1!A7`. */
  location: z.string(),
  balance_in_cents: centsSchema.nullable(),
  foreign: z
    .object({ amount_in_cents: centsSchema, currency: z.string(), rate: z.string().nullable() })
    .nullable(),
  /** All other columns by their names in the file. They are never used for matching. */
  extra: z.record(z.string(), z.string()),
  /** IDs of the line's current and earlier matches, newest first. `match.get` returns one. */
  groups: z.array(z.int()),
  /** Notes on the line, oldest first. */
  note_texts: z.array(matchNoteSchema),
});
export type BankLineDetail = z.infer<typeof bankLineDetailSchema>;

export const bankLineFilterSchema = z.object({
  account: z.array(rowId).optional(),
  import: rowId.optional(),
  state: z.array(matchStateSchema).optional(),
  kind: z.array(bankLineKindSchema).optional(),
  /** Direction of the money: `in` selects money received, `out` money sent. */
  flow: z.enum(['in', 'out']).optional(),
  currency: z.string().max(3).optional(),
  /** First booking date to include. */
  since: calendarDateSchema.optional(),
  until: calendarDateSchema.optional(),
  /** Minimum absolute amount to include, in cents. */
  min_in_cents: centsSchema.nonnegative().optional(),
  max_in_cents: centsSchema.nonnegative().optional(),
  payout_id: z.string().max(200).optional(),
  /** Workpaper figure whose source rows are selected. */
  figure: figureOfSchema.optional(),
  /** Words of the line's texts and IDs, or an amount, for example `19.90`. */
  search: z.string().max(200).optional(),
});
export type BankLineFilter = z.infer<typeof bankLineFilterSchema>;

export const bankLineSortSchema = z.object({
  by: z.enum(['booked_on', 'amount_in_cents']).default('booked_on'),
  direction: directionSchema.default('desc'),
});
