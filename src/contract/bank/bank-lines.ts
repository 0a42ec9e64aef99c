import { z } from 'zod';
import { createSortSchema, field } from '../shared/common-schemas.ts';
import { figureReferenceSchema } from '../shared/figure-reference.ts';

/** Kind of account: bank statements, payout reports, or an export of the merchant's own books (`ledger`). */
export const accountKindSchema = z.enum(['bank', 'processor', 'ledger']);
export type AccountKind = z.infer<typeof accountKindSchema>;

export const accountNameSchema = z.string().trim().min(1).max(100);

/** Money in and out in one currency. `in_cents` is at least 0, `out_cents` at most 0. */
export const currencyTotalsSchema = z.object({
  currency: z.string(),
  count: z.int(),
  in_cents: field.cents,
  out_cents: field.cents,
});
export type CurrencyTotals = z.infer<typeof currencyTotalsSchema>;

export const bankAccountSchema = z.object({
  id: z.int(),
  /** Name of the account, unique ignoring case. */
  name: accountNameSchema,
  kind: accountKindSchema,
  /** Currency of lines that state none. Null means the site's currency. */
  currency: z.string().nullable(),
  /** Account number or IBAN; null if unknown. Files with a different number are refused. */
  number: z.string().nullable(),
  /** Range of days after a payment (negative: before it) in which its money can arrive. Null means the default. */
  window: z.object({ from_days: z.int(), to_days: z.int() }).nullable(),
  lines: z.int(),
  imports: z.int(),
  /** First booking date; null if the account has no lines. */
  first_on: field.date.nullable(),
  last_on: field.date.nullable(),
  /** Latest closing balance that a file states. */
  balance: z.object({ amount_in_cents: field.cents, currency: z.string(), on: field.date }).nullable(),
  sums: z.array(currencyTotalsSchema),
  /** Number and amounts of lines that are not matched completely. Matched parts of a line are not included. */
  unmatched: z.array(currencyTotalsSchema),
  /** Number of the account's lines by match state. */
  states: z.record(z.string(), z.int()),
});
export type BankAccount = z.infer<typeof bankAccountSchema>;

/**
 * Match state of a bank line or payment. `open`: nothing is matched. `suggested` and `ambiguous`: a match waits for a decision.
 * `partial`: a part of the amount. `matched`: all of it. `ignored`: out of scope.
 */
export const matchStateSchema = z.enum(['open', 'ambiguous', 'suggested', 'partial', 'matched', 'ignored']);
export type MatchState = z.infer<typeof matchStateSchema>;

/** Kind of bank line, from a payout report or the bank's codes. `entry` has no specific meaning. */
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
  booked_on: field.date,
  value_on: field.date.nullable(),
  /** Amount in cents, positive for money received. In a payout report, the gross amount. */
  amount_in_cents: field.cents,
  currency: z.string(),
  kind: bankLineKindSchema,
  description: z.string(),
  reference: z.string().nullable(),
  counterparty: z.string().nullable(),
  bank_id: z.string().nullable(),
  payout_id: z.string().nullable(),
  gateway_transaction_id: z.string().nullable(),
  fee_in_cents: field.cents.nullable(),
  net_in_cents: field.cents.nullable(),
  state: matchStateSchema,
  /** Amount covered by confirmed matches, in cents. It has the same sign as the line's amount and never exceeds it. */
  claimed_in_cents: field.cents,
  comments: z.int(),
});
export type BankLine = z.infer<typeof bankLineSchema>;

export const bankLineDetailSchema = bankLineSchema.extend({
  /** Location of the line in the file, for example `line 7` or `Sheet1!A7`. */
  location: z.string(),
  balance_in_cents: field.cents.nullable(),
  foreign: z
    .object({ amount_in_cents: field.cents, currency: z.string(), rate: z.string().nullable() })
    .nullable(),
  /** All other columns by their names in the file. They are never used for matching. */
  extra: z.record(z.string(), z.string()),
  /** IDs of the line's current and earlier matches, newest first. `match.get` returns one. */
  groups: z.array(z.int()),
  /** Notes on the line, oldest first. */
});
export type BankLineDetail = z.infer<typeof bankLineDetailSchema>;

export const bankLineFilterSchema = z.object({
  ids: z.array(field.rowId).max(1000).optional(),
  account: z.array(field.rowId).optional(),
  import: field.rowId.optional(),
  state: z.array(matchStateSchema).optional(),
  kind: z.array(bankLineKindSchema).optional(),
  /** Direction of the money: `in` selects money received, `out` money sent. */
  flow: z.enum(['in', 'out']).optional(),
  currency: z.string().max(3).optional(),
  /** First booking date to include. */
  since: field.date.optional(),
  until: field.date.optional(),
  /** Minimum absolute amount to include, in cents. */
  min_in_cents: field.cents.nonnegative().optional(),
  max_in_cents: field.cents.nonnegative().optional(),
  payout_id: z.string().max(200).optional(),
  /** Workpaper figure whose source rows are selected. */
  figure: figureReferenceSchema.optional(),
  /** Words of the line's texts and IDs, or an amount, for example `19.90`. */
  search: field.search.optional(),
});
export type BankLineFilter = z.infer<typeof bankLineFilterSchema>;

export const bankLineSortSchema = createSortSchema(['booked_on', 'amount_in_cents'], 'desc');
