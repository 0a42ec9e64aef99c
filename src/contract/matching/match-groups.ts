import { z } from 'zod';
import { bankLineSchema, matchStateSchema } from '../bank/bank-lines.ts';
import { createSortSchema, field } from '../shared/common-schemas.ts';
import { figureReferenceSchema } from '../shared/figure-reference.ts';
import { transactionRowSchema } from '../statements/transactions.ts';

/**
 * - `confirmed`: the amounts are matched. `suggested`: the only possible match, to be reviewed. `ambiguous`: there are
 * alternatives.
 * - `declined`: a user declined the match, so it is not suggested again. `undone`: the match was confirmed and later
 * undone.
 */
export const matchGroupStatusSchema = z.enum(['confirmed', 'suggested', 'ambiguous', 'declined', 'undone']);
export type MatchGroupStatus = z.infer<typeof matchGroupStatusSchema>;

/**
 * Name of a matching pass (`user-rule` for a rule defined by the user). `manual` and `write-off` are decisions of a user.
 */
export const matchRuleIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,60}$/, 'must be a matching pass, for example gateway-id');

const dayRangeSchema = z.object({ from_days: z.int(), to_days: z.int() });
const excludedAlternativesSchema = z
  .object({
    considered: z.int(),
    /** Number of alternatives with another confirmed match. */
    matched: z.int(),
    /** Number of alternatives that the quoted ID excludes. */
    id: z.int(),
    /** Number of alternatives that the named payer excludes. */
    name: z.int(),
  })
  .nullable();

/** Facts that prove a match, and the alternatives that they exclude. */
const matchCertificateSchema = z.object({
  facts: z
    .array(
      z.object({
        fact: z.enum(['id', 'name', 'subscription', 'amount', 'payout', 'reversal']),
        value: z.string().optional(),
        /** Line and payment that the fact connects, if the match has several. For a reversal, the reversed payment. */
        line: z.int().optional(),
        payment: z.int().optional(),
      }),
    )
    .readonly(),
  /** Days from a payment to its line within which alternatives were considered. */
  window: dayRangeSchema,
  /** Days from a payment to its line within which money usually arrives. */
  usual: dayRangeSchema,
  /** Estimated share of IDs with a typing error in the line's column. */
  slip_rate: z.number(),
  /** Other payments of the same amount. Null for matches of several rows, payouts and reversals. */
  payments: excludedAlternativesSchema,
  /** Other lines of the same amount. Null for matches of several rows, payouts and reversals. */
  lines: excludedAlternativesSchema,
});

/** Result of verifying the confirmed matches against the stored rows. */
export const matchVerificationSchema = z.object({
  ok: z.boolean(),
  /** Number of confirmed matches. */
  matches: z.int(),
  /** Number of confirmed matches with a certificate. */
  certified: z.int(),
  problem_count: z.int(),
  /** Problems found, up to 1000. */
  problems: z.array(z.object({ match: z.int(), problem: z.string() })),
});
export type MatchVerification = z.infer<typeof matchVerificationSchema>;

/** Result of one comparison between the bank lines and payments of a match: evidence for the match or against it. */
export const matchReasonSchema = z.object({
  /** Compared field, for example `gateway_transaction_id`, `amount`, `date`, `payee` or `reference`. */
  field: z.string(),
  /** Result as a sentence. */
  text: z.string(),
  /** True if the reason is evidence against the match. */
  against: z.boolean().optional(),
  /** Proof of an automatic confirmed match, which `match.verify` verifies. Only in the reason with the field `proof`. */
  certificate: matchCertificateSchema.optional(),
});
export type MatchReason = z.infer<typeof matchReasonSchema>;

/** A payment received (positive) or a refund sent (negative), according to the statements. */
const paymentKindSchema = z.enum(['payment', 'refund']);

export const paymentSchema = z.object({
  /** ID of the transaction at the billing service. */
  id: field.serviceId,
  statement_id: field.serviceId,
  subscription_id: field.serviceId.nullable(),
  kind: paymentKindSchema,
  /** Date of the payment in the site's time zone. */
  paid_on: field.date,
  amount_in_cents: field.cents,
  currency: z.string(),
  gateway_transaction_id: z.string().nullable(),
  memo: z.string().nullable(),
  customer_name: z.string().nullable(),
  state: matchStateSchema,
  claimed_in_cents: field.cents,
  /** True if the payment is no longer on a statement but still part of a match. */
  vanished: z.boolean(),
  comments: z.int(),
});
export type Payment = z.infer<typeof paymentSchema>;

/** Category of a difference in a match. */
export const adjustmentCategorySchema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z][a-z0-9 -]{0,39}$/, 'must be a short word, for example fee');

const matchAdjustmentSchema = z.object({
  category: z.string(),
  /**
   * Amount of the adjustment in cents. It balances the match: lines = transactions + adjustments. A fee deducted by the
   * bank is negative.
   */
  amount_in_cents: field.cents,
  reason: z.string().nullable(),
});

