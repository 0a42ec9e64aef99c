import { z } from 'zod';
import { bankLine, matchNote, matchState } from '../bank/bank-lines.ts';
import { calendarDate, cents, direction, moment, serviceId } from '../shared/common-schemas.ts';
import { figureOf } from '../shared/figure-reference.ts';
import { transactionRow } from '../statements/transactions.ts';

const rowId = z.int().positive();

/**
 * - `confirmed`: it claims its cents. `suggested`: one way to match, to be looked at. `ambiguous`: several fit as well.
 * - `declined`: a person said no; the same pairs are not proposed again. `undone`: it was confirmed, and taken back.
 */
export const groupStatus = z.enum(['confirmed', 'suggested', 'ambiguous', 'declined', 'undone']);
export type GroupStatus = z.infer<typeof groupStatus>;

/** The name of a matching pass (`user-rule`: a rule of the user’s made it); `manual`, `write-off`: a person did. */
export const matchRuleId = z.string().regex(/^[a-z][a-z0-9-]{1,60}$/, 'a pass, such as gateway-id');

/** What was compared, and how it came out. */
export const matchReason = z.object({
  /** The field: `gateway_transaction_id`, `amount`, `date`, `payee`, `reference`, … */
  field: z.string(),
  /** One sentence, or the figures: `19.90 = 19.90`, `3 days after the payment`. */
  text: z.string(),
});
export type MatchReason = z.infer<typeof matchReason>;

/** Money of the statements: a payment that came in (above 0) or a refund that went out (below 0). */
export const paymentKind = z.enum(['payment', 'refund']);

export const payment = z.object({
  /** The transaction’s id with the service. */
  id: serviceId,
  statement_id: serviceId,
  subscription_id: serviceId.nullable(),
  kind: paymentKind,
  /** Its day, in the calendar of the site. */
  paid_on: calendarDate,
  amount_in_cents: cents,
  currency: z.string(),
  gateway_transaction_id: z.string().nullable(),
  memo: z.string().nullable(),
  customer_name: z.string().nullable(),
  state: matchState,
  claimed_in_cents: cents,
  /** No longer among the service’s statements, while a group still claims it. */
  vanished: z.boolean(),
  notes: z.int(),
});
export type Payment = z.infer<typeof payment>;

/** What a difference in a group is put down to. */
export const adjustmentCategory = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z][a-z0-9 -]{0,39}$/, 'a short word, such as fee');

export const matchAdjustment = z.object({
  category: z.string(),
  /** What closes the group: lines = transactions + adjustments. A fee the bank kept is below 0. */
  amount_in_cents: cents,
  reason: z.string().nullable(),
});

/** A match: lines on one side, payments and refunds on the other, in one currency. */
export const matchGroup = z.object({
  id: z.int(),
  status: groupStatus,
  rule: matchRuleId,
  /** Of the rule, so that a later app’s doings are told from an earlier one’s. */
  rule_version: z.int(),
  /** 0 to 100: how far the fields agree. */
  score: z.int(),
  currency: z.string(),
  reasons: z.array(matchReason),
  /** How many others would fit as well; 0 for what is unique on both sides. */
  alternatives: z.int(),
  /** The rule of the user’s that made it, or whose tolerance it uses. */
  user_rule: z.object({ id: z.int(), title: z.string() }).nullable(),
  /** The batch whose deposit it is, by the id of `payouts`. */
  payout: z.int().nullable(),
  /** The payment that a chargeback or refund takes back; nothing of it is claimed. */
  reverses: serviceId.nullable(),
  /** Of the whole group; `difference_in_cents` is what a suggested group leaves unexplained: 0 in a confirmed one. */
  lines_in_cents: cents,
  transactions_in_cents: cents,
  adjustments_in_cents: cents,
  difference_in_cents: cents,
  line_count: z.int(),
  transaction_count: z.int(),
  /** The first of them, as many as were asked for. */
  bank_lines: z.array(
    z.object({
      id: z.int(),
      row: z.int(),
      file: z.string(),
      import: z.int(),
      account: z.string(),
      booked_on: calendarDate,
      amount_in_cents: cents,
      /** What the group claims of it. */
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
  /** Its earliest booking date (or payment date, without lines). */
  dated_on: calendarDate,
  /** The run that made it; null for a person’s. */
  run: z.int().nullable(),
  made_at: moment,
  /** When its status last changed, who changed it (null: a run), and why. */
  changed_at: moment,
  changed_by: z.string().nullable(),
  reason: z.string().nullable(),
  notes: z.int(),
});
export type MatchGroup = z.infer<typeof matchGroup>;

/** Another way to match what is in a group, and what speaks for it. */
export const matchAlternative = z.object({
  bank_lines: z.array(z.int()),
  transactions: z.array(serviceId),
  text: z.string(),
});
export type MatchAlternative = z.infer<typeof matchAlternative>;

export const matchEntry = z.object({
  at: moment,
  /** Null where a run did it. */
  user: z.string().nullable(),
  action: z.enum(['made', 'confirmed', 'declined', 'undone', 'proposed', 'noted']),
  text: z.string().nullable(),
});
export type MatchEntry = z.infer<typeof matchEntry>;

export const matchGroupDetail = matchGroup.extend({
  /** What the rule does, for people. */
  explanation: z.string(),
  /** Whole rows, at most 1000 each. */
  line_rows: z.array(bankLine),
  payment_rows: z.array(payment),
  /** The transactions as the service sent them, where still held; in the order of `payment_rows`. */
  transaction_rows: z.array(transactionRow.nullable()),
  /** The nearest of them; `rivals` counts all. */
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
  /** Words or ids of one of its lines or payments, as `bank.lines` and `match.payments` are searched; its own number, or an amount as `19.90`. */
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
  /** Only the rows of a figure of the workpaper. */
  figure: figureOf.optional(),
  /** Words of the customer’s name, the memo and the ids, or an amount as `19.90`. */
  search: z.string().max(200).optional(),
});
export type PaymentFilter = z.infer<typeof paymentFilter>;

export const paymentSort = z.object({
  by: z.enum(['paid_on', 'amount_in_cents']).default('paid_on'),
  direction: direction.default('desc'),
});
