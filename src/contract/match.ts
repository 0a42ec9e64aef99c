import { z } from 'zod';
import { bankLine, bankLineKind, matchNote, matchState, moneySum } from './bank.ts';
import { command, query } from './kinds.ts';
import { transactionRow } from './transactions.ts';
import {
  calendarDate,
  cents,
  direction,
  marksInput,
  marksOutput,
  moment,
  pageInput,
  pageOf,
  serviceId,
  siteName,
} from './values.ts';

const reason = z.string().trim().min(1).max(2000);
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
export type MatchAdjustment = z.infer<typeof matchAdjustment>;

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
  rivals: z.int(),
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
  why: z.string().nullable(),
  notes: z.int(),
});
export type MatchGroup = z.infer<typeof matchGroup>;

/** Another way to match what is in a group, and what speaks for it. */
export const matchRival = z.object({
  bank_lines: z.array(z.int()),
  transactions: z.array(serviceId),
  text: z.string(),
});
export type MatchRival = z.infer<typeof matchRival>;

export const matchEntry = z.object({
  at: moment,
  /** Null where a run did it. */
  who: z.string().nullable(),
  what: z.enum(['made', 'confirmed', 'declined', 'undone', 'proposed', 'noted']),
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
  rivals_seen: z.array(matchRival),
  /** Oldest first. */
  history: z.array(matchEntry),
  noted: z.array(matchNote),
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
  least_in_cents: cents.nonnegative().optional(),
  most_in_cents: cents.nonnegative().optional(),
});
export type GroupFilter = z.infer<typeof groupFilter>;

export const groupSort = z.object({
  by: z.enum(['dated_on', 'amount_in_cents']).default('dated_on'),
  direction: direction.default('desc'),
});

export const paymentFilter = z.object({
  state: z.array(matchState).optional(),
  kind: z.array(paymentKind).optional(),
  subscription_id: serviceId.optional(),
  statement_id: serviceId.optional(),
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  least_in_cents: cents.nonnegative().optional(),
  most_in_cents: cents.nonnegative().optional(),
  /** Words of the customer’s name, the memo and the ids, or an amount as `19.90`. */
  search: z.string().max(200).optional(),
});
export type PaymentFilter = z.infer<typeof paymentFilter>;

export const paymentSort = z.object({
  by: z.enum(['paid_on', 'amount_in_cents']).default('paid_on'),
  direction: direction.default('desc'),
});

// ---- Runs

export const matchPass = z.object({
  rule: matchRuleId,
  title: z.string(),
  confirmed: z.int(),
  suggested: z.int(),
  ambiguous: z.int(),
});

/** What a run of all passes did, or would do. */
export const matchRun = z.object({
  id: z.int(),
  job: z.string(),
  dry_run: z.boolean(),
  /** Ids of the accounts it was of; null: all. */
  accounts: z.array(z.int()).nullable(),
  state: z.enum(['running', 'done', 'cancelled', 'undone']),
  started_at: moment,
  ended_at: moment.nullable(),
  who: z.string(),
  /** In the order of the passes. */
  passes: z.array(matchPass),
  confirmed: z.int(),
  suggested: z.int(),
  ambiguous: z.int(),
  /** What no confirmed group explains when it ended. */
  unmatched_lines: z.int(),
  unmatched_payments: z.int(),
  /** Over the groups it came to; a dry run and the run after it agree in it where nothing changed between them. */
  digest: z.string().nullable(),
  /** Milliseconds of reading, matching and writing. */
  took: z.object({ read_ms: z.int(), match_ms: z.int(), write_ms: z.int() }).nullable(),
  undone: z.object({ at: moment, who: z.string(), reason: z.string() }).nullable(),
});
export type MatchRun = z.infer<typeof matchRun>;

/** Where the matching stands. */
export const matchSummary = z.object({
  /** Lines and payments by state and currency. */
  lines: z.array(moneySum.extend({ state: matchState })),
  payments: z.array(moneySum.extend({ state: matchState })),
  groups: z.array(
    z.object({
      status: groupStatus,
      rule: matchRuleId,
      title: z.string(),
      count: z.int(),
      amount_in_cents: cents,
    }),
  ),
  /** Payouts whose deposit is not found, or whose bridge leaves a remainder. */
  payouts: z.object({ total: z.int(), waiting: z.int(), unexplained_in_cents: cents }),
  last_run: matchRun.nullable(),
  /** Why a run would find more, in a sentence: lines were imported, payments synced, rules changed. Null where not. */
  stale: z.string().nullable(),
  /** The job that imports or matches now. */
  running: z.string().nullable(),
});
export type MatchSummary = z.infer<typeof matchSummary>;

