import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  createGridController,
  type GridController,
  type ListPage,
  type ListSource,
} from '../../../../src/renderer/grid/state/grid-controller.ts';
import { activeRowSelection } from '../../../../src/renderer/grid/state/row-selection.ts';
import { getArrayMarks, getArrayPage } from '../../fake/lists.ts';

interface Row {
  readonly id: number;
}
const createRows = (count: number): Row[] => Array.from({ length: count }, (_, id) => ({ id }));

/** Creates a list over an array that may change, and records its requests. */
function createListSource(rows: Row[], key = 'all', withMarks = true) {
  const asked: string[] = [];
  const list = { rows, failing: false };
  const source: ListSource<Row> = {
    key,
    async fetchPage(after, limit) {
      asked.push(`page ${after ?? 'start'}`);
      if (list.failing) throw new Error('no');
      return getArrayPage(list.rows, { after, limit });
    },
    ...(withMarks
      ? {
          async fetchMarks(every: number) {
            asked.push('marks');
            return getArrayMarks(list.rows, every);
          },
        }
      : {}),
  };
  return { source, asked, list };
}

function waitUntil(grid: GridController<Row, ListPage<Row>>, met: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!met()) return;
      stop();
      resolve();
    };
    const stop = grid.state.subscribe(check);
    check();
  });
}

async function getVisibleIds(source: ListSource<Row>): Promise<GridController<Row, ListPage<Row>>> {
  const grid = createGridController<Row>((row) => row.id);
  grid.setVisibleRows({ first: 0, last: 19 });
  grid.showList(source);
  await waitUntil(grid, () => !grid.state.getState().loading);
  return grid;
}

