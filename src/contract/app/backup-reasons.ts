// This constant is in a separate file, so that listing backups does not load the entire contract.

/**
 * Reasons for a backup: the books were opened, are about to be migrated or are about to be replaced, or a user
 * requested the backup.
 */
export const backupReasons = ['start', 'update', 'restore', 'manual'] as const;
export type BackupReason = (typeof backupReasons)[number];
