import { z } from 'zod';
import { bankLineSchema, matchNoteSchema, moneySumSchema } from '../bank/bank-lines.ts';
import {
  centsSchema,
  marksInput,
  marksOutputSchema,
  pageInputSchema,
  pageOf,
  serviceIdSchema,
  siteNameSchema,
} from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import {
  adjustmentCategorySchema,
  groupFilterSchema,
  groupSortSchema,
  groupStatusSchema,
  matchGroupDetailSchema,
  matchGroupSchema,
  matchRuleIdSchema,
  paymentFilterSchema,
  paymentSchema,
  paymentSortSchema,
} from './match-groups.ts';
import { matchRuleFields, matchRuleSchema } from './match-rules.ts';
import { matchRunSchema, matchSummarySchema } from './match-runs.ts';
import { payoutFilterSchema, payoutSchema } from './payouts.ts';

const reason = z.string().trim().min(1).max(2000);
const rowId = z.int().positive();

/**
 * Selects one or more matches. Either all of them are changed or none. `not_found` and `conflict` errors name the match.
 */
const several = { site: siteNameSchema, ids: z.array(rowId).min(1).max(10_000) };
/** Maximum number of lines and transactions returned with each match. */
const members = z.int().min(0).max(10_000).default(20);

const allocation = { allocated_in_cents: centsSchema.optional() };
const made = {
  /** Lines of the match. Without `allocated_in_cents`, the complete unmatched part of the line is used. */
  lines: z
    .array(z.object({ id: rowId, ...allocation }))
    .max(10_000)
    .default([]),
  transactions: z
    .array(z.object({ id: serviceIdSchema, ...allocation }))
    .max(10_000)
    .default([]),
  /** Adjustments of the match, which must balance: lines = transactions + adjustments. */
  adjustments: z
    .array(z.object({ category: adjustmentCategorySchema, amount_in_cents: centsSchema, reason }))
    .max(100)
    .default([]),
};

const groupSelection = {
  site: siteNameSchema,
  filter: groupFilterSchema.default({}),
  sort: groupSortSchema.default({ by: 'dated_on', direction: 'desc' }),
};
const paymentSelection = {
  site: siteNameSchema,
  filter: paymentFilterSchema.default({}),
  sort: paymentSortSchema.default({ by: 'paid_on', direction: 'desc' }),
};

