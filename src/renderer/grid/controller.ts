import { createStore, type StoreApi } from 'zustand/vanilla';
import { type ErrorValue, errorOf, type Marks, type Total } from '../../contract/index.ts';
import { clamp, EVERY, movedRows, pagesOf, type Rows } from './pages.ts';
import {
  everything,
  following,
  type Id,
  type Selection,
  selectedCount,
  toggled,
  withRange,
} from './selection.ts';

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

export interface GridState<Row, P extends Page<Row> = Page<Row>> {
  /** Before the first rows there is nothing to keep on the screen. */
  readonly phase: 'first' | 'ready';
  readonly loading: boolean;
  readonly error: ErrorValue | null;
  readonly total: number;
  readonly exact: boolean;
  /** The first page as it came, with the sums some lists bring. */
  readonly first: P | null;
  readonly pages: ReadonlyMap<number, readonly Row[]>;
  readonly selection: Selection;
  /** The row the keys act on; -1 is the header. */
  readonly active: number;
  /** Whether the user has gone to a row of this list yet: until then none stands for the selection. */
  readonly entered: boolean;
  /** The cell the keys act on, by place; null for the row as a whole. */
  readonly column: number | null;
  /** Where a range begins. */
  readonly anchor: number;
  /** Raised when the list begins anew, so that the view scrolls to its top. */
  readonly lists: number;
  /** Rows that came above those in view, for the view to scroll along once. */
  readonly shifted: { readonly rows: number; readonly serial: number };
}

export interface Grid<Row, P extends Page<Row> = Page<Row>> {
  readonly state: StoreApi<GridState<Row, P>>;
  idOf(row: Row): Id;
  /** Shows this list: from its start where it is another one. */
  show(source: Source<Row, P>): void;
  /** Reads again what is in view, without losing the place. */
  refresh(): void;
  /** Says what is in view; pages that are missing are read. */
  view(rows: Rows): void;
  rowAt(index: number): Row | undefined;
  activeRow(): Row | undefined;
  moveTo(index: number): void;
  moveColumn(column: number | null): void;
  /** Selects from the range's beginning to here, reading what lies between. */
  extendTo(index: number, add?: boolean): Promise<void>;
  toggle(index: number, byClick?: boolean): void;
  selectAll(): void;
  clearSelection(): void;
  count(): number;
  /** Rows selected, in the list's order, read where they are not loaded; at most `most`. */
  selectedRows(most: number): Promise<Row[]>;
}

/** Pages kept in memory. */
const KEPT = 40;
/** Rows a request when many are read in order. */
const BULK = 1000;

