import { z } from 'zod';
import { bankLineSchema, currencyTotalsSchema } from '../bank/bank-lines.ts';
import { field, jobRefSchema, toPageSchema } from '../shared/common-schemas.ts';
import {
  definePageMarksQuery,
  definePageQuery,
  defineSiteCommand,
  defineSiteQuery,
  queryProcedure,
} from '../shared/procedure-kinds.ts';
import {
  adjustmentCategorySchema,
  matchGroupDetailSchema,
  matchGroupFilterSchema,
  matchGroupSchema,
  matchGroupSortSchema,
  matchGroupStatusSchema,
  matchRuleIdSchema,
  matchVerificationSchema,
  paymentFilterSchema,
  paymentSchema,
  paymentSortSchema,
} from './match-groups.ts';
import { matchRuleFields, matchRuleSchema, proposedRuleSchema } from './match-rules.ts';
import { matchRunSchema, matchSummarySchema } from './match-runs.ts';
import { paymentTrailSchema, trailStartSchema } from './payment-trail.ts';
import { payoutFilterSchema, payoutSchema } from './payouts.ts';

/** Selects the matches that a command changes. It changes all of them or none. Errors name the match. */
const several = { ids: z.array(field.rowId).min(1).max(10_000) };
/** Maximum number of lines and transactions returned with each match. */
const members = z.int().min(0).max(10_000).default(20);

const allocation = { allocated_in_cents: field.cents.optional() };
const made = {
  /** Lines of the match. Without `allocated_in_cents`, the complete unmatched part of the line is used. */
  lines: z
    .array(z.object({ id: field.rowId, ...allocation }))
    .max(10_000)
    .default([]),
  transactions: z
    .array(z.object({ id: field.serviceId, ...allocation }))
    .max(10_000)
    .default([]),
  /** Adjustments of the match, which must balance: lines = transactions + adjustments. */
  adjustments: z
    .array(
      z.object({ category: adjustmentCategorySchema, amount_in_cents: field.cents, reason: field.reason }),
    )
    .max(100)
    .default([]),
};

const ruleHistorySchema = z.object({ count: z.int(), rows: z.array(bankLineSchema) });

const groupSelection = {
  filter: matchGroupFilterSchema.default({}),
  sort: matchGroupSortSchema,
};
const paymentSelection = {
  filter: paymentFilterSchema.default({}),
  sort: paymentSortSchema,
};