describe('grid controller', () => {
  test('a search ends an earlier one before it starts, and only its result counts', async () => {
    const { source } = createListSource(createRows(30_000));
    let reading = 0;
    let maxReading = 0;
    let pages = 0;
    const grid = await getVisibleIds({
      ...source,
      async fetchPage(...request) {
        pages += 1;
        reading += 1;
        maxReading = Math.max(maxReading, reading);
        await delay(1);
        reading -= 1;
        return await source.fetchPage(...request);
      },
    });
    pages = 0;
    const find = (text: string) =>
      grid.findNextIndex(({ id }) => String(id).startsWith(text), { afterActive: text.length === 1 });
    const searches = [find('x'), find('xy')];
    await delay(5);
    searches.push(find('xyz'), find('2999'));
    expect(await Promise.all(searches)).toEqual([null, null, null, { done: 2999 }]);
    expect(maxReading).toBe(1);
    expect(pages).toBeLessThan(30);
    grid.moveToRow(2999);
    expect(await find('2999')).toEqual({ done: 2999 });
    expect(await find('none')).toEqual({ done: null });
  });

  test('a list of one page is read in one request', async () => {
    const { source, asked } = createListSource(createRows(120));
    const grid = await getVisibleIds(source);
    expect(grid.state.getState().total).toBe(120);
    expect(asked).toEqual(['page start']);
  });

  test('jumping to any row reads one page', async () => {
    const { source, asked } = createListSource(createRows(100_000));
    const grid = await getVisibleIds(source);
    asked.length = 0;
    grid.setVisibleRows({ first: 77_700, last: 77_720 });
    await waitUntil(grid, () => grid.rowAt(77_700) !== undefined);
    expect(grid.rowAt(77_700)).toEqual({ id: 77_700 });
    expect(asked).toEqual(['page 77600']);
    // Only loaded rows are searched, and nothing is read.
    expect(grid.findLoadedIndex(({ id }) => id === 77_710)).toBe(77_710);
    expect(grid.findLoadedIndex(({ id }) => id === 50_000)).toBeNull();
    expect(asked).toEqual(['page 77600']);
  });

  test('a list without page marks is read page by page up to the requested row', async () => {
    const { source } = createListSource(createRows(1_000), 'all', false);
    const grid = await getVisibleIds(source);
    grid.setVisibleRows({ first: 700, last: 720 });
    await waitUntil(grid, () => grid.rowAt(700) !== undefined);
    expect(grid.rowAt(700)).toEqual({ id: 700 });
  });

  test('a saved position restores row and selection; another list opens at its start', async () => {
    const { source, asked, list } = createListSource(createRows(100_000));
    const left = await getVisibleIds(source);
    left.setVisibleRows({ first: 50_000, last: 50_019 });
    await waitUntil(left, () => left.rowAt(50_010) !== undefined);
    left.toggleRow(50_010);
    const place = left.position();
    expect(place).toMatchObject({ active: { index: 50_010, id: 50_010 }, topRow: 50_000 });

    // Three rows above were removed meanwhile: the row is found by its id, not its index.
    list.rows.splice(49_990, 3);
    asked.length = 0;
    const grid = createGridController<Row>((row) => row.id);
    grid.showList(source, place);
    await waitUntil(grid, () => !grid.state.getState().loading);
    const { activeIndex, startRow, hasEntered } = grid.state.getState();
    expect({ row: grid.rowAt(activeIndex), startRow, hasEntered, count: grid.selectedCount() }).toEqual({
      row: { id: 50_010 },
      startRow: 50_000,
      hasEntered: true,
      count: 1,
    });
    expect(asked).toEqual(['page start', 'marks', 'page 50000']);

    const other = createGridController<Row>((row) => row.id);
    other.showList(createListSource(createRows(1_000), 'other').source, place);
    await waitUntil(other, () => !other.state.getState().loading);
    expect(other.state.getState()).toMatchObject({ activeIndex: 0, startRow: 0, hasEntered: false });
  });

  test('changes while a list opens cause one refresh afterwards and keep the position', async () => {
    const { source, asked } = createListSource(createRows(100_000));
    const place = {
      key: 'all',
      active: { index: 50_010, id: 50_010 },
      topRow: 50_000,
      selection: activeRowSelection,
    };
    const grid = createGridController<Row>((row) => row.id);
    grid.showList(source, place);
    grid.refresh();
    await waitUntil(grid, () => !grid.state.getState().loading);
    grid.setVisibleRows({ first: 50_000, last: 50_019 });
    expect(grid.state.getState()).toMatchObject({ activeIndex: 50_010, startRow: 50_000, hasEntered: true });
    await expect.poll(() => asked.length).toBe(6);
    expect(asked).toEqual(['page start', 'marks', 'page 50000', 'page start', 'marks', 'page 50000']);
  });

  test('a list that failed to open opens at its position on refresh', async () => {
    const { source, list } = createListSource(createRows(1_000));
    const grid = createGridController<Row>((row) => row.id);
    list.failing = true;
    grid.showList(source, {
      key: 'all',
      active: { index: 410, id: 410 },
      topRow: 400,
      selection: activeRowSelection,
    });
    await waitUntil(grid, () => grid.state.getState().error !== null);
    list.failing = false;
    grid.refresh();
    await waitUntil(grid, () => grid.state.getState().phase === 'ready');
    expect(grid.state.getState()).toMatchObject({ activeIndex: 410, startRow: 400, error: null });
  });

  describe('a list whose rows can be looked up by id', () => {
    /** Every row that can be selected. Lists show a part of them. */
    async function openList(rows: Row[]) {
      const { source, list } = createListSource(rows);
      const fetchById = async (ids: readonly unknown[]) => list.rows.filter(({ id }) => ids.includes(id));
      const grid = await getVisibleIds({ ...source, fetchById });
      const search = async (text: string, found: Row[]) => {
        grid.showList({ ...createListSource(found, text).source, fetchById });
        await waitUntil(grid, () => !grid.state.getState().loading);
      };
      return { grid, list, search };
    }

    test('collects rows over several searches', async () => {
      const { grid, search } = await openList([...createRows(20), { id: 77 }]);
      grid.toggleRow(3);
      await search('other', [{ id: 77 }]);
      grid.toggleRow(0);
      expect(grid.state.getState().selection).toEqual({ kind: 'some', ids: new Set([3, 77]) });
      expect(await grid.readSelectedRows(10)).toEqual([{ id: 3 }, { id: 77 }]);
    });

    test('deselects a row that is gone, even if the search never showed it again', async () => {
      const { grid, list, search } = await openList(createRows(20));
      grid.toggleRow(3);
      grid.toggleRow(8);
      await search('other', [{ id: 8 }]);
      list.rows = list.rows.filter(({ id }) => id !== 3);
      grid.refresh();
      await waitUntil(grid, () => grid.selectedCount() === 1);
      expect(grid.state.getState().selection).toEqual({ kind: 'some', ids: new Set([8]) });
    });
  });

  test.each([400, 15_000])('rows removed from a list of %i rows are deselected', async (count) => {
    const { source, list } = createListSource(createRows(count));
    const grid = await getVisibleIds(source);
    const last = count - 1;
    grid.setVisibleRows({ first: last - 5, last });
    await waitUntil(grid, () => grid.rowAt(last) !== undefined);
    for (const index of [2, 5, last]) grid.toggleRow(index);
    list.rows = list.rows.filter(({ id }) => id !== 5);
    grid.refresh();
    await waitUntil(grid, () => grid.state.getState().total === count - 1);
    expect(grid.state.getState().selection).toEqual({ kind: 'some', ids: new Set([2, last]) });
    list.rows = [{ id: 1 }];
    grid.refresh();
    await waitUntil(grid, () => grid.state.getState().total === 1);
    expect(grid.state.getState().selection).toEqual(activeRowSelection);
  });

  test('a removed row that was excluded from all rows no longer reduces their number', async () => {
    const { source, list } = createListSource(createRows(300));
    const grid = await getVisibleIds(source);
    grid.selectAll();
    grid.toggleRow(4);
    expect(grid.selectedCount()).toBe(299);
    list.rows = list.rows.filter(({ id }) => id !== 4);
    grid.refresh();
    await waitUntil(grid, () => grid.state.getState().total === 299);
    expect(grid.selectedCount()).toBe(299);
  });

  test('another filter starts at the top with nothing selected', async () => {
    const { source } = createListSource(createRows(1_000));
    const grid = await getVisibleIds(source);
    grid.toggleRow(5);
    grid.showList(createListSource(createRows(30), 'less').source);
    await waitUntil(grid, () => grid.state.getState().total === 30);
    expect(grid.selectedCount()).toBe(0);
    expect(grid.state.getState()).toMatchObject({ activeIndex: 0, listSerial: 2 });
  });

  test('sorting by keyboard keeps the header active; moving to a row leaves the cell', async () => {
    const { source } = createListSource(createRows(1_000));
    const grid = await getVisibleIds(source);
    grid.moveToHeader();
    grid.moveToColumn(2);
    grid.showList(createListSource(createRows(1_000), 'sorted').source);
    await waitUntil(grid, () => grid.state.getState().listSerial === 2);
    expect(grid.state.getState()).toMatchObject({ activeIndex: -1, activeColumn: 2 });
    grid.moveToRow(0);
    expect(grid.state.getState()).toMatchObject({ activeIndex: 0, activeColumn: null });
  });

  test('rows inserted above the view shift the position, not the visible rows', async () => {
    const { source, list } = createListSource(createRows(1_000));
    const grid = await getVisibleIds(source);
    grid.setVisibleRows({ first: 300, last: 320 });
    await waitUntil(grid, () => grid.rowAt(310) !== undefined);
    grid.moveToRow(310);
    list.rows = [{ id: 5_001 }, { id: 5_002 }, ...list.rows];
    grid.refresh();
    await waitUntil(grid, () => grid.state.getState().total === 1_002);
    expect(grid.state.getState().rowShift).toEqual({ rows: 2, serial: 1 });
    expect(grid.activeRow()).toEqual({ id: 310 });
  });

  test('at the top new rows become visible and the active row stays the same', async () => {
    const { source, list } = createListSource(createRows(500));
    const grid = await getVisibleIds(source);
    grid.moveToRow(3);
    list.rows = [{ id: 9_000 }, ...list.rows];
    grid.refresh();
    await waitUntil(grid, () => grid.state.getState().total === 501);
    expect(grid.state.getState().rowShift.serial).toBe(0);
    expect(grid.activeRow()).toEqual({ id: 3 });
  });

  test('a failed refresh keeps the rows and reports the error', async () => {
    const { source, list } = createListSource(createRows(50));
    const grid = await getVisibleIds(source);
    list.failing = true;
    grid.refresh();
    await waitUntil(grid, () => grid.state.getState().error !== null);
    expect(grid.rowAt(0)).toEqual({ id: 0 });
    list.failing = false;
    grid.refresh();
    await waitUntil(grid, () => grid.state.getState().error === null);
  });

  test('selecting a range reads the rows in between', async () => {
    const { source } = createListSource(createRows(5_000));
    const grid = await getVisibleIds(source);
    grid.moveToRow(10);
    await grid.extendSelectionTo(3_010);
    expect(grid.selectedCount()).toBe(3_001);
  });

  test('a range is read completely even if the list is refreshed meanwhile', async () => {
    const { source, list } = createListSource(createRows(5_000));
    const { promise: stored, resolve: release } = Promise.withResolvers<void>();
    const slow: ListSource<Row> = {
      ...source,
      async fetchPage(after, limit, signal) {
        // A range is read in larger pages than the list.
        if (limit > 200) await stored;
        signal.throwIfAborted();
        return await source.fetchPage(after, limit, signal);
      },
    };
    const grid = await getVisibleIds(slow);
    grid.moveToRow(10);
    const extended = grid.extendSelectionTo(3_010);
    list.rows = list.rows.slice(0, 4_000);
    grid.refresh();
    await waitUntil(grid, () => grid.state.getState().total === 4_000);
    release();
    await extended;
    expect(grid.selectedCount()).toBe(3_001);
    expect(grid.state.getState().error).toBeNull();
  });

  test('a selection of all rows except some is read in order', async () => {
    const { source } = createListSource(createRows(2_500));
    const grid = await getVisibleIds(source);
    grid.selectAll();
    grid.toggleRow(1);
    const rows = await grid.readSelectedRows(10_000);
    expect(rows).toHaveLength(2_499);
    expect(rows.slice(0, 3).map(({ id }) => id)).toEqual([0, 2, 3]);
  });

  test('no row is selected until the user moves to one', async () => {
    const { source } = createListSource(createRows(10));
    const grid = await getVisibleIds(source);
    expect(grid.selectedCount()).toBe(0);
    expect(await grid.readSelectedRows(10)).toEqual([]);
    grid.moveToRow(4);
    expect(await grid.readSelectedRows(10)).toEqual([{ id: 4 }]);
  });
});
