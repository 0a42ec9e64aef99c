import { z } from 'zod';
import { bankLineFilter } from '../bank/bank-lines.ts';
import { exceptionFilter } from '../checks/exceptions.ts';
import { groupFilter, paymentFilter } from '../matching/match-groups.ts';
import { payoutFilter } from '../matching/payouts.ts';
import {
  calendarDate,
  cents,
  moment,
  pageInput,
  pageOf,
  period,
  siteName,
} from '../shared/common-schemas.ts';
import { figureId } from '../shared/figure-reference.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import { statementFilter } from '../statements/statements.ts';

/** S1: billing. S2: processor. S3: bank. Each schedule agrees to the next. */
export const scheduleId = z.enum(['S1', 'S2', 'S3']);

/**
 * Mark that an auditor writes next to a tested figure: `F`, `CF`, `R`, `A`, `B`, `P`, `✓`, `E`, `imm` or `N/A` (with the
 * reason in `note`). `/S2` or `S1/` refers to another schedule. The legend explains the marks.
 */
export const tickMark = z.string().trim().min(1).max(12);
export const tickMeaning = z.object({
  mark: tickMark,
  meaning: z.string().trim().min(1).max(300),
  /** True for a default mark. Its meaning can be reworded, but it stays in the legend. */
  usual: z.boolean(),
});
export type TickMeaning = z.infer<typeof tickMeaning>;

/**
 * - `source`: a figure from records. `item`: a reconciling item, with the sign it is added with.
 * - `subtotal`, `total`: a sum of other lines. `stated`: the amount of the other side, which the total is compared with.
 * - `difference`: stated minus total. `memo`: for information, in no sum.
 */
export const lineRole = z.enum(['source', 'item', 'subtotal', 'total', 'stated', 'difference', 'memo']);

/** The list in the app that shows exactly the rows of the figure. */
export const figureList = z.discriminatedUnion('list', [
  z.object({ list: z.literal('statements'), filter: statementFilter }),
  z.object({ list: z.literal('payments'), filter: paymentFilter }),
  z.object({ list: z.literal('lines'), filter: bankLineFilter }),
  z.object({ list: z.literal('matches'), filter: groupFilter }),
  z.object({ list: z.literal('payouts'), filter: payoutFilter }),
  z.object({ list: z.literal('exceptions'), filter: exceptionFilter }),
]);
export type FigureList = z.infer<typeof figureList>;

export const scheduleLine = z.object({
  id: figureId,
  label: z.string(),
  role: lineRole,
  /** Signed so that the column adds up. */
  amount_in_cents: cents,
  /** Number of rows in the figure. Null for a sum of lines. */
  count: z.int().nullable(),
  /** Never empty for a testable figure. An untested figure has `N/A`, with the reason in `note`. */
  ticks: z.array(tickMark),
  /** Source of the figure or a remark, as one sentence. */
  note: z.string(),
  /** IDs of the lines that are added (`plus`) and subtracted (`minus`), as in a spreadsheet formula. */
  sum: z.object({ plus: z.array(figureId), minus: z.array(figureId) }).nullable(),
  /** Breakdown by account, kind or category, if there is more than one. The parts add up to the amount. */
  parts: z.array(z.object({ label: z.string(), count: z.int(), amount_in_cents: cents })),
  /** The unexplained part. Null if the line cannot have one. */
  unexplained: z.object({ count: z.int(), amount_in_cents: cents }).nullable(),
  /**
   * Whether `workpaper.rows` returns the rows of this ID (false for a sum of lines), and the list with the same rows, if
   * any.
   */
  opens: z.boolean(),
  list: figureList.nullable(),
});
export type ScheduleLine = z.infer<typeof scheduleLine>;

