import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  replaceAllocations,
  upsertAllocations,
} from '../../../../src/backend/store/allocations/allocation.ts';
import { listAllocations } from '../../../../src/backend/store/allocations/allocation-list.ts';
import { recordSubscriptionComponent } from '../../../../src/backend/store/allocations/subscription-component.ts';
import { runInTransaction, type WritableDb } from '../../../../src/backend/store/sqlite/connection.ts';
import { upsertStatements } from '../../../../src/backend/store/statements/statement.ts';
import {
  getWebhookDeliveryState,
  removeUrlQuery,
  upsertWebhooks,
} from '../../../../src/backend/store/webhooks/webhook.ts';
import { createAllocation, createStatement, createTransaction, createWebhook } from '../sample-records.ts';
import { openTemporaryStore } from '../temporary-store.ts';
import { arbitraryLog } from '../webhooks/webhook-model.ts';

/** Returns all rows of a table in key order. */
const dumpTable = (db: WritableDb, table: string) => db.prepare(`SELECT * FROM ${table} ORDER BY 1`).all();
/** Returns the number of rows that this connection has changed. */
const countChanges = (db: WritableDb) => db.prepare<[], number>('SELECT total_changes()').pluck().get();

describe('write rule', () => {
  it('writes nothing if a row is already stored', () => {
    const db = openTemporaryStore('cache');
    fc.assert(
      fc.property(arbitraryLog, (log) => {
        const rows = [...new Map(log.map((row) => [row.id, row])).values()];
        db.exec('DELETE FROM webhook');
        expect(upsertWebhooks(db, rows, 1)).toMatchObject({ inserted: rows.length, changed: 0 });
        const before = countChanges(db);
        expect(upsertWebhooks(db, rows, 2)).toMatchObject({
          inserted: 0,
          changed: 0,
          unchanged: rows.length,
          arrived: [],
        });
        expect(countChanges(db)).toBe(before);
      }),
      { numRuns: 50 },
    );
  });

  it('gives the same result for any order of responses', () => {
    const one = openTemporaryStore('cache');
    const other = openTemporaryStore('cache');
    const arbitraryResponses = arbitraryLog.chain((log) => {
      const answer = log.map((row, at) => ({ row, at: at + 1 }));
      return fc.tuple(fc.constant(answer), fc.shuffledSubarray(answer, { minLength: answer.length }));
    });
    fc.assert(
      fc.property(arbitraryResponses, ([inTurn, shuffled]) => {
        for (const [db, arrived] of [
          [one, inTurn],
          [other, shuffled],
        ] as const) {
          db.exec('DELETE FROM webhook');
          for (const { row, at } of arrived) upsertWebhooks(db, [row], at);
        }
        const shown = (db: WritableDb) =>
          db
            .prepare(
              'SELECT * FROM webhook JOIN webhook_class ON webhook_class.id = class_id ORDER BY webhook.id',
            )
            .all()
            .map((row) => ({
              ...(row as Record<string, unknown>),
              id: 0,
              class_id: 0,
              error_id: 0,
              read_at: 0,
            }));
        expect(shown(other)).toEqual(shown(one));
      }),
      { numRuns: 60 },
    );
  });

  it('never lets the response to an earlier request overwrite that to a later one', () => {
    const db = openTemporaryStore('cache');
    upsertWebhooks(db, [createWebhook({ successful: true })], 20);
    expect(upsertWebhooks(db, [createWebhook({ successful: false, last_error: '500' })], 19)).toMatchObject({
      unchanged: 1,
    });
    upsertStatements(db, [createStatement({ memo: 'later' })], 20);
    expect(upsertStatements(db, [createStatement({ memo: 'earlier' })], 19)).toEqual({
      inserted: 0,
      changed: 0,
      unchanged: 1,
    });
    expect(db.prepare('SELECT memo FROM statement').pluck().get()).toBe('later');
    expect(db.prepare('SELECT successful FROM webhook').pluck().get()).toBe(1);
  });

  it('updates columns that rarely change', () => {
    const db = openTemporaryStore('cache');
    upsertWebhooks(db, [createWebhook()], 1);
    const other = createWebhook({
      body: 'id=1&payload[subscription][id]=5',
      created_at: '2026-01-02T00:00:00Z',
    });
    expect(upsertWebhooks(db, [other], 2)).toMatchObject({ changed: 1 });
    expect(db.prepare('SELECT subscription_id, created_at, read_at FROM webhook').get()).toEqual({
      subscription_id: 5,
      created_at: Date.UTC(2026, 0, 2),
      read_at: 2,
    });
  });
});

