import { hash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { type BooksDifference, contractError, type Inputs } from '../../contract/index.ts';
import { readAnchor } from '../audit/anchor.ts';
import { backupNamed, type StoredCopy } from '../store/books/backup.ts';
import { copyAt, noSuchCopy, type ReadyCopy, readyCopy } from '../store/books/books-copy.ts';
import { compareBooks } from '../store/books/books-difference.ts';

export type CopySource = Inputs['backups']['compare']['from'];

export const booksPath = (folder: string): string => join(folder, 'books.db');

/** The copy that is meant. Throws `not_found`. */
function sourceOf(path: string, from: CopySource): StoredCopy {
  if ('path' in from) return copyAt(from.path);
  const copy = backupNamed(path, from.name);
  if (copy === null) throw contractError(noSuchCopy(from.name));
  return copy;
}

/** Makes a copy ready, and tells what it would change; whoever asks discards it. */
export function examined(
  folder: string,
  site: string,
  from: CopySource,
): { ready: ReadyCopy; difference: BooksDifference } {
  const path = booksPath(folder);
  const ready = readyCopy(path, site, sourceOf(path, from));
  try {
    return { ready, difference: differenceOf(folder, ready) };
  } catch (error) {
    ready.discard();
    throw error;
  }
}

/** What putting a copy in the place of a site’s books would do. Nothing is changed. */
export function compareCopy(folder: string, site: string, from: CopySource): BooksDifference {
  const { ready, difference } = examined(folder, site, from);
  ready.discard();
  return difference;
}

function differenceOf(folder: string, { path: ready, copy, auditProblem }: ReadyCopy): BooksDifference {
  const { damage, parts, unlocks } = compareBooks(ready, booksPath(folder));
  const anchor = readAnchor(folder);
  const told = {
    copy: { ...copy, name: dirname(copy.name) === '.' ? basename(copy.name) : copy.name },
    books: damage === null ? ('sound' as const) : ('damaged' as const),
    damage,
    noted: damage === null || anchor === null ? null : { entries: anchor.entries, at: anchor.at },
    parts,
    unlocks,
    same:
      damage === null && parts.every(({ lost, back, changed }) => lost === 0 && back === 0 && changed === 0),
    audit_problem: auditProblem,
  };
  return { ...told, shown: hash('sha256', JSON.stringify(told), 'hex') };
}
