import { describe, expect, test } from 'vitest';
import { createGrid, type Grid, type Page, type Source } from '../../../src/renderer/grid/controller.ts';
import { following } from '../../../src/renderer/grid/selection.ts';
import { marksOfArray, pageOfArray } from '../fake/lists.ts';

interface Row {
  readonly id: number;
}
const rowsTo = (count: number): Row[] => Array.from({ length: count }, (_, id) => ({ id }));

/** A list over an array that may change, which counts what is asked of it. */
function listOf(rows: Row[], key = 'all', withMarks = true) {
  const asked: string[] = [];
  const list = { rows, failing: false };
  const source: Source<Row> = {
    key,
    async page(after, limit) {
      asked.push(`page ${after ?? 'start'}`);
      if (list.failing) throw new Error('no');
      return pageOfArray(list.rows, { after, limit });
    },
    ...(withMarks
      ? {
          async marks(every: number) {
            asked.push('marks');
            return marksOfArray(list.rows, every);
          },
        }
      : {}),
  };
  return { source, asked, list };
}

function until(grid: Grid<Row, Page<Row>>, met: () => boolean): Promise<void> {
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

async function shown(source: Source<Row>): Promise<Grid<Row, Page<Row>>> {
  const grid = createGrid<Row>((row) => row.id);
  grid.view({ first: 0, last: 19 });
  grid.show(source);
  await until(grid, () => !grid.state.getState().loading);
  return grid;
}

describe('a grid', () => {
  test('a list of one page is read in one request', async () => {
    const { source, asked } = listOf(rowsTo(120));
    const grid = await shown(source);
    expect(grid.state.getState().total).toBe(120);
    expect(asked).toEqual(['page start']);
  });

  test('a jump to any place is one page', async () => {
    const { source, asked } = listOf(rowsTo(100_000));
    const grid = await shown(source);
    asked.length = 0;
    grid.view({ first: 77_700, last: 77_720 });
    await until(grid, () => grid.rowAt(77_700) !== undefined);
    expect(grid.rowAt(77_700)).toEqual({ id: 77_700 });
    expect(asked).toEqual(['page 77600']);
    // A row is found where it is loaded, and nothing is read to look for it.
    expect(grid.indexOf(({ id }) => id === 77_710)).toBe(77_710);
    expect(grid.indexOf(({ id }) => id === 50_000)).toBeNull();
    expect(asked).toEqual(['page 77600']);
  });

  test('without marks a later page is reached page by page', async () => {
    const { source } = listOf(rowsTo(1_000), 'all', false);
    const grid = await shown(source);
    grid.view({ first: 700, last: 720 });
    await until(grid, () => grid.rowAt(700) !== undefined);
    expect(grid.rowAt(700)).toEqual({ id: 700 });
  });

  test('one comes back to the row one stood at, with what was picked; in another list to its start', async () => {
    const { source, asked, list } = listOf(rowsTo(100_000));
    const left = await shown(source);
    left.view({ first: 50_000, last: 50_019 });
    await until(left, () => left.rowAt(50_010) !== undefined);
    left.toggle(50_010);
    const place = left.place();
    expect(place).toMatchObject({ active: 50_010, id: 50_010, top: 50_000 });

    // Three rows went from above meanwhile: it is the row that is found again, not its number.
    list.rows.splice(49_990, 3);
    asked.length = 0;
    const grid = createGrid<Row>((row) => row.id);
    grid.show(source, place);
    await until(grid, () => !grid.state.getState().loading);
    const { active, begins, entered } = grid.state.getState();
    expect({ row: grid.rowAt(active), begins, entered, count: grid.count() }).toEqual({
      row: { id: 50_010 },
      begins: 50_000,
      entered: true,
      count: 1,
    });
    expect(asked).toEqual(['page start', 'marks', 'page 50000']);

    const other = createGrid<Row>((row) => row.id);
    other.show(listOf(rowsTo(1_000), 'other').source, place);
    await until(other, () => !other.state.getState().loading);
    expect(other.state.getState()).toMatchObject({ active: 0, begins: 0, entered: false });
  });

  test('changes while a list begins neither put that off nor lose its place; it is read once more behind it', async () => {
    const { source, asked } = listOf(rowsTo(100_000));
    const place = { key: 'all', active: 50_010, id: 50_010, top: 50_000, selection: following };
    const grid = createGrid<Row>((row) => row.id);
    grid.show(source, place);
    grid.refresh();
    await until(grid, () => !grid.state.getState().loading);
    grid.view({ first: 50_000, last: 50_019 });
    expect(grid.state.getState()).toMatchObject({ active: 50_010, begins: 50_000, entered: true });
    await expect.poll(() => asked.length).toBe(6);
    expect(asked).toEqual(['page start', 'marks', 'page 50000', 'page start', 'marks', 'page 50000']);
  });

  test('a list that could not begin begins at its place when it is read again', async () => {
    const { source, list } = listOf(rowsTo(1_000));
    const grid = createGrid<Row>((row) => row.id);
    list.failing = true;
    grid.show(source, { key: 'all', active: 410, id: 410, top: 400, selection: following });
    await until(grid, () => grid.state.getState().error !== null);
    list.failing = false;
    grid.refresh();
    await until(grid, () => grid.state.getState().phase === 'ready');
    expect(grid.state.getState()).toMatchObject({ active: 410, begins: 400, error: null });
  });

  test('rows are gathered over several searches where the list is for that', async () => {
    const grid = createGrid<Row>((row) => row.id, { gathers: true });
    const ready = () => until(grid, () => !grid.state.getState().loading);
    grid.show(listOf(rowsTo(20)).source);
    await ready();
    grid.toggle(3);
    grid.show(listOf([{ id: 77 }], 'other').source);
    await ready();
    grid.toggle(0);
    expect(grid.state.getState().selection).toEqual({ kind: 'some', ids: new Set([3, 77]) });
  });

  test('another filter begins at the top with nothing selected', async () => {
    const { source } = listOf(rowsTo(1_000));
    const grid = await shown(source);
    grid.toggle(5);
    grid.show(listOf(rowsTo(30), 'less').source);
    await until(grid, () => grid.state.getState().total === 30);
    expect(grid.count()).toBe(0);
    expect(grid.state.getState()).toMatchObject({ active: 0, lists: 2 });
  });

  test('who sorts by keys stays among the titles; a row left for them is whole again', async () => {
    const { source } = listOf(rowsTo(1_000));
    const grid = await shown(source);
    grid.moveToTitles();
    grid.moveColumn(2);
    grid.show(listOf(rowsTo(1_000), 'sorted').source);
    await until(grid, () => grid.state.getState().lists === 2);
    expect(grid.state.getState()).toMatchObject({ active: -1, column: 2 });
    grid.moveTo(0);
    expect(grid.state.getState()).toMatchObject({ active: 0, column: null });
  });

  test('rows that come on top move the place along, not the rows on the screen', async () => {
    const { source, list } = listOf(rowsTo(1_000));
    const grid = await shown(source);
    grid.view({ first: 300, last: 320 });
    await until(grid, () => grid.rowAt(310) !== undefined);
    grid.moveTo(310);
    list.rows = [{ id: 5_001 }, { id: 5_002 }, ...list.rows];
    grid.refresh();
    await until(grid, () => grid.state.getState().total === 1_002);
    expect(grid.state.getState().shifted).toEqual({ rows: 2, serial: 1 });
    expect(grid.activeRow()).toEqual({ id: 310 });
  });

  test('at the top new rows come into view, and the active row stays the same webhook', async () => {
    const { source, list } = listOf(rowsTo(500));
    const grid = await shown(source);
    grid.moveTo(3);
    list.rows = [{ id: 9_000 }, ...list.rows];
    grid.refresh();
    await until(grid, () => grid.state.getState().total === 501);
    expect(grid.state.getState().shifted.serial).toBe(0);
    expect(grid.activeRow()).toEqual({ id: 3 });
  });

  test('a failed refresh keeps what is on the screen and says so', async () => {
    const { source, list } = listOf(rowsTo(50));
    const grid = await shown(source);
    list.failing = true;
    grid.refresh();
    await until(grid, () => grid.state.getState().error !== null);
    expect(grid.rowAt(0)).toEqual({ id: 0 });
    list.failing = false;
    grid.refresh();
    await until(grid, () => grid.state.getState().error === null);
  });

  test('a range reads what lies between', async () => {
    const { source } = listOf(rowsTo(5_000));
    const grid = await shown(source);
    grid.moveTo(10);
    await grid.extendTo(3_010);
    expect(grid.count()).toBe(3_001);
  });

  test('a range is read to its end, also where the list is read anew meanwhile', async () => {
    const { source, list } = listOf(rowsTo(5_000));
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const slow: Source<Row> = {
      ...source,
      async page(after, limit, signal) {
        // A range is read in larger pieces than the list.
        if (limit > 200) await held;
        signal.throwIfAborted();
        return await source.page(after, limit, signal);
      },
    };
    const grid = await shown(slow);
    grid.moveTo(10);
    const extended = grid.extendTo(3_010);
    list.rows = list.rows.slice(0, 4_000);
    grid.refresh();
    await until(grid, () => grid.state.getState().total === 4_000);
    release();
    await extended;
    expect(grid.count()).toBe(3_001);
    expect(grid.state.getState().error).toBeNull();
  });

  test('rows of the whole filter but some are read in order', async () => {
    const { source } = listOf(rowsTo(2_500));
    const grid = await shown(source);
    grid.selectAll();
    grid.toggle(1);
    const rows = await grid.selectedRows(10_000);
    expect(rows).toHaveLength(2_499);
    expect(rows.slice(0, 3).map(({ id }) => id)).toEqual([0, 2, 3]);
  });

  test('until a row is gone to, none is selected', async () => {
    const { source } = listOf(rowsTo(10));
    const grid = await shown(source);
    expect(grid.count()).toBe(0);
    expect(await grid.selectedRows(10)).toEqual([]);
    grid.moveTo(4);
    expect(await grid.selectedRows(10)).toEqual([{ id: 4 }]);
  });
});
