import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BankBench, openBankBench, SITE, standardCsv, type TestPayment } from '../bank/bank-bench.ts';

/** A run is skipped only if nothing that it reads has changed since the previous run. */

const payments: readonly TestPayment[] = [
  { id: 501, amount: 2300, on: '2026-09-01', gateway: 'ch_q501', customer: 'Ines Ferraz' },
  { id: 502, amount: 2300, on: '2026-09-01', gateway: 'ch_q502', customer: 'Tom Vega' },
  { id: 503, amount: 8750, on: '2026-09-03', customer: 'Lena Brandt' },
  { id: 504, amount: 8750, on: '2026-09-03', customer: 'Omar Haddad' },
  { id: 505, amount: 640, on: '2026-09-04', gateway: 'ch_q505', customer: 'Pia Lund' },
];
const file = standardCsv([
  ['2026-09-02', '23.00', 'CARD', 'ch_q501'],
  ['2026-09-02', '23.00', 'CARD', 'ch_q502'],
  ['2026-09-04', '87.50', 'DEPOSIT'],
  ['2026-09-05', '-3.10', 'FEE'],
]);
const later = standardCsv([['2026-09-06', '6.40', 'CARD', 'ch_q505']]);

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
  bench.replacePayments(payments);
  await bench.import(file);
  await bench.match();
});
afterEach(() => bench.close());

const isSkipped = async () => {
  const { job, run } = await bench.match();
  expect(job).toMatchObject({ state: 'done' });
  expect((await bench.match({ dry_run: true })).run).toMatchObject({
    digest: run.digest,
    passes: run.passes,
    unmatched_lines: run.unmatched_lines,
    unmatched_payments: run.unmatched_payments,
  });
  return /^Nothing has changed since run \d+\./.test(job.summary ?? '');
};

test('repeats the figures of the previous run if nothing has changed', async () => {
  const list = () => bench.client.match.list({ site: SITE, limit: 100, members: 10 });
  const before = await list();
  expect(await isSkipped()).toBe(true);
  expect(await isSkipped()).toBe(true);
  expect(await list()).toEqual(before);
  await bench.reopen();
  expect(await isSkipped()).toBe(true);
});

test('reads the payments again if the cache was rebuilt, but matches only if they differ', async () => {
  bench.replacePayments(payments);
  expect(await isSkipped()).toBe(true);
  bench.replacePayments(payments.map((payment) => ({ ...payment, customer: `${payment.customer} Jr` })));
  expect(await isSkipped()).toBe(false);
  expect(await isSkipped()).toBe(true);
});

const proposal = async () =>
  (await bench.client.match.list({ site: SITE, filter: { status: ['suggested', 'ambiguous'] } })).rows[0]!;
const confirmed = async () =>
  (await bench.client.match.list({ site: SITE, filter: { status: ['confirmed'] } })).rows[0]!;
const line = async () => (await bench.client.bank.lines({ site: SITE, limit: 100 })).rows;
const account = async () => (await bench.client.bank.accounts({ site: SITE }))[0]!;
const reason = 'a test';

const changes: Record<string, () => Promise<unknown>> = {
  'an import': () => bench.import(later, { name: 'later.csv' }),
  'a removed import': async () => {
    const { id } = (await bench.client.bank.imports({ site: SITE })).rows[0]!;
    const { job } = await bench.client.bank.removeImport({ site: SITE, id, reason });
    return bench.waitForJob(job);
  },
  'a new amount': async () =>
    bench.replacePayments(payments.map((each) => ({ ...each, amount: each.amount + 100 }))),
  'a payment that disappeared': async () => bench.replacePayments(payments.slice(1)),
  'a declined proposal': async () => bench.client.match.decline({ site: SITE, ids: [(await proposal()).id] }),
  'an undone match': async () =>
    bench.client.match.undo({ site: SITE, ids: [(await confirmed()).id], reason }),
  'a write-off': async () => {
    const [fee] = (await line()).filter(({ amount_in_cents }) => amount_in_cents === -310);
    return bench.client.match.writeOff({ site: SITE, lines: [fee!.id], category: 'fee', reason });
  },
  'a match rule': () =>
    bench.client.match.saveRule({
      site: SITE,
      title: 'Fees',
      enabled: true,
      conditions: [{ field: 'description', is: 'contains', value: 'FEE' }],
      action: { do: 'categorize', category: 'fee' },
    }),
  'a window of an account': async () => {
    const { id, name, kind } = await account();
    return bench.client.bank.saveAccount({
      site: SITE,
      id,
      name,
      kind,
      window: { from_days: 0, to_days: 1 },
    });
  },
  'an undone run': async () => {
    const { id } = (await bench.client.match.runs({ site: SITE })).rows.find(({ dry_run }) => !dry_run)!;
    const { job } = await bench.client.match.undoRun({ site: SITE, id, reason });
    return bench.waitForJob(job);
  },
  'a run of one account': async () => {
    return bench.match({ accounts: [(await account()).id] });
  },
};

test.each(Object.entries(changes))('matches again after %s', async (_, change) => {
  expect(await isSkipped()).toBe(true);
  await change();
  expect(await isSkipped()).toBe(false);
  expect(await isSkipped()).toBe(true);
});
