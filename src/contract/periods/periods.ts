import { z } from 'zod';
import {
  calendarDate,
  cents,
  moment,
  pageInput,
  pageOf,
  period,
  siteName,
} from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import { closedFigures, signOffChange, signOffChangeFilter } from './closed-figures.ts';
import { broughtForwardFilter, broughtForwardItem, explainedItem } from './outstanding-items.ts';
import { itemKey } from './workpapers.ts';

/**
 * - `open`: in preparation. `submitted`: signed by the preparer, waiting for review.
 * - `reviewed`: approved by the reviewer. `closed`: figures stored and data locked. A closed period can be reopened with
 * a reason.
 */
export const periodState = z.enum(['open', 'submitted', 'reviewed', 'closed']);
export type PeriodState = z.infer<typeof periodState>;

const personName = z.string().trim().min(1).max(100);
const comment = z.string().trim().min(1).max(2000);

/** A signature. The name is an assertion without proof. */
export const periodSignature = z.object({
  at: moment,
  /** Name entered by the user. */
  name: z.string(),
  /** Operating system user. */
  user: z.string(),
  comment: z.string().nullable(),
  /** Digest of the signed figures (`workpaper.digest`). Null if no figures were signed. */
  figures: z.string().nullable(),
});
export type PeriodSignature = z.infer<typeof periodSignature>;

/** A remark shown before signing, most severe first. */
export const periodRemark = z.object({
  /**
   * `not-over`, `earlier`: about the period itself. `sync`, `check`, `match`, `bank`, `exceptions`, `unexplained`,
   * `difference`: about its figures, as in the workpaper's qualifications. `damaged`: about the stored sign-off of a
   * closed period.
   */
  kind: z.string(),
  message: z.string(),
  /** `mending`: must be fixed before signing. `comment`: signing requires a comment. `nothing`: for information. */
  requires: z.enum(['mending', 'comment', 'nothing']),
});
export type PeriodRemark = z.infer<typeof periodRemark>;

/** Progress of a period. */
export const periodProgress = z.object({
  exceptions: z.object({ open: z.int(), accepted: z.int() }),
  /** Number of suggested and ambiguous matches dated in or before the period. */
  proposals: z.int(),
  /** Items outstanding on its last day, with those brought forward and those not explained. */
  outstanding: z.int(),
  brought_forward: z.int(),
  unexplained: z.int(),
  /** True if every schedule agrees and nothing is unexplained. */
  explained: z.boolean(),
});
export type PeriodProgress = z.infer<typeof periodProgress>;

/** A month of a site, for all currencies. */
export const periodRow = z.object({
  period,
  first: calendarDate,
  last: calendarDate,
  state: periodState,
  /** Number of times it was closed, which is also the number of the latest closed figures. */
  version: z.int(),
  opened: periodSignature,
  /** Null after the period was rejected or reopened. The history keeps earlier signatures. */
  submitted: periodSignature.nullable(),
  reviewed: periodSignature
    .extend({
      /** Why the preparer was also the reviewer. Null if they differ. */
      self_review: z.string().nullable(),
    })
    .nullable(),
  closed: periodSignature.nullable(),
  /** For a closed period, the current changes since sign-off: number of rows and total amount. */
  sign_off_changes: z.object({
    count: z.int(),
    sums: z.array(z.object({ currency: z.string(), amount_in_cents: cents })),
  }),
  /** The job that is closing it. */
  closing: z.string().nullable(),
});
export type PeriodRow = z.infer<typeof periodRow>;

/** An event in a period's history. */
export const periodEntry = z.object({
  seq: z.int(),
  at: moment,
  name: z.string(),
  user: z.string(),
  action: z.enum(['opened', 'submitted', 'rejected', 'approved', 'closed', 'reopened', 'noted']),
  /** Comment or reason. */
  text: z.string().nullable(),
  /** Digest of the figures; see `periodSignature`. */
  figures: z.string().nullable(),
  /** For a review, true if the reviewer was also the preparer. `text` then contains the reason. */
  is_self_review: z.boolean(),
  /** Version of the closed figures, for `closed` and `reopened`. */
  version: z.int().nullable(),
});
export type PeriodEntry = z.infer<typeof periodEntry>;

export const periodDetail = periodRow.extend({
  progress: periodProgress,
  /** Remarks on signing it now. For a closed period, damage to its stored sign-off, which is usually none. */
  remarks: z.array(periodRemark),
  /** Actions that its state allows, regardless of the remarks. */
  moves: z.array(z.enum(['submit', 'approve', 'reject', 'close', 'reopen'])),
  /** Oldest first. */
  history: z.array(periodEntry),
});
export type PeriodDetail = z.infer<typeof periodDetail>;

/** Name of the signer. Defaults to the operating system user. */
const by = personName.optional();
const one = { site: siteName, period };

