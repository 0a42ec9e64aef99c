import { createStore, type StoreApi } from 'zustand/vanilla';
import { type ErrorValue, errorOf } from '../../contract/index.ts';
import { clamp, EVERY, movedRows, pagesOf, type Rows } from './pages.ts';
import { type Page, type Reading, readingOf, type Source } from './reading.ts';
import {
  everything,
  following,
  type Id,
  isSelected,
  type Selection,
  selectedCount,
  toggled,
  withRange,
} from './selection.ts';

export type { Page, Source } from './reading.ts';

type Pages<Row> = ReadonlyMap<number, readonly Row[]>;

export interface GridState<Row, P extends Page<Row> = Page<Row>> {
  /** Before the first rows there is nothing to keep on the screen. */
  readonly phase: 'first' | 'ready';
  readonly loading: boolean;
  readonly error: ErrorValue | null;
  readonly total: number;
  readonly exact: boolean;
  /** The first page as it came, with the sums some lists bring. */
  readonly first: P | null;
  readonly pages: Pages<Row>;
  readonly selection: Selection;
  /** The row the keys act on; -1 is the header. */
  readonly active: number;
  /** Whether the user has gone to a row of this list yet: until then none stands for the selection. */
  readonly entered: boolean;
  /** The cell the keys act on, by place; null for the row as a whole. */
  readonly column: number | null;
  /** Where a range begins. */
  readonly anchor: number;
  /** Raised when the list begins anew, so that the view scrolls to where it begins. */
  readonly lists: number;
  /** The row at the top of the view then: the first one, but in a list one comes back to. */
  readonly begins: number;
  /** Rows that came above those in view, for the view to scroll along once. */
  readonly shifted: { readonly rows: number; readonly serial: number };
}

/** Where somebody stood in a list, and what was picked. */
export interface GridPlace {
  /** The list, by its key. */
  readonly key: string;
  readonly active: number;
  readonly id: Id;
  /** The row at the top of the view. */
  readonly top: number;
  readonly selection: Selection;
}

