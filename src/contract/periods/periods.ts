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
 * - `open`: it is worked on. `submitted`: a preparer stands by its figures, and a reviewer is to look at them.
 * - `reviewed`: a reviewer agreed. `closed`: sealed and locked. Reopened, with a reason, it is `open` again.
 */
export const periodState = z.enum(['open', 'submitted', 'reviewed', 'closed']);
export type PeriodState = z.infer<typeof periodState>;

const personName = z.string().trim().min(1).max(100);
const comment = z.string().trim().min(1).max(2000);

/** Who put a name to what, and when. The name is an assertion: nothing proves it. */
export const periodSignature = z.object({
  at: moment,
  /** The name given. */
  name: z.string(),
  /** The user of the computer, as the system names him. */
  user: z.string(),
  comment: z.string().nullable(),
  /** The digest of the figures (`workpaper.digest`) that the name stands under; null where it stands under none. */
  figures: z.string().nullable(),
});
export type PeriodSignature = z.infer<typeof periodSignature>;

/** Something that whoever signs a period meets, the gravest first. */
export const periodRemark = z.object({
  /**
   * `not-over`, `earlier`: of the period itself. `sync`, `check`, `match`, `bank`, `exceptions`, `unexplained`, `difference`: of its figures, as the
   * workpaper’s qualifications. `damaged`: of what is kept of the sign-off of a closed one, likewise.
   */
  kind: z.string(),
  message: z.string(),
  /** `mending`: it cannot be signed so. `comment`: it can, with a comment. `nothing`: it is to be known. */
  requires: z.enum(['mending', 'comment', 'nothing']),
});
export type PeriodRemark = z.infer<typeof periodRemark>;

/** How far the work on a period is. */
export const periodProgress = z.object({
  exceptions: z.object({ open: z.int(), accepted: z.int() }),
  /** Suggested and ambiguous matches, dated in it or before, that somebody should decide about. */
  proposals: z.int(),
  /** Items outstanding as at its last day; those of them brought forward, and those nobody has explained. */
  outstanding: z.int(),
  brought_forward: z.int(),
  unexplained: z.int(),
  /** Every schedule foots and nothing is unexplained. */
  explained: z.boolean(),
});
export type PeriodProgress = z.infer<typeof periodProgress>;

/** A month of a site’s books, all currencies at once. */
export const periodRow = z.object({
  period,
  first: calendarDate,
  last: calendarDate,
  state: periodState,
  /** How often it was closed; 0: never. The newest seal has this number. */
  version: z.int(),
  opened: periodSignature,
  /** Null again once it was rejected or reopened: the history keeps what was. */
  submitted: periodSignature.nullable(),
  reviewed: periodSignature
    .extend({
      /** Why the preparer reviewed it himself; null where another person did. */
      self_review: z.string().nullable(),
    })
    .nullable(),
  closed: periodSignature.nullable(),
  /** Changes to what was signed that stand: how many rows, and what they come to. Of a closed period. */
  sign_off_changes: z.object({
    count: z.int(),
    sums: z.array(z.object({ currency: z.string(), amount_in_cents: cents })),
  }),
  /** The job that seals it now. */
  closing: z.string().nullable(),
});
export type PeriodRow = z.infer<typeof periodRow>;

/** What happened to a period. */
export const periodEntry = z.object({
  seq: z.int(),
  at: moment,
  name: z.string(),
  user: z.string(),
  action: z.enum(['opened', 'submitted', 'rejected', 'approved', 'closed', 'reopened', 'noted']),
  /** The comment or the reason. */
  text: z.string().nullable(),
  /** Of the figures it was about; see `periodSignature`. */
  figures: z.string().nullable(),
  /** Of a review: the reviewer was the preparer, with the reason in `text`. */
  is_self_review: z.boolean(),
  /** The seal’s number, of `closed` and `reopened`. */
  version: z.int().nullable(),
});
export type PeriodEntry = z.infer<typeof periodEntry>;

export const periodDetail = periodRow.extend({
  progress: periodProgress,
  /** What signing it now would meet. Of a closed one: what is kept of its sign-off and is damaged; usually nothing. */
  remarks: z.array(periodRemark),
  /** The moves that its state allows, whatever the remarks say. */
  moves: z.array(z.enum(['submit', 'approve', 'reject', 'close', 'reopen'])),
  /** Oldest first. */
  history: z.array(periodEntry),
});
export type PeriodDetail = z.infer<typeof periodDetail>;

