import { z } from 'zod';
import { calendarDate, moment, serviceId, siteName } from '../shared/common-schemas.ts';
import { command, query, remoteCommand } from '../shared/procedure-kinds.ts';
import { statementFilter } from '../statements/statements.ts';
import { archiveKeeping, retentionYears } from './retention.ts';

const started = z.object({ job: z.string() });

/** Contents of a site's PDF archive and the result of its latest check. */
export const archiveSummary = z.object({
  /** Number of closed statements, and of those whose current PDF is in the archive. */
  statements: z.int(),
  stored: z.int(),
  /** Number of PDF versions. A statement whose PDF changed has more than one. */
  versions: z.int(),
  files: z.int(),
  bytes: z.int(),
  /** Dates of the oldest and newest statement with a PDF. */
  oldest: calendarDate.nullable(),
  newest: calendarDate.nullable(),
  /** Number of statements with a PDF on hold, and of those past retention without a hold. */
  on_hold: z.int(),
  past_retention: z.int(),
  retention_years: retentionYears,
  /** Number of statements whose PDFs a user deleted. */
  deleted: z.int(),
  /** Files still to read in today's share of the daily check, and when the share started. Null before the first. */
  daily_check: z.object({ due: z.int(), granted_at: moment }).nullable(),
  /** Number of files checked at least once, and since when all of them are. Null if one was never checked. */
  checked: z.int(),
  oldest_check: moment.nullable(),
  /** Number of damaged or missing files of old versions, which cannot be downloaded again. */
  lost: z.int(),
  /** Damaged or missing files with their statements. */
  wrong: z.array(
    z.object({
      sha256: z.string(),
      state: z.enum(['damaged', 'missing']),
      checked_at: moment,
      statements: z.array(serviceId),
    }),
  ),
});
export type ArchiveSummary = z.infer<typeof archiveSummary>;

export const exportTarget = z.object({
  kind: z.enum(['folder', 'zip']),
  /** Path on this computer. For a ZIP, the file itself. */
  path: z.string().min(1).max(4000),
});

const template = z.string().max(400);

/** Preview of file names for a template. */
export const exportNames = z.object({
  /** Complete template. Every name ends with the statement ID. */
  template: z.string(),
  names: z.array(z.object({ id: serviceId, name: z.string() })),
});

export const exportResult = z.object({
  written: z.int(),
  /** Number of identical files that already existed. */
  unchanged: z.int(),
  /** Number of files left from earlier exports to the same folder. */
  from_earlier_exports: z.int(),
  /** Names excluded because their archived file is damaged or missing. */
  damaged: z.array(z.string()),
  files: z.int(),
  bytes: z.int(),
  /** Number of problems found when the written files were read again. */
  problems: z.int(),
  /** SHA-256 of the tag manifest, which covers every byte of the bag. */
  checksum: z.string(),
});

/** A fixed selection of statements and its destination. It never changes. */
export const archiveExport = z.object({
  export: z.string(),
  site: siteName,
  made_at: moment,
  made_by: z.string(),
  description: z.string(),
  target: exportTarget,
  template: z.string(),
  /** True if all PDFs are also combined into volumes. */
  merged: z.boolean(),
  /** Number of selected statements, and of closed ones without a PDF. The index lists those without a file. */
  count: z.int(),
  not_stored: z.int(),
  /** Total size of the PDFs in bytes. */
  bytes: z.int(),
  names: z.array(z.string()),
  state: z.enum(['planned', 'running', 'done', 'failed', 'canceled', 'interrupted']),
  job: z.string().nullable(),
  ended_at: moment.nullable(),
  result: exportResult.nullable(),
});
export type ArchiveExport = z.infer<typeof archiveExport>;

export const bagVerdict = z.object({
  ok: z.boolean(),
  kind: z.enum(['folder', 'zip']),
  path: z.string(),
  files: z.int(),
  bytes: z.int(),
  /** Contents of `bag-info.txt`. */
  info: z.array(z.object({ label: z.string(), value: z.string() })),
  checksum: z.string().nullable(),
  /** Number of problems. The first 1,000 are listed. */
  wrong: z.int(),
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
});
export type BagVerdict = z.infer<typeof bagVerdict>;

/** A folder on this computer, for choosing an export destination or a bag to verify. */
export const place = z.object({
  path: z.string(),
  /** Null for the root of a disk. */
  parent: z.string().nullable(),
  folders: z.array(z.string()),
  /** ZIP files in the folder. */
  files: z.array(z.string()),
  /** True if the folder itself is a bag. */
  bag: z.boolean(),
  /** Number of entries not listed because there are too many. */
  more: z.int(),
  /** Free space on its disk in bytes. Null if unknown. */
  free_bytes: z.int().nullable(),
});
export type Place = z.infer<typeof place>;

export const archive = {
  ...archiveKeeping,
  summary: query.input(z.object({ site: siteName })).output(archiveSummary),
  /** Previews the names of the first statements of a filter. Throws `validation` if the template is invalid. */
  names: query
    .input(
      z.object({
        site: siteName,
        filter: statementFilter.default({}),
        /** Statements to name instead of those of the filter. */
        ids: z.array(serviceId).max(50).optional(),
        template: template.optional(),
        limit: z.int().min(1).max(50).default(5),
      }),
    )
    .output(exportNames),
  /** Creates an export from a selection. Writes nothing yet. */
  plan: command
    .input(
      z.object({
        site: siteName,
        selection: z.union([
          z.object({ filter: statementFilter }),
          z.object({ ids: z.array(serviceId).min(1).max(1_000_000) }),
        ]),
        target: exportTarget,
        template: template.optional(),
        merged: z.boolean().default(false),
        /** Overwrites an existing ZIP file. */
        replace: z.boolean().default(false),
      }),
    )
    .output(archiveExport),
  /** Deletes an export that was only planned. Throws `conflict` if it has started. */
  discard: command.input(z.object({ site: siteName, export: z.string() })).output(z.object({})),
  /** Writes a planned export or resumes a stopped one, verifies the result and returns the job. */
  export: command.input(z.object({ site: siteName, export: z.string() })).output(started),
  /** Lists exports, newest first. */
  exports: query
    .input(z.object({ site: siteName, limit: z.int().min(1).max(200).default(50) }))
    .output(z.array(archiveExport)),
  get: query.input(z.object({ site: siteName, export: z.string() })).output(archiveExport),
  /** Downloads missing and outdated PDFs of the filter's closed statements. */
  fetch: remoteCommand
    .input(z.object({ site: siteName, filter: statementFilter.default({}) }))
    .output(started),
  /** Reads archived files again: those due (each within 30 days), or all. */
  check: command.input(z.object({ site: siteName, all: z.boolean().default(false) })).output(started),
  /** Moves damaged files aside without deleting them, and downloads the PDFs again. */
  repair: remoteCommand.input(z.object({ site: siteName })).output(started),
  /**
   * Lists a folder, or its nearest existing parent. Without a path, the user's home folder. Hidden entries are excluded.
   */
  browse: query.input(z.object({ path: z.string().max(4000).optional() })).output(place),
  /**
   * Verifies an export or evidence pack by itself: a folder or ZIP file that contains a bag (RFC 8493). Needs no site.
   */
  verify: query.input(z.object({ path: z.string().min(1).max(4000) })).output(bagVerdict),
};