// ---- Rules of the user’s

/** Texts are compared without case; `words` are all somewhere in the text. No patterns: what a rule does stays readable. */
export const ruleCondition = z.discriminatedUnion('field', [
  z.object({
    field: z.enum(['text', 'description', 'reference', 'counterparty', 'bank_id']),
    is: z.enum(['contains', 'words', 'equals', 'begins', 'ends', 'empty']),
    value: z.string().max(200).default(''),
  }),
  z.object({
    field: z.literal('amount'),
    /** Of the signed amount, both included; null: no bound. */
    from_in_cents: cents.nullable(),
    to_in_cents: cents.nullable(),
  }),
  z.object({ field: z.literal('account'), accounts: z.array(rowId).min(1) }),
  z.object({ field: z.literal('kind'), kinds: z.array(bankLineKind).min(1) }),
]);
export type RuleCondition = z.infer<typeof ruleCondition>;

/**
 * - `categorise`: what the line still has open is put down to a category. `ignore`: the line is none of the matter.
 * - `tolerate`: a payment found by its reference or its payee may differ from the line by so much, at most; the difference is put down to the category.
 */
export const ruleAction = z.discriminatedUnion('do', [
  z.object({ do: z.literal('categorise'), category: adjustmentCategory }),
  z.object({ do: z.literal('ignore') }),
  z.object({
    do: z.literal('tolerate'),
    category: adjustmentCategory,
    most_in_cents: cents.positive().max(100_000),
    /** Hundredths of a percent of the payment’s amount; null: no such bound. */
    most_basis_points: z.int().min(1).max(1000).nullable().default(null),
  }),
]);
export type RuleAction = z.infer<typeof ruleAction>;

const ruleContent = {
  title: z.string().trim().min(1).max(100),
  enabled: z.boolean().default(true),
  /** All of them must hold. */
  conditions: z.array(ruleCondition).min(1).max(20),
  action: ruleAction,
};

export const matchRule = z.object({
  id: z.int(),
  /** 1 is tried first. */
  position: z.int(),
  /** Counts its changes. */
  version: z.int(),
  ...ruleContent,
  /** Confirmed groups it made. */
  groups: z.int(),
  changed_at: moment,
  changed_by: z.string(),
});
export type MatchRule = z.infer<typeof matchRule>;

// ---- Payouts

/** A batch by which a processor paid out, and the deposit at the bank. */
export const payout = z.object({
  id: z.int(),
  payout_id: z.string(),
  account: z.object({ id: z.int(), name: z.string() }),
  import: z.int(),
  currency: z.string(),
  /** The day the processor sent it, where the report says, else the last day of its lines. */
  paid_on: calendarDate,
  lines: z.int(),
  /** From gross to net; signed as they move the processor’s balance: a fee is below 0. Only categories that occur. */
  bridge: z.array(z.object({ category: z.string(), count: z.int(), amount_in_cents: cents })),
  /** Sum of the bridge. */
  net_in_cents: cents,
  /** What the report says was paid out; null where it does not say. */
  stated_in_cents: cents.nullable(),
  /** What reached the bank, by confirmed groups; null where no deposit is found. */
  deposited_in_cents: cents.nullable(),
  deposit: z
    .object({
      line: z.int(),
      group: z.int(),
      status: groupStatus,
      booked_on: calendarDate,
      account: z.string(),
    })
    .nullable(),
  /** Deposited (or stated, without a deposit) less the bridge: what nothing explains. Shown even where it is 0. */
  unexplained_in_cents: cents,
  /** Payments of its lines that are matched to the statements’ ones, of all. */
  payments_matched: z.int(),
  payments: z.int(),
});
export type Payout = z.infer<typeof payout>;

export const payoutFilter = z.object({
  account: z.array(rowId).optional(),
  /** `waiting`: without a deposit. `unexplained`: with a remainder. */
  is: z.enum(['waiting', 'deposited', 'unexplained']).optional(),
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  search: z.string().max(200).optional(),
});

// ---- Procedures

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
   * same and keeps only its figures. `conflict` while an import or another run is under way.
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
    .output(payment.extend({ groups: z.array(z.int()), noted: z.array(matchNote) })),

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
