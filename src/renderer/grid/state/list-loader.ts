import type { StoreApi } from 'zustand/vanilla';
import { toContractError } from '../../../contract/index.ts';
import { findRowIndex, type GridPosition, type GridState, type LoadedPages } from './grid-state.ts';
import {
  createListReader,
  type ListPage,
  type ListReader,
  type ListSource,
  readListRows,
} from './list-reader.ts';
import {
  activeRowSelection,
  getNamedIds,
  type RowId,
  type RowSelection,
  removeFromSelection,
} from './row-selection.ts';
import {
  clampRowIndex,
  getPagesOfRows,
  ROWS_PER_PAGE,
  type RowRange,
  shiftRowRange,
} from './scroll-geometry.ts';

/** Maximum number of list pages held in memory. Chosen by judgment. */
const MAX_CACHED_PAGES = 40;

const pageOfRow = (index: number) => Math.floor(index / ROWS_PER_PAGE);

/** Loaded rows of a list, with the selection that applied before they were loaded. */
interface ReadList<Row, P extends ListPage<Row>> {
  readonly reader: ListReader<Row, P>;
  readonly pages: LoadedPages<Row>;
  readonly selection: RowSelection;
  readonly total: number;
}

/** Loads a list into the grid's state. A new reader replaces the current one only after its rows arrive. */
export class ListLoader<Row, P extends ListPage<Row>> {
  readonly #store: StoreApi<GridState<Row, P>>;
  readonly #idOf: (row: Row) => RowId;
  #source: ListSource<Row, P> | null = null;
  #current: ListReader<Row, P> | null = null;
  /** Reader that replaces the current one as soon as its rows have arrived. */
  #next: ListReader<Row, P> | null = null;
  #opening: ListReader<Row, P> | null = null;
  #savedPosition: GridPosition | null = null;
  #isRefreshing = false;
  #needsRefresh = false;
  #visible: RowRange = { first: 0, last: -1 };
  readonly #loadingPages = new Set<number>();

  constructor(store: StoreApi<GridState<Row, P>>, idOf: (row: Row) => RowId) {
    this.#store = store;
    this.#idOf = idOf;
  }

  /** Opens a list at its start or at the given position. Does nothing if the list is already shown. */
  show(source: ListSource<Row, P>, position: GridPosition | null): void {
    const isOther = this.#source?.key !== source.key;
    this.#source = source;
    if (!isOther) return;
    this.#savedPosition = position?.key === source.key ? position : null;
    void this.#open(source);
  }