export const periods = {
  list: query.input(z.object({ site: siteName })).output(
    z.object({
      /** Newest first. */
      periods: z.array(periodRow),
      /** Last locked day. Data dated on or before it cannot be changed. Null if no period is closed. */
      locked_until: calendarDate.nullable(),
      /** Month that includes late rows: the one after the last closed period. Null if no period is closed. */
      late_row_period: period.nullable(),
      /** Months with data that are not opened yet, newest first. */
      months: z.array(period),
      /** The month a user most likely wants to work on. */
      due: period.nullable(),
    }),
  ),
  get: query.input(z.object(one)).output(periodDetail),

  /** Opens a month. Throws `conflict` if it is open or precedes a closed period. */
  open: command.input(z.object({ ...one, by, comment: comment.optional() })).output(periodDetail),
  /** Signs the current figures as preparer. Throws `conflict` if the period is not open or a remark prevents it. */
  submit: command.input(z.object({ ...one, by, comment: comment.optional() })).output(periodDetail),
  /**
   * Approves the period as reviewer, or sends it back with a comment. Throws `conflict` if it is not submitted, if its
   * figures changed, or if the reviewer is the preparer and gives no reason.
   */
  review: command
    .input(
      z
        .object({
          ...one,
          by,
          verdict: z.enum(['approve', 'reject']),
          comment: comment.optional(),
          self_review: comment.optional(),
        })
        .refine(({ verdict, comment: text }) => verdict === 'approve' || text !== undefined, {
          path: ['comment'],
          message: 'say why it is sent back',
        }),
    )
    .output(periodDetail),
  /**
   * Closes a reviewed period as a job of kind `period`: stores its figures and locks its data. Throws `conflict` if it is
   * not reviewed, its figures changed, an earlier period is open, or a job is running. If interrupted, the period stays
   * reviewed.
   */
  close: command
    .input(z.object({ ...one, by, comment: comment.optional() }))
    .output(z.object({ job: z.string() })),
  /** Reopens a closed period. Its closed figures stay on record. Throws `conflict` if a later period is closed. */
  reopen: command.input(z.object({ ...one, by, reason: comment })).output(periodDetail),
  /** Adds a note, in any state. */
  note: command
    .input(z.object({ ...one, by, text: z.string().trim().min(1).max(10_000) }))
    .output(periodEntry),

  /** Returns closed figures. Without `version`, the latest. */
  closedFigures: query
    .input(z.object({ ...one, version: z.int().positive().optional() }))
    .output(closedFigures),
  /** Returns the signed figures as canonical JSON of the workpaper, with the digest that the signatures name. */
  signed: query
    .input(z.object({ ...one, version: z.int().positive().optional() }))
    .output(z.object({ version: z.int(), sha256: z.string(), json: z.string() })),

  /**
   * Lists the items brought forward into a period, oldest first: outstanding at the end of the previous closed period, as
   * signed, with their current state. For items outstanding at the end of a period, see `workpapers.items`.
   */
  broughtForward: query.input(pageInput.extend({ ...one, filter: broughtForwardFilter.default({}) })).output(
    pageOf(broughtForwardItem).extend({
      /** Totals over all rows of the filter, by currency. First page only. */
      sums: z.array(z.object({ currency: z.string(), count: z.int(), amount_in_cents: cents })).nullable(),
    }),
  ),
  /** Returns the explanations of items and how long they have been brought forward, in the requested order. */
  explained: query
    .input(z.object({ site: siteName, items: z.array(itemKey).min(1).max(1000) }))
    .output(z.array(explainedItem)),
  /**
   * Explains outstanding items: category, owner and expected date. Omitted fields stay unchanged; null clears a field.
   * Earlier explanations remain in the history, and closed periods stay as signed.
   */
  explain: command
    .input(
      z.object({
        ...one,
        items: z.array(itemKey).min(1).max(1000),
        category: z.string().trim().min(1).max(40).nullable().optional(),
        owner: personName.nullable().optional(),
        explanation: comment.nullable().optional(),
        expected_on: calendarDate.nullable().optional(),
      }),
    )
    .output(z.array(explainedItem)),

  /** Lists changes since sign-off, newest first. Without `period`, of all closed periods. */
  signOffChanges: query
    .input(
      pageInput.extend({
        site: siteName,
        period: period.optional(),
        filter: signOffChangeFilter.default({}),
      }),
    )
    .output(
      pageOf(signOffChange).extend({
        /** Totals of current changes over the whole filter. First page only. */
        sums: z
          .array(
            z.object({
              kind: signOffChange.shape.kind,
              currency: z.string(),
              count: z.int(),
              amount_in_cents: cents,
            }),
          )
          .nullable(),
      }),
    ),
  /**
   * Compares every row of the closed periods with its closed figures, and every stored sign-off with its digests, as a
   * job of kind `period`. A sync does this for the rows it changed. Damage appears in the period's remarks.
   */
  compare: command.input(z.object({ site: siteName })).output(z.object({ job: z.string() })),
};