/** A match: bank lines on one side, payments and refunds on the other, in one currency. */
export const matchGroupSchema = z.object({
  id: z.int(),
  status: matchGroupStatusSchema,
  rule: matchRuleIdSchema,
  /** Version of the match rule, which identifies matches created by earlier versions of the app. */
  rule_version: z.int(),
  /** Score of the match, from 0 to 100. */
  score: z.int(),
  currency: z.string(),
  reasons: z.array(matchReasonSchema),
  /** Number of alternatives. Zero if the match is unique on both sides. */
  alternatives: z.int(),
  /** The user's rule that created the match or whose tolerance it uses. */
  user_rule: z.object({ id: z.int(), title: z.string() }).nullable(),
  /** ID of the payout that this match deposits. */
  payout: z.int().nullable(),
  /** The payment that a chargeback or refund reverses. The match covers no part of it. */
  reverses: field.serviceId.nullable(),
  /**
   * Totals of the match. `difference_in_cents` is the unexplained part of a suggested match. It is zero in a confirmed
   * match.
   */
  lines_in_cents: field.cents,
  transactions_in_cents: field.cents,
  adjustments_in_cents: field.cents,
  difference_in_cents: field.cents,
  line_count: z.int(),
  transaction_count: z.int(),
  /** Lines of the match, up to the requested number. */
  bank_lines: z.array(
    z.object({
      id: z.int(),
      row: z.int(),
      file: z.string(),
      import: z.int(),
      account: z.string(),
      booked_on: field.date,
      amount_in_cents: field.cents,
      /** Part of the line's amount that the match covers, in cents. */
      allocated_in_cents: field.cents,
      description: z.string(),
      reference: z.string().nullable(),
    }),
  ),
  transactions: z.array(
    z.object({
      id: field.serviceId,
      statement_id: field.serviceId,
      subscription_id: field.serviceId.nullable(),
      kind: paymentKindSchema,
      paid_on: field.date,
      amount_in_cents: field.cents,
      allocated_in_cents: field.cents,
      customer_name: z.string().nullable(),
      gateway_transaction_id: z.string().nullable(),
    }),
  ),
  adjustments: z.array(matchAdjustmentSchema),
  /** Earliest booking date of the match, or payment date if it has no lines. */
  dated_on: field.date,
  /** ID of the run that created the match; null if a user created it. */
  run: z.int().nullable(),
  made_at: field.moment,
  /** Time of the last status change. */
  changed_at: field.moment,
  changed_by: z.string().nullable(),
  reason: z.string().nullable(),
  comments: z.int(),
});
export type MatchGroup = z.infer<typeof matchGroupSchema>;

const matchAlternativeSchema = z.object({
  bank_lines: z.array(z.int()),
  transactions: z.array(field.serviceId),
  text: z.string(),
});
export type MatchAlternative = z.infer<typeof matchAlternativeSchema>;

const matchEntrySchema = z.object({
  at: field.moment,
  /** User who made the change; null for a matching run. */
  user: z.string().nullable(),
  action: z.enum(['made', 'confirmed', 'declined', 'undone', 'proposed']),
  text: z.string().nullable(),
});
export type MatchHistoryEntry = z.infer<typeof matchEntrySchema>;

export const matchGroupDetailSchema = matchGroupSchema.extend({
  /** Explanation of the match rule for users. */
  explanation: z.string(),
  /** Complete bank lines of the match, at most 1,000. */
  line_rows: z.array(bankLineSchema),
  payment_rows: z.array(paymentSchema),
  /**
   * The service's transactions, in the order of `payment_rows`. An entry is null if the transaction is no longer stored.
   */
  transaction_rows: z.array(transactionRowSchema.nullable()),
  /** The closest alternatives. `alternatives` counts all of them. */
  nearest_alternatives: z.array(matchAlternativeSchema),
  /** History of the match, oldest first. */
  history: z.array(matchEntrySchema),
});
export type MatchGroupDetail = z.infer<typeof matchGroupDetailSchema>;

export const matchGroupFilterSchema = z.object({
  status: z.array(matchGroupStatusSchema).optional(),
  rule: z.array(matchRuleIdSchema).optional(),
  run: field.rowId.optional(),
  line: field.rowId.optional(),
  transaction: field.serviceId.optional(),
  since: field.date.optional(),
  until: field.date.optional(),
  min_in_cents: field.cents.nonnegative().optional(),
  max_in_cents: field.cents.nonnegative().optional(),
  /**
   * Words or IDs of a line or payment, as in `bank.lines` and `match.payments`, a match ID, or an amount, for example
   * `19.90`.
   */
  search: field.search.optional(),
});
export type MatchGroupFilter = z.infer<typeof matchGroupFilterSchema>;

export const matchGroupSortSchema = createSortSchema(['dated_on', 'amount_in_cents'], 'desc');

export const paymentFilterSchema = z.object({
  ids: z.array(field.rowId).max(1000).optional(),
  state: z.array(matchStateSchema).optional(),
  kind: z.array(paymentKindSchema).optional(),
  currency: z.string().max(3).optional(),
  vanished: z.boolean().optional(),
  subscription_id: field.serviceId.optional(),
  statement_id: field.serviceId.optional(),
  since: field.date.optional(),
  until: field.date.optional(),
  min_in_cents: field.cents.nonnegative().optional(),
  max_in_cents: field.cents.nonnegative().optional(),
  /** Workpaper figure whose source rows are selected. */
  figure: figureReferenceSchema.optional(),
  /** Words of the customer name, memo or IDs, or an amount, for example `19.90`. */
  search: field.search.optional(),
});
export type PaymentFilter = z.infer<typeof paymentFilterSchema>;

export const paymentSortSchema = createSortSchema(['paid_on', 'amount_in_cents'], 'desc');
