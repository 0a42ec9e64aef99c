import { z } from 'zod';
import { bankLineFilterSchema } from '../bank/bank-lines.ts';
import { exceptionFilterSchema } from '../checks/exceptions.ts';
import { matchGroupFilterSchema, paymentFilterSchema } from '../matching/match-groups.ts';
import { payoutFilterSchema } from '../matching/payouts.ts';
import { field, toPageSchema } from '../shared/common-schemas.ts';
import { figureIdSchema, scheduleIdSchema } from '../shared/figure-reference.ts';
import { definePageQuery, defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';
import { statementFilterSchema } from '../statements/statements.ts';
import { certificationSchema, signedStatementsSchema } from './certification.ts';
import { fluxSchema, subscriptionFluxSchema } from './flux.ts';

/**
 * Tick mark next to a tested figure: `F`, `CF`, `R`, `A`, `B`, `P`, `✓`, `E`, `imm` or `N/A` (with the reason in `note`).
 * `/S2` or `S1/` refers to another schedule. The legend explains the marks.
 */
const tickMarkSchema = z.string().trim().min(1).max(12);
const tickMeaningSchema = z.object({
  mark: tickMarkSchema,
  meaning: z.string().trim().min(1).max(300),
  /** True for a default tick mark. Its meaning can be reworded, but it stays in the legend. */
  usual: z.boolean(),
});
export type TickMeaning = z.infer<typeof tickMeaningSchema>;

/**
 * - `source`: a figure from records. `item`: a reconciling item, signed as it is added.
 * - `subtotal`, `total`: a sum of other lines. `stated`: the amount from the other side, with which the total is
 * compared.
 * - `difference`: stated minus total. `memo`: for information only, not included in any sum.
 */
const lineRoleSchema = z.enum(['source', 'item', 'subtotal', 'total', 'stated', 'difference', 'memo']);

/** The list in the app that shows exactly the rows of the figure. */
const figureListSchema = z.discriminatedUnion('list', [
  z.object({ list: z.literal('statements'), filter: statementFilterSchema }),
  z.object({ list: z.literal('payments'), filter: paymentFilterSchema }),
  z.object({ list: z.literal('lines'), filter: bankLineFilterSchema }),
  z.object({ list: z.literal('matches'), filter: matchGroupFilterSchema }),
  z.object({ list: z.literal('payouts'), filter: payoutFilterSchema }),
  z.object({ list: z.literal('exceptions'), filter: exceptionFilterSchema }),
]);
export type FigureRowsList = z.infer<typeof figureListSchema>;

const scheduleLineSchema = z.object({
  id: figureIdSchema,
  label: z.string(),
  role: lineRoleSchema,
  /** Amount in cents, signed so that the column adds up. */
  amount_in_cents: field.cents,
  /** Number of rows in the figure; null for a sum of other lines. */
  count: z.int().nullable(),
  /** Tick marks of the line. A figure that is not tested has `N/A`, with the reason in `note`. */
  ticks: z.array(tickMarkSchema),
  /** Source of the figure, or a remark, as one sentence. */
  note: z.string(),
  /** IDs of the lines that are added and subtracted; null if the line is not a sum. */
  sum: z.object({ plus: z.array(figureIdSchema), minus: z.array(figureIdSchema) }).nullable(),
  /** Breakdown of the amount by account, kind or category, if there is more than one. The parts add up to the amount. */
  parts: z.array(z.object({ label: z.string(), count: z.int(), amount_in_cents: field.cents })),
  /** Count and amount of the line's unexplained part; null if the line cannot have one. */
  unexplained: z.object({ count: z.int(), amount_in_cents: field.cents }).nullable(),
  /** True if `workpapers.rows` returns the rows of this figure; false for a sum of lines. */
  opens: z.boolean(),
  list: figureListSchema.nullable(),
});
export type ScheduleLine = z.infer<typeof scheduleLineSchema>;

const scheduleSchema = z.object({
  id: scheduleIdSchema,
  title: z.string(),
  /** Purpose of the schedule, as one sentence for its heading. */
  purpose: z.string(),
  lines: z.array(scheduleLineSchema),
  /** Stated amount minus total, in cents. Zero if they agree. Displayed in either case. */
  difference_in_cents: field.cents,
  /** Number and amount of the schedule's unexplained items. */
  unexplained: z.object({ count: z.int(), amount_in_cents: field.cents }),
  /**
   * Comparison of the schedule's differences and unexplained items with its threshold; null if it has none. Both are summed
   * in absolute amounts, so that opposite amounts do not offset each other. `passed`: there are some, and they do not
   * exceed the threshold. Their lines have the tick mark `imm`. `tested_count` is the number of unexplained items.
   */
  materiality: z
    .object({
      threshold_in_cents: field.cents,
      tested_in_cents: field.cents,
      tested_count: z.int(),
      passed: z.boolean(),
    })
    .nullable(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** An aging bucket. `to_days` is null in the last bucket. */
const ageBucketSchema = z.object({ from_days: z.int(), to_days: z.int().nullable() });

/** The schedules of one currency. Billing (S1) uses the site's currency; other currencies have only S2 and S3. */
const workpaperSectionSchema = z.object({
  currency: z.string(),
  schedules: z.array(scheduleSchema),
  /** Items outstanding at the as-of date by age. Contains every bucket, including empty ones. */
  aging: z.array(
    ageBucketSchema.extend({ count: z.int(), amount_in_cents: field.cents, unexplained: z.int() }),
  ),
  outstanding: z.object({ count: z.int(), amount_in_cents: field.cents, unexplained: z.int() }),
  /** Differences of the period's matches by category. */
  adjustments: z.array(z.object({ category: z.string(), count: z.int(), amount_in_cents: field.cents })),
});
export type WorkpaperSection = z.infer<typeof workpaperSectionSchema>;

/** A signature on a workpaper. */
export const signatureSchema = z.object({
  role: z.enum(['prepared', 'reviewed', 'rejected', 'closed', 'reopened']),
  user: z.string(),
  at: field.moment,
  /** Comment or reason given with the signature. */
  text: z.string().nullable(),
  /** True if the preparer and the reviewer are the same person. */
  self_review: z.boolean(),
  /** Public key (hex) of the signature; null if it is not signed with a key. */
  key: z.string().nullable(),
  /** Certification statements with the signer's confirmations. Empty for signatures that certify nothing. */
  statements: signedStatementsSchema,
  /** Hash of the audit log's receipt at the signature. */
  receipt: z.string(),
});

const workpaperHeadSchema = z.object({
  site: field.siteName,
  title: z.string(),
  base_url: z.string(),
  period: z.object({ period: field.period, first: field.date, last: field.date }),
  /** As-of date of all schedules: the last day of the period. */
  as_at: field.date,
  /** Items dated before this day are not reconciled, because no imported file goes back that far. */
  since: field.date,
  /** State of the period; `none` if the period has not been opened. */
  state: z.string(),
  signatures: z.array(signatureSchema),
  app_version: z.string(),
  /** Receipt of the audit log when the workpaper was created: number of entries and hash. */
  audit: z.object({ entries: z.int(), head: z.string().nullable() }),
  made_at: field.moment,
});

/** A limitation that readers must know: data that is not synced, checked or matched, or open exceptions. */
const qualificationSchema = z.object({
  /**
   * Kind of limitation. `empty`: no figure has a row. `balance`: no bank statement proves an account's
   * balance on some days. `ledger`: a mapped area has no ledger row in the period. `immaterial`: open amounts of a
   * schedule are below its threshold. `suspended`: changes since sign-off exceed the threshold. For a closed period, `changes` are changes since sign-off, and `damaged` means that the stored
   * sign-off does not have its recorded digest.
   */
  kind: z.enum([
    'empty',
    'sync',
    'check',
    'match',
    'bank',
    'balance',
    'ledger',
    'exceptions',
    'unexplained',
    'difference',
    'immaterial',
    'suspended',
    'changes',
    'damaged',
  ]),
  message: z.string(),
});

export const workpaperSchema = z.object({
  head: workpaperHeadSchema,
  sections: z.array(workpaperSectionSchema),
  exceptions: z.object({
    open: z.int(),
    accepted: z.int(),
    at_stake_in_cents: field.cents,
    by_rule: z.array(
      z.object({
        rule: z.string(),
        title: z.string(),
        severity: z.string(),
        open: z.int(),
        accepted: z.int(),
        at_stake_in_cents: field.cents,
      }),
    ),
  }),
  matches: z.object({ count: z.int() }),
  qualifications: z.array(qualificationSchema),
  /**
   * True if the figures have rows, and the schedules have no difference and no unexplained item, except amounts that are
   * passed as immaterial.
   */
  explained: z.boolean(),
  legend: z.array(tickMeaningSchema),
  /**
   * SHA-256 of the canonical JSON of the site, period, sections, exceptions, matches and legend. Two workpapers with the
   * same digest have the same figures, regardless of when they were created and who signed.
   */
  digest: z.string(),
});
export type Workpaper = z.infer<typeof workpaperSchema>;

/** Permanent key of an outstanding item: `payment:17`, `line:4`, `payout:3` or `statement:80`. */
export const outstandingItemKeySchema = z
  .string()
  .regex(/^(payment|line|payout|statement):(0|[1-9]\d{0,14})$/, 'must be an item, for example payment:17');

/** An item outstanding at the as-of date. */
export const outstandingItemSchema = z.object({
  key: outstandingItemKeySchema,
  schedule: scheduleIdSchema,
  /** ID of the figure that contains the item. */
  figure: figureIdSchema,
  currency: z.string(),
  /** Outstanding amount in cents, which is the unmatched part. */
  amount_in_cents: field.cents,
  dated_on: field.date,
  /** Number of days from the item's date to the as-of date. */
  age_days: z.int(),
  /** Index of the item's aging bucket. */
  bucket: z.int(),
  /** Description of the item: customer and IDs, or the bank's text. */
  text: z.string(),
  /** Category: `in transit`, `cleared later`, or one assigned by a user; null if there is none. */
  category: z.string().nullable(),
  owner: z.string().nullable(),
  explanation: z.string().nullable(),
  /** Date on which the item is expected to clear. */
  expected_on: field.date.nullable(),
  /** First earlier period in which the item was outstanding. */
  brought_forward_from: field.period.nullable(),
  /** Date after the as-of date on which the item cleared, if known. */
  cleared_on: field.date.nullable(),
  explained: z.boolean(),
});
export type OutstandingItem = z.infer<typeof outstandingItemSchema>;

/** A row that contributes to a figure. */
const figureRowSchema = z.object({
  /** `ledger`: a posting in the general ledger. `balance`: an account in a trial balance. `entry`: a journal entry. */
  kind: z.enum([
    ...(['balance', 'bank_statement', 'entry', 'ledger', 'line'] as const),
    ...(['match', 'payment', 'payout', 'statement', 'transaction'] as const),
  ]),
  id: z.int(),
  /** For a transaction: the ID of its statement; null for other rows. */
  statement: z.int().nullable(),
  /** ID of the match that includes the row; null if none does. Several matches can share a row. */
  match: z.int().nullable(),
  dated_on: field.date.nullable(),
  text: z.string(),
  /** Amount in cents that the row contributes to the figure. */
  amount_in_cents: field.cents,
});
export type FigureRow = z.infer<typeof figureRowSchema>;

/** Balance of a customer's subscriptions at the as-of date. */
export const customerBalanceSchema = z.object({
  customer: z.string(),
  organization: z.string().nullable(),
  /** Number of subscriptions with a balance. */
  subscriptions: z.int(),
  currency: z.string(),
  /** Amount owed less credits and overpayments. */
  total_in_cents: field.cents,
  /** Amount owed on open statements by days since their closing, in the order of the aging buckets. */
  aging: z.array(field.cents),
  /** Credits and adjustments that exceed the charges. Not positive. */
  credits_in_cents: field.cents,
  /** Payments that exceed the charges. Not positive. */
  overpaid_in_cents: field.cents,
});
export type CustomerBalance = z.infer<typeof customerBalanceSchema>;

/** Deferral of one charge, adjustment or credit over the period. */
export const deferredChargeSchema = z.object({
  statement: field.serviceId,
  transaction: field.serviceId,
  subscription: field.serviceId,
  customer: z.string(),
  memo: z.string().nullable(),
  currency: z.string(),
  /** First day of the service; null if the service period is unknown. */
  service_from: field.date.nullable(),
  /** First day after the service. */
  service_until: field.date.nullable(),
  amount_in_cents: field.cents,
  /** Deferred at the beginning of the period. */
  opening_in_cents: field.cents,
  /** Billed in the period. */
  billed_in_cents: field.cents,
  recognized_in_cents: field.cents,
  /** Deferred at the as-of date. */
  closing_in_cents: field.cents,
});
export type DeferredCharge = z.infer<typeof deferredChargeSchema>;

export const workpaperSettingsSchema = z.object({
  /** First day of each aging bucket. For example, 0, 8, 31, 61, 91 means 0–7, 8–30, 31–60, 61–90 and over 90 days. */
  buckets: z.array(z.int().nonnegative().max(3650)).min(1).max(12),
  /** Age in days up to which an item is considered in transit, which explains it. */
  transit_days: z.int().min(0).max(60),
  legend: z.array(tickMeaningSchema).max(60),
  certification: certificationSchema,
  /** `refused`: the preparer's key cannot approve, and keys of one computer count as those of one person. */
  self_review: z.enum(['explained', 'refused']),
  /** Largest open amount per schedule and currency that is passed as immaterial. */
  thresholds: z
    .array(
      z.object({
        schedule: scheduleIdSchema,
        currency: field.currencyCode,
        amount_in_cents: z.int().positive(),
      }),
    )
    .max(500),
  /**
   * When changes since sign-off suspend a sign-off: `never`, with `any` change, or if the absolute changes of a currency
   * exceed its lowest threshold (`material`). Without a threshold, any amount exceeds it, and so does a change of unknown
   * size. Closing a period stores this setting and the thresholds for its sign-off.
   */
  suspend_on: z.enum(['never', 'material', 'any']),
});
export type WorkpaperSettings = z.infer<typeof workpaperSettingsSchema>;

/** Settings that decide whether changes since sign-off suspend a sign-off. */
export const suspensionPolicySchema = workpaperSettingsSchema.pick({ suspend_on: true, thresholds: true });
export type SuspensionPolicy = z.infer<typeof suspensionPolicySchema>;

const which = { period: field.period };
const shown = {
  ...which,
  /** True to recalculate a closed period from the current records. By default, the workpaper is returned as signed. */
  now: z.boolean().default(false),
};

export const workpaperProcedures = {
  /** Returns the workpaper of a month, even if the month has not been opened. */
  get: defineSiteQuery(shown).output(workpaperSchema),
  /** Lists items outstanding at the as-of date, oldest first. */
  items: definePageQuery({
    ...shown,
    filter: z
      .object({
        schedule: scheduleIdSchema.optional(),
        figure: figureIdSchema.optional(),
        currency: z.string().max(3).optional(),
        bucket: z.int().nonnegative().optional(),
        explained: z.boolean().optional(),
      })
      .default({}),
  }).output(
    toPageSchema(outstandingItemSchema).extend({
      /** Totals of all items that match the filter, by currency. Set only on the first page. */
      sums: z
        .array(z.object({ currency: z.string(), count: z.int(), amount_in_cents: field.cents }))
        .nullable(),
    }),
  ),
  /** Lists the rows of a figure, which add up to it exactly. `sum` is set only on the first page. */
  rows: definePageQuery({ ...shown, currency: z.string().max(3), figure: figureIdSchema }).output(
    toPageSchema(figureRowSchema).extend({
      sum: z.object({ count: z.int(), amount_in_cents: field.cents }).nullable(),
    }),
  ),
  /** Compares every figure of a month with the previous month. Closed months are compared as signed. */
  flux: defineSiteQuery(which).output(fluxSchema),
  /**
   * Splits the flux of a figure by subscription, largest difference first. The parts of all subscriptions add up to the
   * parts of the figure.
   */
  fluxRows: definePageQuery({ ...which, currency: z.string().max(3), figure: figureIdSchema }).output(
    toPageSchema(subscriptionFluxSchema),
  ),
  settings: defineSiteQuery().output(workpaperSettingsSchema),
  /**
   * Saves the workpaper settings and records the change in the audit log. Throws `validation` if the buckets do not start
   * at 0 or are not ascending, the legend lacks a default mark, or a statement is listed twice. Omitted settings stay
   * unchanged.
   */
  saveSettings: defineSiteCommand({ settings: workpaperSettingsSchema.partial() }).output(
    workpaperSettingsSchema,
  ),
};
