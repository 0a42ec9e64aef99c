import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { runInTransaction } from '../../../src/backend/store/sqlite/connection.ts';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import type { ReportTableName } from '../../../src/contract/index.ts';
import { SITE } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';
import { createStatement, createTransaction } from '../store/sample-records.ts';

let bench: PeriodBench;

interface Entry {
  readonly type: 'charge' | 'payment' | 'credit';
  readonly on: string;
  readonly cents: number;
  readonly memo?: string;
}

let lastTransaction = 100;

function createCustomerStatement(
  [id, name, closed]: [number, string, string],
  starting: number,
  entries: Entry[],
) {
  const effect = ({ type, cents }: Entry) => (type === 'charge' ? cents : -cents);
  return createStatement({
    id,
    subscription_id: 900 + name.length,
    customer_first_name: name,
    customer_last_name: 'Rossi',
    opened_at: `${closed.slice(0, 8)}01T08:00:00-05:00`,
    closed_at: `${closed}T18:00:00-05:00`,
    settled_at: null,
    starting_balance_in_cents: starting,
    ending_balance_in_cents: entries.reduce((sum, entry) => sum + effect(entry), starting),
    transactions: entries.map(({ type, on, cents, memo }) =>
      createTransaction({
        id: lastTransaction++,
        transaction_type: type,
        type: type[0]?.toUpperCase() + type.slice(1),
        kind: type === 'charge' ? 'baseline' : null,
        memo: memo ?? type,
        amount_in_cents: cents,
        starting_balance_in_cents: null,
        ending_balance_in_cents: null,
        created_at: `${on}T12:00:00-05:00`,
        success: true,
      }),
    ),
    events: [],
  });
}

beforeAll(async () => {
  bench = await openPeriodBench();
  const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
  const statements = [
    // Pays 30.00 of the 50.00 of August in September, so that 20.00 stay open next to the 40.00 of October.
    createCustomerStatement([1, 'Ida', '2026-08-20'], 0, [{ type: 'charge', on: '2026-08-10', cents: 5000 }]),
    createCustomerStatement([2, 'Ida', '2026-09-20'], 5000, [
      { type: 'payment', on: '2026-09-10', cents: 3000 },
    ]),
    createCustomerStatement([3, 'Ida', '2026-10-26'], 2000, [
      { type: 'charge', on: '2026-10-26', cents: 4000, memo: 'Plan (10/22/2026 - 11/11/2026)' },
    ]),
    // Overpays by 7.00.
    createCustomerStatement([4, 'Otto', '2026-10-20'], 0, [
      { type: 'charge', on: '2026-10-05', cents: 1000, memo: 'Plan (10/01/2026 - 11/01/2026)' },
      { type: 'payment', on: '2026-10-06', cents: 1700 },
    ]),
    // Receives a credit of 3.00 that exceeds the charges.
    createCustomerStatement([5, 'Maria', '2026-10-21'], 0, [
      { type: 'credit', on: '2026-10-07', cents: 300, memo: 'Goodwill' },
    ]),
  ];
  runInTransaction(cache, () => upsertStatements(cache, statements, 1));
  closeStore(cache);
});
afterAll(() => bench.close());

async function readRows(table: ReportTableName, period = '2026-10') {
  const at = { site: SITE, period, table };
  const rows: Record<string, string | number | null>[] = [];
  let after: string | null | undefined;
  do {
    const page = await bench.client.reports.table({ ...at, limit: 2, ...(after ? { after } : {}) });
    for (const { cells } of page.rows)
      rows.push(Object.fromEntries(page.columns.map(({ name }, index) => [name, cells[index] ?? null])));
    after = page.next;
  } while (after !== null);
  return rows;
}

const expectedCustomers = [
  { customer: 'Ida Rossi', subscriptions: 1, total_in_cents: 6000, days_0_in_cents: 4000 },
  { customer: 'Maria Rossi', total_in_cents: -300, credits_in_cents: -300, overpaid_in_cents: null },
  { customer: 'Otto Rossi', total_in_cents: -700, credits_in_cents: null, overpaid_in_cents: -700 },
];

test('ages open charges, and lists credits and overpayments per customer', async () => {
  const rows = await readRows('customers');
  expect(rows).toMatchObject(expectedCustomers);
  // Closed on August 20, which is 72 days before October 31.
  expect(rows[0]).toMatchObject({ days_61_in_cents: 2000 });
});

test('spreads a charge over its service days', async () => {
  // In order of closing.
  expect(await readRows('deferred')).toMatchObject([
    { statement: 4, recognized_in_cents: 1000, closing_in_cents: null },
    { statement: 5, amount_in_cents: -300, recognized_in_cents: -300 },
    // The 10 days from October 22 to 31 of 20 days.
    { statement: 3, recognized_in_cents: 2000, closing_in_cents: 2000, service_until: '2026-11-11' },
  ]);
  expect(await readRows('deferred', '2026-11')).toMatchObject([
    { statement: 3, opening_in_cents: 2000, billed_in_cents: null, recognized_in_cents: 2000 },
  ]);
});

test('shows the lists of a closed period as signed', async () => {
  await bench.client.periods.open({ site: SITE, period: '2026-10' });
  expect(await bench.sign('2026-10')).toMatchObject({ state: 'done' });
  bench.removeStatements(3);
  expect(await readRows('customers')).toMatchObject(expectedCustomers);
});
