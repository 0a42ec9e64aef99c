import { z } from 'zod';
import { bankLine, matchNote, moneySum } from '../bank/bank-lines.ts';
import {
  cents,
  marksInput,
  marksOutput,
  pageInput,
  pageOf,
  serviceId,
  siteName,
} from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import {
  adjustmentCategory,
  groupFilter,
  groupSort,
  groupStatus,
  matchGroup,
  matchGroupDetail,
  matchRuleId,
  payment,
  paymentFilter,
  paymentSort,
} from './match-groups.ts';
import { matchRule, ruleContent } from './match-rules.ts';
import { matchRun, matchSummary } from './match-runs.ts';
import { payout, payoutFilter } from './payouts.ts';

const reason = z.string().trim().min(1).max(2000);
const rowId = z.int().positive();

/** One or more matches. Either all are changed or none. `not_found` and `conflict` name the match. */
const several = { site: siteName, ids: z.array(rowId).min(1).max(10_000) };
/** Maximum number of lines and transactions returned with each match. */
const members = z.int().min(0).max(10_000).default(20);

const allocation = { allocated_in_cents: cents.optional() };
const made = {
  /** Without `allocated_in_cents`, the whole unmatched part. */
  lines: z
    .array(z.object({ id: rowId, ...allocation }))
    .max(10_000)
    .default([]),
  transactions: z
    .array(z.object({ id: serviceId, ...allocation }))
    .max(10_000)
    .default([]),
  /** The match must balance: lines = transactions + adjustments. */
  adjustments: z
    .array(z.object({ category: adjustmentCategory, amount_in_cents: cents, reason }))
    .max(100)
    .default([]),
};

const groupSelection = {
  site: siteName,
  filter: groupFilter.default({}),
  sort: groupSort.default({ by: 'dated_on', direction: 'desc' }),
};
const paymentSelection = {
  site: siteName,
  filter: paymentFilter.default({}),
  sort: paymentSort.default({ by: 'paid_on', direction: 'desc' }),
};

