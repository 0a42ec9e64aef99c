import { existsSync, statSync } from 'node:fs';
import type { Outputs } from '../../contract/index.ts';
import { failureOf } from '../jobs/failure.ts';
import { backupsOf, isCopyDue } from '../store/books/backup.ts';
import { shownCopy } from '../store/books/books-copy.ts';
import { damageOf } from '../store/damage.ts';
import { closeStore, openStore } from '../store/open.ts';
import { booksPath } from './compare.ts';

/** The copies of a site’s books, and how the books are: also where they cannot be opened. */
export function listCopies(folder: string): Outputs['backups']['list'] {
  const path = booksPath(folder);
  return {
    copies: backupsOf(path).map(shownCopy),
    changed_since: isCopyDue(path),
    bytes: ['', '-wal'].reduce((sum, suffix) => sum + sizeOf(path + suffix), 0),
    problem: problemOf(path),
  };
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Why the books cannot be opened, in a sentence. */
function problemOf(path: string): string | null {
  if (!existsSync(path)) return null;
  try {
    const books = openStore(path, 'books', { readonly: true });
    const damage = existsSync(`${path}.suspect`) ? damageOf(books, false) : null;
    closeStore(books);
    return damage === null ? null : `They are damaged: ${damage}.`;
  } catch (error) {
    return failureOf(error).message;
  }
}
