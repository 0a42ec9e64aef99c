import { z } from 'zod';
import { calendarDate, moment, serviceId, siteName } from '../shared/common-schemas.ts';
import { command, query, remoteCommand } from '../shared/procedure-kinds.ts';
import { statementFilter } from '../statements/statements.ts';
import { archiveKeeping, retentionYears } from './retention.ts';

const started = z.object({ job: z.string() });

/** What the archive of a site’s statement PDFs holds, and how it was found when it was last read again. */
export const archiveSummary = z.object({
  /** Statements that are closed, and how many of them have their PDF here as they are now. */
  statements: z.int(),
  stored: z.int(),
  /** Renderings: a statement that was rendered anew has more than one. */
  versions: z.int(),
  files: z.int(),
  bytes: z.int(),
  /** Document dates of the oldest and the newest statement whose PDF is here. */
  oldest: calendarDate.nullable(),
  newest: calendarDate.nullable(),
  /** Statements with a PDF here: those that a hold keeps, and those past their retention that none does. */
  on_hold: z.int(),
  past_retention: z.int(),
  retention_years: retentionYears,
  /** Statements whose PDFs were deleted by hand. */
  deleted: z.int(),
  /** Files that the daily reading has still to read of today’s share, and since when; null before the first. */
  daily_check: z.object({ due: z.int(), granted_at: moment }).nullable(),
  /** Files read again at least once, and since when all of them were; null where one never was. */
  checked: z.int(),
  oldest_check: moment.nullable(),
  /** Damaged or missing files that only older renderings rest on: they cannot be fetched again. */
  lost: z.int(),
  /** Files that are not what they were, or are gone, with the statements they belong to. */
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
  /** Where on this computer; for a ZIP the file itself. */
  path: z.string().min(1).max(4000),
});

const template = z.string().max(400);

/** Names as they would be, for a template that is being written. */
export const exportNames = z.object({
  /** The template as it is used; the id stands at the end of every name. */
  template: z.string(),
  names: z.array(z.object({ id: serviceId, name: z.string() })),
});

export const exportResult = z.object({
  written: z.int(),
  /** Stood there already, the same to the last byte. */
  unchanged: z.int(),
  /** Files of earlier exports to the same folder, left there. */
  from_earlier_exports: z.int(),
  /** Names whose file in the archive is damaged or gone; they were left out. */
  damaged: z.array(z.string()),
  files: z.int(),
  bytes: z.int(),
  /** What was read again after writing: problems found, none if all is well. */
  problems: z.int(),
  /** SHA-256 of the tag manifest: it stands for every byte of the bag. */
  checksum: z.string(),
});

/** A frozen selection and where it goes; nothing later changes it. */
export const archiveExport = z.object({
  export: z.string(),
  site: siteName,
  made_at: moment,
  made_by: z.string(),
  description: z.string(),
  target: exportTarget,
  template: z.string(),
  /** Whether all PDFs are also put together into volumes. */
  merged: z.boolean(),
  /** Statements selected; of so many closed ones no PDF is in the archive: the index says so, and they have no file. */
  count: z.int(),
  not_stored: z.int(),
  /** Of the PDFs to be written. */
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
  /** `bag-info.txt`. */
  info: z.array(z.object({ label: z.string(), value: z.string() })),
  checksum: z.string().nullable(),
  /** All that is wrong, of which the first thousand are listed. */
  wrong: z.int(),
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
});
export type BagVerdict = z.infer<typeof bagVerdict>;

/** A folder of this computer, for choosing where an export goes or which bag is checked. */
export const place = z.object({
  path: z.string(),
  /** Null at the root of a disk. */
  parent: z.string().nullable(),
  folders: z.array(z.string()),
  /** ZIP files. */
  files: z.array(z.string()),
  /** Whether it holds a bag itself. */
  bag: z.boolean(),
  /** Left out, as there are too many. */
  more: z.int(),
  /** Free on its disk; null where that is not known. */
  free_bytes: z.int().nullable(),
});
export type Place = z.infer<typeof place>;

export const archive = {
  ...archiveKeeping,
  summary: query.input(z.object({ site: siteName })).output(archiveSummary),
  /** How the first statements of a filter would be named. Throws `validation` with what is wrong with the template. */
  names: query
    .input(
      z.object({
        site: siteName,
        filter: statementFilter.default({}),
        /** Of these statements, in the place of the filter's. */
        ids: z.array(serviceId).max(50).optional(),
        template: template.optional(),
        limit: z.int().min(1).max(50).default(5),
      }),
    )
    .output(exportNames),
  /** Freezes a selection for an export; writes nothing yet. */
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
        /** A ZIP file that stands there already is replaced only when this says so. */
        replace: z.boolean().default(false),
      }),
    )
    .output(archiveExport),
  /** Forgets an export that was only planned. Throws `conflict` for one that was begun. */
  discard: command.input(z.object({ site: siteName, export: z.string() })).output(z.object({})),
  /** Writes a planned export, or goes on with one that was stopped; checks what was written; gives the job. */
  export: command.input(z.object({ site: siteName, export: z.string() })).output(started),
  /** The newest first. */
  exports: query
    .input(z.object({ site: siteName, limit: z.int().min(1).max(200).default(50) }))
    .output(z.array(archiveExport)),
  get: query.input(z.object({ site: siteName, export: z.string() })).output(archiveExport),
  /** Fetches the PDFs of a filter’s closed statements that are not in the archive as they are now. */
  fetch: remoteCommand
    .input(z.object({ site: siteName, filter: statementFilter.default({}) }))
    .output(started),
  /** Reads files of the archive again: those that are due (each within thirty days), or all. */
  check: command.input(z.object({ site: siteName, all: z.boolean().default(false) })).output(started),
  /** Sets what is damaged aside, where it is kept, and fetches the statements’ PDFs again. */
  repair: remoteCommand.input(z.object({ site: siteName })).output(started),
  /** Looks into a folder, or the nearest one there is above it; without a path into the user’s own. Hidden ones are left out. */
  browse: query.input(z.object({ path: z.string().max(4000).optional() })).output(place),
  /** Checks an export or a pack by itself: a folder or a ZIP file with a bag (RFC 8493). Needs no site. */
  verify: query.input(z.object({ path: z.string().min(1).max(4000) })).output(bagVerdict),
};
