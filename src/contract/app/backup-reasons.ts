// This constant is in a separate file, so that listing backups does not load the entire contract.

/** Reason for a backup: opened books, an upcoming migration or restore of the books, or a user's request. */
export const backupReasons = ['start', 'update', 'restore', 'manual'] as const;
export type BackupReason = (typeof backupReasons)[number];
