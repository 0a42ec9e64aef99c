import { hash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { type BooksDifference, type ContractInputs, createContractError } from '../../contract/index.ts';
import { readAuditAnchor } from '../store/audit-log/audit-anchor.ts';
import { type BackupFile, findBackupFile } from '../store/backups/backup-files.ts';
import { findHistoryProblem } from '../store/backups/books-history.ts';
import { compareBooks } from '../store/backups/compare-books.ts';
import {
  createBackupNotFoundError,
  describeBackupFile,
  type PreparedBackup,
  prepareBackup,
} from '../store/backups/prepare-backup.ts';

export type BackupSource = ContractInputs['backups']['compare']['from'];

export const getBooksPath = (folder: string): string => join(folder, 'books.db');

function findBackup(path: string, from: BackupSource): BackupFile {
  if ('path' in from) return describeBackupFile(from.path);
  const copy = findBackupFile(path, from.name);
  if (copy === null) throw createContractError(createBackupNotFoundError(from.name));
  return copy;
}

/** Prepares a backup for restoring and compares it with the books. The caller must call `discard`. */
export function prepareBackupForRestore(
  folder: string,
  site: string,
  from: BackupSource,
): { ready: PreparedBackup; difference: BooksDifference } {
  const path = getBooksPath(folder);
  const ready = prepareBackup(path, site, findBackup(path, from));
  try {
    return { ready, difference: compareWithBooks(folder, ready) };
  } catch (error) {
    ready.discard();
    throw error;
  }
}

/** Returns the changes that restoring a backup would make. Does not change anything. */
export function compareBackup(folder: string, site: string, from: BackupSource): BooksDifference {
  const { ready, difference } = prepareBackupForRestore(folder, site, from);
  ready.discard();
  return difference;
}

function compareWithBooks(
  folder: string,
  { path: ready, copy, auditProblem }: PreparedBackup,
): BooksDifference {
  const { damage: fileDamage, parts, unlocks } = compareBooks(ready, getBooksPath(folder));
  const damage = findHistoryProblem(getBooksPath(folder)) ?? fileDamage;
  const anchor = readAuditAnchor(folder);
  const difference = {
    copy: { ...copy, name: dirname(copy.name) === '.' ? basename(copy.name) : copy.name },
    books: damage === null ? ('intact' as const) : ('damaged' as const),
    damage,
    anchor: damage === null || anchor === null ? null : { entries: anchor.entries, at: anchor.at },
    parts,
    unlocks,
    same:
      damage === null &&
      parts.every(({ lost, restored: back, changed }) => lost === 0 && back === 0 && changed === 0),
    audit_problem: auditProblem,
  };
  return { ...difference, fingerprint: hash('sha256', JSON.stringify(difference), 'hex') };
}
