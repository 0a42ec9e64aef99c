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

/** S1: billing; S2: processor; S3: bank. Each foots to the next. */
export const scheduleId = z.enum(['S1', 'S2', 'S3']);

/**
 * What an auditor writes beside a figure he tested: `F`, `CF`, `R`, `A`, `B`, `P`, `✓`, `E`, `imm`, `N/A` (with the reason in `note`), and
 * `/S2` or `S1/`: the figure goes to, or comes from, that schedule. What they mean stands in the legend.
 */
export const tickMark = z.string().trim().min(1).max(12);
export const tickMeaning = z.object({
  mark: tickMark,
  meaning: z.string().trim().min(1).max(300),
  /** Of the usual set; its meaning may be worded anew, but it is not taken off the legend. */
  usual: z.boolean(),
});
export type TickMeaning = z.infer<typeof tickMeaning>;

/**
 * - `source`: a figure as a record says it. `item`: a reconciling item, signed as it is added.
 * - `subtotal`, `total`: the sum of other lines. `stated`: what the other side says, to which the total is held.
 * - `difference`: stated less total. `memo`: told for completeness, in no sum.
 */
export const lineRole = z.enum(['source', 'item', 'subtotal', 'total', 'stated', 'difference', 'memo']);

/** The list of the app that shows the same rows as the figure, to the row. */
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
  /** Signed as it stands in the column: the column adds up. */
  amount_in_cents: cents,
  /** How many rows it is the sum of; null for a sum of lines. */
  count: z.int().nullable(),
  /** Never empty where there is something to test: an item nobody tests is `N/A`, with the reason in `note`. */
  ticks: z.array(tickMark),
  /** Where the figure is from, or what there is to say of it, in a sentence. */
  note: z.string(),
  /** The lines this one is the sum of, by their ids (`plus`), less others (`minus`): the formula of a spreadsheet. */
  sum: z.object({ plus: z.array(figureId), minus: z.array(figureId) }).nullable(),
  /** By account, kind or category, where there is more than one; they come to the amount. */
  parts: z.array(z.object({ label: z.string(), count: z.int(), amount_in_cents: cents })),
  /** What of it nobody has explained yet; null where nothing of the kind can be. */
  unexplained: z.object({ count: z.int(), amount_in_cents: cents }).nullable(),
  /** How it opens to its parts: `workpaper.rows` with its id (false: a sum of lines), and the list that shows the same, where there is one. */
  opens: z.boolean(),
  list: figureList.nullable(),
});
export type ScheduleLine = z.infer<typeof scheduleLine>;

export const schedule = z.object({
  id: scheduleId,
  title: z.string(),
  /** What is shown, in a sentence, for the head of the sheet. */
  purpose: z.string(),
  lines: z.array(scheduleLine),
  /** Stated less total: 0 where it foots. Shown even then. */
  difference_in_cents: cents,
  /** Items in it that nobody has explained. */
  unexplained: z.object({ count: z.int(), amount_in_cents: cents }),
});
export type Schedule = z.infer<typeof schedule>;

/** A bucket of the aging; `to_days` is null in the last. */
export const ageBucket = z.object({ from_days: z.int(), to_days: z.int().nullable() });

/** The schedules of one currency. Billing (S1) is in the currency of the site; another currency has S2 and S3 alone. */
export const workpaperSection = z.object({
  currency: z.string(),
  schedules: z.array(schedule),
  /** What was outstanding at the as-at date, by age; one for each bucket, also where it is 0. */
  aging: z.array(ageBucket.extend({ count: z.int(), amount_in_cents: cents, unexplained: z.int() })),
  outstanding: z.object({ count: z.int(), amount_in_cents: cents, unexplained: z.int() }),
  /** Differences of matches of the period put down to a category, with the reason code. */
  adjustments: z.array(z.object({ category: z.string(), count: z.int(), amount_in_cents: cents })),
});
export type WorkpaperSection = z.infer<typeof workpaperSection>;

/** Who put his name to it. An assertion by whoever used this computer, no proof; the sheet says so. */
export const signature = z.object({
  role: z.enum(['prepared', 'reviewed', 'rejected', 'closed', 'reopened']),
  user: z.string(),
  at: moment,
  /** Comment or reason. */
  text: z.string().nullable(),
  /** Prepared and reviewed by the same person, which is recorded. */
  self_review: z.boolean(),
});

export const workpaperHead = z.object({
  site: siteName,
  title: z.string(),
  base_url: z.string(),
  period: z.object({ period, first: calendarDate, last: calendarDate }),
  /** The one date of all schedules: the last day of the period. */
  as_at: calendarDate,
  /** Items before this day are not reconciled here, as no file of a bank or processor goes back so far. */
  since: calendarDate,
  /** State of the period; `none` where it was not opened. */
  state: z.string(),
  signatures: z.array(signature),
  app_version: z.string(),
  /** Of the audit log when it was made. */
  audit: z.object({ entries: z.int(), head: z.string().nullable() }),
  made_at: moment,
});

