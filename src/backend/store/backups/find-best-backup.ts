import { dirname } from 'node:path';
import { type AuditAnchor, readAuditAnchor } from '../audit-log/audit-anchor.ts';
import { findAuditEntryHash, findAuditLogEnd } from '../audit-log/audit-entry-list.ts';
import type { ReadableDb } from '../sqlite/connection.ts';
import { findDatabaseDamage } from '../sqlite/integrity-check.ts';
import { type BackupFile, listBackupFiles, readBackup } from './backup-files.ts';

/** The best intact backup for restoring the books. */
export interface BestBackup {
  readonly backup: BackupFile;
  readonly entries: number;
  /** Number of audit log entries at the site's latest audit anchor. Null without an anchor. */
  readonly known: number | null;
}

/** Returns the intact backup of the site's own history with the most audit log entries, or null if there is none. */
export function findBestBackup(path: string): BestBackup | null {
  const anchor = readAuditAnchor(dirname(path));
  const candidates = listBackupFiles(path).flatMap((backup) => {
    const entries = readBackup(backup.path, (copy) => countOwnEntries(copy, anchor));
    return entries === null ? [] : [{ backup, entries, known: anchor?.entries ?? null }];
  });
  const byLength = candidates.toSorted((one, other) => other.entries - one.entries);
  const isIntact = ({ backup }: BestBackup) =>
    readBackup(backup.path, (copy) => findDatabaseDamage(copy, false) === null) === true;
  return byLength.find(isIntact) ?? null;
}

/** Returns the number of audit log entries, or null if the backup's first entry differs from the anchor's. */
function countOwnEntries(copy: ReadableDb, anchor: AuditAnchor | null): number | null {
  if (anchor !== null && findAuditEntryHash(copy, 1) !== anchor.first) return null;
  return findAuditLogEnd(copy)?.seq ?? 0;
}
