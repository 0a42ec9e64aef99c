import { z } from 'zod';
import { field, oneTimeFileHandleSchema } from '../shared/common-schemas.ts';
import { defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';

export const commentSubjectKindSchema = z.enum([
  'period',
  'exception',
  'match',
  'line',
  'payment',
  'payout',
  'statement',
]);
export type CommentSubjectKind = z.infer<typeof commentSubjectKindSchema>;

/**
 * Record that a comment belongs to. `id` is a month for a period, and otherwise the record's number in its only
 * spelling, because comments are stored and found by it as text.
 */
export const commentSubjectSchema = z
  .object({ kind: commentSubjectKindSchema, id: z.string() })
  .refine(({ kind, id }) => (kind === 'period' ? field.period : field.idText).safeParse(id).success, {
    path: ['id'],
    message: 'must be an ID, or a month for a period',
  });
export type CommentSubject = z.infer<typeof commentSubjectSchema>;

/** Maximum size of an attached file in bytes. Chosen by judgment, above a scan of a hundred pages. */
export const MAX_ATTACHMENT_BYTES = 25_000_000;
/** Maximum number of files attached to one comment. */
export const MAX_ATTACHMENTS = 20;

/** A file attached to a comment. It is stored unchanged under its SHA-256. */
export const attachmentSchema = z.object({
  /** File name, valid on every operating system. */
  name: z.string(),
  bytes: z.int().min(1).max(MAX_ATTACHMENT_BYTES),
  sha256: field.sha256,
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** A comment of a person, with attached files. Comments cannot be changed or removed. */
export const commentSchema = z.object({
  id: field.rowId,
  subject: commentSubjectSchema,
  at: field.moment,
  user: z.string(),
  /** Empty if the comment consists of files only. */
  text: z.string(),
  files: z.array(attachmentSchema),
});
export type Comment = z.infer<typeof commentSchema>;

export const commentProcedures = {
  /** Lists the comments on a record, oldest first. */
  list: defineSiteQuery({ subject: commentSubjectSchema }).output(z.array(commentSchema)),
  /**
   * Adds the same comment to each record, or to none. Files are uploaded with `bank.upload` first. Allowed for records of
   * closed periods as well. Throws `not_found` for an unknown record, and `validation` if there is neither text nor a file,
   * or if a file is empty or larger than 25 MB.
   */
  add: defineSiteCommand({
    subjects: z.array(commentSubjectSchema).min(1).max(1000),
    text: z.string().trim().max(10_000).default(''),
    /** IDs of uploaded files. */
    uploads: z.array(z.string().max(60)).max(MAX_ATTACHMENTS).default([]),
  }).output(z.array(commentSchema)),
  /** Returns an attached file by its position in the comment, starting at 1. */
  file: defineSiteQuery({ comment: field.rowId, number: z.int().min(1).max(MAX_ATTACHMENTS) }).output(
    oneTimeFileHandleSchema.extend({ sha256: z.string() }),
  ),
};
