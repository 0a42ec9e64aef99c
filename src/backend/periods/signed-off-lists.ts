import type { ClosedFigures } from '../../contract/index.ts';
import { readClosedChunkLines } from '../changes-since-sign-off/closed-row-chunks.ts';
import { toChunks } from '../shared/chunks.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { StoredClosedFigures } from '../store/periods/closed-figures.ts';
import { type ReadableDb, runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';
import { type AllPeriodLists, listsStoredAtClosing } from '../workpaper/report-lists.ts';
import { parseClosedFiguresContent } from './closed-figures.ts';
import { ClosedRowChunkWriter } from './closed-row-chunk-writer.ts';

/** Number of list rows per stored chunk. */
const ROWS_PER_CHUNK = 1024;

/** Closed figures that are being written, and the signal that aborts writing them. */
export interface ClosedFiguresWrite {
  readonly books: WritableDb;
  readonly closedFigures: number;
  readonly signal: AbortSignal;
}

/** Returns the chunk kind under which a list is stored. Row numbers start at 0. */
export const getListChunkKind = (list: string): string => `list ${list}`;

export async function storeSignedOffLists(
  { books, closedFigures, signal }: ClosedFiguresWrite,
  lists: AllPeriodLists,
  onList: (list: string) => void,
): Promise<ClosedFigures['lists']> {
  const stored: ClosedFigures['lists'] = [];
  for (const list of listsStoredAtClosing) {
    const writer = new ClosedRowChunkWriter(books, closedFigures);
    onList(list);
    for (const rows of toChunks<unknown>(lists[list](), ROWS_PER_CHUNK)) {
      const texts = rows.map((row) => JSON.stringify(row));
      runInTransaction(books, () => writer.add(getListChunkKind(list), writer.count, texts));
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
    stored.push({ list, ...writer.finish() });
  }
  return stored;
}

/** Returns the names of the lists stored with closed figures. Closed figures from earlier versions have none. */
export function readClosedListNames(
  closedFigures: Pick<StoredClosedFigures, 'content'>,
): ReadonlySet<string> {
  return new Set(parseClosedFiguresContent(closedFigures).lists.map(({ list }) => list));
}

/** Yields the signed rows of a list with their numbers, starting at row `from`. Damaged rows are skipped. */
export function* numberSignedOffRows<Name extends keyof AllPeriodLists>(
  books: ReadableDb,
  closedFigures: number,
  list: Name,
  from = 0,
): Generator<readonly [number, RowOf<Name>], void, undefined> {
  let at = from;
  for (const line of readClosedChunkLines(books, closedFigures, getListChunkKind(list), from)) {
    if (line !== null) yield [at, JSON.parse(line) as RowOf<Name>];
    at++;
  }
}

/** Yields the signed rows of a list. Damaged rows are skipped. */
export function* readSignedOffRows<Name extends keyof AllPeriodLists>(
  books: ReadableDb,
  closedFigures: number,
  list: Name,
): Generator<RowOf<Name>, void, undefined> {
  for (const [, row] of numberSignedOffRows(books, closedFigures, list)) yield row;
}

type RowOf<Name extends keyof AllPeriodLists> =
  ReturnType<AllPeriodLists[Name]> extends Iterable<infer Row> ? Row : never;

/** Returns the lists of a closed period as signed. */
export function readSignedOffLists(
  books: ReadableDb,
  closedFigures: StoredClosedFigures,
): Partial<AllPeriodLists> {
  const stored = readClosedListNames(closedFigures);
  const names = listsStoredAtClosing.filter((name) => stored.has(name));
  return Object.fromEntries(
    names.map((name) => [name, () => readSignedOffRows(books, closedFigures.id, name)]),
  );
}
