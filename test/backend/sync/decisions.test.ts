import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leastForSubscription, planFetches } from '../../../src/backend/sync/shared/bodies.ts';
import { type Learned, leastRequests } from '../../../src/backend/sync/shared/minimum.ts';
import { isAsExpected, mayPrecede, startOfSweep } from '../../../src/backend/sync/webhooks/failed-sweep.ts';

test('the sweep begins where the list of the failed should end', () => {
  expect(startOfSweep([], 200)).toEqual({ page: 1, expected: [], before: [] });
  expect(startOfSweep([7, 8, 9], 2)).toEqual({ page: 2, expected: [9], before: [7, 8] });
  // A full page does not show that the list ends with it; an empty one alone shows no more than that it is no longer.
  expect(startOfSweep([6, 7, 8, 9], 2)).toEqual({ page: 3, expected: [], before: [8, 9] });
});

test('a page is as expected where it has all the rows it should and no others', () => {
  expect(isAsExpected([9], [9])).toBe(true);
  expect(isAsExpected([7, 8], [8, 7])).toBe(true);
  expect(isAsExpected([9], [])).toBe(false);
  expect(isAsExpected([9], [9, 10])).toBe(false);
  expect(isAsExpected([9], [10])).toBe(false);
  expect(isAsExpected([7, 8], [7, 7])).toBe(false);
});

test('a page that became shorter while pages behind it have rows shows that some were passed by', () => {
  const page = (rows: number) => ({ rows });
  expect(mayPrecede(page(25), page(4), 25)).toBe(true);
  expect(mayPrecede(page(20), page(0), 25)).toBe(true);
  expect(mayPrecede(page(20), page(4), 25)).toBe(false);
});

const wanted = (ids: Record<number, number | null>) =>
  Object.entries(ids).map(([id, subscription_id]) => ({ id: Number(id), subscription_id }));

test('a subscription is listed where that costs less than reading what is missing of it', () => {
  const known = new Map([
    [1, 24],
    [2, 24],
    [3, 1],
  ]);
  const plan = planFetches({
    statements: wanted({ 10: 1, 11: 1, 12: 1, 20: 2, 30: 3 }),
    known,
    unread: [],
    rowsPerPage: 20,
  });
  expect(plan).toEqual({ lists: [1], reads: [20, 30], unknown: [] });
});

test('where owners are not known, lists that may bring them are preferred to reads', () => {
  const known = new Map([[1, 5]]);
  const plan = planFetches({ statements: wanted({ 10: 1, 11: null }), known, unread: [], rowsPerPage: 20 });
  expect(plan).toEqual({ lists: [1], reads: [], unknown: [11] });
  const fresh = planFetches({
    statements: wanted({ 10: null, 11: null, 12: null }),
    known: new Map(),
    unread: [7, 8],
    rowsPerPage: 20,
  });
  expect(fresh).toEqual({ lists: [7, 8], reads: [], unknown: [10, 11, 12] });
});

test('what is planned never costs more than reading each by itself', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ subscription_id: fc.integer({ min: 1, max: 9 }) }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 25 }),
      (rows, rowsPerPage) => {
        const statements = rows.map((row, id) => ({ ...row, id }));
        const known = new Map<number, number>();
        for (const { subscription_id } of statements)
          known.set(subscription_id, (known.get(subscription_id) ?? 0) + 1);
        const { lists, reads, unknown } = planFetches({ statements, known, unread: [], rowsPerPage });
        const cost =
          reads.length +
          lists.reduce((sum, each) => sum + Math.ceil((known.get(each) ?? 0) / rowsPerPage), 0);
        const least = [...known.values()].reduce(
          (sum, all) => sum + leastForSubscription(all, all, rowsPerPage),
          0,
        );
        expect(unknown).toEqual([]);
        expect(cost).toBe(least);
      },
    ),
  );
});

const nothing: Learned = {
  webhooks: { rowsPerPage: 200, backfilled: null, arrived: null, failed: null, departed: 0 },
  statements: { ids: null, idsPerPage: 10_000, rowsPerPage: 20, wanted: [], discovered: 0 },
  allocations: [],
  pdfs: 0,
};

test('the least number of requests is that of the table', () => {
  expect(leastRequests(nothing)).toBe(0);
  const { webhooks, statements } = nothing;
  expect(leastRequests({ ...nothing, webhooks: { ...webhooks, backfilled: 149_800, arrived: 200 } })).toBe(
    751,
  );
  expect(leastRequests({ ...nothing, webhooks: { ...webhooks, arrived: 0 } })).toBe(1);
  expect(leastRequests({ ...nothing, webhooks: { ...webhooks, arrived: 200 } })).toBe(2);
  expect(leastRequests({ ...nothing, webhooks: { ...webhooks, failed: 400, departed: 201 } })).toBe(3 + 2);
  expect(leastRequests({ ...nothing, statements: { ...statements, ids: 240_000 } })).toBe(25);
  const bodies = {
    ...statements,
    wanted: [
      { ids: 24, all: 24 },
      { ids: 1, all: 24 },
    ],
    discovered: 3,
  };
  expect(leastRequests({ ...nothing, statements: bodies })).toBe(2 + 1 + 3);
  const histories = [
    { rows: 0, whole: true },
    { rows: 50, whole: true },
    { rows: 0, whole: false },
    { rows: 50, whole: false },
  ];
  expect(leastRequests({ ...nothing, allocations: histories, pdfs: 7 })).toBe(1 + 2 + 1 + 2 + 7);
});