export const matchProcedures = {
  summary: query.input(z.object({ site: siteNameSchema })).output(matchSummarySchema),
  /**
   * Runs all matching passes as a job of kind `match`. Decisions of users are preserved. Matches of earlier runs are
   * preserved if they are found again and undone if they are not, for example because a later import adds an alternative.
   * A dry run only saves its figures. Both update the payments from the statements first, which undoes a confirmed match
   * if a payment's amount has changed. Throws `conflict` during an import or another run.
   */
  run: command
    .input(
      z.object({
        site: siteNameSchema,
        accounts: z.array(rowId).min(1).optional(),
        dry_run: z.boolean().default(false),
      }),
    )
    .output(z.object({ job: z.string() })),
  /** Lists matching runs, newest first. */
  runs: query.input(pageInputSchema.extend({ site: siteNameSchema })).output(pageOf(matchRunSchema)),
  /** Returns a matching run by its ID or the ID of its job. */
  getRun: query
    .input(
      z.union([
        z.object({ site: siteNameSchema, id: rowId }),
        z.object({ site: siteNameSchema, job: z.string() }),
      ]),
    )
    .output(matchRunSchema),
  /** Undoes the suggestions and the confirmed matches that a run has created and that are still unchanged, as a job. */
  undoRun: command
    .input(z.object({ site: siteNameSchema, id: rowId, reason }))
    .output(z.object({ job: z.string() })),
  /** Lists the passes in order, with a description of each. */
  passes: query
    .input(z.object({ site: siteNameSchema }))
    .output(z.array(z.object({ rule: matchRuleIdSchema, title: z.string(), explanation: z.string() }))),

  list: query.input(pageInputSchema.extend({ ...groupSelection, members })).output(
    pageOf(matchGroupSchema).extend({
      /** Totals of all matches that match the filter. Only on the first page. */
      sums: z
        .array(
          z.object({
            status: groupStatusSchema,
            rule: matchRuleIdSchema,
            count: z.int(),
            amount_in_cents: centsSchema,
          }),
        )
        .nullable(),
    }),
  ),
  marks: query.input(z.object({ ...groupSelection, ...marksInput })).output(marksOutputSchema),
  get: query.input(z.object({ site: siteNameSchema, id: rowId })).output(matchGroupDetailSchema),

  /** Lists payments and refunds with their match state. */
  payments: query.input(pageInputSchema.extend(paymentSelection)).output(
    pageOf(paymentSchema).extend({
      /** Totals of all payments that match the filter. Only on the first page. */
      sums: z.array(moneySumSchema.extend({ claimed_in_cents: centsSchema })).nullable(),
    }),
  ),
  paymentMarks: query.input(z.object({ ...paymentSelection, ...marksInput })).output(marksOutputSchema),
  /** Returns a payment with its current and earlier matches, newest first. */
  getPayment: query
    .input(z.object({ site: siteNameSchema, id: serviceIdSchema }))
    .output(paymentSchema.extend({ groups: z.array(z.int()), note_texts: z.array(matchNoteSchema) })),

  /**
   * Confirms suggested or ambiguous matches. Throws `conflict` if one does not balance or its amounts have been matched
   * elsewhere.
   */
  confirm: command
    .input(z.object({ ...several, reason: reason.optional() }))
    .output(z.array(matchGroupSchema)),
  /** Declines matches, so that they are not suggested again. */
  decline: command
    .input(z.object({ ...several, reason: reason.optional() }))
    .output(z.array(matchGroupSchema)),
  /** Undoes confirmed or declined matches. The next run can suggest a declined match again. */
  undo: command.input(z.object({ ...several, reason })).output(z.array(matchGroupSchema)),
  /**
   * Confirms all suggested matches of a rule that balance and whose amounts are still unmatched. Never confirms ambiguous
   * ones.
   */
  acceptRule: command
    .input(z.object({ site: siteNameSchema, rule: matchRuleIdSchema, filter: groupFilterSchema.default({}) }))
    .output(z.object({ confirmed: z.int(), left: z.int() })),
  /** Creates a confirmed match of lines and transactions. It can cover a part of an amount; the rest stays unmatched. */
  make: command
    .input(z.object({ site: siteNameSchema, ...made, reason: reason.optional() }))
    .output(matchGroupSchema),
  /** Replaces a match with several confirmed ones, completely or not at all. */
  split: command
    .input(
      z.object({ site: siteNameSchema, id: rowId, parts: z.array(z.object(made)).min(2).max(1000), reason }),
    )
    .output(z.array(matchGroupSchema)),
  /**
   * Assigns the unmatched part of lines and payments to a category, each in its own match. Category `ignored` means out
   * of scope.
   */
  writeOff: command
    .input(
      z.object({
        site: siteNameSchema,
        lines: z.array(rowId).max(10_000).default([]),
        transactions: z.array(serviceIdSchema).max(10_000).default([]),
        category: adjustmentCategorySchema,
        reason,
      }),
    )
    .output(z.array(matchGroupSchema)),
  /** Adds a note to a match, a line or a payment. */
  note: command
    .input(
      z.object({
        site: siteNameSchema,
        on: z.union([
          z.object({ group: rowId }),
          z.object({ line: rowId }),
          z.object({ transaction: serviceIdSchema }),
        ]),
        text: z.string().trim().min(1).max(10_000),
      }),
    )
    .output(matchNoteSchema),
  /** Lists default categories and those in use. */
  categories: query
    .input(z.object({ site: siteNameSchema }))
    .output(z.array(z.object({ category: z.string(), groups: z.int() }))),

  /** Lists the user's match rules in order of priority. */
  rules: query.input(z.object({ site: siteNameSchema })).output(z.array(matchRuleSchema)),
  /** Adds a match rule at the end, or changes the rule with the given `id`. Takes effect in the next run. */
  saveRule: command
    .input(z.object({ site: siteNameSchema, id: rowId.optional(), ...matchRuleFields }))
    .output(matchRuleSchema),
  /** Removes a match rule. Matches that it created remain. */
  removeRule: command.input(z.object({ site: siteNameSchema, id: rowId })).output(z.object({})),
  /** Reorders the match rules. The input contains the IDs of all rules in the new order. */
  orderRules: command
    .input(z.object({ site: siteNameSchema, ids: z.array(rowId).max(1000) }))
    .output(z.array(matchRuleSchema)),
  /**
   * Returns the number of unmatched lines that a saved or unsaved rule would apply to, and the first of these lines.
   * Changes nothing.
   */
  tryRule: query
    .input(z.object({ site: siteNameSchema, ...matchRuleFields, limit: z.int().min(1).max(200).default(50) }))
    .output(z.object({ lines: z.int(), sums: z.array(moneySumSchema), rows: z.array(bankLineSchema) })),

  /** Lists payouts, newest first. */
  payouts: query
    .input(pageInputSchema.extend({ site: siteNameSchema, filter: payoutFilterSchema.default({}) }))
    .output(pageOf(payoutSchema)),
  getPayout: query
    .input(z.object({ site: siteNameSchema, id: rowId }))
    .output(payoutSchema.extend({ rows: z.array(bankLineSchema) })),
};
