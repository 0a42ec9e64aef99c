import { z } from 'zod';
import { calendarDate, cents, direction, moment } from '../shared/common-schemas.ts';
import { figureOf } from '../shared/figure-reference.ts';

const rowId = z.int().positive();

/**
 * Source of the account's lines. `bank`: bank statements. `processor`: payout reports. `ledger`: an export of the
 * merchant's own books.
 */
export const accountKind = z.enum(['bank', 'processor', 'ledger']);
export type AccountKind = z.infer<typeof accountKind>;

export const accountName = z.string().trim().min(1).max(100);

/** Money in and out in one currency. `in_cents` is at least 0, `out_cents` at most 0. */
export const moneySum = z.object({
  currency: z.string(),
  count: z.int(),
  in_cents: cents,
  out_cents: cents,
});
export type MoneySum = z.infer<typeof moneySum>;

export const bankAccount = z.object({
  id: z.int(),
  /** Unique, ignoring case. */
  name: accountName,
  kind: accountKind,
  /** Currency of lines without one of their own. Null means the site's currency. */
  currency: z.string().nullable(),
  /**
   * Account number or IBAN, taken from the first file that states it. Files of another account are refused. Null if
   * unknown.
   */
  number: z.string().nullable(),
  /**
   * Number of days after the payment (negative: before it) within which its money can arrive. Null means the default for
   * the account kind.
   */
  window: z.object({ from_days: z.int(), to_days: z.int() }).nullable(),
  lines: z.int(),
  imports: z.int(),
  /** First and last booking date. Null if the account has no lines. */
  first_on: calendarDate.nullable(),
  last_on: calendarDate.nullable(),
  /** Latest closing balance stated in a file. */
  balance: z.object({ amount_in_cents: cents, currency: z.string(), on: calendarDate }).nullable(),
  sums: z.array(moneySum),
  /** Number of lines by match state. */
  states: z.record(z.string(), z.int()),
});
export type BankAccount = z.infer<typeof bankAccount>;

/**
 * How much of a line or payment is matched.
 * - `open`: no match.
 * - `suggested`, `ambiguous`: a match waits for a decision.
 * - `part`: confirmed matches cover a part of the amount.
 * - `matched`: they cover all of it.
 * - `ignored`: a rule or user marked it as out of scope.
 */
export const matchState = z.enum(['open', 'ambiguous', 'suggested', 'part', 'matched', 'ignored']);
export type MatchState = z.infer<typeof matchState>;

/** Kind of a line. `entry` has no specific meaning. The others come from a payout report or the bank's codes. */
export const bankLineKind = z.enum([
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

/** A line of an account, as stated in its file. */
export const bankLine = z.object({
  id: z.int(),
  account: z.object({ id: z.int(), name: z.string() }),
  import: z.int(),
  /** File name and row number. The first data row of a table is 1. */
  file: z.string(),
  row: z.int(),
  booked_on: calendarDate,
  value_on: calendarDate.nullable(),
  /** Positive for money received. In a payout report, the gross amount. */
  amount_in_cents: cents,
  currency: z.string(),
  kind: bankLineKind,
  description: z.string(),
  reference: z.string().nullable(),
  counterparty: z.string().nullable(),
  bank_id: z.string().nullable(),
  payout_id: z.string().nullable(),
  gateway_transaction_id: z.string().nullable(),
  fee_in_cents: cents.nullable(),
  net_in_cents: cents.nullable(),
  state: matchState,
  /** Amount covered by confirmed matches. Same sign as the line and never more than it. */
  claimed_in_cents: cents,
  /** Number of notes. */
  notes: z.int(),
});
export type BankLine = z.infer<typeof bankLine>;

export const matchNote = z.object({ at: moment, user: z.string(), text: z.string() });
export type MatchNote = z.infer<typeof matchNote>;

export const bankLineDetail = bankLine.extend({
  /** Location in the file, such as `line 7` or `Sheet1!A7`. */
  location: z.string(),
  balance_in_cents: cents.nullable(),
  foreign: z.object({ amount_in_cents: cents, currency: z.string(), rate: z.string().nullable() }).nullable(),
  /** All other columns under their names in the file. Never used for matching. */
  extra: z.record(z.string(), z.string()),
  /** IDs of its current and earlier matches, newest first. `match.get` returns one. */
  groups: z.array(z.int()),
  /** Oldest first. */
  note_texts: z.array(matchNote),
});
export type BankLineDetail = z.infer<typeof bankLineDetail>;

export const bankLineFilter = z.object({
  account: z.array(rowId).optional(),
  import: rowId.optional(),
  state: z.array(matchState).optional(),
  kind: z.array(bankLineKind).optional(),
  /** Only money received, or only money sent. */
  flow: z.enum(['in', 'out']).optional(),
  currency: z.string().max(3).optional(),
  /** Range of booking dates, inclusive. */
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  /** Range of the absolute amount. */
  min_in_cents: cents.nonnegative().optional(),
  max_in_cents: cents.nonnegative().optional(),
  payout_id: z.string().max(200).optional(),
  /** Only source rows of this workpaper figure. */
  figure: figureOf.optional(),
  /** Words of its texts and IDs, or an amount such as `19.90`. */
  search: z.string().max(200).optional(),
});
export type BankLineFilter = z.infer<typeof bankLineFilter>;

export const bankLineSort = z.object({
  by: z.enum(['booked_on', 'amount_in_cents']).default('booked_on'),
  direction: direction.default('desc'),
});
