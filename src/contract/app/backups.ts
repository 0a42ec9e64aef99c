import { z } from 'zod';
import { cents, moment, period, siteName } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';

/**
 * Why a copy of the books was made. start: the app opened them; update: before their form was changed by a newer version; restore:
 * they were about to be replaced; asked: somebody wanted it.
 */
export const backupReason = z.enum(['start', 'update', 'restore', 'asked']);
export type BackupReason = z.infer<typeof backupReason>;

/** A whole copy of a site’s books: what people decided, and the audit log. */
export const booksCopy = z.object({
  /** Its name in the site’s folder of copies; a path where it is elsewhere. */
  name: z.string(),
  made_at: moment,
  reason: backupReason,
  bytes: z.int(),
  /** The form the books have in it. Null where it cannot be read, as all below. */
  version: z.int().nullable(),
  /** How long the audit log is in it, and when its last entry was written. */
  entries: z.int().nullable(),
  last_at: moment.nullable(),
  /** Why it cannot be put in the place of the books, in a sentence. */
  problem: z.string().nullable(),
});
export type BooksCopy = z.infer<typeof booksCopy>;

/** What can be gained or lost with books. */
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
  /** What it is known by in the books; together with `how` each has its own. */
  id: z.string(),
  /** lost: only the books of now have it; back: only the copy has it; changed: it stands otherwise in the copy. */
  change: z.enum(['lost', 'restored', 'changed']),
  /** What it is, in a few words. */
  text: z.string(),
  amount_in_cents: cents.nullable(),
  currency: z.string().nullable(),
  at: moment.nullable(),
  user: z.string().nullable(),
});
export type BookChange = z.infer<typeof bookChange>;

/** What putting a copy in the place of the books would do. */
export const booksDifference = z.object({
  copy: booksCopy,
  /** Whether the books of now can be read: where they are damaged, figures that cannot be told are null. */
  books: z.enum(['sound', 'damaged']),
  /** What is wrong with them, as found. */
  damage: z.string().nullable(),
  /** Of damaged books: how long the audit log was when it was last noted beside them; null where it never was. */
  anchor: z.object({ entries: z.int(), at: moment }).nullable(),
  parts: z.array(
    z.object({
      part: bookPart,
      lost: z.int().nullable(),
      restored: z.int().nullable(),
      changed: z.int().nullable(),
      /** The newest of them, at most fifty of a kind. */
      items: z.array(bookChange),
    }),
  ),
  /** Periods that are closed and would not be any more: they are to be reopened first, with the reason. */
  unlocks: z.array(period),
  /** Nothing at all is otherwise. */
  same: z.boolean(),
  /** What is wrong with the audit log of the copy, in a sentence; null where every hash holds. */
  audit_problem: z.string().nullable(),
  /** Over all of it: to be given back with `restore`, which proves that what is done is what was shown. */
  fingerprint: z.string(),
});
export type BooksDifference = z.infer<typeof booksDifference>;

/** A copy of the site’s folder by its name, or any file of this computer. */
const from = z.union([
  z.object({ name: z.string().max(100) }),
  z.object({ path: z.string().min(1).max(4000) }),
]);

export const backups = {
  /** The newest first; and how the books themselves are. Works where the books are damaged. */
  list: query.input(z.object({ site: siteName })).output(
    z.object({
      copies: z.array(booksCopy),
      /** Something was written since the newest copy was made. */
      changed_since: z.boolean(),
      bytes: z.int(),
      /** Why the books cannot be opened, in a sentence; null where they can. */
      problem: z.string().nullable(),
    }),
  ),
  /** What would be lost and come back. Throws `not_found`, `corrupt` (the copy is), `storage` (of a newer Tieout), `validation` (of another site). */
  compare: query.input(z.object({ site: siteName, from })).output(booksDifference),
  /** Copies the books now, checked, into the site’s folder of copies or to a file. A file that stands there is replaced only by `replace`. */
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
   * Puts a copy in the place of the books: all of it or nothing, however it is interrupted. The books of now are kept as a copy (damaged
   * ones as they are, beside), and the audit log says so. `conflict` where a job runs, or the difference is not the one shown any more;
   * `period_locked` where a period that is signed off would not be any more. `check`: the check that was started thereupon.
   */
  restore: command
    .input(
      z.object({ site: siteName, from, fingerprint: z.string(), reason: z.string().trim().min(1).max(2000) }),
    )
    .output(z.object({ saved_as: z.string(), check: z.string().nullable() })),
};
