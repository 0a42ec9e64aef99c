import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { ExceptionRow } from '../../../src/contract/index.ts';
import { SITE } from '../writer-test-site.ts';
import { type CheckBench, openCheckBench } from './check-bench.ts';

const site = SITE;
const benches: CheckBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

async function openCleanBench(): Promise<CheckBench> {
  const bench = await openCheckBench({ seed: 57, subscriptions: 30, outage: false });
  benches.push(bench);
  expect(await bench.sync()).toMatchObject({ state: 'done' });
  expect(await bench.exceptions()).toEqual([]);
  return bench;
}

/** Changes rows of the cache as if the service had sent different values, and checks all records. */
async function changeAndCheck(bench: CheckBench, ...sql: readonly string[]): Promise<ExceptionRow[]> {
  const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
  for (const each of sql) cache.exec(each);
  closeStore(cache);
  expect(await bench.check()).toMatchObject({ state: 'done' });
  return await bench.exceptions({ status: ['open'] });
}

/** Returns a closed statement with transactions between two other statements of its subscription. */
const findMiddleStatement = (bench: CheckBench): number =>
  bench
    .cache()
    .prepare(
      `SELECT id FROM statement AS middle WHERE closed_at IS NOT NULL AND starting_balance_in_cents = 0
         AND EXISTS (SELECT 1 FROM txn WHERE statement_id = middle.id)
         AND EXISTS (SELECT 1 FROM statement WHERE subscription_id = middle.subscription_id AND closed_at < middle.closed_at)
         AND EXISTS (SELECT 1 FROM statement WHERE subscription_id = middle.subscription_id AND opened_at > middle.opened_at)
       ORDER BY id LIMIT 1`,
    )
    .pluck()
    .get() as number;

const shiftBalances = (statement: number, cents: number): string[] =>
  [`statement SET * WHERE id = ${statement}`, `txn SET * WHERE statement_id = ${statement}`].map((update) =>
    `UPDATE ${update}`.replace(
      '*',
      `starting_balance_in_cents = starting_balance_in_cents + ${cents}, ending_balance_in_cents = ending_balance_in_cents + ${cents}`,
    ),
  );

describe('findings with one cause', () => {
  it('are one exception that is accepted and reopened once', async () => {
    const bench = await openCleanBench();
    const statement = findMiddleStatement(bench);
    const [found, ...others] = await changeAndCheck(bench, ...shiftBalances(statement, 870));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ rule: 'broken-balance', severity: 'error', difference_in_cents: 870 });
    expect(found?.members.map(({ rule }) => rule)).toEqual([
      'balance-carried-forward',
      'balance-carried-forward',
      'text-agrees',
    ]);

    const ids = [found?.id as number];
    await bench.client.exceptions.accept({ site, ids, reason: 'Corrected next month' });
    expect(await changeAndCheck(bench)).toEqual([]);
    const [reopened] = await bench.client.exceptions.reopen({ site, ids, reason: 'Not corrected' });
    expect(reopened).toMatchObject({ status: 'open', members: found?.members });
  });

  it('open again if a member changes after they were accepted', async () => {
    const bench = await openCleanBench();
    const statement = findMiddleStatement(bench);
    const [found] = await changeAndCheck(bench, ...shiftBalances(statement, 870));
    const ids = [found?.id as number];
    await bench.client.exceptions.accept({ site, ids, reason: 'Known' });
    expect(await changeAndCheck(bench, ...shiftBalances(statement, 20))).toMatchObject([
      { id: found?.id, difference_in_cents: 890 },
    ]);
    expect(await changeAndCheck(bench, ...shiftBalances(statement, -890))).toEqual([]);
  });

  it('replace the exception of a single finding, whose decision does not cover them', async () => {
    const bench = await openCleanBench();
    const statement = findMiddleStatement(bench);
    const changeOpening = `UPDATE statement SET starting_balance_in_cents = 640 WHERE id = ${statement}`;
    const [single] = await changeAndCheck(bench, changeOpening);
    expect(single).toMatchObject({ rule: 'balance-carried-forward', members: [] });
    await bench.client.exceptions.accept({ site, ids: [single?.id as number], reason: 'Known' });

    const rest = shiftBalances(statement, 640)[1] as string;
    const changeClosing = `UPDATE statement SET ending_balance_in_cents = ending_balance_in_cents + 640 WHERE id = ${statement}`;
    const open = await changeAndCheck(bench, rest, changeClosing);
    expect(open).toMatchObject([{ rule: 'broken-balance', status: 'open' }]);
    const { status, history } = await bench.client.exceptions.get({ site, id: single?.id as number });
    expect(status).toBe('closed');
    expect(history.at(-1)?.text).toContain('with other findings of one cause: All balances of statement');
  });
});
