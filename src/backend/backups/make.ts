import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BooksCopy, contractError, type Inputs } from '../../contract/index.ts';
import { backUp, copyBooks } from '../store/books/backup.ts';
import { copyAt, shownCopy } from '../store/books/books-copy.ts';
import type { WriterContext } from '../writer-context.ts';
import { booksPath } from './compare.ts';

/** Copies a site’s books as they are now, into the folder of copies or to a file. */
export function makeCopy(
  { stores, changes, now }: Pick<WriterContext, 'stores' | 'changes' | 'now'>,
  { site, path, replace }: Inputs['backups']['make'],
): BooksCopy {
  const { books, folder } = stores.open(site);
  if (path === undefined) {
    const copy = backUp(books, booksPath(folder), 'asked', now());
    changes.tell(site, 'backups');
    return shownCopy(copy);
  }
  const to = resolve(path);
  if (existsSync(to) && !replace) throw contractError(standsThere(to));
  copyBooks(books, to);
  return shownCopy(copyAt(to));
}

function standsThere(path: string) {
  return {
    code: 'conflict' as const,
    message: `There is a file ${path} already.`,
    hint: 'Choose another name, or say that it is to be replaced.',
    retryable: false,
  };
}
