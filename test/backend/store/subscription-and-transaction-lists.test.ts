import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { upsertAllocations } from '../../../src/backend/store/allocations/allocation.ts';
import { listAllocations } from '../../../src/backend/store/allocations/allocation-list.ts';
import {
  findComponentName,
  recordSubscriptionComponent,
  setAllocationHistoryState,
} from '../../../src/backend/store/allocations/subscription-component.ts';
import {
  getSubscriptionComponent,
  listSubscriptionComponents,
  readSubscriptionComponentPageCursors,
  type SubscriptionComponentQuery,
} from '../../../src/backend/store/allocations/subscription-component-list.ts';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import {
  findSubscription,
  listSubscriptions,
  readSubscriptionPageCursors,
} from '../../../src/backend/store/statements/subscription-list.ts';
import {
  listTransactions,
  type TransactionQuery,
} from '../../../src/backend/store/statements/transaction-list.ts';
import { removeSyncProblem, saveSyncProblem } from '../../../src/backend/store/sync/sync-problem.ts';
import { listSyncProblems } from '../../../src/backend/store/sync/sync-status.ts';
import { upsertWebhooks } from '../../../src/backend/store/webhooks/webhook.ts';
import { parseInstant } from '../../../src/billing/index.ts';
import { expectCorrectMarks, readAllPages } from './read-all-pages.ts';
import {
  createAllocation,
  createStatement,
  createTransaction,
  createWebhook,
  formatServiceTime,
  T0,
} from './sample-records.ts';
import { openTemporaryStore } from './temporary-store.ts';

const DAY = 86_400_000;
const arbitraryDirection = fc.constantFrom('asc' as const, 'desc' as const);