export const matchProcedures = {
  summary: defineSiteQuery().output(matchSummarySchema),
  /**
   * Runs all matching passes as a job of kind `match`. Decisions of users are preserved. Matches of earlier runs are
   * preserved if they are found again and undone if they are not, for example because a later import adds an alternative.
   * A dry run only saves its figures. Both update the payments from the statements first, which undoes a confirmed match
   * if a payment's amount has changed. Throws `conflict` during an import or another run.
   */
  run: defineSiteCommand({
    accounts: z.array(field.rowId).min(1).optional(),
    dry_run: z.boolean().default(false),
  }).output(jobRefSchema),
  /** Lists matching runs, newest first. */
  runs: definePageQuery().output(toPageSchema(matchRunSchema)),
  /** Returns a matching run by its ID or the ID of its job. */
  getRun: queryProcedure
    .input(
      z.union([
        z.object({ site: field.siteName, id: field.rowId }),
        z.object({ site: field.siteName, job: z.string() }),
      ]),
    )
    .output(matchRunSchema),
  /** Undoes the suggestions and the confirmed matches that a run has created and that are still unchanged, as a job. */
  undoRun: defineSiteCommand({ id: field.rowId, reason: field.reason }).output(jobRefSchema),
  /** Lists the passes in order, with a description of each. */
  passes: defineSiteQuery().output(
    z.array(z.object({ rule: matchRuleIdSchema, title: z.string(), explanation: z.string() })),
  ),

  list: definePageQuery({ ...groupSelection, members }).output(
    toPageSchema(matchGroupSchema).extend({
      /** Numbers of all matches that match the filter. Set only on the first page. */
      sums: z
        .array(z.object({ status: matchGroupStatusSchema, rule: matchRuleIdSchema, count: z.int() }))
        .nullable(),
    }),
  ),
  marks: definePageMarksQuery(groupSelection),
  get: defineSiteQuery({ id: field.rowId }).output(matchGroupDetailSchema),
  /** Verifies all confirmed matches and their certificates against the stored rows, without the matcher. */
  verify: defineSiteQuery().output(matchVerificationSchema),

  /** Lists payments and refunds with their match state. */
  payments: definePageQuery(paymentSelection).output(
    toPageSchema(paymentSchema).extend({
      /** Totals of all payments that match the filter. Set only on the first page. */
      sums: z.array(currencyTotalsSchema.extend({ claimed_in_cents: field.cents })).nullable(),
    }),
  ),
  paymentMarks: definePageMarksQuery(paymentSelection),
  /** Returns a payment with its current and earlier matches, newest first. */
  getPayment: defineSiteQuery({ id: field.serviceId }).output(
    paymentSchema.extend({ groups: z.array(z.int()) }),
  ),

  /**
   * Returns the trail of a payment: its charges, statement, webhooks, matches, payout, bank lines and ledger lines. A
   * record that belongs to several payments lists them, and `payment` selects one. By default, the first is used.
   */
  trail: defineSiteQuery({ from: trailStartSchema, payment: field.serviceId.optional() }).output(
    paymentTrailSchema,
  ),

  /** Confirms matches. Throws `conflict` if one has no payment, does not balance, or is matched elsewhere. */
  confirm: defineSiteCommand({ ...several, reason: field.reason.optional() }).output(
    z.array(matchGroupSchema),
  ),
  /** Declines matches, so that they are not suggested again. */
  decline: defineSiteCommand({ ...several, reason: field.reason.optional() }).output(
    z.array(matchGroupSchema),
  ),
  /** Undoes confirmed or declined matches. The next run can suggest a declined match again. */
  undo: defineSiteCommand({ ...several, reason: field.reason }).output(z.array(matchGroupSchema)),
  /** Confirms all suggested matches of a rule that have a payment, balance and are still unmatched. Never confirms ambiguous ones. */
  acceptRule: defineSiteCommand({
    rule: matchRuleIdSchema,
    filter: matchGroupFilterSchema.default({}),
  }).output(z.object({ confirmed: z.int(), left: z.int() })),
  /** Creates a confirmed match of lines and transactions. It can cover a part of an amount; the rest stays unmatched. */
  make: defineSiteCommand({ ...made, reason: field.reason.optional() }).output(matchGroupSchema),
  /** Replaces a match with several confirmed ones, completely or not at all. */
  split: defineSiteCommand({
    id: field.rowId,
    parts: z.array(z.object(made)).min(2).max(1000),
    reason: field.reason,
  }).output(z.array(matchGroupSchema)),
  /** Assigns the unmatched part of each line and payment to a category. `ignored` means out of scope. */
  writeOff: defineSiteCommand({
    lines: z.array(field.rowId).max(10_000).default([]),
    transactions: z.array(field.serviceId).max(10_000).default([]),
    category: adjustmentCategorySchema,
    reason: field.reason,
  }).output(z.array(matchGroupSchema)),
  /** Lists the standard categories, those that people added, and those in use. */
  categories: defineSiteQuery().output(
    z.array(
      z.object({
        category: z.string(),
        groups: z.int(),
        /** True if a person added the category. */
        added: z.boolean(),
      }),
    ),
  ),
  /** Adds a category, for example `wages`. Throws `conflict` if the list already contains it. */
  addCategory: defineSiteCommand({ category: adjustmentCategorySchema }).output(z.object({})),
  /** Removes an added category. A category in use stays listed. Throws `not_found` for any other category. */
  removeCategory: defineSiteCommand({ category: adjustmentCategorySchema }).output(z.object({})),

  /** Lists the user's match rules in order of priority. */
  rules: defineSiteQuery().output(z.array(matchRuleSchema)),
  /** Adds a match rule at the end, or changes the rule with the given `id`. Takes effect in the next run. */
  saveRule: defineSiteCommand({ id: field.rowId.optional(), ...matchRuleFields }).output(matchRuleSchema),
  /** Removes a match rule. Matches that it created remain. */
  removeRule: defineSiteCommand({ id: field.rowId }).output(z.object({})),
  /** Reorders the match rules. The input contains the IDs of all rules in the new order. */
  orderRules: defineSiteCommand({ ids: z.array(field.rowId).max(1000) }).output(z.array(matchRuleSchema)),
  /**
   * Returns the number of unmatched lines that a rule would apply to, and the first of them. Also returns the matched
   * lines that the rule would have assigned like the user (`right`) or differently (`wrong`). Changes nothing.
   */
  tryRule: defineSiteQuery({ ...matchRuleFields, limit: z.int().min(1).max(200).default(50) }).output(
    z.object({
      lines: z.int(),
      sums: z.array(currencyTotalsSchema),
      rows: z.array(bankLineSchema),
      /** Null for rules that allow a difference, because their effect depends on the payments. */
      right: ruleHistorySchema.nullable(),
      wrong: ruleHistorySchema.nullable(),
    }),
  ),
  /** Lists rules that repeat at least two equal decisions of people. They are saved only with `saveRule`. */
  proposedRules: defineSiteQuery().output(z.array(proposedRuleSchema)),

  /** Lists payouts, newest first. */
  payouts: definePageQuery({ filter: payoutFilterSchema.default({}) }).output(toPageSchema(payoutSchema)),
  getPayout: defineSiteQuery({ id: field.rowId }).output(
    payoutSchema.extend({ rows: z.array(bankLineSchema) }),
  ),
};
