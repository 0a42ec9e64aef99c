import { z } from 'zod';
import { field, toPageSchema } from '../shared/common-schemas.ts';
import { definePageQuery, defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';
import { statementFilterSchema } from '../statements/statements.ts';

/** Retention in years from the document date. Null means unlimited. */
export const retentionYearsSchema = z.int().min(1).max(100).nullable();

/** Archived PDFs of a statement. */
export const archiveFileSchema = z.object({
  statement: field.serviceId,
  subscription: field.serviceId,
  customer: z.string(),
  /** Document date: the day the statement was closed, in the site's time zone. */
  date: field.date.nullable(),
  /** Last day of retention; null if it is unlimited. */
  kept_until: field.date.nullable(),
  past_retention: z.boolean(),
  /** Reason for the legal hold; null if there is none. */
  hold: z.string().nullable(),
  bytes: z.int(),
  /** PDF versions, oldest first. */
  versions: z.array(
    z.object({
      version: z.int(),
      sha256: z.string(),
      bytes: z.int(),
      fetched_at: field.moment,
      /** Time of the last check; null if the file has never been checked. */
      checked_at: field.moment.nullable(),
      state: z.enum(['intact', 'damaged', 'missing']).nullable(),
    }),
  ),
});
export type ArchiveFile = z.infer<typeof archiveFileSchema>;

export const archiveHoldSchema = z.object({
  hold: z.int(),
  /** Exactly one of `statement_id` and `subscription_id` is set. The other one is null. */
  statement_id: field.serviceId.nullable(),
  subscription_id: field.serviceId.nullable(),
  reason: z.string(),
  placed_at: field.moment,
  placed_by: z.string(),
  lifted_at: field.moment.nullable(),
  lifted_by: z.string().nullable(),
  lifted_reason: z.string().nullable(),
});
export type ArchiveHold = z.infer<typeof archiveHoldSchema>;

/** Preview of deleting a list of statements: the affected files, and the statements that must not be deleted. */
const deletionPreviewSchema = z.object({
  statements: z.int(),
  /** Number of PDF versions that would be deleted. */
  versions: z.int(),
  /** Total size of the PDF versions in bytes. */
  bytes: z.int(),
  oldest: field.date.nullable(),
  newest: field.date.nullable(),
  /** Fingerprint of the list in its current state. `delete` requires it. */
  list: z.string(),
  /** Statements within retention, on hold or not archived. While any are listed, nothing is deleted. */
  refused: z.array(z.object({ statement: field.serviceId, reason: z.string() })),
});
export type DeletionPreview = z.infer<typeof deletionPreviewSchema>;

const ids = z.array(field.serviceId).max(10_000);

/** Procedures for retention, holds and deletion. Deletion needs an explicit list and a reason. */
export const retentionProcedures = {
  /** Lists statements with archived PDFs by document date, oldest first, or only those with problems. */
  files: definePageQuery({
    filter: statementFilterSchema.default({}),
    only: z.enum(['past_retention', 'on_hold', 'damaged']).optional(),
  }).output(toPageSchema(archiveFileSchema)),
  retain: defineSiteCommand({ years: retentionYearsSchema, reason: field.reason }).output(
    z.object({ years: retentionYearsSchema }),
  ),
  /** Lists legal holds, newest first. */
  holds: definePageQuery({ lifted: z.boolean().default(false) }).output(toPageSchema(archiveHoldSchema)),
  /** Places a hold on statements or complete subscriptions. Those already on hold are skipped. */
  hold: defineSiteCommand({
    statements: ids.default([]),
    subscriptions: ids.default([]),
    reason: field.reason,
  }).output(z.object({ placed: z.int() })),
  /** Releases holds by id. If a hold does not exist or has been released, throws `not_found` and releases none. */
  release: defineSiteCommand({ holds: z.array(z.int()).min(1).max(10_000), reason: field.reason }).output(
    z.object({ released: z.int() }),
  ),
  /** Previews the deletion of a list of statements. Deletes nothing. */
  deletable: defineSiteQuery({ statements: ids.min(1) }).output(deletionPreviewSchema),
  /**
   * Deletes all PDF versions of these statements and their extracted text. Throws `conflict`, without deleting anything,
   * if the list changed since the preview or contains a statement that must not be deleted.
   */
  delete: defineSiteCommand({ statements: ids.min(1), list: z.string(), reason: field.reason }).output(
    z.object({ statements: z.int(), versions: z.int(), bytes: z.int() }),
  ),
};