describe('transaction list', () => {
  const arbitrary = fc
    .record({
      id: fc.integer({ min: 1, max: 20 }),
      transaction_type: fc.constantFrom('charge', 'payment', null),
      type: fc.constantFrom('Charge', 'Refund'),
      kind: fc.constantFrom(null, 'baseline'),
      amount_in_cents: fc.integer({ min: -99, max: 99 }),
      subscription_id: fc.constantFrom(1, 2, null),
      created_at: fc.option(fc.integer({ min: 0, max: 4 }).map((days) => formatServiceTime(T0 + days * DAY))),
    })
    .map(createTransaction);
  const filter: fc.Arbitrary<TransactionQuery['filter']> = fc.record(
    {
      type: fc.subarray(['charge', 'payment', 'Charge', 'refund']),
      subscription_id: fc.constantFrom(1, 2),
      since: fc.integer({ min: 0, max: 4 }).map((days) => formatServiceTime(T0 + days * DAY).slice(0, 10)),
    },
    { requiredKeys: [] },
  );

  it('has the same rows and totals as filtering and sorting all transactions', () => {
    const db = openTemporaryStore('cache');
    fc.assert(
      fc.property(
        fc.array(arbitrary, { maxLength: 30, size: 'max' }),
        filter,
        fc.constantFrom('created_at' as const, 'id' as const),
        arbitraryDirection,
        (rows, where, by, direction) => {
          db.exec('DELETE FROM statement');
          rows.forEach((row, at) => {
            upsertStatements(db, [createStatement({ id: at + 1, transactions: [row] })], at);
          });
          const getType = (row: (typeof rows)[number]) => (row.transaction_type ?? row.type)!.toLowerCase();
          const types = where.type?.map((type) => type.toLowerCase());
          const expected = rows.filter(
            (row) =>
              (types === undefined || types.includes(getType(row))) &&
              (where.subscription_id === undefined || row.subscription_id === where.subscription_id) &&
              (where.since === undefined ||
                (row.created_at !== null && row.created_at.slice(0, 10) >= where.since)),
          );
          const query = { filter: where, sort: { by, direction } };
          const { rows: read, total } = readAllPages(
            (page) => listTransactions(db, { ...query, ...page }),
            3,
          );
          const time = (text: string | null) => (text === null ? 0 : parseInstant(text)!);
          const keys = read.map((row) => (by === 'id' ? [row.id] : [time(row.created_at), row.id]));
          const sortedKeys = [...keys].sort((a, b) => a[0]! - b[0]! || (a[1] ?? 0) - (b[1] ?? 0));
          expect(keys).toEqual(direction === 'asc' ? sortedKeys : sortedKeys.reverse());
          expect(read.map((row) => row.statement_id).sort((a, b) => a - b)).toEqual(
            expected.map((row) => rows.indexOf(row) + 1).sort((a, b) => a - b),
          );
          expect(total).toEqual({ count: expected.length, exact: true });
          const sums = Map.groupBy(expected, getType);
          expect(
            new Map(
              listTransactions(db, { ...query, limit: 1 }).sums!.map((sum) => [
                sum.type,
                [sum.count, sum.amount_in_cents],
              ]),
            ),
          ).toEqual(
            new Map(
              [...sums].map(([type, of]) => [
                type,
                [of.length, of.reduce((sum, row) => sum + row.amount_in_cents, 0)],
              ]),
            ),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('subscription list', () => {
  it('contains the subscriptions of statements, webhooks and allocations in any sort order', () => {
    const db = openTemporaryStore('cache');
    upsertWebhooks(db, [createWebhook({ id: 1, body: 'payload[subscription][id]=5' })], 1);
    recordSubscriptionComponent(db, {
      subscription_id: 3,
      component_id: 1,
      component_name: null,
      source: 'statement',
      changed_hint_at: null,
    });
    upsertStatements(
      db,
      [
        createStatement({
          id: 1,
          subscription_id: 7,
          customer_first_name: 'bo',
          ending_balance_in_cents: -50,
        }),
        createStatement({
          id: 2,
          subscription_id: 9,
          customer_first_name: 'Anna',
          customer_organization: '100% AB',
          settled_at: formatServiceTime(T0),
        }),
      ],
      1,
    );
    const ids = (query: Partial<Parameters<typeof listSubscriptions>[1]>) =>
      readAllPages(
        (page) =>
          listSubscriptions(db, {
            filter: {},
            sort: { by: 'subscription_id', direction: 'asc' },
            ...query,
            ...page,
          }),
        2,
      ).rows.map((row) => row.subscription_id);
    expect(ids({})).toEqual([3, 5, 7, 9]);
    expect(ids({ sort: { by: 'customer_name', direction: 'asc' } })).toEqual([3, 5, 9, 7]);
    expect(ids({ sort: { by: 'balance_in_cents', direction: 'desc' } })).toEqual([9, 5, 3, 7]);
    expect(ids({ filter: { search: 'anna' } })).toEqual([9]);
    expect(ids({ filter: { search: '100%' } })).toEqual([9]);
    expect(ids({ filter: { search: '_' } })).toEqual([]);
    expect(ids({ filter: { search: '5' } })).toEqual([5]);
    expect(findSubscription(db, 7)).toMatchObject({
      statements: 1,
      unpaid: 1,
      balance_in_cents: -50,
      customer_name: 'bo Larsson',
    });
    expect(findSubscription(db, 5)).toMatchObject({
      statements: 0,
      balance_in_cents: null,
      customer_name: null,
      last_closed_at: null,
    });
    expect(findSubscription(db, 4)).toBeNull();
    const sort = { by: 'customer_name', direction: 'asc' } as const;
    const rows = readAllPages((page) => listSubscriptions(db, { filter: {}, sort, ...page }), 9).rows;
    expectCorrectMarks(readSubscriptionPageCursors(db, { filter: {}, sort, every: 3 }), rows, (page) =>
      listSubscriptions(db, { filter: {}, sort, ...page }),
    );
  });
});

describe('list of subscription components', () => {
  it('names a component the same on every subscription once its name is known anywhere', () => {
    const db = openTemporaryStore('cache');
    const record = (subscription_id: number, component_id: number, component_name: string | null) =>
      recordSubscriptionComponent(db, {
        ...{ subscription_id, component_id, component_name },
        source: 'webhook',
        changed_hint_at: null,
      });
    record(1, 40, null);
    record(2, 40, 'Add-on storage');
    record(3, 41, null);
    const sort = { by: 'subscription_id', direction: 'asc' } as const;
    const names = (filter: SubscriptionComponentQuery['filter']) =>
      readAllPages((page) => listSubscriptionComponents(db, { filter, sort, ...page }), 9).rows.map(
        ({ component_name }) => component_name,
      );
    expect(names({})).toEqual(['Add-on storage', 'Add-on storage', null]);
    expect(names({ search: 'storage' })).toHaveLength(2);
    expect(findComponentName(db, 1, 40)).toBe('Add-on storage');
    expect(findComponentName(db, 3, 41)).toBeNull();
  });

  it('is filtered, sorted and counted, and keeps details learned later', () => {
    const db = openTemporaryStore('cache');
    upsertStatements(db, [createStatement({ subscription_id: 2 })], 1);
    const note = (subscription_id: number, component_id: number, component_name: string | null = null) =>
      recordSubscriptionComponent(db, {
        subscription_id,
        component_id,
        component_name,
        source: 'webhook',
        changed_hint_at: 5,
      });
    expect([note(1, 9), note(2, 9, 'Seats'), note(2, 8), note(1, 9, 'Seats')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    upsertAllocations(db, { subscription_id: 2, component_id: 8 }, [createAllocation({ quantity: 3 })], 1);
    setAllocationHistoryState(db, { subscription_id: 2, component_id: 8 }, 'complete', 7);
    const components = (query: Partial<SubscriptionComponentQuery>) =>
      readAllPages(
        (page) =>
          listSubscriptionComponents(db, {
            filter: {},
            sort: { by: 'subscription_id', direction: 'asc' },
            ...query,
            ...page,
          }),
        2,
      ).rows.map((row) => [row.subscription_id, row.component_id]);
    expect(components({})).toEqual([
      [1, 9],
      [2, 8],
      [2, 9],
    ]);
    expect(components({ sort: { by: 'last_at', direction: 'desc' } })[0]).toEqual([2, 8]);
    expect(components({ filter: { state: 'complete' } })).toEqual([[2, 8]]);
    expect(components({ filter: { component_id: 9, subscription_id: 2 } })).toEqual([[2, 9]]);
    expect(components({ filter: { search: 'seat' } })).toEqual([
      [1, 9],
      [2, 9],
    ]);
    expect(components({ filter: { search: 'larsson' } })).toEqual([
      [2, 8],
      [2, 9],
    ]);
    expect(getSubscriptionComponent(db, { subscription_id: 2, component_id: 8 })).toEqual({
      subscription_id: 2,
      component_id: 8,
      component_name: null,
      customer_name: 'Anna Larsson',
      quantity: 3,
      allocations: 1,
      last_at: '2026-01-10T12:00:00Z',
      state: 'complete',
      source: 'webhook',
      synced_at: '1970-01-01T00:00:00.007Z',
    });
    const query = { filter: {}, sort: { by: 'last_at', direction: 'desc' } } as const;
    const rows = readAllPages((page) => listSubscriptionComponents(db, { ...query, ...page }), 9).rows;
    expectCorrectMarks(readSubscriptionComponentPageCursors(db, { ...query, every: 2 }), rows, (page) =>
      listSubscriptionComponents(db, { ...query, ...page }),
    );
  });

  it('has histories that are read page by page and checked for continuity across pages', () => {
    const db = openTemporaryStore('cache');
    const component = { subscription_id: 77, component_id: 9 };
    recordSubscriptionComponent(db, {
      ...component,
      component_name: null,
      source: 'user',
      changed_hint_at: null,
    });
    const history = Array.from({ length: 23 }, (_, at) =>
      createAllocation({
        quantity: at,
        previous_quantity: at === 11 ? 99 : at - 1,
        timestamp: `2026-01-01T00:00:${String(Math.floor(at / 3)).padStart(2, '0')}Z`,
      }),
    );
    upsertAllocations(db, component, history, 1);
    const { rows } = readAllPages((page) => listAllocations(db, { ...component, ...page }), 4);
    expect(rows.map((row) => row.quantity)).toEqual(history.map((row) => row.quantity).reverse());
    expect(rows.filter((row) => row.chained === false).map((row) => row.quantity)).toEqual([11]);
    expect(rows.at(-1)?.chained).toBeNull();
  });
});

describe('problem list', () => {
  it('has the latest problem per location, truncates long ones and drops resolved ones', () => {
    const db = openTemporaryStore('cache');
    const saveTestProblem = (place: string, raw: string | null = null) =>
      saveSyncProblem(db, { part: 'webhooks', location: place, reason: 'no id', raw, seen_at: 1, job: 'j' });
    saveTestProblem('webhooks[id=1]', 'first');
    saveTestProblem('webhooks[id=1]', 'second');
    saveTestProblem('webhooks[id=2]', 'å'.repeat(70_000));
    saveSyncProblem(db, {
      part: 'pdf',
      location: 'statement 4',
      reason: 'no PDF',
      raw: null,
      seen_at: 2,
      job: null,
    });
    const all = listSyncProblems(db, { limit: 10 });
    expect(all.total).toEqual({ count: 3, exact: true });
    expect(all.rows.map((row) => row.location)).toEqual(['statement 4', 'webhooks[id=2]', 'webhooks[id=1]']);
    expect(all.rows[2]?.raw).toBe('second');
    expect(Buffer.byteLength(all.rows[1]!.raw!)).toBe(65_536);
    expect(listSyncProblems(db, { part: 'pdf', limit: 10 }).rows.length).toBe(1);
    expect(readAllPages((page) => listSyncProblems(db, page), 1).rows.length).toBe(3);
    expect([
      removeSyncProblem(db, 'pdf', 'statement 4'),
      removeSyncProblem(db, 'pdf', 'statement 4'),
    ]).toEqual([true, false]);
  });
});
