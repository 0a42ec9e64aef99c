import { z } from 'zod';
import { calendarDate, moment, pageInput, pageOf, serviceId, siteName } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import { statementFilter } from '../statements/statements.ts';

/** Retention in years from the document date. Null means unlimited. */
export const retentionYears = z.int().min(1).max(100).nullable();

/** Archived PDFs of a statement. */
export const archiveFile = z.object({
  statement: serviceId,
  subscription: serviceId,
  customer: z.string(),
  /** Document date: the day the statement was closed, in the site's time zone. */
  date: calendarDate.nullable(),
  /** Last day of retention. Null means unlimited. */
  kept_until: calendarDate.nullable(),
  past_retention: z.boolean(),
  /** Reason of the hold. Null without a hold. */
  hold: z.string().nullable(),
  bytes: z.int(),
  /** PDF versions, oldest first. */
  versions: z.array(
    z.object({
      version: z.int(),
      sha256: z.string(),
      bytes: z.int(),
      fetched_at: moment,
      /** When it was last checked, and the result. Null if never. */
      checked_at: moment.nullable(),
      state: z.enum(['intact', 'damaged', 'missing']).nullable(),
    }),
  ),
});
export type ArchiveFile = z.infer<typeof archiveFile>;

export const archiveHold = z.object({
  hold: z.int(),
  /** Exactly one of these is set: a statement, or a whole subscription. */
  statement_id: serviceId.nullable(),
  subscription_id: serviceId.nullable(),
  reason: z.string(),
  placed_at: moment,
  placed_by: z.string(),
  lifted_at: moment.nullable(),
  lifted_by: z.string().nullable(),
  lifted_reason: z.string().nullable(),
});
export type ArchiveHold = z.infer<typeof archiveHold>;

/** What deleting a list of statements would delete, and which of them must not be deleted. */
export const deletionPreview = z.object({
  statements: z.int(),
  /** Number and total bytes of the PDF versions. */
  versions: z.int(),
  bytes: z.int(),
  oldest: calendarDate.nullable(),
  newest: calendarDate.nullable(),
  /** Fingerprint of the list in its current state. `delete` requires it. */
  list: z.string(),
  /** Statements within retention, on hold or not archived. Nothing is deleted while there are any. */
  refused: z.array(z.object({ statement: serviceId, reason: z.string() })),
});
export type DeletionPreview = z.infer<typeof deletionPreview>;

const reason = z.string().trim().min(1).max(2000);
const ids = z.array(serviceId).max(10_000);

/** Procedures for retention, holds and deletion. Deletion needs an explicit list and a reason. */
export const archiveKeeping = {
  /** Lists statements with archived PDFs by document date, oldest first, or only those with problems. */
  files: query
    .input(
      pageInput.extend({
        site: siteName,
        filter: statementFilter.default({}),
        only: z.enum(['past_retention', 'on_hold', 'damaged']).optional(),
      }),
    )
    .output(pageOf(archiveFile)),
  retain: command
    .input(z.object({ site: siteName, years: retentionYears, reason }))
    .output(z.object({ years: retentionYears })),
  /** Lists holds, newest first. */
  holds: query
    .input(pageInput.extend({ site: siteName, lifted: z.boolean().default(false) }))
    .output(pageOf(archiveHold)),
  /** Places a hold on statements or whole subscriptions. Those on hold already are skipped. */
  hold: command
    .input(z.object({ site: siteName, statements: ids.default([]), subscriptions: ids.default([]), reason }))
    .output(z.object({ placed: z.int() })),
  /** Releases holds by ID. Throws `not_found` if one does not exist or was released; then none is released. */
  release: command
    .input(z.object({ site: siteName, holds: z.array(z.int()).min(1).max(10_000), reason }))
    .output(z.object({ released: z.int() })),
  /** Previews the deletion of a list. Deletes nothing. */
  deletable: query.input(z.object({ site: siteName, statements: ids.min(1) })).output(deletionPreview),
  /**
   * Deletes all PDF versions of these statements and their extracted text. Throws `conflict`, without deleting anything,
   * if the list changed since the preview or contains a statement that must not be deleted.
   */
  delete: command
    .input(z.object({ site: siteName, statements: ids.min(1), list: z.string(), reason }))
    .output(z.object({ statements: z.int(), versions: z.int(), bytes: z.int() })),
};
