import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeRequestMinimum,
  type RequestMinimumInputs,
} from '../../../src/backend/sync/shared/request-minimum.ts';
import {
  computeMinimumStatementRequests,
  planStatementFetches,
} from '../../../src/backend/sync/shared/statement-fetch-plan.ts';
import {
  canBePreviousPage,
  hasExactlyExpectedRows,
  planFailedWebhookSweep,
} from '../../../src/backend/sync/webhooks/failed-webhook-sweep-plan.ts';

test('the sweep starts at the expected end of the failed list', () => {
  expect(planFailedWebhookSweep([], 200)).toEqual({ page: 1, expected: [], before: [] });
  expect(planFailedWebhookSweep([7, 8, 9], 2)).toEqual({ page: 2, expected: [9], before: [7, 8] });
  // A full page does not prove that the list ends with it. An empty page only proves that the list is no longer than
  // expected.
  expect(planFailedWebhookSweep([6, 7, 8, 9], 2)).toEqual({ page: 3, expected: [], before: [8, 9] });
});

test('a page is as expected if it has exactly the expected rows', () => {
  expect(hasExactlyExpectedRows([9], [9])).toBe(true);
  expect(hasExactlyExpectedRows([7, 8], [8, 7])).toBe(true);
  expect(hasExactlyExpectedRows([9], [])).toBe(false);
  expect(hasExactlyExpectedRows([9], [9, 10])).toBe(false);
  expect(hasExactlyExpectedRows([9], [10])).toBe(false);
  expect(hasExactlyExpectedRows([7, 8], [7, 7])).toBe(false);
});

test('a shorter page followed by more rows shows that rows were skipped', () => {
  const page = (rows: number) => ({ rows });
  expect(canBePreviousPage(page(25), page(4), 25)).toBe(true);
  expect(canBePreviousPage(page(20), page(0), 25)).toBe(true);
  expect(canBePreviousPage(page(20), page(4), 25)).toBe(false);
});

const createStatements = (ids: Record<number, number | null>) =>
  Object.entries(ids).map(([id, subscription_id]) => ({ id: Number(id), subscription_id }));

test('a subscription is listed if that takes fewer requests than reading its missing statements', () => {
  const known = new Map([
    [1, 24],
    [2, 24],
    [3, 1],
  ]);
  const plan = planStatementFetches({
    statements: createStatements({ 10: 1, 11: 1, 12: 1, 20: 2, 30: 3 }),
    known,
    unread: [],
    rowsPerPage: 20,
  });
  expect(plan).toEqual({ lists: [1], reads: [20, 30], unknown: [] });
});

test('lists that may contain statements of unknown subscription are preferred to single reads', () => {
  const known = new Map([[1, 5]]);
  const plan = planStatementFetches({
    statements: createStatements({ 10: 1, 11: null }),
    known,
    unread: [],
    rowsPerPage: 20,
  });
  expect(plan).toEqual({ lists: [1], reads: [], unknown: [11] });
  const fresh = planStatementFetches({
    statements: createStatements({ 10: null, 11: null, 12: null }),
    known: new Map(),
    unread: [7, 8],
    rowsPerPage: 20,
  });
  expect(fresh).toEqual({ lists: [7, 8], reads: [], unknown: [10, 11, 12] });
});

test('a fetch plan never takes more requests than reading each statement alone', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ subscription_id: fc.integer({ min: 1, max: 9 }) }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 25 }),
      (rows, rowsPerPage) => {
        const statements = rows.map((row, id) => ({ ...row, id }));
        const known = new Map<number, number>();
        for (const { subscription_id } of statements)
          known.set(subscription_id, (known.get(subscription_id) ?? 0) + 1);
        const { lists, reads, unknown } = planStatementFetches({
          statements,
          known,
          unread: [],
          rowsPerPage,
        });
        const cost =
          reads.length +
          lists.reduce((sum, each) => sum + Math.ceil((known.get(each) ?? 0) / rowsPerPage), 0);
        const least = [...known.values()].reduce(
          (sum, all) => sum + computeMinimumStatementRequests(all, all, rowsPerPage),
          0,
        );
        expect(unknown).toEqual([]);
        expect(cost).toBe(least);
      },
    ),
  );
});

const nothing: RequestMinimumInputs = {
  webhooks: { rowsPerPage: 200, backfilled: null, arrived: null, failed: null, departed: 0 },
  statements: { ids: null, idsPerPage: 10_000, rowsPerPage: 20, requested: [], discovered: 0 },
  allocations: [],
  pdfs: 0,
};

test('the minimum number of requests agrees with the table', () => {
  expect(computeRequestMinimum(nothing)).toBe(0);
  const { webhooks, statements } = nothing;
  expect(
    computeRequestMinimum({ ...nothing, webhooks: { ...webhooks, backfilled: 149_800, arrived: 200 } }),
  ).toBe(751);
  expect(computeRequestMinimum({ ...nothing, webhooks: { ...webhooks, arrived: 0 } })).toBe(1);
  expect(computeRequestMinimum({ ...nothing, webhooks: { ...webhooks, arrived: 200 } })).toBe(2);
  expect(computeRequestMinimum({ ...nothing, webhooks: { ...webhooks, failed: 400, departed: 201 } })).toBe(
    3 + 2,
  );
  expect(computeRequestMinimum({ ...nothing, statements: { ...statements, ids: 240_000 } })).toBe(25);
  const bodies = {
    ...statements,
    requested: [
      { ids: 24, all: 24 },
      { ids: 1, all: 24 },
    ],
    discovered: 3,
  };
  expect(computeRequestMinimum({ ...nothing, statements: bodies })).toBe(2 + 1 + 3);
  const histories = [
    { rows: 0, isComplete: true },
    { rows: 50, isComplete: true },
    { rows: 0, isComplete: false },
    { rows: 50, isComplete: false },
  ];
  expect(computeRequestMinimum({ ...nothing, allocations: histories, pdfs: 7 })).toBe(1 + 2 + 1 + 2 + 7);
});