export const schedule = z.object({
  id: scheduleId,
  title: z.string(),
  /** What the schedule shows, as one sentence for its heading. */
  purpose: z.string(),
  lines: z.array(scheduleLine),
  /** Stated minus total. Zero if they agree, and shown even then. */
  difference_in_cents: cents,
  /** Its unexplained items. */
  unexplained: z.object({ count: z.int(), amount_in_cents: cents }),
});
export type Schedule = z.infer<typeof schedule>;

/** An aging bucket. `to_days` is null in the last. */
export const ageBucket = z.object({ from_days: z.int(), to_days: z.int().nullable() });

/** The schedules of one currency. Billing (S1) uses the site's currency; other currencies have only S2 and S3. */
export const workpaperSection = z.object({
  currency: z.string(),
  schedules: z.array(schedule),
  /** Items outstanding at the as-of date by age. Contains every bucket, including empty ones. */
  aging: z.array(ageBucket.extend({ count: z.int(), amount_in_cents: cents, unexplained: z.int() })),
  outstanding: z.object({ count: z.int(), amount_in_cents: cents, unexplained: z.int() }),
  /** Differences of the period's matches by category. */
  adjustments: z.array(z.object({ category: z.string(), count: z.int(), amount_in_cents: cents })),
});
export type WorkpaperSection = z.infer<typeof workpaperSection>;

/** A signature. It is an assertion by a user of this computer without proof, and the sheet states this. */
export const signature = z.object({
  role: z.enum(['prepared', 'reviewed', 'rejected', 'closed', 'reopened']),
  user: z.string(),
  at: moment,
  /** Comment or reason. */
  text: z.string().nullable(),
  /** True if the preparer and the reviewer are the same person. */
  self_review: z.boolean(),
});

export const workpaperHead = z.object({
  site: siteName,
  title: z.string(),
  base_url: z.string(),
  period: z.object({ period, first: calendarDate, last: calendarDate }),
  /** As-of date of all schedules: the last day of the period. */
  as_at: calendarDate,
  /** Items before this day are not reconciled, because no imported file goes back that far. */
  since: calendarDate,
  /** State of the period. `none` if it was not opened. */
  state: z.string(),
  signatures: z.array(signature),
  app_version: z.string(),
  /** State of the audit log when the workpaper was created. */
  audit: z.object({ entries: z.int(), head: z.string().nullable() }),
  made_at: moment,
});

/** A limitation that a reader must know: data not synced, checked or matched, or open exceptions. */
export const qualification = z.object({
  /**
   * For a closed period, `drift` means that data changed since sign-off. `damaged` means that the stored sign-off does
   * not have its recorded digest.
   */
  kind: z.enum([
    'sync',
    'check',
    'match',
    'bank',
    'exceptions',
    'unexplained',
    'difference',
    'changes',
    'damaged',
  ]),
  message: z.string(),
});

export const workpaper = z.object({
  head: workpaperHead,
  sections: z.array(workpaperSection),
  exceptions: z.object({
    open: z.int(),
    accepted: z.int(),
    at_stake_in_cents: cents,
    by_rule: z.array(
      z.object({
        rule: z.string(),
        title: z.string(),
        severity: z.string(),
        open: z.int(),
        accepted: z.int(),
        at_stake_in_cents: cents,
      }),
    ),
  }),
  matches: z.object({ count: z.int() }),
  qualifications: z.array(qualification),
  /** True if every difference is zero and nothing in the schedules is unexplained. */
  explained: z.boolean(),
  legend: z.array(tickMeaning),
  /**
   * SHA-256 of the canonical JSON of the site, period, sections, exceptions, matches and legend. Two workpapers with the
   * same digest have the same figures, regardless of when they were created and who signed.
   */
  digest: z.string(),
});
export type Workpaper = z.infer<typeof workpaper>;

/**
 * Permanent key of an outstanding item, independent of imports and syncs: `payment:17`, `line:4`, `payout:3` or
 * `statement:80`.
 */
export const itemKey = z
  .string()
  .regex(/^(payment|line|payout|statement):\d+$/, 'an item, such as payment:17');