  /** Reloads the visible rows. Calls made during a refresh are combined into one further refresh. */
  async refresh(): Promise<void> {
    if (!this.#source) return;
    this.#needsRefresh = true;
    // A refresh waits until an opening list has loaded. Otherwise, continuous changes would delay opening forever.
    if (this.#isRefreshing || this.#opening) return;
    if (this.#current?.source.key !== this.#source.key) return this.#open(this.#source);
    this.#isRefreshing = true;
    while (this.#needsRefresh && this.#current?.source.key === this.#source.key) {
      this.#needsRefresh = false;
      await this.#reload(this.#source);
    }
    this.#isRefreshing = false;
  }

  /** Records the range of visible rows and loads their missing pages. */
  setVisibleRows(rows: RowRange): void {
    this.#visible = rows;
    const reader = this.#current;
    if (!reader || reader.source.key !== this.#source?.key) return;
    const { pages } = this.#store.getState();
    for (const page of getPagesOfRows(rows)) {
      if (!pages.has(page) && !this.#loadingPages.has(page)) void this.#loadPage(page, reader);
    }
  }

  /** Returns the current position in the list, to be restored later, or null while the list is opening. */
  position(): GridPosition | null {
    const { activeIndex, selection } = this.#store.getState();
    if (this.#current === null) return null;
    const { key } = this.#current.source;
    const id = this.#activeId();
    const active = id === null ? null : { index: activeIndex, id };
    return { key, active, topRow: this.#visible.first, selection };
  }

  rowAt(index: number): Row | undefined {
    return this.#store.getState().pages.get(pageOfRow(index))?.[index % ROWS_PER_PAGE];
  }

  /** Yields all rows of the list that is shown, in batches, even if another list is shown in the meantime. */
  async *readAllRows(signal: AbortSignal): AsyncGenerator<readonly Row[]> {
    if (this.#source) yield* readListRows(this.#source, signal);
  }

  /** Yields the rows of a range in order. Rows that are not loaded are read first. */
  async *readRows(range: RowRange): AsyncGenerator<Row> {
    if (!this.#current || range.last < range.first) return;
    const length = range.last - range.first + 1;
    const loaded = Array.from({ length }, (_, offset) => this.rowAt(range.first + offset));
    if (loaded.every((row) => row !== undefined)) yield* loaded as Row[];
    else for await (const [, row] of this.#current.readRows(range)) yield row;
  }

  /** Returns the rows of a page by its number. Reads the page if it is not loaded. */
  async readPage(page: number): Promise<readonly Row[]> {
    const loaded = this.#store.getState().pages.get(page);
    return loaded ?? (await this.#current?.readPage(page))?.rows ?? [];
  }

  /** Returns the ids of the rows in a range. If reading fails, returns null and shows the error in the grid. */
  async readIds(range: RowRange): Promise<RowId[] | null> {
    const reader = this.#current;
    try {
      const ids: RowId[] = [];
      for await (const row of this.readRows(range)) ids.push(this.#idOf(row));
      return ids;
    } catch (thrown) {
      if (reader) this.#showError(thrown, reader);
      return null;
    }
  }

  /** Returns the selectable rows with these ids; null if the list is too long to search. */
  async readById(ids: readonly RowId[]): Promise<readonly Row[] | null> {
    return (await this.#current?.readById(ids, this.#idOf, this.#store.getState().total)) ?? null;
  }

  /** Returns the selected or excluded ids that are no longer in the list. Empty if the list is too long to search. */
  async #findRemovedIds({ reader, pages, selection, total }: ReadList<Row, P>): Promise<ReadonlySet<RowId>> {
    const removed = new Set(getNamedIds(selection));
    const keep = (rows: readonly Row[]) => {
      for (const row of rows) removed.delete(this.#idOf(row));
    };
    for (const rows of pages.values()) keep(rows);
    if (removed.size === 0) return removed;
    const rows = await reader.readById([...removed], this.#idOf, total);
    if (rows === null) return new Set();
    keep(rows);
    return removed;
  }

  async #open(source: ListSource<Row, P>): Promise<void> {
    const reader = this.#createReader(source);
    this.#opening = reader;
    this.#needsRefresh = false;
    this.#store.setState({ loading: true, selection: this.#openingSelection() });
    try {
      await this.#openAt(reader, this.#savedPosition);
    } catch (thrown) {
      this.#showError(thrown, reader);
    }
    if (this.#opening !== reader) return;
    this.#opening = null;
    if (this.#needsRefresh && this.#current === reader) void this.refresh();
  }

  async #openAt(reader: ListReader<Row, P>, saved: GridPosition | null): Promise<void> {
    const { firstPage, total, isExactTotal } = await reader.readStart();
    const position = saved !== null && (saved.active?.index ?? saved.topRow) < total ? saved : null;
    const needed = position === null ? [] : [position.topRow, position.active?.index ?? 0].map(pageOfRow);
    const pages = await readPages(reader, firstPage, needed);
    const selection = position?.selection ?? this.#openingSelection();
    const removed = await this.#findRemovedIds({ reader, pages, selection, total });
    if (reader.signal.aborted) return;
    const entered = position?.active ?? null;
    const active = entered === null ? 0 : (this.#indexOfId(pages, entered.id) ?? entered.index);
    this.#replaceCurrent(reader);
    this.#visible = { first: 0, last: Math.min(this.#visible.last - this.#visible.first, total - 1) };
    this.#store.setState((before) => ({
      phase: 'ready',
      loading: false,
      error: null,
      total,
      isExactTotal,
      firstPage,
      pages,
      // Keeps the header cell active for users who sort by keyboard.
      activeIndex: before.activeIndex < 0 ? -1 : active,
      hasEntered: entered !== null,
      anchorIndex: active,
      selection: removeFromSelection(position?.selection ?? this.#openingSelection(), removed),
      listSerial: before.listSerial + 1,
      startRow: position?.topRow ?? 0,
    }));
  }

  async #reload(source: ListSource<Row, P>): Promise<void> {
    const reader = this.#createReader(source);
    const anchor = this.#anchorRow();
    const { total: totalBefore } = this.#store.getState();
    try {
      const { firstPage, total, isExactTotal } = await reader.readStart();
      const needed = [0, total - totalBefore].flatMap((by) =>
        getPagesOfRows(shiftRowRange(this.#visible, by, total)),
      );
      const pages = await readPages(
        reader,
        firstPage,
        needed.toSorted((a, b) => a - b),
      );
      const { selection } = this.#store.getState();
      const removed = await this.#findRemovedIds({ reader, pages, selection, total });
      if (reader.signal.aborted) return;
      const anchorIndex = anchor.id === null ? null : this.#indexOfId(pages, anchor.id);
      const shift = anchorIndex !== null && this.#visible.first > 0 ? anchorIndex - anchor.index : 0;
      const activeId = this.#activeId();
      const active = activeId === null ? null : this.#indexOfId(pages, activeId);
      this.#replaceCurrent(reader);
      this.#store.setState((now) => ({
        phase: 'ready',
        loading: false,
        error: null,
        total,
        isExactTotal,
        firstPage,
        pages,
        selection: removeFromSelection(now.selection, removed),
        activeIndex: now.activeIndex < 0 ? -1 : (active ?? clampRowIndex(now.activeIndex, total)),
        ...(shift === 0 ? {} : { rowShift: { rows: shift, serial: now.rowShift.serial + 1 } }),
      }));
    } catch (thrown) {
      this.#showError(thrown, reader);
    }
  }

  async #loadPage(page: number, reader: ListReader<Row, P>): Promise<void> {
    this.#loadingPages.add(page);
    try {
      const { rows } = await reader.readPage(page);
      if (reader !== this.#current) return;
      this.#store.setState(({ pages }) => ({
        pages: this.#withoutDistantPages(new Map(pages).set(page, rows)),
      }));
    } catch (thrown) {
      if (reader === this.#current) this.#showError(thrown, reader);
    } finally {
      if (reader === this.#current) this.#loadingPages.delete(page);
    }
  }

  /** Creates a list reader and aborts any earlier one that has not replaced the current reader yet. */
  #createReader(source: ListSource<Row, P>): ListReader<Row, P> {
    this.#next?.abort();
    this.#next = createListReader(source);
    return this.#next;
  }

  /** Makes a reader the current one. Does not abort a previous reader of the same list, which may still be in use. */
  #replaceCurrent(reader: ListReader<Row, P>): void {
    if (this.#current?.source.key !== reader.source.key) this.#current?.abort();
    this.#current = reader;
    this.#next = null;
    this.#loadingPages.clear();
  }

  #showError(thrown: unknown, reader: ListReader<Row, P>): void {
    if (!reader.signal.aborted) this.#store.setState({ error: toContractError(thrown), loading: false });
  }

  #openingSelection(): RowSelection {
    const { selection } = this.#store.getState();
    const isKept = this.#source?.fetchById !== undefined && selection.kind === 'some';
    return isKept ? selection : activeRowSelection;
  }

  /** Returns the row that stays in place during a refresh: the active row if visible, otherwise the top row. */
  #anchorRow(): { readonly index: number; readonly id: RowId | null } {
    const { activeIndex } = this.#store.getState();
    const { first, last } = this.#visible;
    const index = activeIndex >= first && activeIndex <= last ? activeIndex : first;
    const row = this.rowAt(index);
    return { index, id: row === undefined ? null : this.#idOf(row) };
  }

  #activeId(): RowId | null {
    const { hasEntered, activeIndex } = this.#store.getState();
    const row = hasEntered ? this.rowAt(activeIndex) : undefined;
    return row === undefined ? null : this.#idOf(row);
  }

  #indexOfId(pages: LoadedPages<Row>, id: RowId): number | null {
    return findRowIndex(pages, (row) => this.#idOf(row) === id);
  }

  /** Removes the pages farthest from the visible rows. Page 0 always stays in memory. */
  #withoutDistantPages(pages: Map<number, readonly Row[]>): LoadedPages<Row> {
    const center = this.#visible.first / ROWS_PER_PAGE;
    const farthest = [...pages.keys()].sort((a, b) => Math.abs(b - center) - Math.abs(a - center));
    for (const page of farthest.slice(0, Math.max(0, pages.size - MAX_CACHED_PAGES))) {
      if (page > 0) pages.delete(page);
    }
    return pages;
  }
}

/** Reads the pages with the given numbers. `firstPage` has already been read. */
async function readPages<Row, P extends ListPage<Row>>(
  reader: ListReader<Row, P>,
  firstPage: P,
  numbers: readonly number[],
): Promise<Map<number, readonly Row[]>> {
  const pages = new Map<number, readonly Row[]>([[0, firstPage.rows]]);
  for (const page of numbers) {
    if (!pages.has(page)) pages.set(page, (await reader.readPage(page)).rows);
  }
  return pages;
}
