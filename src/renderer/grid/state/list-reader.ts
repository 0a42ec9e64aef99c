import type { ListTotal, PageMarks } from '../../../contract/index.ts';
import type { RowId } from './row-selection.ts';
import { ROWS_PER_PAGE, type RowRange } from './scroll-geometry.ts';

/** One page of a list, as defined by the contract. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly total: ListTotal | null;
}

/** Source of a grid's rows. A different `key` identifies a different list. */
export interface ListSource<Row, P extends ListPage<Row> = ListPage<Row>> {
  readonly key: string;
  fetchPage(after: string | undefined, limit: number, signal: AbortSignal): Promise<P>;
  /** Returns the cursor of every page. Omitted if the list can only be read from its start. */
  fetchMarks?(every: number, signal: AbortSignal): Promise<PageMarks>;
  /**
   * Returns the rows with these ids that can be selected. The selection then persists when another list is shown, so that
   * users can collect rows over several searches. Omitted if only rows of the list can be selected.
   */
  fetchById?(ids: readonly RowId[], signal: AbortSignal): Promise<readonly Row[]>;
}

/** Reads one version of a list. Page numbers remain valid as long as the reader exists. */
export type ListReader<Row, P extends ListPage<Row>> = ReturnType<typeof createListReader<Row, P>>;

/** Rows per request for reading many consecutive rows: the contract's maximum. */
const BULK_PAGE_ROWS = 1000;

/** Maximum length of a list that is read completely to find out which selected rows it still contains. Chosen by judgment. */
const MAX_SEARCHED_ROWS = 20_000;

/** Yields all rows of a list in order, in batches. */
export async function* readListRows<Row, P extends ListPage<Row>>(
  source: ListSource<Row, P>,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  let after: string | undefined;
  do {
    const page = await source.fetchPage(after, BULK_PAGE_ROWS, signal);
    yield page.rows;
    after = page.next ?? undefined;
  } while (after !== undefined);
}

/** Creates a reader for a list. The reader caches the cursor of every page that it has read. */
export function createListReader<Row, P extends ListPage<Row>>(source: ListSource<Row, P>) {
  const controller = new AbortController();
  const { signal } = controller;
  /** Cursor before each page, or `undefined` if it is not known yet. */
  let cursors: (string | null | undefined)[] = [null];

  /** Returns the cursor of a page. Without page marks, reads page by page until the cursor is known. */
  async function cursorOf(page: number): Promise<string | undefined> {
    let known = page;
    while (known > 0 && cursors[known] === undefined) known -= 1;
    for (; known < page; known += 1) {
      const read = await source.fetchPage(cursors[known] ?? undefined, ROWS_PER_PAGE, signal);
      if (read.next === null) throw new RangeError('the list ended before this page');
      cursors[known + 1] = read.next;
    }
    return cursors[page] ?? undefined;
  }

  /** Yields the rows of a range in order, together with their indexes. */
  async function* readRows(rows: RowRange): AsyncGenerator<readonly [index: number, row: Row]> {
    const page = Math.floor(rows.first / ROWS_PER_PAGE);
    let after = await cursorOf(page);
    for (let index = page * ROWS_PER_PAGE; index <= rows.last; ) {
      const read = await source.fetchPage(after, BULK_PAGE_ROWS, signal);
      for (const row of read.rows) {
        if (index >= rows.first && index <= rows.last) yield [index, row];
        index += 1;
      }
      if (read.next === null) return;
      after = read.next;
    }
  }

  return {
    source,
    signal,
    abort: () => controller.abort(),
    /** Reads the first page and the length of the list. Must be called before any other read. */
    async readStart() {
      const firstPage = await source.fetchPage(undefined, ROWS_PER_PAGE, signal);
      const { rows, next, total } = firstPage;
      const marks = next === null ? null : ((await source.fetchMarks?.(ROWS_PER_PAGE, signal)) ?? null);
      cursors = marks ? [...marks.marks] : [null, ...(next === null ? [] : [next])];
      return {
        firstPage,
        total: marks?.total ?? (next === null ? rows.length : (total?.count ?? rows.length)),
        isExactTotal: marks !== null || next === null || (total?.exact ?? false),
      };
    },
    async readPage(page: number): Promise<P> {
      const read = await source.fetchPage(await cursorOf(page), ROWS_PER_PAGE, signal);
      if (read.next !== null) cursors[page + 1] ??= read.next;
      return read;
    },
    readRows,
    /** Returns the selectable rows with these ids; null if finding them would mean reading too long a list. */
    async readById(ids: readonly RowId[], idOf: (row: Row) => RowId, total: number) {
      if (source.fetchById !== undefined) return await source.fetchById(ids, signal);
      if (total > MAX_SEARCHED_ROWS) return null;
      const wanted = new Set(ids);
      const found: Row[] = [];
      for await (const [, row] of readRows({ first: 0, last: total - 1 })) {
        if (wanted.has(idOf(row))) found.push(row);
        if (found.length === wanted.size) break;
      }
      return found;
    },
  };
}
