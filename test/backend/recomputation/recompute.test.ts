import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SiteLocks } from '../../../src/backend/sites/site-lock.ts';
import { openStore } from '../../../src/backend/store/database/open-store.ts';
import type { Recomputation, RecomputationStep } from '../../../src/contract/index.ts';
import { type BankBench, openBankBench, SITE, standardCsv, type TestPayment } from '../bank/bank-bench.ts';

/** The stored results equal a recomputation after any sequence of changes, and every altered result is found. */

const names = ['Ines Ferraz', 'Tom Vega', 'Lena Brandt', 'Omar Haddad', 'Pia Lund', 'Rui Costa'];
const payments: TestPayment[] = names.map((customer, index) => ({
  ...{ id: 700 + index, amount: 1500 + 100 * (index % 3), on: `2026-09-0${index + 1}`, customer },
  ...(index % 2 === 0 ? { gateway: `ch_r${index}` } : {}),
}));
const lineOf = ({ amount, on, gateway, customer }: TestPayment) =>
  [on, (amount / 100).toFixed(2), gateway ?? customer ?? 'CARD', gateway ?? ''] as [
    string,
    string,
    string,
    string,
  ];

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
});
afterEach(() => bench.close());

async function check(): Promise<void> {
  const { job } = await bench.client.check.start({ site: SITE });
  expect(await bench.waitForJob(job)).toMatchObject({ state: 'done' });
}

async function recompute(): Promise<Recomputation> {
  let last: RecomputationStep | undefined;
  for await (const step of await bench.client.check.recompute({ site: SITE })) last = step;
  if (!last?.result) throw new Error('the recomputation ended without a result');
  return last.result;
}

const change = fc.oneof(
  fc.record({
    kind: fc.constant('import' as const),
    index: fc.nat(names.length - 1),
    cents: fc.constantFrom(0, 0, 30),
  }),
  fc.record({ kind: fc.constant('payments' as const), without: fc.nat(names.length - 1) }),
  fc.record({
    kind: fc.constantFrom('confirm' as const, 'decline' as const, 'undo' as const),
    index: fc.nat(5),
  }),
  fc.record({ kind: fc.constant('reopen' as const) }),
);

test('finds no difference after random imports, changed payments, decisions and restarts', {
  timeout: 600_000,
}, async () => {
  const runs = Number(process.env['TIEOUT_FUZZ_RUNS'] ?? 12);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      await bench.close();
      bench = await openBankBench();
      bench.replacePayments(payments);
      for (const each of changes) await apply(each);
      await bench.match();
      await check();
      expect(await recompute()).toMatchObject({ ok: true, differences: [], outdated: [] });
    }),
    { numRuns: runs },
  );
});

type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

async function apply(each: Change): Promise<void> {
  if (each.kind === 'import') {
    const payment = payments[each.index] as TestPayment;
    await bench.import(standardCsv([lineOf({ ...payment, amount: payment.amount + each.cents })]));
    await bench.match();
  } else if (each.kind === 'payments')
    bench.replacePayments(payments.filter((_, index) => index !== each.without));
  else if (each.kind === 'reopen') await bench.reopen();
  else {
    const { rows } = await bench.client.match.list({ site: SITE, limit: 100 });
    const wanted = each.kind === 'undo' ? ['confirmed', 'declined'] : ['suggested', 'ambiguous'];
    const open = rows.filter(({ status }) => wanted.includes(status));
    const match = open[each.index % Math.max(open.length, 1)];
    if (match === undefined) return;
    const input = { site: SITE, ids: [match.id], reason: 'A decision of the test' };
    // A match without a payment cannot be confirmed.
    const { confirm, decline, undo } = bench.client.match;
    await { confirm, decline, undo }[each.kind](input).catch(() => undefined);
  }
}

describe('altered results', () => {
  beforeEach(async () => {
    bench.replacePayments(payments);
    await bench.import(standardCsv(payments.map(lineOf)));
    await bench.match();
    await check();
    expect(await recompute()).toMatchObject({ ok: true });
  });

  test.each([
    ['a score', 'UPDATE match_group SET score = score - 1 WHERE id = 1', 'matches'],
    ['a reason', "UPDATE match_group SET reasons = '[]' WHERE id = 2", 'matches'],
    ['the matched amount of a line', 'UPDATE bank_line SET suggested = suggested + 1 WHERE id = 1', 'totals'],
    [
      'the customer of a payment',
      "UPDATE match_payment SET customer_name = 'Ana Reis' WHERE id = 701",
      'payments',
    ],
    ['the number of statements', 'UPDATE statement_sum SET count = count + 1 WHERE state = 2', 'totals'],
  ] as const)('%s is found', async (_what, sql, part) => {
    const kind = sql.includes('statement_sum') ? 'cache' : 'books';
    const store = openStore(join(bench.home, 'sites', SITE, `${kind}.db`), kind);
    expect(store.prepare(sql).run().changes).toBeGreaterThan(0);
    store.close();
    const { ok, parts } = await recompute();
    expect(ok).toBe(false);
    expect(parts.find((each) => each.part === part)?.differences).toBeGreaterThan(0);
  });

  test('a line that no run has read is announced as the reason', async () => {
    await bench.import(standardCsv([['2026-09-09', '15.00', 'CARD', 'ch_r0']]));
    expect(await recompute()).toMatchObject({
      ok: false,
      outdated: expect.arrayContaining(['Lines were imported or removed since the last run.']),
    });
  });
});

test('is refused while another process works on the site', async () => {
  bench.replacePayments(payments);
  const locks = new SiteLocks(bench.home);
  const lock = locks.acquire(SITE, 'a sync');
  if ('conflict' in lock) throw new Error('the site is locked');
  await expect(recompute()).rejects.toMatchObject({ code: 'conflict' });
  lock.release();
  expect(await recompute()).toMatchObject({ site: SITE });
});

test('leaves no copy behind, also if it is stopped', async () => {
  bench.replacePayments(payments);
  const controller = new AbortController();
  const steps = await bench.client.check.recompute({ site: SITE }, { signal: controller.signal });
  await steps.next();
  controller.abort();
  await steps.return(undefined).catch(() => undefined);
  const copies = () =>
    readdirSync(join(bench.home, 'sites', SITE)).filter((name) => name.startsWith('recomputation'));
  await expect.poll(copies).toEqual([]);
});
