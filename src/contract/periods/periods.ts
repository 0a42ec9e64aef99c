import { z } from 'zod';
import { MAX_REVIEW_FILE_LENGTH } from '../evidence-packs/pack-review.ts';
import { personNameSchema, signingKeySchema } from '../people/people.ts';
import { field, jobRefSchema, toPageSchema } from '../shared/common-schemas.ts';
import { figureIdSchema } from '../shared/figure-reference.ts';
import {
  commandProcedure,
  definePageQuery,
  defineSiteCommand,
  defineSiteQuery,
} from '../shared/procedure-kinds.ts';
import {
  commentReferenceSchema,
  confirmedStatementsSchema,
  signedStatementsSchema,
} from './certification.ts';
import { checklistProcedures } from './checklist.ts';
import { closedFiguresSchema, signOffChangeFilterSchema, signOffChangeSchema } from './closed-figures.ts';
import {
  broughtForwardFilterSchema,
  broughtForwardItemSchema,
  explainedItemSchema,
} from './outstanding-items.ts';
import { outstandingItemKeySchema } from './workpapers.ts';

/** `submitted`: signed by the preparer. `reviewed`: approved by the reviewer. `closed`: figures stored and locked. */
const periodStateSchema = z.enum(['open', 'submitted', 'reviewed', 'closed']);
export type PeriodState = z.infer<typeof periodStateSchema>;

const comment = z.string().trim().min(1).max(2000);

const periodSignatureSchema = z.object({
  at: field.moment,
  name: z.string(),
  /** Operating system user who signed. */
  user: z.string(),
  comment: z.string().nullable(),
  /** Digest of the signed figures (`workpaper.digest`); null if no figures were signed. */
  figures: z.string().nullable(),
  /** Public key (hex) of the signature; null if it is not signed with a key. */
  key: z.string().nullable(),
  /** Certification statements with the signer's confirmations. Empty for signatures that certify nothing. */
  statements: signedStatementsSchema,
});
export type PeriodSignature = z.infer<typeof periodSignatureSchema>;

/** A remark that is shown before signing. Remarks are listed most severe first. */
const periodRemarkSchema = z.object({
  /**
   * Kind of remark. `not-over` and `earlier` concern the period, and `damaged` its stored sign-off. All other kinds are
   * those of the workpaper's qualifications.
   */
  kind: z.string(),
  message: z.string(),
  /** Effect on signing: the problem must be fixed first, signing requires a comment, or nothing. */
  requires: z.enum(['fix', 'comment', 'nothing']),
});
export type SigningRemark = z.infer<typeof periodRemarkSchema>;

const periodProgressSchema = z.object({
  exceptions: z.object({ open: z.int(), accepted: z.int() }),
  /** Number of suggested and ambiguous matches dated in or before the period. */
  proposals: z.int(),
  /** Number of items outstanding on the period's last day. */
  outstanding: z.int(),
  /** Number of outstanding items brought forward from earlier periods. */
  brought_forward: z.int(),
  /** Number of outstanding items without an explanation. */
  unexplained: z.int(),
  /** Number of schedules whose open amounts are passed as immaterial. */
  immaterial: z.int(),
  /** True if every schedule agrees and nothing is unexplained, except amounts that are passed as immaterial. */
  explained: z.boolean(),
});
export type PeriodProgress = z.infer<typeof periodProgressSchema>;

/** A month of a site, for all currencies. */
const periodRowSchema = z.object({
  period: field.period,
  first: field.date,
  last: field.date,
  state: periodStateSchema,
  /** Number of times the period has been closed, which is also the version of the latest closed figures. */
  version: z.int(),
  opened: periodSignatureSchema,
  /** Signature of the preparer; null if the period was rejected or reopened. The history contains earlier signatures. */
  submitted: periodSignatureSchema.nullable(),
  reviewed: periodSignatureSchema
    .extend({
      /** Reason why the preparer was also the reviewer; null if they are different persons. */
      self_review: z.string().nullable(),
    })
    .nullable(),
  closed: periodSignatureSchema.nullable(),
  /** Current changes since sign-off of a closed period: number of rows and total amount. */
  sign_off_changes: z.object({
    count: z.int(),
    sums: z.array(z.object({ currency: z.string(), amount_in_cents: field.cents })),
  }),
  /** Reason why changes since sign-off suspend the sign-off, so that a new one is required; null if they do not. */
  suspended: z.string().nullable(),
  /** ID of the job that is closing the period. */
  closing: z.string().nullable(),
});
export type PeriodRow = z.infer<typeof periodRowSchema>;

