import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { inTransaction } from '../../../src/backend/store/sqlite/connection.ts';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import type { Report } from '../../../src/contract/index.ts';
import { type BankBench, openBankBench, SITE } from '../bank/bench.ts';
import { statement, transaction } from '../store/rows.ts';

/** A statement with one charge and one payment of it, both on the day it closes. */
export interface TestStatement {
  id: number;
  /** `2026-10-05`. */
  on: string;
  cents: number;
}

/** A site without a service whose statements are put into the cache, and that is signed. */
export interface PeriodBench extends BankBench {
  /** Puts statements into the cache as a sync does; the payment of statement 7 has the id 70, the gateway’s id `ch_x70`. */
  statements(...statements: TestStatement[]): void;
  /** Takes statements away, as a sync does that finds them listed no more. */
  vanish(...ids: number[]): void;
  /** The lists of a period’s report, without the audit log, which goes on. */
  lists(period: string): Promise<Pick<Report, 'outstanding' | 'adjustments' | 'exceptions' | 'matches'>>;
  /** Prepared by Ada, reviewed by Bo, closed; gives the job. */
  sign(period: string): ReturnType<BankBench['ended']>;
}

export async function openPeriodBench(
  now: () => number = () => Date.UTC(2027, 0, 20, 12),
): Promise<PeriodBench> {
  const bench = await openBankBench({ now });
  let readAt = Date.UTC(2026, 10, 1);
  const inCache = (work: (cache: ReturnType<typeof openStore>) => void) => {
    const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
    inTransaction(cache as Parameters<typeof inTransaction>[0], () => work(cache));
    closeStore(cache);
  };
  return Object.assign(Object.create(bench) as BankBench, {
    statements(...statements: TestStatement[]) {
      readAt += 1000;
      inCache((cache) =>
        upsertStatements(
          cache as Parameters<typeof upsertStatements>[0],
          statements.map(statementOf),
          readAt,
        ),
      );
    },
    vanish(...ids: number[]) {
      readAt += 1000;
      inCache((cache) => {
        for (const id of ids)
          cache.prepare('UPDATE statement SET vanished_at = ? WHERE id = ?').run(readAt, id);
        cache
          .prepare('DELETE FROM txn WHERE statement_id IN (SELECT value FROM json_each(?))')
          .run(JSON.stringify(ids));
      });
    },
    async lists(period: string) {
      const path = join(bench.home, 'lists.json');
      await bench.client.reports.write({ site: SITE, period, format: 'json', path, replace: true });
      const { outstanding, adjustments, exceptions, matches } = JSON.parse(
        readFileSync(path, 'utf8'),
      ) as Report;
      return { outstanding, adjustments, exceptions, matches };
    },
    async sign(period: string) {
      const { client } = bench;
      const on = { site: SITE, period };
      await client.periods.submit({ ...on, by: 'Ada Byron', comment: 'As far as is known.' });
      await client.periods.review({ ...on, by: 'Bo Diddley', verdict: 'approve' });
      return bench.ended((await client.periods.close(on)).job);
    },
  });
}

export function statementOf({ id, on, cents }: TestStatement) {
  const at = `${on}T12:00:00-05:00`;
  const money = { amount_in_cents: cents, created_at: at, subscription_id: id };
  return statement({
    id,
    subscription_id: id,
    opened_at: `${on}T11:00:00-05:00`,
    closed_at: at,
    settled_at: at,
    created_at: at,
    starting_balance_in_cents: 0,
    ending_balance_in_cents: 0,
    transactions: [
      transaction({
        ...money,
        id: id * 10 + 1,
        starting_balance_in_cents: 0,
        ending_balance_in_cents: cents,
      }),
      transaction({
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
