import { z } from 'zod';
import { field, jobRefSchema } from '../shared/common-schemas.ts';
import {
  defineRemoteSiteCommand,
  defineSiteCommand,
  defineSiteQuery,
  queryProcedure,
} from '../shared/procedure-kinds.ts';
import { statementFilterSchema } from '../statements/statements.ts';
import { retentionProcedures, retentionYearsSchema } from './retention.ts';

/** Contents of a site's PDF archive and the result of its latest check. */
const archiveSummarySchema = z.object({
  /** Number of closed statements. */
  statements: z.int(),
  /** Number of closed statements whose current PDF is in the archive. */
  stored: z.int(),
  /** Number of PDF versions in the archive. A statement whose PDF has changed has more than one. */
  versions: z.int(),
  files: z.int(),
  bytes: z.int(),
  /** Date of the oldest statement with a PDF. */
  oldest: field.date.nullable(),
  newest: field.date.nullable(),
  /** Number of statements with a PDF on hold. */
  on_hold: z.int(),
  past_retention: z.int(),
  retention_years: retentionYearsSchema,
  /** Number of statements whose PDFs a user deleted. */
  deleted: z.int(),
  /** Today's share of the archive check: files that remain, and its start time. Null before the first check. */
  daily_check: z.object({ due: z.int(), granted_at: field.moment }).nullable(),
  /** Number of files that have been checked at least once. */
  checked: z.int(),
  /** Oldest of the files' last check times. Null if any file has never been checked. */
  oldest_check: field.moment.nullable(),
  /** Number of damaged or missing files of old versions, which cannot be downloaded again. */
  lost: z.int(),
  /** Damaged or missing files with their statements. */
  wrong: z.array(
    z.object({
      sha256: z.string(),
      state: z.enum(['damaged', 'missing']),
      checked_at: field.moment,
      statements: z.array(field.serviceId),
    }),
  ),
});
export type ArchiveSummary = z.infer<typeof archiveSummarySchema>;

const exportTargetSchema = z.object({
  kind: z.enum(['folder', 'zip']),
  /** Path of the export on this computer. For a ZIP file, the path of the file itself. */
  path: field.path,
});

const template = z.string().max(400);

const exportNamesSchema = z.object({
  /** Complete template for the file names. Every name ends with the statement id. */
  template: z.string(),
  names: z.array(z.object({ id: field.serviceId, name: z.string() })),
});

const exportResultSchema = z.object({
  written: z.int(),
  /** Number of identical files that already existed in the destination. */
  unchanged: z.int(),
  /** Number of files left from earlier exports to the same folder. */
  from_earlier_exports: z.int(),
  /** Names excluded because their archived file is damaged or missing. */
  damaged: z.array(z.string()),
  files: z.int(),
  bytes: z.int(),
  /** Number of problems found when the written files were read back. */
  problems: z.int(),
  /** SHA-256 of the tag manifest, which covers every byte of the BagIt export. */
  checksum: z.string(),
});

/** A fixed selection of statements with an export destination. It never changes. */
export const archiveExportSchema = z.object({
  export: z.string(),
  site: field.siteName,
  made_at: field.moment,
  made_by: z.string(),
  description: z.string(),
  target: exportTargetSchema,
  template: z.string(),
  /** True if the PDFs are also merged into large PDF files, the volumes. */
  merged: z.boolean(),
  /** Number of selected statements. */
  count: z.int(),
  /** Number of selected closed statements without a PDF. The index lists the statements without a file. */
  not_stored: z.int(),
  /** Total size of the PDFs in bytes. */
  bytes: z.int(),
  names: z.array(z.string()),
  state: z.enum(['planned', 'running', 'done', 'failed', 'canceled', 'interrupted']),
  job: z.string().nullable(),
  ended_at: field.moment.nullable(),
  result: exportResultSchema.nullable(),
});
export type ArchiveExport = z.infer<typeof archiveExportSchema>;

export const bagVerificationSchema = z.object({
  ok: z.boolean(),
  kind: z.enum(['folder', 'zip']),
  path: z.string(),
  files: z.int(),
  bytes: z.int(),
  /** Contents of `bag-info.txt`. */
  info: z.array(z.object({ label: z.string(), value: z.string() })),
  checksum: z.string().nullable(),
  /** Number of problems with the files of the export. The first 1,000 are listed. */
  wrong: z.int(),
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
});
export type BagVerification = z.infer<typeof bagVerificationSchema>;

/** A folder on this computer, for choosing an export destination or a bag to verify. */
const folderListingSchema = z.object({
  path: z.string(),
  /** Path of the parent folder; null for the root of a disk. */
  parent: z.string().nullable(),
  folders: z.array(z.string()),
  /** ZIP files in the folder. */
  files: z.array(z.string()),
  /** True if the folder itself is a BagIt export. */
  bag: z.boolean(),
  /** Number of folder entries omitted because the list is too long. */
  more: z.int(),
  /** Free space on the folder's disk in bytes; null if unknown. */
  free_bytes: z.int().nullable(),
});
export type FolderListing = z.infer<typeof folderListingSchema>;

export const archiveProcedures = {
  ...retentionProcedures,
  summary: defineSiteQuery().output(archiveSummarySchema),
  /** Previews the file names of the first matching statements. Throws `validation` for an invalid template. */
  names: defineSiteQuery({
    filter: statementFilterSchema.default({}),
    /** Ids of the statements to name instead of those that match the filter. */
    ids: z.array(field.serviceId).max(50).optional(),
    template: template.optional(),
    limit: z.int().min(1).max(50).default(5),
  }).output(exportNamesSchema),
  /** Creates an export plan from a selection. Writes no files yet. */
  plan: defineSiteCommand({
    selection: z.union([
      z.object({ filter: statementFilterSchema }),
      z.object({ ids: z.array(field.serviceId).min(1).max(1_000_000) }),
    ]),
    target: exportTargetSchema,
    template: template.optional(),
    merged: z.boolean().default(false),
    /** True to overwrite an existing ZIP file. */
    replace: z.boolean().default(false),
  }).output(archiveExportSchema),
  /** Deletes an export that was only planned. Throws `conflict` if it has started. */
  discard: defineSiteCommand({ export: z.string() }).output(z.object({})),
  /** Writes a planned export or resumes a stopped one, verifies the result and returns the job. */
  export: defineSiteCommand({ export: z.string() }).output(jobRefSchema),
  /** Lists exports, newest first. */
  exports: defineSiteQuery({ limit: z.int().min(1).max(200).default(50) }).output(
    z.array(archiveExportSchema),
  ),
  get: defineSiteQuery({ export: z.string() }).output(archiveExportSchema),
  /** Downloads missing and outdated PDFs of closed statements that match the filter. */
  fetch: defineRemoteSiteCommand({ filter: statementFilterSchema.default({}) }).output(jobRefSchema),
  /** Checks archived files: those that are due (each one within 30 days) or all of them. */
  check: defineSiteCommand({ all: z.boolean().default(false) }).output(jobRefSchema),
  /** Moves damaged files aside without deleting them, and downloads the PDFs again. */
  repair: defineRemoteSiteCommand().output(jobRefSchema),
  /** Lists a folder, or its nearest existing parent, without hidden entries. The default is the home folder. */
  browse: queryProcedure
    .input(
      z.object({
        path: z
          .string()
          .max(4000)
          .regex(/^[^\0]*$/, 'must not contain null characters')
          .optional(),
      }),
    )
    .output(folderListingSchema),
};
