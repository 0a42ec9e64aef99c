import { z } from 'zod';
import { calendarDate, cents, direction, moment } from '../shared/common-schemas.ts';
import { figureOf } from '../shared/figure-reference.ts';

const rowId = z.int().positive();

/**
 * Where money is said to have moved: `bank`: a bank account’s statements; `processor`: the payout reports of a payment
 * processor; `ledger`: an export of the merchant’s own books.
 */
export const accountKind = z.enum(['bank', 'processor', 'ledger']);
export type AccountKind = z.infer<typeof accountKind>;

export const accountName = z.string().trim().min(1).max(100);

/** Money in and out, of one currency: `in_cents` ≥ 0 came in, `out_cents` ≤ 0 went out. */
export const moneySum = z.object({
  currency: z.string(),
  count: z.int(),
  in_cents: cents,
  out_cents: cents,
});
export type MoneySum = z.infer<typeof moneySum>;

export const bankAccount = z.object({
  id: z.int(),
  /** Unique, whatever the case of its letters. */
  name: accountName,
  kind: accountKind,
  /** Of lines for which neither file nor profile names one; null: the site’s. */
  currency: z.string().nullable(),
  /** The account as its files name it (IBAN, number), learned from the first that does; null before. A file of another one is refused. */
  number: z.string().nullable(),
  /** How many days after the payment (or before it, below 0) its money may arrive; null: the usual window of its kind. */
  window: z.object({ from_days: z.int(), to_days: z.int() }).nullable(),
  lines: z.int(),
  imports: z.int(),
  /** Booking dates of its lines; null where there are none. */
  first_on: calendarDate.nullable(),
  last_on: calendarDate.nullable(),
  /** The newest closing balance a file stated. */
  balance: z.object({ amount_in_cents: cents, currency: z.string(), on: calendarDate }).nullable(),
  sums: z.array(moneySum),
  /** Lines by their state. */
  states: z.record(z.string(), z.int()),
});
export type BankAccount = z.infer<typeof bankAccount>;

/**
 * How far a line or a payment is explained:
 * - `open`: nothing claims it. `suggested`, `ambiguous`: a group proposes to, and waits for a person.
 * - `part`: confirmed groups claim some of its cents. `matched`: they claim all of them.
 * - `ignored`: a rule or a person said that it is none of the matter.
 */
export const matchState = z.enum(['open', 'ambiguous', 'suggested', 'part', 'matched', 'ignored']);
export type MatchState = z.infer<typeof matchState>;

/** What a line is; `entry` has no further meaning, the others are said by a processor’s report or the bank’s own codes. */
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

/** A line of an account, as its file said it. */
export const bankLine = z.object({
  id: z.int(),
  account: z.object({ id: z.int(), name: z.string() }),
  import: z.int(),
  /** The name of its file, and its number there: the first data row of a table is 1. */
  file: z.string(),
  row: z.int(),
  booked_on: calendarDate,
  value_on: calendarDate.nullable(),
  /** Money received is positive. In a payout report: the gross. */
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
  /** What confirmed groups claim of the amount; same sign, never more than it. */
  claimed_in_cents: cents,
  /** Whether somebody wrote a note on it. */
  notes: z.int(),
});
export type BankLine = z.infer<typeof bankLine>;

export const matchNote = z.object({ at: moment, user: z.string(), text: z.string() });
export type MatchNote = z.infer<typeof matchNote>;

export const bankLineDetail = bankLine.extend({
  /** Where in its file: `line 7`, `Sheet1!A7`. */
  location: z.string(),
  balance_in_cents: cents.nullable(),
  foreign: z.object({ amount_in_cents: cents, currency: z.string(), rate: z.string().nullable() }).nullable(),
  /** Everything else the file says of it, by the file’s own names. Never used for matching. */
  extra: z.record(z.string(), z.string()),
  /** Groups it is or was in, the newest first: to be asked for with `match.get`. */
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
  /** Only money that came in, or only money that went out. */
  flow: z.enum(['in', 'out']).optional(),
  currency: z.string().max(3).optional(),
  /** Booking dates, both included. */
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  /** Smallest and greatest size of the amount, whichever way it moved. */
  min_in_cents: cents.nonnegative().optional(),
  max_in_cents: cents.nonnegative().optional(),
  payout_id: z.string().max(200).optional(),
  /** Only the rows of a figure of the workpaper. */
  figure: figureOf.optional(),
  /** Words of its texts and ids, or an amount as `19.90`. */
  search: z.string().max(200).optional(),
});
export type BankLineFilter = z.infer<typeof bankLineFilter>;

export const bankLineSort = z.object({
  by: z.enum(['booked_on', 'amount_in_cents']).default('booked_on'),
  direction: direction.default('desc'),
});
