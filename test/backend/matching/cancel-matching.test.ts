import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMatchingInputs } from '../../../src/backend/matching/matching-inputs.ts';
import { toMatchesToStore, writeMatches } from '../../../src/backend/matching/write-matches.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { beginMatchRun, endMatchRun } from '../../../src/backend/store/matching/match-run.ts';
import type { WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import { runMatching } from '../../../src/domain/matching/index.ts';
import { type BankBench, openBankBench, SITE, standardCsv, type TestPayment } from '../bank/bank-bench.ts';
import { expectInvariants } from './books-invariants.ts';

const COUNT = 300;
const day = (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 86_400_000).toISOString().slice(0, 10);
const createPayments = (count: number): TestPayment[] =>
  Array.from({ length: count }, (_, at) => ({
    id: 8_000_001 + at,
    amount: at % 3 === 0 ? 1900 : 1000 + at,
    on: day(at % 100),
    gateway: `ch_e${8_000_001 + at}`,
  }));
const createFile = (payments: readonly TestPayment[]) =>
  standardCsv(
    payments.map(({ id, amount }, at) => [
      day((at % 100) + 2),
      (amount / 100).toFixed(2),
      'CARD',
      `ch_e${id}`,
    ]),
  );

let bench: BankBench;
let books: WritableDb;
beforeEach(async () => {
  bench = await openBankBench();
  bench.replacePayments(createPayments(COUNT));
  await bench.import(createFile(createPayments(COUNT)));
  books = openStore(join(bench.home, 'sites', SITE, 'books.db'), 'books');
});
afterEach(async () => {
  expectInvariants(bench.books());
  closeStore(books);
  await bench.close();
});

const readGroups = async () => (await bench.client.match.list({ site: SITE, limit: 1 })).total?.count;

test('a run canceled before it writes leaves the books unchanged', async () => {
  // So many rows that the run cannot end before it is canceled.
  const many = createPayments(20 * COUNT);
  bench.replacePayments(many);
  await bench.import(createFile(many.slice(COUNT)));
  const { job } = await bench.client.match.run({ site: SITE });
  expect((await bench.client.jobs.cancel({ site: SITE, job })).state).toBe('canceled');
  expect(await readGroups()).toBe(0);
  expect((await bench.client.match.runs({ site: SITE })).rows).toMatchObject([
    { state: 'canceled', confirmed: 0 },
  ]);
  const [auditEntry] = (await bench.client.audit.list({ site: SITE })).rows;
  expect(auditEntry).toMatchObject({ action: 'match.stopped', subject: '1' });
  expect((await bench.match()).run).toMatchObject({ state: 'done', confirmed: many.length });
});

test('a run canceled while writing leaves complete matches, and the next run completes the result', async () => {
  const control = new AbortController();
  const at = Date.now();
  const run = beginMatchRun(books, { job: 'a', dry_run: false, accounts: null, at, user: 'ada' });
  const { input, payouts } = readMatchingInputs(books, null);
  const matching = runMatching(input);
  let heard = 0;
  const writing = writeMatches({
    ...{ books, accounts: null, run, at, user: 'ada', payouts, signal: control.signal, total: COUNT },
    found: () => toMatchesToStore(matching.groups(), new Set()),
    onMatch() {
      if (++heard === 100) control.abort();
    },
    progress: () => {},
  });
  await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
  endMatchRun(books, run, { state: 'canceled', ended_at: at }, null);
  expect([heard, await readGroups()]).toEqual([100, 100]);
  expectInvariants(bench.books());

  const ended = await bench.match();
  expect(ended.run).toMatchObject({ state: 'done', confirmed: COUNT, unmatched_lines: 0 });
  expect(await readGroups()).toBe(COUNT);
  // Matches of the canceled run are found again and remain part of that run, so they can be undone together.
  const undone = await bench.client.match.undoRun({ site: SITE, id: run, reason: 'a test' });
  expect(await bench.waitForJob(undone.job)).toMatchObject({ state: 'done' });
  expect((await bench.client.match.summary({ site: SITE })).groups).toMatchObject([
    { status: 'confirmed', count: COUNT - 100 },
    { status: 'undone', count: 100 },
  ]);
});

test('a run reports the progress of each part up to its end', async () => {
  const { job } = await bench.match();
  expect(job.progress.map(({ part, done, total }) => [part, done, total])).toEqual([
    ['payments', COUNT, null],
    ['rows', 2 * COUNT, 2 * COUNT],
    ['passes', 9, 9],
    ['matches', COUNT, COUNT],
  ]);
});

test('a payment that changes during a run is not matched, and the run fails with the reason', async () => {
  const last = createPayments(COUNT).at(-1)!;
  books.exec(`CREATE TRIGGER synced AFTER INSERT ON match_group WHEN NEW.id = 10 BEGIN
    UPDATE match_payment SET amount_in_cents = 1 WHERE id = ${last.id}; END`);
  const { job, run } = await bench.match();
  expect(job).toMatchObject({ state: 'failed', error: { code: 'conflict', retryable: true } });
  expect(run.state).toBe('canceled');
  // On a slow machine, the run has committed its first matches and the change with them.
  books.exec(
    `DROP TRIGGER synced; UPDATE match_payment SET amount_in_cents = ${last.amount} WHERE id = ${last.id}`,
  );
  expect((await bench.match()).run).toMatchObject({ state: 'done', confirmed: COUNT });
});
