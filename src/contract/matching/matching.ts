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

/** One or several groups; all are done, or none (`not_found`, `conflict` name the one). */
const several = { site: siteName, ids: z.array(rowId).min(1).max(10_000) };
/** How many of each group’s lines and transactions are shown with it. */
const members = z.int().min(0).max(10_000).default(20);

const allocation = { allocated_in_cents: cents.optional() };
const made = {
  /** Without `allocated_in_cents`: what is still open of it. */
  lines: z
    .array(z.object({ id: rowId, ...allocation }))
    .max(10_000)
    .default([]),
  transactions: z
    .array(z.object({ id: serviceId, ...allocation }))
    .max(10_000)
    .default([]),
  /** With them the group must come to 0: lines = transactions + adjustments. */
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
   * Runs all passes over everything that people have not decided, as a job (kind `match`). What earlier runs confirmed or proposed is found
   * again where it still holds, and taken back where it does not (a later import may bring a twin); decisions of people stay. A dry run does the
   * same and keeps only its figures. Both begin, as a sync ends, by bringing the payments up to what the service says: a confirmed match whose
   * payment is of another amount now is undone by that. `conflict` while an import or another run is under way.
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
  /** The newest first. */
  runs: query.input(pageInput.extend({ site: siteName })).output(pageOf(matchRun)),
  /** By its number, or by its job. */
  getRun: query
    .input(z.union([z.object({ site: siteName, id: rowId }), z.object({ site: siteName, job: z.string() })]))
    .output(matchRun),
  /** Takes back what a run confirmed and still stands, and its proposals, as a job. */
  undoRun: command
    .input(z.object({ site: siteName, id: rowId, reason }))
    .output(z.object({ job: z.string() })),
  /** The passes in their order, and what each does. */
  passes: query
    .input(z.object({ site: siteName }))
    .output(z.array(z.object({ rule: matchRuleId, title: z.string(), explanation: z.string() }))),

  list: query.input(pageInput.extend({ ...groupSelection, members })).output(
    pageOf(matchGroup).extend({
      /** Over all groups of the filter; with the first page only. */
      sums: z
        .array(z.object({ status: groupStatus, rule: matchRuleId, count: z.int(), amount_in_cents: cents }))
        .nullable(),
    }),
  ),
  marks: query.input(z.object({ ...groupSelection, ...marksInput })).output(marksOutput),
  get: query.input(z.object({ site: siteName, id: rowId })).output(matchGroupDetail),

  /** Payments and refunds of the statements, as far as they are explained by money seen elsewhere. */
  payments: query.input(pageInput.extend(paymentSelection)).output(
    pageOf(payment).extend({
      /** Over all rows of the filter; with the first page only. */
      sums: z.array(moneySum.extend({ claimed_in_cents: cents })).nullable(),
    }),
  ),
  paymentMarks: query.input(z.object({ ...paymentSelection, ...marksInput })).output(marksOutput),
  /** With the groups it is or was in, the newest first. */
  getPayment: query
    .input(z.object({ site: siteName, id: serviceId }))
    .output(payment.extend({ groups: z.array(z.int()), note_texts: z.array(matchNote) })),

  /** Confirms proposals. `conflict` where one does not come to 0, or what it needs is claimed elsewhere by now. */
  confirm: command.input(z.object({ ...several, reason: reason.optional() })).output(z.array(matchGroup)),
  /** Says no to proposals: the same pairs are not proposed again. */
  decline: command.input(z.object({ ...several, reason: reason.optional() })).output(z.array(matchGroup)),
  /** Takes back what was confirmed or declined. What was declined may then be proposed again by the next run. */
  undo: command.input(z.object({ ...several, reason })).output(z.array(matchGroup)),
  /** Confirms every suggested group of a rule that comes to 0, as far as what they need is free; never an ambiguous one. */
  acceptRule: command
    .input(z.object({ site: siteName, rule: matchRuleId, filter: groupFilter.default({}) }))
    .output(z.object({ confirmed: z.int(), left: z.int() })),
  /** Puts lines and transactions together, confirmed. Part of a line (or payment) may be allocated; the rest stays open. */
  make: command.input(z.object({ site: siteName, ...made, reason: reason.optional() })).output(matchGroup),
  /** Takes a group apart into several, confirmed: it is undone and they are made, all or nothing. */
  split: command
    .input(z.object({ site: siteName, id: rowId, parts: z.array(z.object(made)).min(2).max(1000), reason }))
    .output(z.array(matchGroup)),
  /** Puts what is open of lines and payments down to a category, each in a group of its own. Category `ignored`: none of the matter. */
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
  /** Writes a note on a group, a line or a payment. */
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
  /** Categories there are: the usual ones, and those in use. */
  categories: query
    .input(z.object({ site: siteName }))
    .output(z.array(z.object({ category: z.string(), groups: z.int() }))),

  /** The user’s rules in their order. */
  rules: query.input(z.object({ site: siteName })).output(z.array(matchRule)),
  /** Adds a rule at the end, or changes one (`id`). Takes effect with the next run. */
  saveRule: command
    .input(z.object({ site: siteName, id: rowId.optional(), ...ruleContent }))
    .output(matchRule),
  /** Groups it made stay. */
  removeRule: command.input(z.object({ site: siteName, id: rowId })).output(z.object({})),
  /** Every rule’s id, in the new order. */
  orderRules: command
    .input(z.object({ site: siteName, ids: z.array(rowId).max(1000) }))
    .output(z.array(matchRule)),
  /** What a rule, saved or not, would take now: how many open lines, and the first of them. Changes nothing. */
  tryRule: query
    .input(z.object({ site: siteName, ...ruleContent, limit: z.int().min(1).max(200).default(50) }))
    .output(z.object({ lines: z.int(), sums: z.array(moneySum), rows: z.array(bankLine) })),

  /** The newest first. */
  payouts: query
    .input(pageInput.extend({ site: siteName, filter: payoutFilter.default({}) }))
    .output(pageOf(payout)),
  getPayout: query
    .input(z.object({ site: siteName, id: rowId }))
    .output(payout.extend({ rows: z.array(bankLine) })),
};
