import { z } from 'zod';
import { calendarDate, moment, pageInput, pageOf, serviceId, siteName } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import { statementFilter } from '../statements/statements.ts';

/** Years from a document's date that it is kept; null: without end. */
export const retentionYears = z.int().min(1).max(100).nullable();

/** The PDFs of a statement as the archive keeps them. */
export const archiveFile = z.object({
  statement: serviceId,
  subscription: serviceId,
  customer: z.string(),
  /** The document's date: the day the statement was closed, in the site's calendar. */
  date: calendarDate.nullable(),
  /** Kept to the end of this day; null: without end. */
  kept_until: calendarDate.nullable(),
  past_retention: z.boolean(),
  /** Why it must not be deleted; null where nothing holds it. */
  hold: z.string().nullable(),
  bytes: z.int(),
  /** The renderings, the oldest first. */
  versions: z.array(
    z.object({
      version: z.int(),
      sha256: z.string(),
      bytes: z.int(),
      fetched_at: moment,
      /** When it was last read again, and what it was then; null where it never was. */
      checked_at: moment.nullable(),
      state: z.enum(['intact', 'damaged', 'missing']).nullable(),
    }),
  ),
});
export type ArchiveFile = z.infer<typeof archiveFile>;

export const archiveHold = z.object({
  hold: z.int(),
  /** One of the two: a statement, or all of a subscription. */
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

/** What a deletion by an explicit list would delete, and which of the list it must not. */
export const deletionPreview = z.object({
  statements: z.int(),
  /** Renderings, and what they take up. */
  versions: z.int(),
  bytes: z.int(),
  oldest: calendarDate.nullable(),
  newest: calendarDate.nullable(),
  /** Stands for this very list, as it is now; the deletion asks for it. */
  list: z.string(),
  /** Of the list: what is not past its retention, on hold, or not in the archive. While there is any, nothing is deleted. */
  refused: z.array(z.object({ statement: serviceId, reason: z.string() })),
});
export type DeletionPreview = z.infer<typeof deletionPreview>;

const reason = z.string().trim().min(1).max(2000);
const ids = z.array(serviceId).max(10_000);

/** How long the PDFs are kept, what is held back, and how they are deleted: by hand, by a list, with a reason. */
export const archiveKeeping = {
  /** The statements whose PDFs are here, by document date, the oldest first; or those of them that something is the matter with. */
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
  /** The newest first. */
  holds: query
    .input(pageInput.extend({ site: siteName, lifted: z.boolean().default(false) }))
    .output(pageOf(archiveHold)),
  /** Holds statements, or all of subscriptions, back from deletion until it is lifted. Those that are held are not held twice. */
  hold: command
    .input(z.object({ site: siteName, statements: ids.default([]), subscriptions: ids.default([]), reason }))
    .output(z.object({ placed: z.int() })),
  /** Lifts holds by their numbers. Throws `not_found` where one is not there or lifted already; none is lifted then. */
  release: command
    .input(z.object({ site: siteName, holds: z.array(z.int()).min(1).max(10_000), reason }))
    .output(z.object({ released: z.int() })),
  /** Looks a list through for its deletion; deletes nothing. */
  deletable: query.input(z.object({ site: siteName, statements: ids.min(1) })).output(deletionPreview),
  /**
   * Deletes the PDFs of these statements, with their old bytes and words. Throws `conflict` where the list is not as it was
   * looked through, or anything in it must not be deleted; nothing is deleted then.
   */
  delete: command
    .input(z.object({ site: siteName, statements: ids.min(1), list: z.string(), reason }))
    .output(z.object({ statements: z.int(), versions: z.int(), bytes: z.int() })),
};