/** An event in a period's history. */
const periodEntrySchema = z.object({
  seq: z.int(),
  at: field.moment,
  name: z.string(),
  user: z.string(),
  action: z.enum([
    ...(['opened', 'submitted', 'rejected', 'approved', 'closed', 'reopened'] as const),
    ...(['commented', 'answered', 'cleared', 'explained'] as const),
  ]),
  /** Comment or reason given with the event. */
  text: z.string().nullable(),
  /** Digest of the figures that the event concerns. */
  figures: z.string().nullable(),
  /** True for a review in which the reviewer was also the preparer. `text` then contains the reason. */
  is_self_review: z.boolean(),
  /** Version of the closed figures, for `closed` and `reopened` events. */
  version: z.int().nullable(),
  /** Public key (hex) with which the event is signed; null if it is not signed. */
  key: z.string().nullable(),
  /** Certification statements with the signer's confirmations. Empty for events that certify nothing. */
  statements: signedStatementsSchema,
  /** Figure and comment that the event is about; null for other events. */
  about: commentReferenceSchema.nullable(),
  /** Hash of the audit log's receipt up to this event. A copy stored elsewhere proves the event later. */
  receipt: z.string(),
});
export type PeriodHistoryEntry = z.infer<typeof periodEntrySchema>;

const periodDetailSchema = periodRowSchema.extend({
  progress: periodProgressSchema,
  /** Remarks on signing the period now. For a closed period, remarks on damage to its stored sign-off. */
  remarks: z.array(periodRemarkSchema),
  /** Actions that the period's state allows, regardless of the remarks. */
  moves: z.array(z.enum(['submit', 'approve', 'reject', 'close', 'reopen'])),
  /** History of the period, oldest first. */
  history: z.array(periodEntrySchema),
});
export type PeriodDetail = z.infer<typeof periodDetailSchema>;

/** Texts of the certification statements that the signer confirms. */
const confirmed = confirmedStatementsSchema.default([]);
/** Name of the signer. Defaults to the default person, or else to the operating system user. */
const by = personNameSchema.optional();
const one = { period: field.period };

