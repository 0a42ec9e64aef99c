// In a separate file, so that listing backups does not load the entire contract.

/** Reasons for a backup: the books were opened or are about to be migrated or replaced, or a user requested it. */
export const backupReasons = ['start', 'update', 'restore', 'manual'] as const;
export type BackupReason = (typeof backupReasons)[number];
