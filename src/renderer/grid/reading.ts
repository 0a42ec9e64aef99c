import type { Marks, Total } from '../../contract/index.ts';
import { EVERY, type Rows } from './pages.ts';

/** A page of a list as the contract brings it. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly total: Total | null;
}

/** Where a grid's rows come from. Another `key` is another list. */
export interface Source<Row, P extends Page<Row> = Page<Row>> {
  readonly key: string;
  page(after: string | undefined, limit: number, signal: AbortSignal): Promise<P>;
  /** Absent where the list is read from its beginning on only. */
  marks?(every: number, signal: AbortSignal): Promise<Marks>;
}

/** A list's beginning and its length. */
export interface Start<P> {
  readonly first: P;
  readonly total: number;
  readonly exact: boolean;
}

/** One reading of a list: the places of its pages hold for as long as the list is not read anew. */
export interface Reading<Row, P extends Page<Row>> {
  readonly source: Source<Row, P>;
  readonly signal: AbortSignal;
  /** Has to be asked first. */
  start(): Promise<Start<P>>;
  page(page: number): Promise<P>;
  /** Rows of a stretch in order, with their places. */
  stretch(rows: Rows): AsyncGenerator<readonly [index: number, row: Row]>;
  end(): void;
}

/** Rows a request when many are read in order. */
const BULK = 1000;

export function readingOf<Row, P extends Page<Row>>(source: Source<Row, P>): Reading<Row, P> {
  const ending = new AbortController();
  const { signal } = ending;
  /** The cursor before each page; `undefined` where it is not known yet. */
  let cursors: (string | null | undefined)[] = [null];

  /** Where there are no marks, pages are read one after another until the cursor of this one is known. */
  async function cursorOf(page: number): Promise<string | undefined> {
    let known = page;
    while (known > 0 && cursors[known] === undefined) known -= 1;
    for (; known < page; known += 1) {
      const read = await source.page(cursors[known] ?? undefined, EVERY, signal);
      if (read.next === null) throw new RangeError('the list ended before this page');
      cursors[known + 1] = read.next;
    }
    return cursors[page] ?? undefined;
  }

  return {
    source,
    signal,
    end: () => ending.abort(),
    async start() {
      const first = await source.page(undefined, EVERY, signal);
      const whole = first.next === null;
      const marks = whole || !source.marks ? null : await source.marks(EVERY, signal);
      cursors = marks ? [...marks.marks] : [null, ...(first.next === null ? [] : [first.next])];
      return {
        first,
        total: marks?.total ?? (whole ? first.rows.length : (first.total?.count ?? first.rows.length)),
        exact: marks !== null || whole || (first.total?.exact ?? false),
      };
    },
    async page(page) {
      const read = await source.page(await cursorOf(page), EVERY, signal);
      if (read.next !== null) cursors[page + 1] ??= read.next;
      return read;
    },
    async *stretch(rows) {
      const page = Math.floor(rows.first / EVERY);
      let after = await cursorOf(page);
      for (let index = page * EVERY; index <= rows.last; ) {
        const read = await source.page(after, BULK, signal);
        for (const row of read.rows) {
          if (index >= rows.first && index <= rows.last) yield [index, row];
          index += 1;
        }
        if (read.next === null) return;
        after = read.next;
      }
    },
  };
}