/** An item outstanding at the as-of date. */
export const openItem = z.object({
  key: itemKey,
  schedule: scheduleId,
  /** The figure that contains it. */
  figure: figureId,
  currency: z.string(),
  /** Outstanding amount: the unmatched part. */
  amount_in_cents: cents,
  dated_on: calendarDate,
  /** Days from its date to the as-of date. */
  age_days: z.int(),
  /** Index of its aging bucket. */
  bucket: z.int(),
  /** Description: customer and IDs, or the bank's text. */
  text: z.string(),
  /**
   * `in transit` (the money is usually not there yet), `cleared later`, or the category a user assigned. Otherwise null.
   */
  category: z.string().nullable(),
  owner: z.string().nullable(),
  explanation: z.string().nullable(),
  /** Date on which it is expected to clear. */
  expected_on: calendarDate.nullable(),
  /** First earlier period in which it was outstanding. */
  brought_forward_from: period.nullable(),
  /** Date on which it cleared after the as-of date, if known. */
  cleared_on: calendarDate.nullable(),
  explained: z.boolean(),
});
export type OpenItem = z.infer<typeof openItem>;

/** A row of a figure. */
export const figureRow = z.object({
  kind: z.enum(['statement', 'transaction', 'payment', 'line', 'payout', 'match']),
  id: z.int(),
  /** For a transaction, its statement. Otherwise null. */
  statement: z.int().nullable(),
  /** The match that includes it in the figure. Null if none. Several matches can each cover a part of a row. */
  match: z.int().nullable(),
  dated_on: calendarDate.nullable(),
  text: z.string(),
  /** Amount included in the figure. */
  amount_in_cents: cents,
});
export type FigureRow = z.infer<typeof figureRow>;

export const workpaperSettings = z.object({
  /** First day of each bucket: 0, 8, 31, 61, 91 means 0–7, 8–30, 31–60, 61–90 and over 90. */
  buckets: z.array(z.int().nonnegative().max(3650)).min(1).max(12),
  /** An item up to this age is considered in transit, which explains it. */
  transit_days: z.int().min(0).max(60),
  legend: z.array(tickMeaning).max(60),
});
export type WorkpaperSettings = z.infer<typeof workpaperSettings>;

const which = { site: siteName, period };
const shown = {
  ...which,
  /** True recalculates a closed period from the current records. Otherwise it is returned as signed. */
  now: z.boolean().default(false),
};

export const workpapers = {
  /** Returns the workpaper of a month, opened or not. */
  get: query.input(z.object(shown)).output(workpaper),
  /** Lists items outstanding at the as-of date, oldest first. */
  items: query
    .input(
      pageInput.extend({
        ...shown,
        filter: z
          .object({
            schedule: scheduleId.optional(),
            figure: figureId.optional(),
            currency: z.string().max(3).optional(),
            bucket: z.int().nonnegative().optional(),
            explained: z.boolean().optional(),
          })
          .default({}),
      }),
    )
    .output(
      pageOf(openItem).extend({
        /** Totals over all items of the filter, by currency. First page only. */
        sums: z.array(z.object({ currency: z.string(), count: z.int(), amount_in_cents: cents })).nullable(),
      }),
    ),
  /** Lists the rows of a figure, which add up to it exactly. `sum` is on the first page only. */
  rows: query
    .input(pageInput.extend({ ...shown, currency: z.string().max(3), figure: figureId }))
    .output(
      pageOf(figureRow).extend({ sum: z.object({ count: z.int(), amount_in_cents: cents }).nullable() }),
    ),
  settings: query.input(z.object({ site: siteName })).output(workpaperSettings),
  /**
   * Saves the settings and records the change in the audit log. Throws `validation` if the buckets do not start at 0 or
   * are not ascending, or if the legend lacks a default mark.
   */
  saveSettings: command
    .input(z.object({ site: siteName, settings: workpaperSettings }))
    .output(workpaperSettings),
};
