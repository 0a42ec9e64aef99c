import { z } from 'zod';
import {
  calendarDateSchema,
  momentSchema,
  pageInputSchema,
  pageOf,
  serviceIdSchema,
  siteNameSchema,
} from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import { statementFilterSchema } from '../statements/statements.ts';

/** Retention in years from the document date. Null means unlimited. */
export const retentionYearsSchema = z.int().min(1).max(100).nullable();

/** Archived PDFs of a statement. */
export const archiveFileSchema = z.object({
  statement: serviceIdSchema,
  subscription: serviceIdSchema,
  customer: z.string(),
  /** Document date: the day the statement was closed, in the site's time zone. */
  date: calendarDateSchema.nullable(),
  /** Last day of retention; null if it is unlimited. */
  kept_until: calendarDateSchema.nullable(),
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
      fetched_at: momentSchema,
      /** Time of the last check; null if the file has never been checked. */
      checked_at: momentSchema.nullable(),
      state: z.enum(['intact', 'damaged', 'missing']).nullable(),
    }),
  ),
});
export type ArchiveFile = z.infer<typeof archiveFileSchema>;

export const archiveHoldSchema = z.object({
  hold: z.int(),
  /** Statement on hold; null if the hold covers a subscription. Exactly one of the two is set. */
  statement_id: serviceIdSchema.nullable(),
  subscription_id: serviceIdSchema.nullable(),
  reason: z.string(),
  placed_at: momentSchema,
  placed_by: z.string(),
  lifted_at: momentSchema.nullable(),
  lifted_by: z.string().nullable(),
  lifted_reason: z.string().nullable(),
});
export type ArchiveHold = z.infer<typeof archiveHoldSchema>;

/** Preview of deleting a list of statements: the affected files, and the statements that must not be deleted. */
export const deletionPreviewSchema = z.object({
  statements: z.int(),
  /** Number of PDF versions that would be deleted. */
  versions: z.int(),
  /** Total size of the PDF versions in bytes. */
  bytes: z.int(),
  oldest: calendarDateSchema.nullable(),
  newest: calendarDateSchema.nullable(),
  /** Fingerprint of the list in its current state. `delete` requires it. */
  list: z.string(),
  /** Statements that are within retention, on hold or not archived. As long as there are any, nothing is deleted. */
  refused: z.array(z.object({ statement: serviceIdSchema, reason: z.string() })),
});
export type DeletionPreview = z.infer<typeof deletionPreviewSchema>;

const reason = z.string().trim().min(1).max(2000);
const ids = z.array(serviceIdSchema).max(10_000);

/** Procedures for retention, holds and deletion. Deletion needs an explicit list and a reason. */
export const retentionProcedures = {
  /** Lists statements with archived PDFs by document date, oldest first, or only those with problems. */
  files: query
    .input(
      pageInputSchema.extend({
        site: siteNameSchema,
        filter: statementFilterSchema.default({}),
        only: z.enum(['past_retention', 'on_hold', 'damaged']).optional(),
      }),
    )
    .output(pageOf(archiveFileSchema)),
  retain: command
    .input(z.object({ site: siteNameSchema, years: retentionYearsSchema, reason }))
    .output(z.object({ years: retentionYearsSchema })),
  /** Lists legal holds, newest first. */
  holds: query
    .input(pageInputSchema.extend({ site: siteNameSchema, lifted: z.boolean().default(false) }))
    .output(pageOf(archiveHoldSchema)),
  /** Places a hold on statements or complete subscriptions. Those already on hold are skipped. */
  hold: command
    .input(
      z.object({ site: siteNameSchema, statements: ids.default([]), subscriptions: ids.default([]), reason }),
    )
    .output(z.object({ placed: z.int() })),
  /** Releases holds by id. Throws `not_found`, without releasing any, if one does not exist or has been released. */
  release: command
    .input(z.object({ site: siteNameSchema, holds: z.array(z.int()).min(1).max(10_000), reason }))
    .output(z.object({ released: z.int() })),
  /** Previews the deletion of a list of statements. Deletes nothing. */
  deletable: query
    .input(z.object({ site: siteNameSchema, statements: ids.min(1) }))
    .output(deletionPreviewSchema),
  /**
   * Deletes all PDF versions of these statements and their extracted text. Throws `conflict`, without deleting anything,
   * if the list changed since the preview or contains a statement that must not be deleted.
   */
  delete: command
    .input(z.object({ site: siteNameSchema, statements: ids.min(1), list: z.string(), reason }))
    .output(z.object({ statements: z.int(), versions: z.int(), bytes: z.int() })),
};
