import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { runInTransaction } from '../../../src/backend/store/sqlite/connection.ts';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import type { PeriodReport } from '../../../src/contract/index.ts';
import { type BankBench, openBankBench, SITE } from '../bank/bank-bench.ts';
import { createStatement, createTransaction } from '../store/sample-records.ts';

/** Statement with one charge and one payment of it, both on its closing day. */
export interface TestStatement {
  id: number;
  /** Date as `YYYY-MM-DD`. */
  on: string;
  cents: number;
  /** Id of the subscription; by default that of the statement. */
  subscription?: number;
  /** Memo of the charge, for example with its service period. */
  memo?: string;
  /** True if the statement is still open. */
  open?: boolean;
}

/** Site without a service, whose statements are written to the cache and whose periods can be signed. */
export interface PeriodBench extends BankBench {
  /** Writes statements to the cache like a sync. The payment of statement 7 has the id 70 and the gateway id `ch_x70`. */
  addStatements(...statements: TestStatement[]): void;
  /** Removes statements, like a sync that no longer finds them listed. */
  removeStatements(...ids: number[]): void;
  /** Returns the lists of a period's report without the audit log, which keeps growing. */
  readReportLists(
    period: string,
  ): Promise<Pick<PeriodReport, 'outstanding' | 'adjustments' | 'exceptions' | 'matches'>>;
  /** Signs a period: Ada prepares it, Bo reviews it, and it is closed. Returns the ended job. */
  sign(period: string): ReturnType<BankBench['waitForJob']>;
}

export async function openPeriodBench(
  now: () => number = () => Date.UTC(2027, 0, 20, 12),
  keys = new Map<string, string>(),
): Promise<PeriodBench> {
  const bench = await openBankBench({ now, keys });
  let readTime = Date.UTC(2026, 10, 1);
  const withCache = (work: (cache: ReturnType<typeof openStore>) => void) => {
    const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
    runInTransaction(cache as Parameters<typeof runInTransaction>[0], () => work(cache));
    closeStore(cache);
  };
  return Object.assign(Object.create(bench) as BankBench, {
    addStatements(...statements: TestStatement[]) {
      readTime += 1000;
      withCache((cache) =>
        upsertStatements(
          cache as Parameters<typeof upsertStatements>[0],
          statements.map(createPeriodStatement),
          readTime,
        ),
      );
    },
    removeStatements(...ids: number[]) {
      readTime += 1000;
      withCache((cache) => {
        for (const id of ids)
          cache.prepare('UPDATE statement SET vanished_at = ? WHERE id = ?').run(readTime, id);
        cache
          .prepare('DELETE FROM txn WHERE statement_id IN (SELECT value FROM json_each(?))')
          .run(JSON.stringify(ids));
      });
    },
    async readReportLists(period: string) {
      const path = join(bench.outputs, 'lists.json');
      await bench.client.reports.write({ site: SITE, period, format: 'json', path, replace: true });
      const { outstanding, adjustments, exceptions, matches } = JSON.parse(
        readFileSync(path, 'utf8'),
      ) as PeriodReport;
      return { outstanding, adjustments, exceptions, matches };
    },
    async sign(period: string) {
      const { client } = bench;
      const on = { site: SITE, period };
      await client.periods.submit({ ...on, by: 'Ada Byron', comment: 'As far as is known.' });
      await client.periods.review({ ...on, by: 'Bo Diddley', verdict: 'approve' });
      return bench.waitForJob((await client.periods.close(on)).job);
    },
  });
}

export function createPeriodStatement({ id, on, cents, subscription = id, memo, open }: TestStatement) {
  const at = `${on}T12:00:00-05:00`;
  const money = { amount_in_cents: cents, created_at: at, subscription_id: subscription };
  return createStatement({
    id,
    subscription_id: subscription,
    opened_at: `${on}T11:00:00-05:00`,
    closed_at: open ? null : at,
    settled_at: open ? null : at,
    created_at: at,
    starting_balance_in_cents: 0,
    ending_balance_in_cents: 0,
    transactions: [
      createTransaction({
        ...money,
        ...(memo !== undefined && { memo }),
        id: id * 10 + 1,
        starting_balance_in_cents: 0,
        ending_balance_in_cents: cents,
      }),
      createTransaction({
        ...money,
        id: id * 10,
        transaction_type: 'payment',
        type: 'Payment',
        kind: null,
        starting_balance_in_cents: cents,
        ending_balance_in_cents: 0,
        gateway_transaction_id: `ch_x${id * 10}`,
      }),
    ],
    events: [],
  });
}