export const periodProcedures = {
  list: defineSiteQuery().output(
    z.object({
      /** Periods, newest first. */
      periods: z.array(periodRowSchema),
      /** Last locked day. Data dated on or before it cannot be changed. Null if no period is closed. */
      locked_until: field.date.nullable(),
      /** Month that includes late rows, which follows the last closed period; null if no period is closed. */
      late_row_period: field.period.nullable(),
      /** Months with data that have not been opened yet, newest first. */
      months: z.array(field.period),
      /** Suggested month: the month that a user most likely wants to work on. */
      due: field.period.nullable(),
    }),
  ),
  get: defineSiteQuery(one).output(periodDetailSchema),

  /** Opens a month. Throws `conflict` if it is already open or precedes a closed period. */
  open: defineSiteCommand({ ...one, by, comment: comment.optional() }).output(periodDetailSchema),
  /**
   * Signs the figures as preparer. Throws `conflict` if the period is not open, a remark prevents it, or a required
   * statement is not confirmed.
   */
  submit: defineSiteCommand({ ...one, by, comment: comment.optional(), confirmed }).output(
    periodDetailSchema,
  ),
  /**
   * Approves the period as reviewer, or sends it back with a comment. Throws `conflict` if it is not submitted, if its
   * figures changed, if the reviewer is the preparer and gives no reason or the site refuses self-reviews, or if a
   * required statement is not confirmed.
   */
  review: commandProcedure
    .input(
      z
        .object({
          site: field.siteName,
          ...one,
          by,
          verdict: z.enum(['approve', 'reject']),
          comment: comment.optional(),
          self_review: comment.optional(),
          confirmed,
        })
        .refine(({ verdict, comment: text }) => verdict === 'approve' || text !== undefined, {
          path: ['comment'],
          message: 'is required to send a period back',
        }),
    )
    .output(periodDetailSchema),
  /**
   * Records a review that was made on another computer. `review` is the text of the review file. `key` is the reviewer's
   * key as the reviewer gave it, at least its first 24 digits. It is required if the log has another key of this person, or
   * has none and the site refuses self-reviews.
   * Throws `corrupt` if the file was changed, and `conflict` if it is of another log, period or submission.
   */
  importReview: defineSiteCommand({
    review: z.string().max(MAX_REVIEW_FILE_LENGTH),
    key: signingKeySchema.optional(),
  }).output(periodDetailSchema),
  /**
   * Closes a reviewed period as a job of kind `period`: stores its figures and locks its data. Throws `conflict` if it
   * is not reviewed, its figures changed, a comment is not cleared, an earlier period is open, or a job is running.
   */
  close: defineSiteCommand({ ...one, by, comment: comment.optional() }).output(jobRefSchema),
  /** Reopens a closed period. Its closed figures stay on record. Throws `conflict` if a later period is closed. */
  reopen: defineSiteCommand({ ...one, by, reason: comment }).output(periodDetailSchema),

  /** Adds a comment to a figure. Throws `not_found` for an unknown figure, and `conflict` if the period is closed. */
  comment: defineSiteCommand({
    ...one,
    by,
    currency: z.string().max(3),
    figure: figureIdSchema,
    text: comment,
  }).output(periodDetailSchema),
  /** Answers a comment. Throws `not_found`, and `conflict` if the comment is cleared or the period is closed. */
  answerComment: defineSiteCommand({ ...one, by, comment: z.int().positive(), text: comment }).output(
    periodDetailSchema,
  ),
  /**
   * Clears an answered comment, so that it no longer prevents closing. Throws `not_found`, and `conflict` if the comment has
   * no answer, or if the person who clears it gave an answer or prepared the period, and gives no reason or the site
   * refuses self-reviews.
   */
  clearComment: defineSiteCommand({
    ...one,
    by,
    comment: z.int().positive(),
    self_review: comment.optional(),
  }).output(periodDetailSchema),

  /**
   * Explains the flux of a figure against the previous month. The newest explanation is valid, and is carried to the next
   * month until that one has its own. Throws `not_found` for another figure, and `conflict` if the period is not open.
   */
  explainFlux: defineSiteCommand({
    ...one,
    by,
    currency: z.string().max(3),
    figure: figureIdSchema,
    text: comment,
  }).output(periodDetailSchema),

  /** Returns the closed figures of a period. Without `version`, returns the latest ones. */
  closedFigures: defineSiteQuery({ ...one, version: z.int().positive().optional() }).output(
    closedFiguresSchema,
  ),
  /** Returns the signed figures as canonical JSON of the workpaper, with the digest that the signatures name. */
  signed: defineSiteQuery({ ...one, version: z.int().positive().optional() }).output(
    z.object({ version: z.int(), sha256: z.string(), json: z.string() }),
  ),

  /**
   * Lists the items outstanding at the end of the previous closed period, as signed, with their current state. For
   * items outstanding at the end of a period, see `workpapers.items`.
   */
  broughtForward: definePageQuery({ ...one, filter: broughtForwardFilterSchema.default({}) }).output(
    toPageSchema(broughtForwardItemSchema).extend({
      /** Totals of all items that match the filter, by currency. Set only on the first page. */
      sums: z
        .array(z.object({ currency: z.string(), count: z.int(), amount_in_cents: field.cents }))
        .nullable(),
    }),
  ),
  /** Returns the explanations of the given items and how long they have been brought forward, in the given order. */
  explained: defineSiteQuery({ items: z.array(outstandingItemKeySchema).min(1).max(1000) }).output(
    z.array(explainedItemSchema),
  ),
  /**
   * Explains outstanding items: category, owner and expected date. Omitted fields stay unchanged; null clears a field.
   * Earlier explanations remain in the history, and closed periods stay as signed.
   */
  explain: defineSiteCommand({
    ...one,
    items: z.array(outstandingItemKeySchema).min(1).max(1000),
    category: z.string().trim().min(1).max(40).nullable().optional(),
    owner: personNameSchema.nullable().optional(),
    explanation: comment.nullable().optional(),
    expected_on: field.date.nullable().optional(),
  }).output(z.array(explainedItemSchema)),

  /** Lists changes since sign-off, newest first. Without `period`, includes all closed periods. */
  signOffChanges: definePageQuery({
    period: field.period.optional(),
    filter: signOffChangeFilterSchema.default({}),
  }).output(
    toPageSchema(signOffChangeSchema).extend({
      /** Totals of all current changes that match the filter. Set only on the first page. */
      sums: z
        .array(
          z.object({
            kind: signOffChangeSchema.shape.kind,
            currency: z.string(),
            count: z.int(),
            amount_in_cents: field.cents,
          }),
        )
        .nullable(),
      /**
       * Start of the last sync that read every statement of these closed periods again. The service's changes up to then
       * are known. Null if none has since a closing.
       */
      records_read_at: field.moment.nullable(),
    }),
  ),
  /**
   * Compares every row of the closed periods with its closed figures, and every stored sign-off with its digests, as a
   * job of kind `period`. A sync does this for the rows it changed. Damage appears in the period's remarks. With
   * `refresh`, a sync first reads the statements of the closed periods again. If the sync fails, the local records are
   * compared, and the job's summary gives the reason.
   */
  compare: defineSiteCommand({ refresh: z.boolean().default(false) }).output(jobRefSchema),

  ...checklistProcedures,
};
