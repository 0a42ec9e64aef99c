import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';
import { backupReasons } from './backup-reasons.ts';

export type { BackupReason } from './backup-reasons.ts';

export const booksBackupSchema = z.object({
  /** File name in the site's backup folder; a path if the backup is elsewhere. */
  name: z.string(),
  made_at: field.moment,
  reason: z.enum(backupReasons),
  bytes: z.int(),
  /** Schema version of the books; null if the file cannot be read. */
  version: z.int().nullable(),
  /** Number of audit log entries in the backup; null if the file cannot be read. */
  entries: z.int().nullable(),
  last_at: field.moment.nullable(),
  /** Reason why the backup cannot be restored, as one sentence. */
  problem: z.string().nullable(),
});
export type BooksBackup = z.infer<typeof booksBackupSchema>;

/** Parts of the books that a restore can change. */
const bookPartSchema = z.enum([
  'periods',
  'matches',
  'imports',
  'journal',
  'notes',
  'exceptions',
  'replays',
  'allocations',
  'rules',
  'archive',
  'audit',
]);
export type BooksPart = z.infer<typeof bookPartSchema>;

const bookChangeSchema = z.object({
  /** Id of the changed item in the books. The id and `change` together are unique. */
  id: z.string(),
  /** `lost`: only the books have the item. `restored`: only the backup has it. `changed`: they differ. */
  change: z.enum(['lost', 'restored', 'changed']),
  /** Short description of the changed item. */
  text: z.string(),
  amount_in_cents: field.cents.nullable(),
  currency: z.string().nullable(),
  at: field.moment.nullable(),
  user: z.string().nullable(),
});
export type BooksChange = z.infer<typeof bookChangeSchema>;

/** Comparison of a backup with the current books, which shows the effects of a restore. */
const booksDifferenceSchema = z.object({
  copy: booksBackupSchema,
  /** State of the current books. Numbers that are unknown because of damage are null. */
  books: z.enum(['intact', 'damaged']),
  /** Description of the damage to the current books. */
  damage: z.string().nullable(),
  /** Audit anchor of damaged books; null if there is none. */
  anchor: z.object({ entries: z.int(), at: field.moment }).nullable(),
  parts: z.array(
    z.object({
      part: bookPartSchema,
      lost: z.int().nullable(),
      restored: z.int().nullable(),
      changed: z.int().nullable(),
      /** The newest differences, at most fifty per kind. */
      items: z.array(bookChangeSchema),
    }),
  ),
  /** Closed periods that the restore would unlock. They must be reopened first. */
  unlocks: z.array(field.period),
  /** True if the backup and the current books are identical. */
  same: z.boolean(),
  /** Problem with the backup's audit log, as one sentence; null if every hash is valid. */
  audit_problem: z.string().nullable(),
  /** Fingerprint of the differences. `restore` requires it, which proves that the user saw these differences. */
  fingerprint: z.string(),
});
export type BooksDifference = z.infer<typeof booksDifferenceSchema>;

/** Backup to use: the name of a backup in the site's folder, or the path of any file on this computer. */
const from = z.union([z.object({ name: z.string().max(100) }), z.object({ path: field.path })]);

export const backupProcedures = {
  /** Lists the backups, newest first, and the state of the books. Works even if the books are damaged. */
  list: defineSiteQuery().output(
    z.object({
      copies: z.array(booksBackupSchema),
      /** True if the books have changed since the newest backup. */
      changed_since: z.boolean(),
      bytes: z.int(),
      /** Reason why the books cannot be opened, as one sentence; null if they can. */
      problem: z.string().nullable(),
    }),
  ),
  /**
   * Compares a backup with the books. Throws `not_found`, `corrupt`, `storage` for a backup of a newer Tieout, and
   * `validation` for a backup of another site.
   */
  compare: defineSiteQuery({ from }).output(booksDifferenceSchema),
  /** Writes a verified backup to the site's backup folder or to a file. Only `replace` overwrites a file. */
  make: defineSiteCommand({
    path: field.path.optional(),
    replace: z.boolean().default(false),
  }).output(booksBackupSchema),
  /**
   * Replaces the books with a backup, completely or not at all. The current books become a backup and the audit log
   * records the restore. Throws `conflict` if a job is running or the fingerprint is outdated, and `period_locked` if a
   * closed period would be unlocked. `check` is the check started afterwards.
   */
  restore: defineSiteCommand({ from, fingerprint: z.string(), reason: field.reason }).output(
    z.object({ saved_as: z.string(), check: z.string().nullable() }),
  ),
};
