import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFirstSorted, findNextRow } from '../../../../src/renderer/grid/state/find-row.ts';
import { ROWS_PER_PAGE, type RowRange } from '../../../../src/renderer/grid/state/scroll-geometry.ts';

function createSource<Row>(rows: readonly Row[]) {
  const read: number[] = [];
  return {
    read,
    async *readRows({ first, last }: RowRange) {
      yield* rows.slice(first, last + 1);
    },
    async readPage(page: number) {
      read.push(page);
      return rows.slice(page * ROWS_PER_PAGE, (page + 1) * ROWS_PER_PAGE);
    },
  };
}

test('the next matching row is found after the start and then from the beginning', async () => {
  const rows = ['ant', 'bee', 'cat', 'bear', 'dog'];
  const find = (start: number, typed: string) =>
    findNextRow(
      createSource(rows),
      { start, total: rows.length, signal: new AbortController().signal },
      (row) => row.startsWith(typed),
    );
  expect(await find(0, 'be')).toBe(1);
  expect(await find(2, 'be')).toBe(3);
  expect(await find(4, 'be')).toBe(1);
  expect(await find(3, 'x')).toBeNull();
});

test('an aborted search reads no further rows', async () => {
  const controller = new AbortController();
  const source = createSource(Array.from({ length: 900 }, (_, index) => index));
  const seen: number[] = [];
  const options = { start: 400, total: 900, signal: controller.signal };
  const found = await findNextRow(source, options, (row) => {
    seen.push(row);
    if (row === 410) controller.abort();
    return row === 411;
  });
  expect(found).toBeNull();
  expect(seen).toHaveLength(11);
});

test('a date is found in a sorted list of any length, whose rows without a date come last or in between', async () => {
  const days = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 900 });
  await fc.assert(
    fc.asyncProperty(days, fc.integer({ min: -1, max: 301 }), fc.nat(500), async (values, day, missing) => {
      const sorted: (number | null)[] = values.toSorted((a, b) => b - a);
      const rows = [...sorted, ...Array.from({ length: missing }, () => null)];
      const source = createSource(rows);
      const options = { total: rows.length, nullsLast: true };
      const found = await findFirstSorted(source, options, (value) => (value === null ? null : value <= day));
      const expected = rows.findIndex((value) => value !== null && value <= day);
      expect(found).toBe(expected < 0 ? null : expected);
      expect(source.read.length).toBeLessThanOrEqual(5);
    }),
    { numRuns: 60 },
  );
});
