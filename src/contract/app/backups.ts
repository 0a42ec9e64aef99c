import { z } from 'zod';
import { centsSchema, momentSchema, periodSchema, siteNameSchema } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';

/**
 * Reason for a backup. start: the app opened the books. update: a newer version is about to migrate them. restore: a
 * restore is about to replace them. asked: a user requested it.
 */
export const backupReasonSchema = z.enum(['start', 'update', 'restore', 'asked']);
export type BackupReason = z.infer<typeof backupReasonSchema>;

/** A backup of a site's books. */
export const booksCopySchema = z.object({
  /** File name in the site's backup folder; a path if the backup is elsewhere. */
  name: z.string(),
  made_at: momentSchema,
  reason: backupReasonSchema,
  bytes: z.int(),
  /** Schema version of the books; null if the file cannot be read. */
  version: z.int().nullable(),
  /** Number of audit log entries in the backup; null if the file cannot be read. */
  entries: z.int().nullable(),
  last_at: momentSchema.nullable(),
  /** Reason why the backup cannot be restored, as one sentence. */
  problem: z.string().nullable(),
});
export type BooksCopy = z.infer<typeof booksCopySchema>;

/** Parts of the books that a restore can change. */
export const bookPartSchema = z.enum([
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
export type BookPart = z.infer<typeof bookPartSchema>;

export const bookChangeSchema = z.object({
  /** Id of the item in the books. It is unique together with `change`. */
  id: z.string(),
  /**
   * lost: only the current books have the item. restored: only the backup has it. changed: the backup has a different
   * version.
   */
  change: z.enum(['lost', 'restored', 'changed']),
  /** Short description of the item. */
  text: z.string(),
  amount_in_cents: centsSchema.nullable(),
  currency: z.string().nullable(),
  at: momentSchema.nullable(),
  user: z.string().nullable(),
});
export type BookChange = z.infer<typeof bookChangeSchema>;

/** Comparison of a backup with the current books, which shows the effects of a restore. */
export const booksDifferenceSchema = z.object({
  copy: booksCopySchema,
  /** State of the current books. Numbers that are unknown because of damage are null. */
  books: z.enum(['intact', 'damaged']),
  /** Description of the damage to the current books. */
  damage: z.string().nullable(),
  /** Audit anchor of damaged books; null if there is none. */
  anchor: z.object({ entries: z.int(), at: momentSchema }).nullable(),
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
  unlocks: z.array(periodSchema),
  /** True if the backup and the current books are identical. */
  same: z.boolean(),
  /** Problem with the backup's audit log, as one sentence; null if every hash is valid. */
  audit_problem: z.string().nullable(),
  /** Fingerprint of the differences. `restore` requires it, which proves that the user saw these differences. */
  fingerprint: z.string(),
});
export type BooksDifference = z.infer<typeof booksDifferenceSchema>;

/** Backup to use: the name of one in the site's folder, or any file on this computer. */
const from = z.union([
  z.object({ name: z.string().max(100) }),
  z.object({ path: z.string().min(1).max(4000) }),
]);

export const backupProcedures = {
  /** Lists the backups, newest first, and the state of the books. Works even if the books are damaged. */
  list: query.input(z.object({ site: siteNameSchema })).output(
    z.object({
      copies: z.array(booksCopySchema),
      /** True if the books have changed since the newest backup. */
      changed_since: z.boolean(),
      bytes: z.int(),
      /** Reason why the books cannot be opened, as one sentence; null if they can. */
      problem: z.string().nullable(),
    }),
  ),
  /**
   * Compares a backup with the books. Throws `not_found`, `corrupt` for a damaged backup, `storage` for one of a newer
   * Tieout, `validation` for one of another site.
   */
  compare: query.input(z.object({ site: siteNameSchema, from })).output(booksDifferenceSchema),
  /**
   * Writes a verified backup to the site's backup folder or to a file. An existing file is replaced only with `replace`.
   */
  make: command
    .input(
      z.object({
        site: siteNameSchema,
        path: z.string().min(1).max(4000).optional(),
        replace: z.boolean().default(false),
      }),
    )
    .output(booksCopySchema),
  /**
   * Replaces the books with a backup, completely or not at all. The current books become a backup and the audit log
   * records the restore. Throws `conflict` if a job is running or the fingerprint is outdated, and `period_locked` if a
   * closed period would be unlocked. `check` is the check started afterwards.
   */
  restore: command
    .input(
      z.object({
        site: siteNameSchema,
        from,
        fingerprint: z.string(),
        reason: z.string().trim().min(1).max(2000),
      }),
    )
    .output(z.object({ saved_as: z.string(), check: z.string().nullable() })),
};