/** Something the reader must know before he relies on the figures: what was not synced, checked or matched, what is open. */
export const qualification = z.object({
  /**
   * Of a closed period: `drift`: something changed since it was signed; `damaged`: what is kept of the sign-off does not have the digest it was
   * sealed with, so that it was damaged, or tampered with.
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
  /** Every difference is 0, and nothing in the schedules is unexplained. */
  explained: z.boolean(),
  legend: z.array(tickMeaning),
  /**
   * SHA-256 of the canonical JSON of the site, the period, the sections, the exceptions, the matches and the legend: two workpapers that
   * have it in common have the same figures, whenever they were made and whoever signed.
   */
  digest: z.string(),
});
export type Workpaper = z.infer<typeof workpaper>;

/** Names an open item for good, whatever is imported or synced anew: `payment:17`, `line:4`, `payout:3`, `statement:80`. */
export const itemKey = z
  .string()
  .regex(/^(payment|line|payout|statement):\d+$/, 'an item, such as payment:17');

/** An item that was outstanding at the as-at date. */
export const openItem = z.object({
  key: itemKey,
  schedule: scheduleId,
  /** The figure it is part of. */
  figure: figureId,
  currency: z.string(),
  /** What is outstanding of it: the rest that nothing claims. */
  amount_in_cents: cents,
  dated_on: calendarDate,
  /** Days from its own date to the as-at date. */
  age_days: z.int(),
  /** Its place among the buckets. */
  bucket: z.int(),
  /** What it is, for reading: customer and ids, or the words of the bank. */
  text: z.string(),
  /** `in transit` (money is usually not there yet), `cleared later`, or what a person put it down to, else null. */
  category: z.string().nullable(),
  owner: z.string().nullable(),
  explanation: z.string().nullable(),
  /** When it is expected to clear. */
  expected_on: calendarDate.nullable(),
  /** The first period it was outstanding in, where that is an earlier one. */
  brought_forward_from: period.nullable(),
  /** Cleared after the as-at date, by what is known now. */
  cleared_on: calendarDate.nullable(),
  explained: z.boolean(),
});
export type OpenItem = z.infer<typeof openItem>;

/** A part of a figure. */
export const figureRow = z.object({
  kind: z.enum(['statement', 'transaction', 'payment', 'line', 'payout', 'match']),
  id: z.int(),
  /** Of a transaction: the statement that lists it; null for the others. */
  statement: z.int().nullable(),
  /** The match by which it is in the figure, null where by none; several may claim their share of one row. */
  match: z.int().nullable(),
  dated_on: calendarDate.nullable(),
  text: z.string(),
  /** What the figure has of it. */
  amount_in_cents: cents,
});
export type FigureRow = z.infer<typeof figureRow>;

export const workpaperSettings = z.object({
  /** First days of the buckets: 0, 8, 31, 61, 91 gives 0–7, 8–30, 31–60, 61–90, > 90. */
  buckets: z.array(z.int().nonnegative().max(3650)).min(1).max(12),
  /** An item not older than this is taken to be in transit, which explains it. */
  transit_days: z.int().min(0).max(60),
  legend: z.array(tickMeaning).max(60),
});
export type WorkpaperSettings = z.infer<typeof workpaperSettings>;

const which = { site: siteName, period };
const shown = {
  ...which,
  /** A closed period is shown as it was signed; with this as the records stand now. */
  now: z.boolean().default(false),
};

export const workpapers = {
  /** The workpaper of a period. A month need not have been opened. */
  get: query.input(z.object(shown)).output(workpaper),
  /** What is outstanding at the as-at date, the oldest first. */
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
        /** Over all items of the filter, by currency; with the first page only. */
        sums: z.array(z.object({ currency: z.string(), count: z.int(), amount_in_cents: cents })).nullable(),
      }),
    ),
  /** The parts of a figure, every one a row of its own, which come to it to the cent. `sum` with the first page only. */
  rows: query
    .input(pageInput.extend({ ...shown, currency: z.string().max(3), figure: figureId }))
    .output(
      pageOf(figureRow).extend({ sum: z.object({ count: z.int(), amount_in_cents: cents }).nullable() }),
    ),
  settings: query.input(z.object({ site: siteName })).output(workpaperSettings),
  /** Goes to the audit log. Throws `validation` for buckets that do not begin with 0 or do not rise, and for a legend without a usual mark. */
  saveSettings: command
    .input(z.object({ site: siteName, settings: workpaperSettings }))
    .output(workpaperSettings),
};
