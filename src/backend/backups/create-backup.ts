import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BooksBackup, type ContractInputs, createNonRetryableError } from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { backUpBooks, copyBooks } from '../store/backups/backup-files.ts';
import { describeBackup, describeBackupFile } from '../store/backups/prepare-backup.ts';
import { getBooksPath } from './compare-backup.ts';

/** Copies a site's current books to the backups folder or to a given file. */
export function createBooksBackup(
  { stores, changes, now }: Pick<CommandContext, 'stores' | 'changes' | 'now'>,
  { site, path, replace }: ContractInputs['backups']['make'],
): BooksBackup {
  const { books, folder } = stores.open(site);
  if (path === undefined) {
    const copy = backUpBooks(books, getBooksPath(folder), 'manual', now());
    changes.emit(site, 'backups');
    return describeBackup(copy);
  }
  const to = resolve(path);
  if (existsSync(to) && !replace) {
    const hint = 'Choose another name, or choose to replace the file.';
    throw createNonRetryableError('conflict', `${to} already exists.`, hint);
  }
  copyBooks(books, to);
  return describeBackup(describeBackupFile(to));
}
