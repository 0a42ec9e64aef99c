import { z } from 'zod';
import { cents, moment, period, siteName } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';

/**
 * Reason for a backup. start: the app opened the books. update: a newer version is about to migrate them. restore: a
 * restore is about to replace them. asked: a user requested it.
 */
export const backupReason = z.enum(['start', 'update', 'restore', 'asked']);
export type BackupReason = z.infer<typeof backupReason>;

/** A backup of a site's books. */
export const booksCopy = z.object({
  /** File name in the site's backup folder, or a path if it is elsewhere. */
  name: z.string(),
  made_at: moment,
  reason: backupReason,
  bytes: z.int(),
  /** Schema version of the books. This and the following fields are null if the file cannot be read. */
  version: z.int().nullable(),
  /** Number of audit log entries, and when the last one was written. */
  entries: z.int().nullable(),
  last_at: moment.nullable(),
  /** One sentence about why the backup cannot be restored. */
  problem: z.string().nullable(),
});
export type BooksCopy = z.infer<typeof booksCopy>;

/** Parts of the books that a restore can change. */
export const bookPart = z.enum([
  'periods',
  'matches',
  'imports',
  'notes',
  'exceptions',
  'replays',
  'allocations',
  'rules',
  'archive',
  'audit',
]);
export type BookPart = z.infer<typeof bookPart>;

export const bookChange = z.object({
  /** Id of the item in the books. Unique together with `change`. */
  id: z.string(),
  /**
   * lost: only the current books have the item. restored: only the backup has it. changed: the backup has a different
   * version.
   */
  change: z.enum(['lost', 'restored', 'changed']),
  /** Short description of the item. */
  text: z.string(),
  amount_in_cents: cents.nullable(),
  currency: z.string().nullable(),
  at: moment.nullable(),
  user: z.string().nullable(),
});
export type BookChange = z.infer<typeof bookChange>;

/** Effects of restoring a backup. */
export const booksDifference = z.object({
  copy: booksCopy,
  /** State of the current books. If they are damaged, unknown numbers are null. */
  books: z.enum(['intact', 'damaged']),
  /** Description of the damage. */
  damage: z.string().nullable(),
  /** Audit anchor of damaged books, or null if there is none. */
  anchor: z.object({ entries: z.int(), at: moment }).nullable(),
  parts: z.array(
    z.object({
      part: bookPart,
      lost: z.int().nullable(),
      restored: z.int().nullable(),
      changed: z.int().nullable(),
      /** The newest changes, at most fifty per kind. */
      items: z.array(bookChange),
    }),
  ),
  /** Closed periods that the restore would unlock. They must be reopened first. */
  unlocks: z.array(period),
  /** True if nothing differs. */
  same: z.boolean(),
  /** One sentence about what is wrong with the backup's audit log, or null if every hash is valid. */
  audit_problem: z.string().nullable(),
  /** Fingerprint of the difference. `restore` requires it, which proves that the user saw this difference. */
  fingerprint: z.string(),
});
export type BooksDifference = z.infer<typeof booksDifference>;

/** A backup in the site's folder by name, or any file on this computer. */
const from = z.union([
  z.object({ name: z.string().max(100) }),
  z.object({ path: z.string().min(1).max(4000) }),
]);

export const backups = {
  /** Lists the backups, newest first, and the state of the books. Works even if the books are damaged. */
  list: query.input(z.object({ site: siteName })).output(
    z.object({
      copies: z.array(booksCopy),
      /** True if something was written since the newest backup. */
      changed_since: z.boolean(),
      bytes: z.int(),
      /** One sentence about why the books cannot be opened, or null. */
      problem: z.string().nullable(),
    }),
  ),
  /**
   * Compares a backup with the books. Throws `not_found`, `corrupt` for a damaged backup, `storage` for one of a newer
   * Tieout, `validation` for one of another site.
   */
  compare: query.input(z.object({ site: siteName, from })).output(booksDifference),
  /**
   * Writes a verified backup to the site's backup folder or to a file. An existing file is replaced only with `replace`.
   */
  make: command
    .input(
      z.object({
        site: siteName,
        path: z.string().min(1).max(4000).optional(),
        replace: z.boolean().default(false),
      }),
    )
    .output(booksCopy),
  /**
   * Replaces the books with a backup, completely or not at all. The current books become a backup and the audit log
   * records the restore. Throws `conflict` if a job is running or the fingerprint is outdated, and `period_locked` if a
   * closed period would be unlocked. `check` is the check started afterwards.
   */
  restore: command
    .input(
      z.object({ site: siteName, from, fingerprint: z.string(), reason: z.string().trim().min(1).max(2000) }),
    )
    .output(z.object({ saved_as: z.string(), check: z.string().nullable() })),
};
