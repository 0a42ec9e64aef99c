import { z } from 'zod';
import { auditReceiptSchema, receiptHashSchema } from '../app/audit.ts';
import { personNameSchema } from '../people/people.ts';
import { confirmedStatementsSchema, signedStatementsSchema } from '../periods/certification.ts';
import { field } from '../shared/common-schemas.ts';

const comment = z.string().trim().min(1).max(2000);

/** Input of a review that is made from an evidence pack, on any computer. */
export const packReviewInputSchema = z
  .object({
    /** Path of the evidence pack. */
    path: field.path,
    verdict: z.enum(['approve', 'reject']),
    /** Path of the review file to write. */
    output: field.path,
    replace: z.boolean().default(false),
    /** Name of the reviewer. Defaults to the default person of this computer. */
    by: personNameSchema.optional(),
    comment: comment.optional(),
    /** Reason why the preparer is also the reviewer. */
    self_review: comment.optional(),
    /** Texts of the reviewer's certification statements in the pack that the reviewer confirms. */
    confirmed: confirmedStatementsSchema.default([]),
    /** Receipt stored elsewhere. The audit log in the pack must contain the entries that it covers. */
    receipt: receiptHashSchema.optional(),
  })
  .refine(({ verdict, comment: text }) => verdict === 'approve' || text !== undefined, {
    path: ['comment'],
    message: 'is required to send a period back',
  });

/** A signed review as a file: the audit log entry that is recorded when the file is imported. */
export const reviewFileSchema = z.object({
  format: z.literal('tieout-review'),
  version: z.literal(1),
  site: z.string(),
  period: field.period,
  entry: z.object({
    action: z.enum(['periods.approve', 'periods.reject']),
    subject: z.string(),
    reason: z.string(),
    detail: z.strictObject({
      name: personNameSchema,
      /** Digest of the reviewed figures. */
      figures: z.string(),
      is_self_review: z.boolean(),
      version: z.null(),
      /** Certification statements of an approval with the reviewer's confirmations. */
      statements: signedStatementsSchema.optional(),
      /** Public key (hex) of the reviewer. */
      key: z.string(),
      /** State of the audit log in the reviewed pack. */
      log: auditReceiptSchema,
      /** Time of the signature in UTC milliseconds by the reviewer's clock. */
      signed_at: z.int(),
      signature: z.string(),
    }),
  }),
});
export type ReviewFile = z.infer<typeof reviewFileSchema>;

/** Maximum length of a review file in characters. */
export const MAX_REVIEW_FILE_LENGTH = 65_536;

/** Result of a review of an evidence pack. */
export const packReviewSchema = z.object({
  /** Path of the review file. */
  path: z.string(),
  site: z.string(),
  period: field.period,
  verdict: z.enum(['approve', 'reject']),
  /** Name and key (hex) of the reviewer. The preparer compares the key with the one that the reviewer gives them. */
  name: z.string(),
  key: z.string(),
  /** Digest of the reviewed figures. */
  figures: z.string(),
  /** State of the audit log in the reviewed pack. */
  receipt: auditReceiptSchema,
});
export type PackReview = z.infer<typeof packReviewSchema>;
