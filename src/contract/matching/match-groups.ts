import { z } from 'zod';
import { bankLine, matchNote, matchState } from '../bank/bank-lines.ts';
import { calendarDate, cents, direction, moment, serviceId } from '../shared/common-schemas.ts';
import { figureOf } from '../shared/figure-reference.ts';
import { transactionRow } from '../statements/transactions.ts';

const rowId = z.int().positive();

/**
 * - `confirmed`: its amounts are matched. `suggested`: the only possible match, to review. `ambiguous`: alternatives
 * exist.
 * - `declined`: a user declined it, so it is not suggested again. `undone`: it was confirmed and then undone.
 */
export const groupStatus = z.enum(['confirmed', 'suggested', 'ambiguous', 'declined', 'undone']);
export type GroupStatus = z.infer<typeof groupStatus>;

/**
 * Name of a matching pass (`user-rule` for a rule defined by the user). `manual` and `write-off` are decisions of a user.
 */
export const matchRuleId = z.string().regex(/^[a-z][a-z0-9-]{1,60}$/, 'a pass, such as gateway-id');

/** A comparison and its result. */
export const matchReason = z.object({
  /** Compared field, such as `gateway_transaction_id`, `amount`, `date`, `payee` or `reference`. */
  field: z.string(),
  /** One sentence, or the values, such as `19.90 = 19.90`. */
  text: z.string(),
});
export type MatchReason = z.infer<typeof matchReason>;

/** A payment received (positive) or a refund sent (negative), according to the statements. */
export const paymentKind = z.enum(['payment', 'refund']);

export const payment = z.object({
  /** Transaction ID at the billing service. */
  id: serviceId,
  statement_id: serviceId,
  subscription_id: serviceId.nullable(),
  kind: paymentKind,
  /** Date in the site's time zone. */
  paid_on: calendarDate,
  amount_in_cents: cents,
  currency: z.string(),
  gateway_transaction_id: z.string().nullable(),
  memo: z.string().nullable(),
  customer_name: z.string().nullable(),
  state: matchState,
  claimed_in_cents: cents,
  /** True if it is no longer on a statement but still part of a match. */
  vanished: z.boolean(),
  notes: z.int(),
});
export type Payment = z.infer<typeof payment>;

/** Category of a difference in a match. */
export const adjustmentCategory = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z][a-z0-9 -]{0,39}$/, 'a short word, such as fee');

export const matchAdjustment = z.object({
  category: z.string(),
  /** Balances the match: lines = transactions + adjustments. Negative for a fee that the bank deducted. */
  amount_in_cents: cents,
  reason: z.string().nullable(),
});

/** A match: bank lines on one side, payments and refunds on the other, in one currency. */
export const matchGroup = z.object({
  id: z.int(),
  status: groupStatus,
  rule: matchRuleId,
  /** Version of the rule, which identifies matches of earlier app versions. */
  rule_version: z.int(),
  /** Agreement of the fields, from 0 to 100. */
  score: z.int(),
  currency: z.string(),
  reasons: z.array(matchReason),
  /** Number of alternatives. Zero if both sides are unique. */
  alternatives: z.int(),
  /** The user's rule that created the match or whose tolerance it uses. */
  user_rule: z.object({ id: z.int(), title: z.string() }).nullable(),
  /** ID of the payout that this match deposits. */
  payout: z.int().nullable(),
  /** The payment that a chargeback or refund reverses. The match covers no part of it. */
  reverses: serviceId.nullable(),
  /**
   * Totals of the match. `difference_in_cents` is the unexplained part of a suggested match. It is zero in a confirmed
   * match.
   */
  lines_in_cents: cents,
  transactions_in_cents: cents,
  adjustments_in_cents: cents,
  difference_in_cents: cents,
  line_count: z.int(),
  transaction_count: z.int(),
  /** The first lines, up to the requested number. */
  bank_lines: z.array(
    z.object({
      id: z.int(),
      row: z.int(),
      file: z.string(),
      import: z.int(),
      account: z.string(),
      booked_on: calendarDate,
      amount_in_cents: cents,
      /** Part of the amount that the match covers. */
      allocated_in_cents: cents,
      description: z.string(),
      reference: z.string().nullable(),
    }),
  ),
  transactions: z.array(
    z.object({
      id: serviceId,
      statement_id: serviceId,
      subscription_id: serviceId.nullable(),
      kind: paymentKind,
      paid_on: calendarDate,
      amount_in_cents: cents,
      allocated_in_cents: cents,
      customer_name: z.string().nullable(),
      gateway_transaction_id: z.string().nullable(),
    }),
  ),
  adjustments: z.array(matchAdjustment),
  /** Earliest booking date, or payment date if there are no lines. */
  dated_on: calendarDate,
  /** The run that created it. Null if a user did. */
  run: z.int().nullable(),
  made_at: moment,
  /** When the status last changed, who changed it (null for a run), and why. */
  changed_at: moment,
  changed_by: z.string().nullable(),
  reason: z.string().nullable(),
  notes: z.int(),
});
export type MatchGroup = z.infer<typeof matchGroup>;

