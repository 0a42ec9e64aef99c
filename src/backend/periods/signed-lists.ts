import { createHash, hash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { ClosedFigures } from '../../contract/index.ts';
import { readChunkLines } from '../changes-since-sign-off/closed-chunks.ts';
import { toChunks } from '../shared/chunks.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import { addChunk, type StoredClosedFigures } from '../store/periods/closed-figures.ts';
import { commit, type ReadableDb, type WritableDb } from '../store/sqlite/connection.ts';
import { type PeriodLists, storedLists } from '../workpaper/report-lists.ts';
import { parseClosedFiguresContent } from './closed-figures-content.ts';

/** Number of list rows per stored chunk. */
const ROWS_PER_CHUNK = 1024;

/** Returns the chunk kind under which a list is stored. Its rows are numbered from 0. */
export const listChunkKind = (list: string): string => `list ${list}`;

/** Stores the lists of a period that is being closed. Returns their names, row counts and digests. */
export async function storeSignedLists(
  books: WritableDb,
  closedFigures: number,
  lists: PeriodLists,
  signal: AbortSignal,
  onList: (list: string) => void,
): Promise<ClosedFigures['lists']> {
  const stored: ClosedFigures['lists'] = [];
  for (const name of storedLists) {
    const all = createHash('sha256');
    let count = 0;
    onList(name);
    for (const rows of toChunks<unknown>(lists[name](), ROWS_PER_CHUNK)) {
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      all.update(text);
      const chunk = { first_row: count, count: rows.length, sha256: hash('sha256', text, 'hex') };
      commit(books, () => addChunk(books, closedFigures, listChunkKind(name), chunk, deflateRawSync(text)));
      count += rows.length;
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
    stored.push({ list: name, count, sha256: all.digest('hex') });
  }
  return stored;
}

/** Returns the names of the lists stored with closed figures. Older closed figures have none. */
export function readStoredListNames(
  closedFigures: Pick<StoredClosedFigures, 'content'>,
): ReadonlySet<string> {
  return new Set(parseClosedFiguresContent(closedFigures).lists.map(({ list }) => list));
}

/** Yields the signed rows of a list with their numbers, starting at row `from`. Damaged rows are skipped. */
export function* numberedSignedRows<Name extends keyof PeriodLists>(
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

/** Yields the signed rows of a list. Damaged rows are skipped. */
export function* signedRows<Name extends keyof PeriodLists>(
  books: ReadableDb,
  closedFigures: number,
  list: Name,
): Generator<RowOf<Name>, void, undefined> {
  for (const [, row] of numberedSignedRows(books, closedFigures, list)) yield row;
}

type RowOf<Name extends keyof PeriodLists> =
  ReturnType<PeriodLists[Name]> extends Iterable<infer Row> ? Row : never;

/** Returns the lists of a closed period as signed. */
export function readSignedLists(books: ReadableDb, closedFigures: StoredClosedFigures): Partial<PeriodLists> {
  const stored = readStoredListNames(closedFigures);
  const names = storedLists.filter((name) => stored.has(name));
  return Object.fromEntries(names.map((name) => [name, () => signedRows(books, closedFigures.id, name)]));
}
