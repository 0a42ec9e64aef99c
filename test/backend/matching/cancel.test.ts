import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../../src/contract/index.ts';
import { type BankBench, openBankBench, SITE, standardCsv, type TestPayment } from '../bank/bench.ts';
import { expectLaws } from './laws.ts';

const COUNT = 6000;
const day = (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 86_400_000).toISOString().slice(0, 10);
const payments: readonly TestPayment[] = Array.from({ length: COUNT }, (_, at) => ({
  id: 8_000_001 + at,
  amount: at % 3 === 0 ? 1900 : 1000 + at,
  on: day(at % 300),
  gateway: `ch_e${8_000_001 + at}`,
}));
const file = standardCsv(
  payments.map(({ id, amount }, at) => [day((at % 300) + 2), (amount / 100).toFixed(2), 'CARD', `ch_e${id}`]),
);

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
  bench.payments(payments);
  await bench.import(file);
});
afterEach(() => bench.close());

/** Runs, and cancels as soon as the job is seen to be so far. */
async function cancelled(isThere: (job: Job) => boolean, dry_run = false): Promise<Job> {
  const { job } = await bench.client.match.run({ site: SITE, dry_run });
  let asked: Promise<Job> | undefined;
  let last: Job | undefined;
  for await (const now of await bench.client.jobs.watch({ site: SITE, job })) {
    last = now;
    if (isThere(now)) asked ??= bench.client.jobs.cancel({ site: SITE, job });
  }
  await asked;
  return last!;
}

const partOf = (job: Job, name: string) => job.progress.find(({ part }) => part === name);
const groups = async () => (await bench.client.match.list({ site: SITE, limit: 1 })).total?.count;

test('cancelled before anything is written, a run leaves the books as they were', async () => {
  const { state, progress } = await cancelled((job) => partOf(job, 'payments') !== undefined);
  expect(state).toBe('cancelled');
  expect(progress.map(({ part }) => part)).not.toContain('matches');
  expect(await groups()).toBe(0);
  const { rows } = await bench.client.match.runs({ site: SITE });
  expect(rows).toMatchObject([{ state: 'cancelled', confirmed: 0 }]);
  const [entry] = (await bench.client.audit.list({ site: SITE })).rows;
  expect(entry).toMatchObject({ action: 'match.stopped', subject: '1' });
  expectLaws(bench.books());
});

test('cancelled while it writes, it leaves whole matches, and the next run goes on to the same end', async () => {
  const job = await cancelled((now) => (partOf(now, 'matches')?.done ?? 0) > 0);
  expect(job.state).toBe('cancelled');
  const { done = 0, total = 0 } = partOf(job, 'matches') ?? {};
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(total ?? 0);
  expect(await groups()).toBe(done);
  expectLaws(bench.books());
  const { run } = await bench.match();
  expect(run).toMatchObject({ state: 'done', confirmed: COUNT, unmatched_lines: 0, unmatched_payments: 0 });
  expect(await groups()).toBe(COUNT);
  expectLaws(bench.books());
  // What the run wrote that was cancelled can be taken back as a unit, too.
  const undone = await bench.client.match.undoRun({ site: SITE, id: 1, reason: 'a test' });
  expect(await bench.ended(undone.job)).toMatchObject({ state: 'done' });
  expect((await bench.client.match.summary({ site: SITE })).groups).toMatchObject([
    { status: 'confirmed', count: COUNT - done },
    { status: 'undone', count: done },
  ]);
});