/** The state and the effects of one grid; `GridView` draws it. */
export function createGrid<Row, P extends Page<Row> = Page<Row>>(idOf: (row: Row) => Id): Grid<Row, P> {
  const empty: GridState<Row, P> = {
    phase: 'first',
    loading: true,
    error: null,
    total: 0,
    exact: true,
    first: null,
    pages: new Map(),
    selection: following,
    active: 0,
    entered: false,
    column: null,
    anchor: 0,
    lists: 0,
    shifted: { rows: 0, serial: 0 },
  };
  const state = createStore<GridState<Row, P>>(() => empty);
  const set = state.setState;
  const get = state.getState;

  let source: Source<Row, P> | null = null;
  let reading = new AbortController();
  /** The cursor before each page; `undefined` where it is not known yet. */
  let cursors: (string | null | undefined)[] = [null];
  let seen: Rows = { first: 0, last: -1 };
  /** The list whose rows are on the screen. */
  let shown: string | null = null;
  let refreshing = false;
  let refreshAgain = false;
  const underWay = new Set<number>();

  const rowIn = (pages: ReadonlyMap<number, readonly Row[]>, index: number) =>
    pages.get(Math.floor(index / EVERY))?.[index % EVERY];
  const rowAt = (index: number) => rowIn(get().pages, index);
  const activeRow = () => (get().entered ? rowAt(get().active) : undefined);
  const activeId = () => {
    const row = activeRow();
    return row === undefined ? null : idOf(row);
  };

  /** Reads page by page where there are no marks, until the cursor of this one is known. */
  async function cursorOf(
    page: number,
    from: Source<Row, P>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    let known = page;
    while (known > 0 && cursors[known] === undefined) known -= 1;
    for (; known < page; known += 1) {
      const read = await from.page(cursors[known] ?? undefined, EVERY, signal);
      if (read.next === null) throw new RangeError('the list ended before this page');
      cursors[known + 1] = read.next;
    }
    return cursors[page] ?? undefined;
  }

  async function readPage(page: number, from: Source<Row, P>, signal: AbortSignal): Promise<P> {
    const read = await from.page(await cursorOf(page, from, signal), EVERY, signal);
    if (read.next !== null) cursors[page + 1] ??= read.next;
    return read;
  }

  /** The list's beginning, its length, and the places of its pages. */
  async function readStart(from: Source<Row, P>, signal: AbortSignal) {
    const first = await from.page(undefined, EVERY, signal);
    const whole = first.next === null;
    const marks = whole || !from.marks ? null : await from.marks(EVERY, signal);
    return {
      first,
      cursors: marks ? marks.marks : [null, ...(first.next === null ? [] : [first.next])],
      total: marks?.total ?? (whole ? first.rows.length : (first.total?.count ?? first.rows.length)),
      exact: marks !== null || whole || (first.total?.exact ?? false),
    };
  }

  function failed(thrown: unknown, signal: AbortSignal): void {
    if (!signal.aborted) set({ error: errorOf(thrown), loading: false });
  }

  function begin(): AbortSignal {
    reading.abort();
    reading = new AbortController();
    underWay.clear();
    return reading.signal;
  }

  async function start(from: Source<Row, P>): Promise<void> {
    const signal = begin();
    set({ loading: true, selection: following });
    try {
      const read = await readStart(from, signal);
      if (signal.aborted) return;
      cursors = read.cursors;
      shown = from.key;
      seen = { first: 0, last: Math.min(seen.last - seen.first, read.total - 1) };
      set((before) => ({
        phase: 'ready',
        loading: false,
        error: null,
        total: read.total,
        exact: read.exact,
        first: read.first,
        pages: new Map([[0, read.first.rows]]),
        active: 0,
        entered: false,
        anchor: 0,
        lists: before.lists + 1,
      }));
    } catch (thrown) {
      failed(thrown, signal);
    }
  }

  async function again(from: Source<Row, P>): Promise<void> {
    const signal = begin();
    const before = get();
    const anchor = before.active >= seen.first && before.active <= seen.last ? before.active : seen.first;
    const anchorRow = rowAt(anchor);
    const active = activeId();
    try {
      const read = await readStart(from, signal);
      const grown = read.total - before.total;
      cursors = read.cursors;
      const wanted = new Set([
        ...pagesOf(movedRows(seen, 0, read.total)),
        ...pagesOf(movedRows(seen, grown, read.total)),
      ]);
      const pages = new Map<number, readonly Row[]>([[0, read.first.rows]]);
      for (const page of [...wanted].sort((a, b) => a - b)) {
        if (!pages.has(page)) pages.set(page, (await readPage(page, from, signal)).rows);
      }
      if (signal.aborted) return;
      const found = anchorRow === undefined ? null : indexOf(pages, idOf(anchorRow));
      const moved = found !== null && seen.first > 0 ? found - anchor : 0;
      const activeNow = active === null ? null : indexOf(pages, active);
      set({
        phase: 'ready',
        loading: false,
        error: null,
        total: read.total,
        exact: read.exact,
        first: read.first,
        pages,
        active: before.active < 0 ? -1 : (activeNow ?? clamp(get().active, read.total)),
        ...(moved === 0 ? {} : { shifted: { rows: moved, serial: before.shifted.serial + 1 } }),
      });
    } catch (thrown) {
      failed(thrown, signal);
    }
  }

  /** One reading at a time: changes that come meanwhile are answered by one more. */
  async function refresh(): Promise<void> {
    if (!source) return;
    if (shown !== source.key) return start(source);
    refreshAgain = true;
    if (refreshing) return;
    refreshing = true;
    while (refreshAgain && shown === source.key) {
      refreshAgain = false;
      await again(source);
    }
    refreshing = false;
  }

  function indexOf(pages: ReadonlyMap<number, readonly Row[]>, id: Id): number | null {
    for (const [page, rows] of pages) {
      const place = rows.findIndex((row) => idOf(row) === id);
      if (place >= 0) return page * EVERY + place;
    }
    return null;
  }

  async function load(page: number, from: Source<Row, P>): Promise<void> {
    const { signal } = reading;
    underWay.add(page);
    try {
      const read = await readPage(page, from, signal);
      if (!signal.aborted) set(({ pages }) => ({ pages: kept(new Map(pages).set(page, read.rows)) }));
    } catch (thrown) {
      failed(thrown, signal);
    } finally {
      if (!signal.aborted) underWay.delete(page);
    }
  }

  /** Drops what lies farthest from the rows in view. */
  function kept(pages: Map<number, readonly Row[]>): ReadonlyMap<number, readonly Row[]> {
    const here = seen.first / EVERY;
    const far = [...pages.keys()].sort((a, b) => Math.abs(b - here) - Math.abs(a - here));
    for (const page of far.slice(0, Math.max(0, pages.size - KEPT))) if (page > 0) pages.delete(page);
    return pages;
  }

  /** Rows of a stretch of the list in order, read where they are not loaded. */
  async function* stretch(rows: Rows): AsyncGenerator<Row> {
    const from = source;
    if (!from || rows.last < rows.first) return;
    const { signal } = reading;
    const held = Array.from({ length: rows.last - rows.first + 1 }, (_, place) => rowAt(rows.first + place));
    if (held.every((row) => row !== undefined)) {
      yield* held as Row[];
      return;
    }
    const page = Math.floor(rows.first / EVERY);
    let after = await cursorOf(page, from, signal);
    for (let index = page * EVERY; index <= rows.last; ) {
      const read = await from.page(after, BULK, signal);
      for (const row of read.rows) {
        if (index >= rows.first && index <= rows.last) yield row;
        index += 1;
      }
      if (read.next === null) return;
      after = read.next;
    }
  }

  /** Of these, the rows that are loaded, in the list's order. */
  function loadedAmong(ids: ReadonlySet<Id>): Row[] {
    const pages = [...get().pages].sort(([a], [b]) => a - b);
    return pages.flatMap(([, rows]) => rows.filter((row) => ids.has(idOf(row))));
  }

  return {
    state,
    idOf,
    rowAt,
    activeRow,
    show(next) {
      const other = source?.key !== next.key;
      source = next;
      if (other) void start(next);
    },
    refresh: () => void refresh(),
    view(rows) {
      seen = rows;
      const { pages, phase } = get();
      if (!source || phase === 'first') return;
      for (const page of pagesOf(rows)) {
        if (!pages.has(page) && !underWay.has(page)) void load(page, source);
      }
    },
    moveTo(index) {
      const active = clamp(index, get().total);
      set({ active, anchor: active, entered: true });
    },
    moveColumn: (column) => set({ column }),
    async extendTo(index, add = false) {
      const { anchor, total } = get();
      const to = clamp(index, total);
      const ids: Id[] = [];
      const range = { first: Math.min(anchor, to), last: Math.max(anchor, to) };
      set({ active: to, entered: true });
      try {
        for await (const row of stretch(range)) ids.push(idOf(row));
      } catch (thrown) {
        failed(thrown, reading.signal);
        return;
      }
      // A later move may have overtaken a long read.
      if (get().active === to) set((now) => ({ selection: withRange(now.selection, ids, add) }));
    },
    toggle(index, byClick = false) {
      const row = rowAt(index);
      if (row === undefined) return;
      const selection = toggled(get().selection, idOf(row), activeId(), byClick);
      set({ selection, active: index, anchor: index, entered: true });
    },
    selectAll() {
      if (get().total > 0) set({ selection: everything });
    },
    clearSelection: () => set({ selection: following }),
    count: () => selectedCount(get().selection, get().total, activeId()),
    async selectedRows(most) {
      const { selection, total } = get();
      if (selection.kind === 'following') {
        const row = activeRow();
        return row === undefined ? [] : [row];
      }
      const rows: Row[] = [];
      const wanted = Math.min(most, selectedCount(selection, total, null));
      const near = selection.kind === 'some' ? loadedAmong(selection.ids) : [];
      if (near.length === wanted) return near;
      for await (const row of stretch({ first: 0, last: total - 1 })) {
        if (rows.length >= wanted) break;
        const id = idOf(row);
        if (selection.kind === 'some' ? selection.ids.has(id) : !selection.except.has(id)) rows.push(row);
      }
      return rows;
    },
  };
}
