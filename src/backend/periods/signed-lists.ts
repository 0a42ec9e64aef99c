import { createHash, hash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { ClosedFigures } from '../../contract/index.ts';
import { readChunkLines } from '../changes-since-sign-off/closed-chunks.ts';
import { inChunks } from '../shared/chunks.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import { addChunk, type StoredClosedFigures } from '../store/periods/closed-figures.ts';
import { commit, type ReadableDb, type WritableDb } from '../store/sqlite/connection.ts';
import { keptLists, type Lists } from '../workpaper/report-lists.ts';
import { closedFiguresContent } from './sealed-content.ts';

/** Number of list rows stored and written together. */
const CHUNK = 1024;

/** Returns the chunk kind of a list. Its rows are numbered from 0 in their order. */
export const listChunkKind = (list: string): string => `list ${list}`;

/** Stores the lists with closed figures in progress. Returns their entry in the closed figures. */
export async function storeSignedLists(
  books: WritableDb,
  closedFigures: number,
  lists: Lists,
  signal: AbortSignal,
  tell: (list: string) => void,
): Promise<ClosedFigures['lists']> {
  const kept: ClosedFigures['lists'] = [];
  for (const name of keptLists) {
    const all = createHash('sha256');
    let count = 0;
    tell(name);
    for (const rows of inChunks<unknown>(lists[name](), CHUNK)) {
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      all.update(text);
      const chunk = { first_row: count, count: rows.length, sha256: hash('sha256', text, 'hex') };
      commit(books, () => addChunk(books, closedFigures, listChunkKind(name), chunk, deflateRawSync(text)));
      count += rows.length;
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
    kept.push({ list: name, count, sha256: all.digest('hex') });
  }
  return kept;
}

/** Returns the names of the stored lists. Closed figures from before lists were stored have none. */
export function storedListNames(closedFigures: Pick<StoredClosedFigures, 'content'>): ReadonlySet<string> {
  return new Set(closedFiguresContent(closedFigures).lists.map(({ list }) => list));
}

/** Yields the signed rows of a list with their numbers, starting at a given number. Leaves out damaged rows. */
export function* numberedSignedRows<Name extends keyof Lists>(
  books: ReadableDb,
  closedFigures: number,
  list: Name,
  from = 0,
): Generator<readonly [number, RowOf<Name>], void, undefined> {
  let at = from;
  for (const line of readChunkLines(books, closedFigures, listChunkKind(list), from)) {
    if (line !== null) yield [at, JSON.parse(line) as RowOf<Name>];
    at++;
  }
}

/** Yields the signed rows of a list. Leaves out damaged rows. */
export function* signedRows<Name extends keyof Lists>(
  books: ReadableDb,
  closedFigures: number,
  list: Name,
): Generator<RowOf<Name>, void, undefined> {
  for (const [, row] of numberedSignedRows(books, closedFigures, list)) yield row;
}

type RowOf<Name extends keyof Lists> = ReturnType<Lists[Name]> extends Iterable<infer Row> ? Row : never;

/** Returns the lists of a closed period as signed. */
export function signedLists(books: ReadableDb, closedFigures: StoredClosedFigures): Partial<Lists> {
  const kept = storedListNames(closedFigures);
  const names = keptLists.filter((name) => kept.has(name));
  return Object.fromEntries(names.map((name) => [name, () => signedRows(books, closedFigures.id, name)]));
}
