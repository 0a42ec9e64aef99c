import type { BooksBackup, ContractInputs } from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { resolveOutputFile } from '../shared/output-file.ts';
import { backUpBooks, copyBooks } from '../store/backups/back-up-books.ts';
import { describeBackup, describeBackupFile } from '../store/backups/prepare-backup.ts';
import { getBooksPath } from './compare-backup.ts';

/** Copies a site's current books to the backups folder or to a given file. */
export function createBooksBackup(
  { home, stores, changes, now }: Pick<CommandContext, 'home' | 'stores' | 'changes' | 'now'>,
  { site, path, replace }: ContractInputs['backups']['make'],
): BooksBackup {
  const { books, folder } = stores.open(site);
  if (path === undefined) {
    const copy = backUpBooks(books, getBooksPath(folder), 'manual', now());
    changes.emit(site, 'backups');
    return describeBackup(copy);
  }
  const { path: to } = resolveOutputFile(path, {
    home,
    replace: replace === true,
    isSeekable: true,
  });
  copyBooks(books, to);
  return describeBackup(describeBackupFile(to));
}