export const match = {
  summary: query.input(z.object({ site: siteName })).output(matchSummary),
  /**
   * Runs all passes as a job of kind `match`. Decisions of users are kept. Matches of earlier runs are kept if they are
   * found again and undone otherwise, for example because a later import adds an alternative. A dry run saves only its
   * figures. Both first update the payments from the statements, which undoes a confirmed match whose payment amount
   * changed. Throws `conflict` during an import or another run.
   */
  run: command
    .input(
      z.object({
        site: siteName,
        accounts: z.array(rowId).min(1).optional(),
        dry_run: z.boolean().default(false),
      }),
    )
    .output(z.object({ job: z.string() })),
  /** Lists runs, newest first. */
  runs: query.input(pageInput.extend({ site: siteName })).output(pageOf(matchRun)),
  /** Returns a run by its ID or its job. */
  getRun: query
    .input(z.union([z.object({ site: siteName, id: rowId }), z.object({ site: siteName, job: z.string() })]))
    .output(matchRun),
  /** Undoes the confirmed matches of a run that are still in place, and its suggestions, as a job. */
  undoRun: command
    .input(z.object({ site: siteName, id: rowId, reason }))
    .output(z.object({ job: z.string() })),
  /** Lists the passes in order, with a description of each. */
  passes: query
    .input(z.object({ site: siteName }))
    .output(z.array(z.object({ rule: matchRuleId, title: z.string(), explanation: z.string() }))),

  list: query.input(pageInput.extend({ ...groupSelection, members })).output(
    pageOf(matchGroup).extend({
      /** Totals over all matches of the filter. First page only. */
      sums: z
        .array(z.object({ status: groupStatus, rule: matchRuleId, count: z.int(), amount_in_cents: cents }))
        .nullable(),
    }),
  ),
  marks: query.input(z.object({ ...groupSelection, ...marksInput })).output(marksOutput),
  get: query.input(z.object({ site: siteName, id: rowId })).output(matchGroupDetail),

  /** Lists payments and refunds with their match state. */
  payments: query.input(pageInput.extend(paymentSelection)).output(
    pageOf(payment).extend({
      /** Totals over all rows of the filter. First page only. */
      sums: z.array(moneySum.extend({ claimed_in_cents: cents })).nullable(),
    }),
  ),
  paymentMarks: query.input(z.object({ ...paymentSelection, ...marksInput })).output(marksOutput),
  /** Returns a payment with its current and earlier matches, newest first. */
  getPayment: query
    .input(z.object({ site: siteName, id: serviceId }))
    .output(payment.extend({ groups: z.array(z.int()), note_texts: z.array(matchNote) })),

  /**
   * Confirms suggested or ambiguous matches. Throws `conflict` if one does not balance or its amounts have been matched
   * elsewhere.
   */
  confirm: command.input(z.object({ ...several, reason: reason.optional() })).output(z.array(matchGroup)),
  /** Declines matches, so that they are not suggested again. */
  decline: command.input(z.object({ ...several, reason: reason.optional() })).output(z.array(matchGroup)),
  /** Undoes confirmed or declined matches. The next run can suggest a declined match again. */
  undo: command.input(z.object({ ...several, reason })).output(z.array(matchGroup)),
  /**
   * Confirms all suggested matches of a rule that balance and whose amounts are still unmatched. Never confirms ambiguous
   * ones.
   */
  acceptRule: command
    .input(z.object({ site: siteName, rule: matchRuleId, filter: groupFilter.default({}) }))
    .output(z.object({ confirmed: z.int(), left: z.int() })),
  /** Creates a confirmed match of lines and transactions. It can cover a part of an amount; the rest stays unmatched. */
  make: command.input(z.object({ site: siteName, ...made, reason: reason.optional() })).output(matchGroup),
  /** Replaces a match with several confirmed ones, completely or not at all. */
  split: command
    .input(z.object({ site: siteName, id: rowId, parts: z.array(z.object(made)).min(2).max(1000), reason }))
    .output(z.array(matchGroup)),
  /**
   * Assigns the unmatched part of lines and payments to a category, each in its own match. Category `ignored` means out
   * of scope.
   */
  writeOff: command
    .input(
      z.object({
        site: siteName,
        lines: z.array(rowId).max(10_000).default([]),
        transactions: z.array(serviceId).max(10_000).default([]),
        category: adjustmentCategory,
        reason,
      }),
    )
    .output(z.array(matchGroup)),
  /** Adds a note to a match, a line or a payment. */
  note: command
    .input(
      z.object({
        site: siteName,
        on: z.union([
          z.object({ group: rowId }),
          z.object({ line: rowId }),
          z.object({ transaction: serviceId }),
        ]),
        text: z.string().trim().min(1).max(10_000),
      }),
    )
    .output(matchNote),
  /** Lists default categories and those in use. */
  categories: query
    .input(z.object({ site: siteName }))
    .output(z.array(z.object({ category: z.string(), groups: z.int() }))),

  /** Lists the user's rules in order. */
  rules: query.input(z.object({ site: siteName })).output(z.array(matchRule)),
  /** Adds a rule at the end, or changes the one with `id`. Takes effect in the next run. */
  saveRule: command
    .input(z.object({ site: siteName, id: rowId.optional(), ...ruleContent }))
    .output(matchRule),
  /** Removes a rule. Matches it created remain. */
  removeRule: command.input(z.object({ site: siteName, id: rowId })).output(z.object({})),
  /** IDs of all rules in the new order. */
  orderRules: command
    .input(z.object({ site: siteName, ids: z.array(rowId).max(1000) }))
    .output(z.array(matchRule)),
  /** Returns how many unmatched lines a rule, saved or not, would apply to, with the first ones. Changes nothing. */
  tryRule: query
    .input(z.object({ site: siteName, ...ruleContent, limit: z.int().min(1).max(200).default(50) }))
    .output(z.object({ lines: z.int(), sums: z.array(moneySum), rows: z.array(bankLine) })),

  /** Lists payouts, newest first. */
  payouts: query
    .input(pageInput.extend({ site: siteName, filter: payoutFilter.default({}) }))
    .output(pageOf(payout)),
  getPayout: query
    .input(z.object({ site: siteName, id: rowId }))
    .output(payout.extend({ rows: z.array(bankLine) })),
};