export interface Grid<Row, P extends Page<Row> = Page<Row>> {
  readonly state: StoreApi<GridState<Row, P>>;
  idOf(row: Row): Id;
  /** Shows this list: where it is another one, from its start, or from the place in it that is given. */
  show(source: Source<Row, P>, place?: GridPlace | null): void;
  /** Where the user stands, to come back to; null where he has not gone to any row. */
  place(): GridPlace | null;
  /** Reads again what is in view, without losing the place. */
  refresh(): void;
  /** Says what is in view; pages that are missing are read. */
  view(rows: Rows): void;
  rowAt(index: number): Row | undefined;
  activeRow(): Row | undefined;
  /** The place of the first row like this among those that are loaded; null where there is none. */
  indexOf(like: (row: Row) => boolean): number | null;
  moveTo(index: number): void;
  /** To the row of titles. */
  moveToTitles(): void;
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

export interface GridWays {
  /** What was picked stays picked in another list: rows are gathered over several searches. */
  readonly gathers?: boolean | undefined;
}

/** The state and the effects of one grid; `GridView` draws it. */
export function createGrid<Row, P extends Page<Row> = Page<Row>>(
  idOf: (row: Row) => Id,
  { gathers = false }: GridWays = {},
): Grid<Row, P> {
  const state = createStore<GridState<Row, P>>(() => ({
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
    begins: 0,
    shifted: { rows: 0, serial: 0 },
  }));
  const set = state.setState;
  const get = state.getState;

  let source: Source<Row, P> | null = null;
  /** Whose rows are on the screen. */
  let shown: Reading<Row, P> | null = null;
  /** What is being read to take its place. */
  let coming: Reading<Row, P> | null = null;
  /** The beginning of another list, and the place in it that one comes back to. */
  let starting: Reading<Row, P> | null = null;
  let startsAt: GridPlace | null = null;
  let refreshing = false;
  let refreshAgain = false;
  let seen: Rows = { first: 0, last: -1 };
  const underWay = new Set<number>();

  const rowAt = (index: number) => get().pages.get(Math.floor(index / EVERY))?.[index % EVERY];
  const activeRow = () => (get().entered ? rowAt(get().active) : undefined);
  const activeId = () => {
    const row = activeRow();
    return row === undefined ? null : idOf(row);
  };

  function failed(thrown: unknown, reading: Reading<Row, P>): void {
    if (!reading.signal.aborted) set({ error: errorOf(thrown), loading: false });
  }

  /** Begins a reading; it takes the place of any other that has not got its rows yet. */
  function begin(of: Source<Row, P>): Reading<Row, P> {
    coming?.end();
    coming = readingOf(of);
    return coming;
  }

  /** From now on its rows are on the screen. One of the same list before it is not ended: a range may still be read from it. */
  function take(reading: Reading<Row, P>): void {
    if (shown?.source.key !== reading.source.key) shown?.end();
    shown = reading;
    coming = null;
    underWay.clear();
  }

  async function start(from: Source<Row, P>): Promise<void> {
    const reading = begin(from);
    const place = startsAt;
    starting = reading;
    refreshAgain = false;
    const gathered = () => {
      const { selection } = get();
      return gathers && selection.kind === 'some' ? selection : following;
    };
    set({ loading: true, selection: gathered() });
    try {
      const { first, total, exact } = await reading.start();
      const there = place !== null && place.active < total ? place : null;
      const pages = new Map<number, readonly Row[]>([[0, first.rows]]);
      for (const row of there === null ? [] : [there.top, there.active]) {
        const page = Math.floor(row / EVERY);
        if (!pages.has(page)) pages.set(page, (await reading.page(page)).rows);
      }
      if (reading.signal.aborted) return;
      const active = there === null ? 0 : (indexIn(pages, there.id) ?? there.active);
      take(reading);
      seen = { first: 0, last: Math.min(seen.last - seen.first, total - 1) };
      set((before) => ({
        phase: 'ready',
        loading: false,
        error: null,
        total,
        exact,
        first,
        pages,
        // Who sorts by keys stays among the titles.
        active: before.active < 0 ? -1 : active,
        entered: there !== null,
        anchor: active,
        selection: there?.selection ?? gathered(),
        lists: before.lists + 1,
        begins: there?.top ?? 0,
      }));
    } catch (thrown) {
      failed(thrown, reading);
    }
    if (starting !== reading) return;
    starting = null;
    if (refreshAgain && shown === reading) void refresh();
  }

  async function again(from: Source<Row, P>): Promise<void> {
    const reading = begin(from);
    const before = get();
    const anchor = before.active >= seen.first && before.active <= seen.last ? before.active : seen.first;
    const anchorRow = rowAt(anchor);
    try {
      const { first, total, exact } = await reading.start();
      const inView = new Set([
        ...pagesOf(movedRows(seen, 0, total)),
        ...pagesOf(movedRows(seen, total - before.total, total)),
      ]);
      const pages = new Map<number, readonly Row[]>([[0, first.rows]]);
      for (const page of [...inView].sort((a, b) => a - b)) {
        if (!pages.has(page)) pages.set(page, (await reading.page(page)).rows);
      }
      if (reading.signal.aborted) return;
      const found = anchorRow === undefined ? null : indexIn(pages, idOf(anchorRow));
      const moved = found !== null && seen.first > 0 ? found - anchor : 0;
      const active = activeId();
      const activeNow = active === null ? null : indexIn(pages, active);
      take(reading);
      set((now) => ({
        phase: 'ready',
        loading: false,
        error: null,
        total,
        exact,
        first,
        pages,
        active: now.active < 0 ? -1 : (activeNow ?? clamp(now.active, total)),
        ...(moved === 0 ? {} : { shifted: { rows: moved, serial: now.shifted.serial + 1 } }),
      }));
    } catch (thrown) {
      failed(thrown, reading);
    }
  }

  /** One reading at a time: changes that come meanwhile are answered by one more. */
  async function refresh(): Promise<void> {
    if (!source) return;
    refreshAgain = true;
    // A beginning goes on to its end: changes that stream in would put it off without end, and lose its place.
    if (refreshing || starting) return;
    if (shown?.source.key !== source.key) return start(source);
    refreshing = true;
    while (refreshAgain && shown?.source.key === source.key) {
      refreshAgain = false;
      await again(source);
    }
    refreshing = false;
  }

  function indexIn(pages: Pages<Row>, id: Id): number | null {
    return indexLike(pages, (row) => idOf(row) === id);
  }

  function indexLike(pages: Pages<Row>, like: (row: Row) => boolean): number | null {
    for (const [page, rows] of pages) {
      const place = rows.findIndex(like);
      if (place >= 0) return page * EVERY + place;
    }
    return null;
  }

  async function load(page: number, reading: Reading<Row, P>): Promise<void> {
    underWay.add(page);
    try {
      const read = await reading.page(page);
      if (reading === shown) set(({ pages }) => ({ pages: kept(new Map(pages).set(page, read.rows)) }));
    } catch (thrown) {
      if (reading === shown) failed(thrown, reading);
    } finally {
      if (reading === shown) underWay.delete(page);
    }
  }

  /** Drops what lies farthest from the rows in view. */
  function kept(pages: Map<number, readonly Row[]>): Pages<Row> {
    const here = seen.first / EVERY;
    const far = [...pages.keys()].sort((a, b) => Math.abs(b - here) - Math.abs(a - here));
    for (const page of far.slice(0, Math.max(0, pages.size - KEPT))) if (page > 0) pages.delete(page);
    return pages;
  }

  /** Rows of a stretch of the list in order, read where they are not loaded. */
  async function* stretch(rows: Rows): AsyncGenerator<Row> {
    if (!shown || rows.last < rows.first) return;
    const held = Array.from({ length: rows.last - rows.first + 1 }, (_, place) => rowAt(rows.first + place));
    if (held.every((row) => row !== undefined)) yield* held as Row[];
    else for await (const [, row] of shown.stretch(rows)) yield row;
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
    indexOf: (like) => indexLike(get().pages, like),
    show(next, place = null) {
      const other = source?.key !== next.key;
      source = next;
      if (!other) return;
      startsAt = place?.key === next.key ? place : null;
      void start(next);
    },
    place() {
      const { active, entered, selection } = get();
      const row = rowAt(active);
      if (shown === null || !entered || row === undefined) return null;
      return { key: shown.source.key, active, id: idOf(row), top: seen.first, selection };
    },
    refresh: () => void refresh(),
    view(rows) {
      seen = rows;
      const { pages } = get();
      if (!shown || shown.source.key !== source?.key) return;
      for (const page of pagesOf(rows)) {
        if (!pages.has(page) && !underWay.has(page)) void load(page, shown);
      }
    },
    moveTo(index) {
      const active = clamp(index, get().total);
      set((before) => ({
        active,
        anchor: active,
        entered: true,
        column: before.active < 0 ? null : before.column,
      }));
    },
    moveToTitles: () => set(({ column }) => ({ active: -1, column: column ?? 0 })),
    moveColumn: (column) => set({ column }),
    async extendTo(index, add = false) {
      const { anchor, total } = get();
      const to = clamp(index, total);
      const from = shown;
      const ids: Id[] = [];
      set({ active: to, entered: true });
      try {
        for await (const row of stretch({ first: Math.min(anchor, to), last: Math.max(anchor, to) })) {
          ids.push(idOf(row));
        }
      } catch (thrown) {
        if (from) failed(thrown, from);
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
      const active = activeRow();
      if (selection.kind === 'following') return active === undefined ? [] : [active];
      const wanted = Math.min(most, selectedCount(selection, total, null));
      const near = selection.kind === 'some' ? loadedAmong(selection.ids) : [];
      if (near.length === wanted) return near;
      const rows: Row[] = [];
      for await (const row of stretch({ first: 0, last: total - 1 })) {
        if (rows.length >= wanted) break;
        if (isSelected(selection, idOf(row), null)) rows.push(row);
      }
      return rows;
    },
  };
}