/** Who signs; absent: the user of the computer. */
const by = personName.optional();
const one = { site: siteName, period };

export const periods = {
  list: query.input(z.object({ site: siteName })).output(
    z.object({
      /** The newest first. */
      periods: z.array(periodRow),
      /** The last day that is locked: nothing dated on it or before can be changed. Null where nothing is closed. */
      locked_until: calendarDate.nullable(),
      /** The month that what comes late is put into: the one after the last that is closed. Null where nothing is. */
      late_row_period: period.nullable(),
      /** Months that something is held of and that are not opened yet, the newest first. */
      months: z.array(period),
      /** Of all months the one somebody most likely means to work on. */
      due: period.nullable(),
    }),
  ),
  get: query.input(z.object(one)).output(periodDetail),

  /** Opens a month for work. `conflict` where it is open already, or lies before one that is closed. */
  open: command.input(z.object({ ...one, by, comment: comment.optional() })).output(periodDetail),
  /** The preparer stands by the figures as they are now. `conflict` where it is not open, or something stands in the way. */
  submit: command.input(z.object({ ...one, by, comment: comment.optional() })).output(periodDetail),
  /**
   * The reviewer agrees, or sends it back with a comment. `conflict` where it is not submitted, where the figures are others by now, or where
   * the reviewer is the preparer and gives no reason for reviewing his own work.
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
   * Seals a reviewed period and locks it, as a job (kind `period`). `conflict` where it is not reviewed, the figures are others than those reviewed,
   * an earlier one is not closed, or a job works on the site. Ended half way, the period is reviewed as before.
   */
  close: command
    .input(z.object({ ...one, by, comment: comment.optional() }))
    .output(z.object({ job: z.string() })),
  /** Opens a closed period again; the seal stays on record. `conflict` where a later one is closed: reopen that first. */
  reopen: command.input(z.object({ ...one, by, reason: comment })).output(periodDetail),
  /** Adds a note; allowed in every state. */
  note: command
    .input(z.object({ ...one, by, text: z.string().trim().min(1).max(10_000) }))
    .output(periodEntry),

  /** What was sealed when it was closed; `version` absent: the newest. */
  closedFigures: query
    .input(z.object({ ...one, version: z.int().positive().optional() }))
    .output(closedFigures),
  /** The figures as they were signed, word for word: canonical JSON of the workpaper, and its digest, which the signatures name. */
  signed: query
    .input(z.object({ ...one, version: z.int().positive().optional() }))
    .output(z.object({ version: z.int(), sha256: z.string(), json: z.string() })),

  /**
   * What is brought forward into a period: outstanding at the end of the closed one before it, as it was signed, and what became of it since. The
   * oldest first. What is outstanding at the end of a period itself: `workpapers.items`.
   */
  broughtForward: query.input(pageInput.extend({ ...one, filter: broughtForwardFilter.default({}) })).output(
    pageOf(broughtForwardItem).extend({
      /** Over all rows of the filter, by currency; with the first page only. */
      sums: z.array(z.object({ currency: z.string(), count: z.int(), amount_in_cents: cents })).nullable(),
    }),
  ),
  /** What was said of items, and how long they have been carried, in the order asked for. */
  explained: query
    .input(z.object({ site: siteName, items: z.array(itemKey).min(1).max(1000) }))
    .output(z.array(explainedItem)),
  /**
   * Says of outstanding items what they are put down to, whose they are, and when they are expected to clear; what is absent stays as it is,
   * null takes it away. Kept with its history. It is of the period that is worked on: what a closed one was signed with stays.
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

  /** What is otherwise than it was signed, the newest first. Without `period`: of all closed periods. */
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
        /** What still stands, over the whole filter; with the first page only. */
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
   * Holds every row of the closed periods against its seal, as a job (kind `period`), as every sync does with what it changed; and all that is kept of
   * their sign-offs against its digests. What is damaged stands among the remarks of the period.
   */
  compare: command.input(z.object({ site: siteName })).output(z.object({ job: z.string() })),
};