describe('stored counts', () => {
  it('of webhooks agree with a recount after any writes', () => {
    const db = openTemporaryStore('cache');
    fc.assert(
      fc.property(
        arbitraryLog,
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 9 }),
        (log, perPage, removed) => {
          db.exec('DELETE FROM webhook');
          // An inconsistent page of the service may contain a row twice with different values.
          for (let at = 0; at < log.length; at += perPage)
            upsertWebhooks(db, log.slice(at, at + perPage), at);
          for (const id of removed) db.prepare('DELETE FROM webhook WHERE id = ?').run(id);
          const expectCountsAgree = (kept: string, counted: string) =>
            expect(db.prepare(kept).all()).toEqual(db.prepare(counted).all());
          expectCountsAgree(
            'SELECT id, count FROM webhook_class WHERE count <> 0 ORDER BY id',
            'SELECT class_id AS id, count(*) AS count FROM webhook GROUP BY class_id ORDER BY class_id',
          );
          expectCountsAgree(
            'SELECT id, count FROM webhook_error WHERE count <> 0 ORDER BY id',
            'SELECT error_id AS id, count(*) AS count FROM webhook WHERE error_id IS NOT NULL GROUP BY error_id ORDER BY error_id',
          );
          expectCountsAgree(
            'SELECT day, class_id, count FROM webhook_day WHERE count <> 0 ORDER BY day, class_id',
            'SELECT created_at / 86400000 AS day, class_id, count(*) AS count FROM webhook GROUP BY day, class_id ORDER BY day, class_id',
          );
          const outside = `SELECT count(*) FROM webhook JOIN webhook_day
          ON day = created_at / 86400000 AND webhook_day.class_id = webhook.class_id
          WHERE webhook.id NOT BETWEEN first_id AND last_id`;
          expect(db.prepare(outside).pluck().get()).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  const arbitraryStatement = fc
    .record({
      id: fc.integer({ min: 1, max: 12 }),
      subscription_id: fc.integer({ min: 1, max: 3 }),
      closed_at: fc.constantFrom(null, '2026-01-31T00:00:00-05:00', '2026-02-28T00:00:00-05:00'),
      settled_at: fc.constantFrom(null, '2026-03-01T00:00:00-05:00'),
      ending_balance_in_cents: fc.integer({ min: -500, max: 500 }),
      customer_first_name: fc.constantFrom('Anna', 'Bo'),
      transactions: fc.array(
        fc
          .record({
            id: fc.integer({ min: 1, max: 9 }),
            transaction_type: fc.constantFrom('charge', 'payment', 'credit', null),
            type: fc.constantFrom('Charge', 'Payment'),
            kind: fc.constantFrom(null, 'baseline'),
            amount_in_cents: fc.integer({ min: -900, max: 900 }),
            success: fc.constantFrom(true, false, null),
          })
          .map(createTransaction),
        { maxLength: 4 },
      ),
    })
    .map(createStatement);

  it('and sums of statements, transactions and subscriptions agree with a recount after any writes', () => {
    const db = openTemporaryStore('cache');
    fc.assert(
      fc.property(fc.array(arbitraryStatement, { maxLength: 25, size: 'max' }), (statements) => {
        db.exec('DELETE FROM statement; DELETE FROM subscription');
        for (const [at, row] of statements.entries()) upsertStatements(db, [row], at);
        const sums = `sum(charges_in_cents) AS charges, sum(payments_in_cents) AS payments, sum(ending_balance_in_cents) AS ending`;
        const expectSumsAgree = (kept: string, counted: string) =>
          expect(db.prepare(kept).all()).toEqual(db.prepare(counted).all());
        expectSumsAgree(
          `SELECT state, sum(count) AS count, ${sums} FROM statement_sum WHERE count <> 0 GROUP BY state`,
          `SELECT state, count(*) AS count, ${sums} FROM statement GROUP BY state`,
        );
        expectSumsAgree(
          'SELECT id, count, amount_in_cents AS amount FROM txn_class WHERE count <> 0 ORDER BY id',
          'SELECT class_id AS id, count(*) AS count, sum(amount_in_cents) AS amount FROM txn GROUP BY class_id ORDER BY class_id',
        );
        expectSumsAgree(
          'SELECT subscription_id, statements, unpaid FROM subscription WHERE statements > 0 ORDER BY 1',
          `SELECT subscription_id, count(*) AS statements, sum(state = 1) AS unpaid FROM statement
           GROUP BY subscription_id ORDER BY 1`,
        );
        const stored = [...new Map(statements.map((row) => [row.id, row])).values()];
        expect(db.prepare('SELECT count(*) FROM txn').pluck().get()).toBe(
          stored.reduce((sum, row) => sum + row.transactions.length, 0),
        );
        for (const { balance_in_cents, subscription_id } of db
          .prepare('SELECT * FROM subscription')
          .all() as {
          balance_in_cents: number;
          subscription_id: number;
        }[]) {
          const closed = stored.filter(
            (row) => row.subscription_id === subscription_id && row.closed_at !== null,
          );
          closed.sort((a, b) => a.closed_at!.localeCompare(b.closed_at!) || a.id - b.id);
          expect(balance_in_cents).toBe(closed.at(-1)?.ending_balance_in_cents ?? 0);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('stored webhook', () => {
  it('is failed if it has an error and otherwise pending, regardless of its previous state', () => {
    expect(getWebhookDeliveryState({ successful: true, last_error: 'x', last_error_at: null })).toBe(0);
    expect(getWebhookDeliveryState({ successful: false, last_error: 'x', last_error_at: null })).toBe(1);
    expect(
      getWebhookDeliveryState({ successful: false, last_error: null, last_error_at: '2026-01-01T00:00:00Z' }),
    ).toBe(1);
    expect(getWebhookDeliveryState({ successful: false, last_error: null, last_error_at: null })).toBe(2);
  });

  it('is grouped by its URL without the query string, which may differ for every delivery', () => {
    expect(removeUrlQuery('https://a.example/hooks?signature=ab#x')).toBe('https://a.example/hooks');
    expect(removeUrlQuery(null)).toBe('');
  });

  it('has the ids contained in its body, in any format', () => {
    const db = openTemporaryStore('cache');
    const { arrived } = upsertWebhooks(
      db,
      [
        createWebhook({
          id: 1,
          body: 'id=1&payload[component][id]=9&payload[component][name]=Seats&payload[subscription][id]=7',
        }),
        createWebhook({ id: 2, body: { payload: { statement: { id: 3, subscription_id: 4 } } } }),
        createWebhook({ id: 3, body: '{"payload":{"subscription":{"id":8}}}' }),
        createWebhook({ id: 4, body: 'nothing to read' }),
        createWebhook({ id: 5, body: null }),
        createWebhook({ id: 6, body: 'payload%5Bsubscription%5D%5Bid%5D=6' }),
      ],
      1,
    );
    const ids = arrived.map((hint) => [
      hint.id,
      hint.subscription_id,
      hint.statement_id,
      hint.component_id,
      hint.component_name,
    ]);
    expect(ids).toEqual([
      [1, 7, null, 9, 'Seats'],
      [2, 4, 3, null, null],
      [3, 8, null, null, null],
      [4, null, null, null, null],
      [5, null, null, null, null],
      [6, 6, null, null, null],
    ]);
    expect(db.prepare('SELECT body_form FROM webhook ORDER BY id').pluck().all()).toEqual([
      'form',
      'object',
      'json',
      'unreadable',
      'unreadable',
      'form',
    ]);
  });
});

describe('stored allocation', () => {
  const component = { subscription_id: 77, component_id: 9 };
  const note = { ...component, component_name: null, source: 'user' as const, changed_hint_at: null };
  const history = [
    createAllocation({ timestamp: '2026-01-01T00:00:00Z', quantity: 1, previous_quantity: 0 }),
    createAllocation({ timestamp: '2026-01-01T00:00:00Z', quantity: 1, previous_quantity: 1 }),
    createAllocation({ timestamp: '2026-01-02T00:00:00Z', quantity: '2.5', previous_quantity: 1 }),
    createAllocation({ timestamp: '2026-01-03T00:00:00Z', quantity: 4, previous_quantity: 3 }),
  ];

  it('is identified by its second and its position within it, so that equal ones stay separate', () => {
    const db = openTemporaryStore('cache');
    recordSubscriptionComponent(db, note);
    expect(runInTransaction(db, () => upsertAllocations(db, component, history, 1))).toEqual({
      inserted: 4,
      changed: 0,
      unchanged: 0,
    });
    expect(runInTransaction(db, () => upsertAllocations(db, component, history.slice(2), 2))).toEqual({
      inserted: 0,
      changed: 0,
      unchanged: 2,
    });
    const { rows, total } = listAllocations(db, { ...component, limit: 10 });
    expect(total).toEqual({ count: 4, exact: true });
    expect(rows.map((row) => [row.timestamp.slice(8, 10), row.ordinal, row.quantity, row.chained])).toEqual([
      ['03', 0, 4, false],
      ['02', 0, '2.5', true],
      ['01', 1, 1, true],
      ['01', 0, 1, null],
    ]);
    expect(dumpTable(db, 'subscription_component')).toMatchObject([
      { allocations: 4, quantity: 4, last_at: Date.UTC(2026, 0, 3) },
    ]);
  });

  it('stored by mistake is removed when its history is replaced', () => {
    const db = openTemporaryStore('cache');
    recordSubscriptionComponent(db, note);
    upsertAllocations(db, component, history, 1);
    replaceAllocations(db, component, history.slice(0, 1), 2);
    expect(listAllocations(db, { ...component, limit: 10 }).rows.length).toBe(1);
    expect(dumpTable(db, 'subscription_component')).toMatchObject([{ allocations: 1, quantity: 1 }]);
  });
});