/** An alternative match and its evidence. */
export const matchAlternative = z.object({
  bank_lines: z.array(z.int()),
  transactions: z.array(serviceId),
  text: z.string(),
});
export type MatchAlternative = z.infer<typeof matchAlternative>;

export const matchEntry = z.object({
  at: moment,
  /** Null for a run. */
  user: z.string().nullable(),
  action: z.enum(['made', 'confirmed', 'declined', 'undone', 'proposed', 'noted']),
  text: z.string().nullable(),
});
export type MatchEntry = z.infer<typeof matchEntry>;

export const matchGroupDetail = matchGroup.extend({
  /** What the rule does, described for users. */
  explanation: z.string(),
  /** Complete rows, at most 1,000 of each. */
  line_rows: z.array(bankLine),
  payment_rows: z.array(payment),
  /** The service's transactions in the order of `payment_rows`. Null if no longer stored. */
  transaction_rows: z.array(transactionRow.nullable()),
  /** The closest alternatives. `alternatives` counts all of them. */
  nearest_alternatives: z.array(matchAlternative),
  /** Oldest first. */
  history: z.array(matchEntry),
  note_texts: z.array(matchNote),
});
export type MatchGroupDetail = z.infer<typeof matchGroupDetail>;

export const groupFilter = z.object({
  status: z.array(groupStatus).optional(),
  rule: z.array(matchRuleId).optional(),
  run: rowId.optional(),
  line: rowId.optional(),
  transaction: serviceId.optional(),
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  min_in_cents: cents.nonnegative().optional(),
  max_in_cents: cents.nonnegative().optional(),
  /**
   * Words or IDs of a line or payment, as in `bank.lines` and `match.payments`. Also a match ID, or an amount such as
   * `19.90`.
   */
  search: z.string().max(200).optional(),
});
export type GroupFilter = z.infer<typeof groupFilter>;

export const groupSort = z.object({
  by: z.enum(['dated_on', 'amount_in_cents']).default('dated_on'),
  direction: direction.default('desc'),
});

export const paymentFilter = z.object({
  state: z.array(matchState).optional(),
  kind: z.array(paymentKind).optional(),
  currency: z.string().max(3).optional(),
  vanished: z.boolean().optional(),
  subscription_id: serviceId.optional(),
  statement_id: serviceId.optional(),
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  min_in_cents: cents.nonnegative().optional(),
  max_in_cents: cents.nonnegative().optional(),
  /** Only source rows of this workpaper figure. */
  figure: figureOf.optional(),
  /** Words of the customer name, memo or IDs, or an amount such as `19.90`. */
  search: z.string().max(200).optional(),
});
export type PaymentFilter = z.infer<typeof paymentFilter>;

export const paymentSort = z.object({
  by: z.enum(['paid_on', 'amount_in_cents']).default('paid_on'),
  direction: direction.default('desc'),
});
