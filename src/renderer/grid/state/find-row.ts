import { createLatestOnlyRunner } from '../../backend-client/action-runners.ts';
import { ROWS_PER_PAGE, type RowRange } from './scroll-geometry.ts';

/** Maximum number of rows that are searched while the user types. Chosen by judgment. */
const MAX_SEARCHED_ROWS = 50_000;

/** Source of rows for a search: a range in order, or a page by its number. */
interface SearchableRows<Row> {
  readRows(range: RowRange): AsyncIterable<Row>;
  readPage(page: number): Promise<readonly Row[]>;
}

/** First row to search, and the length of the list. */
interface SearchStart {
  readonly start: number;
  readonly total: number;
}

/**
 * Returns the index of the next row that satisfies the predicate, wrapping at the end; null if none is found or the signal
 * aborts.
 */
export async function findNextRow<Row>(
  rows: SearchableRows<Row>,
  { start, total, signal }: SearchStart & { readonly signal: AbortSignal },
  predicate: (row: Row) => boolean,
): Promise<number | null> {
  const last = Math.min(total, start + MAX_SEARCHED_ROWS) - 1;
  const ranges = [
    { first: start, last },
    { first: 0, last: Math.min(start - 1, MAX_SEARCHED_ROWS - (last - start) - 2) },
  ];
  for (const range of ranges) {
    let index = range.first;
    for await (const row of rows.readRows(range)) {
      if (signal.aborted) return null;
      if (predicate(row)) return index;
      index += 1;
    }
  }
  return null;
}

/**
 * Creates a search for the next row. Each search ends the previous one, which then returns null, and starts after it has ended.
 * `done` is the result of `findNextRow`.
 */
export function createRowSearch<Row>(rows: SearchableRows<Row>) {
  const runner = createLatestOnlyRunner();
  let controller = new AbortController();
  return (getStart: () => SearchStart, predicate: (row: Row) => boolean) => {
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    return runner.run(() => findNextRow(rows, { ...getStart(), signal }, predicate));
  };
}

/**
 * Returns the index of the first row that satisfies the predicate, by binary search over pages. All later rows must
 * satisfy it too. Rows for which the predicate returns null are skipped; `nullsLast` states where most of them are.
 * Returns null if no row satisfies the predicate.
 */
export async function findFirstSorted<Row>(
  rows: SearchableRows<Row>,
  { total, nullsLast }: { readonly total: number; readonly nullsLast: boolean },
  predicate: (row: Row) => boolean | null,
): Promise<number | null> {
  let low = 0;
  let high = Math.ceil(total / ROWS_PER_PAGE);
  // Finds the first page that contains a row which satisfies the predicate.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const page = await rows.readPage(middle);
    const results = page.map(predicate);
    const isAtEnd = nullsLast && results.every((result) => result === null);
    if (isAtEnd || results.includes(true)) high = middle;
    else low = middle + 1;
  }
  const offset = (await rows.readPage(low)).findIndex((row) => predicate(row) === true);
  return offset < 0 ? null : low * ROWS_PER_PAGE + offset;
}
