import { existsSync, statSync } from 'node:fs';
import type { ContractOutputs } from '../../contract/index.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import { isBackupDue, listBackupFiles } from '../store/backups/backup-files.ts';
import { requireExistingBooks } from '../store/backups/books-history.ts';
import { describeBackup } from '../store/backups/prepare-backup.ts';
import { closeStore, openStore } from '../store/database/open-store.ts';
import { findDatabaseDamage } from '../store/sqlite/integrity-check.ts';
import { getBooksPath } from './compare-backup.ts';

/** Returns the backups of a site's books and the condition of the books. Works even if the books cannot be opened. */
export function listBackups(folder: string): ContractOutputs['backups']['list'] {
  const path = getBooksPath(folder);
  return {
    copies: listBackupFiles(path).map(describeBackup),
    changed_since: isBackupDue(path),
    bytes: ['', '-wal'].reduce((sum, suffix) => sum + fileSize(path + suffix), 0),
    problem: findBooksProblem(path),
  };
}

const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Returns a sentence that says why the books cannot be opened, or null if they can be opened. */
function findBooksProblem(path: string): string | null {
  try {
    requireExistingBooks(path);
    if (!existsSync(path)) return null;
    const books = openStore(path, 'books', { readonly: true });
    const damage = existsSync(`${path}.suspect`) ? findDatabaseDamage(books, false) : null;
    closeStore(books);
    return damage === null ? null : `The books are damaged: ${damage}.`;
  } catch (error) {
    return toErrorValue(error).message;
  }
}
