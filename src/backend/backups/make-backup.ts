import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BooksCopy, contractError, type Inputs } from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { backUp, copyBooks } from '../store/backups/backup.ts';
import { copyAt, shownCopy } from '../store/backups/books-copy.ts';
import { booksPath } from './compare-backup.ts';

/** Copies a site's current books to the backups folder or to a given file. */
export function makeBackup(
  { stores, changes, now }: Pick<CommandContext, 'stores' | 'changes' | 'now'>,
  { site, path, replace }: Inputs['backups']['make'],
): BooksCopy {
  const { books, folder } = stores.open(site);
  if (path === undefined) {
    const copy = backUp(books, booksPath(folder), 'asked', now());
    changes.emit(site, 'backups');
    return shownCopy(copy);
  }
  const to = resolve(path);
  if (existsSync(to) && !replace) throw contractError(fileExistsError(to));
  copyBooks(books, to);
  return shownCopy(copyAt(to));
}

function fileExistsError(path: string) {
  return {
    code: 'conflict' as const,
    message: `There is a file ${path} already.`,
    hint: 'Choose another name, or say that it is to be replaced.',
    retryable: false,
  };
}
