import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ChangeEvents, createChangeEvents } from '../../../src/backend/jobs/change-events.ts';
import { consumeJobCommand, storeJobCommand } from '../../../src/backend/jobs/job-commands.ts';
import type { JobDefinition, JobHandle } from '../../../src/backend/jobs/job-handle.ts';
import { createJobs, type Jobs } from '../../../src/backend/jobs/jobs.ts';
import { createProgressRate } from '../../../src/backend/jobs/progress-rate.ts';
import { createSiteLocks, type SiteLocks } from '../../../src/backend/sites/site-lock.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { jobOf } from '../../../src/backend/store/jobs/job-list.ts';
import type { WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import { BillingError } from '../../../src/billing/index.ts';
import type { Change, Job } from '../../../src/contract/index.ts';

let home: string;
let books: WritableDb;
let changes: ChangeEvents;
let locks: SiteLocks;
let jobs: Jobs;
const unexpected: string[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tieout-jobs-'));
  mkdirSync(join(home, 'sites', 'acme'), { recursive: true });
  books = openStore(join(home, 'sites', 'acme', 'books.db'), 'books');
  changes = createChangeEvents();
  locks = createSiteLocks(home);
  unexpected.length = 0;
  jobs = createJobs({
    home,
    locks,
    changes,
    unexpected: (error) => {
      unexpected.push(String(error));
      return 'abc';
    },
  });
});
afterEach(async () => {
  await jobs.close();
  closeStore(books);
  rmSync(home, { recursive: true, force: true });
});

const order = (run: JobDefinition['run'], more: Partial<JobDefinition> = {}): JobDefinition => ({
  site: 'acme',
  kind: 'sync',
  noun: 'a sync',
  books,
  run,
  ...more,
});

/** Work that goes on until its signal is aborted. */
const endless = ({ signal }: JobHandle) =>
  new Promise<string>((_, reject) => {
    const end = () => reject(new DOMException('Aborted', 'AbortError'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });

async function watched(id: string): Promise<Job[]> {
  const seen: Job[] = [];
  for await (const now of jobs.watch('acme', id)) seen.push(now);
  return seen;
}

test('a job is watched from its beginning to its last state, and kept', async () => {
  const { id } = jobs.start(
    order(async (job) => {
      job.progress('webhooks', { done: 5, total: 10 });
      job.progress('statements', { done: 1 });
      return 'Did it.';
    }),
  );
  const seen = await watched(id);
  expect(seen.at(-1)).toMatchObject({
    state: 'done',
    summary: 'Did it.',
    error: null,
    progress: [
      { part: 'webhooks', done: 5, total: 10, failed: 0, current: null },
      { part: 'statements', done: 1, total: null },
    ],
  });
  expect(jobOf(books, 'acme', id)).toEqual(seen.at(-1));
  expect(jobs.findLive('acme', id)).toBe(null);
});

test('however often a job says something, watchers hear at most ten times a second, the last always', async () => {
  const { id } = jobs.start(
    order(async (job) => {
      for (let done = 1; done <= 5000; done++) {
        job.progress('webhooks', { done });
        if (done % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      return '';
    }),
  );
  const begun = performance.now();
  const seen = await watched(id);
  // The first and the last, and one more: a timer may be a moment early.
  expect(seen.length).toBeLessThanOrEqual((performance.now() - begun) / 100 + 3);
  expect(seen.at(-1)?.progress[0]?.done).toBe(5000);
});

test('a canceled job ends as canceled, one that fails with its error, and a bug tells nothing but where the log has it', async () => {
  const { id } = jobs.start(order(endless));
  expect(await jobs.cancel('acme', id)).toMatchObject({ state: 'canceled', error: null });
  expect(jobs.cancel('acme', id)).toBe(null);

  const failing = jobs.start(
    order(async () => {
      throw new BillingError('network', 'No way there.', { hint: 'Wait.', retryable: true });
    }),
  );
  expect((await watched(failing.id)).at(-1)).toMatchObject({
    state: 'failed',
    error: { code: 'network', message: 'No way there.', hint: 'Wait.', retryable: true },
  });

  const buggy = jobs.start(
    order(async () => {
      throw new TypeError('secret detail');
    }),
  );
  const last = (await watched(buggy.id)).at(-1);
  expect(last).toMatchObject({ state: 'failed', error: { code: 'internal', detail: { log: 'abc' } } });
  expect(JSON.stringify(last)).not.toContain('secret');
  expect(unexpected).toEqual(['TypeError: secret detail']);
});

test('one of a kind runs at a time; another kind of this process may run beside it, another process may not', async () => {
  const { id } = jobs.start(order(endless));
  expect(() => jobs.start(order(endless))).toThrow(/running already/);
  const beside = jobs.start(order(endless, { kind: 'replay', noun: 'a replay' }));

  const elsewhere = createSiteLocks(home).acquire('acme', 'a sync');
  expect(elsewhere).toMatchObject({
    conflict: { code: 'conflict', detail: { pid: process.pid, activity: 'a sync' } },
  });
  await jobs.cancel('acme', id);
  expect(createSiteLocks(home).acquire('acme', 'a sync')).toHaveProperty('conflict');
  await jobs.cancel('acme', beside.id);
  const taken = createSiteLocks(home).acquire('acme', 'a sync');
  expect(taken).toHaveProperty('release');
  expect(() => jobs.start(order(endless))).toThrow(/being worked on by another process/);
  if ('release' in taken) taken.release();
});

test('a job that cannot stand some kinds beside it waits for them, and they for it', async () => {
  const closing = { kind: 'period' as const, noun: 'a closing', conflictsWith: ['sync' as const] };
  const sync = jobs.start(order(endless));
  expect(() => jobs.start(order(endless, closing))).toThrow(
    'A closing of acme has to wait: a sync is under way.',
  );
  await jobs.cancel('acme', sync.id);
  jobs.start(order(endless, closing));
  expect(() => jobs.start(order(endless))).toThrow('A sync of acme has to wait: a closing is under way.');
  jobs.start(order(endless, { kind: 'archive', noun: 'a fetch' }));
});

test('when the backend closes, jobs are interrupted, to be gone on with', async () => {
  const { id } = jobs.start(order(endless));
  await jobs.close();
  expect(jobOf(books, 'acme', id)).toMatchObject({ state: 'interrupted' });
});

test('another process is heard through its wish, once', async () => {
  const heard: string[] = [];
  const { id } = jobs.start(
    order((job) => {
      job.onCommand((what) => {
        heard.push(what);
        storeJobCommand(home, 'acme', id, 'cancel');
      });
      return endless(job);
    }),
  );
  storeJobCommand(home, 'acme', id, 'pause');
  expect((await watched(id)).at(-1)?.state).toBe('canceled');
  expect(heard).toEqual(['pause']);
  expect(consumeJobCommand(home, 'acme', id)).toBe(null);
});

test('changes are gathered by site, and watchers hear those from their beginning on', async () => {
  const stop = new AbortController();
  const heard: Change[] = [];
  changes.emit('acme', 'jobs');
  const watching = (async () => {
    for await (const change of changes.watch(stop.signal)) {
      heard.push(change);
      if (heard.length === 1) {
        for (let n = 0; n < 100; n++) changes.emit('acme', 'webhooks', n % 2 === 0 ? 'sync' : 'jobs');
        changes.emit(null, 'settings');
      }
      if (heard.length === 3) stop.abort();
    }
  })();
  await new Promise((resolve) => setImmediate(resolve));
  changes.emit('acme', 'webhooks');
  await watching;
  expect(heard).toEqual([
    { site: 'acme', topics: ['webhooks'] },
    { site: 'acme', topics: ['webhooks', 'sync', 'jobs'] },
    { site: null, topics: ['settings'] },
  ]);
});

test('an estimate is given only where it can be true', () => {
  const pace = createProgressRate();
  const part = (done: number, total: number | null) => [{ part: 'a', done, total, failed: 0, current: null }];
  pace.record(0, part(0, 100));
  expect([pace.rate(), pace.remainingMs(part(0, 100))]).toEqual([null, null]);
  pace.record(2000, part(20, 100));
  expect([pace.rate(), pace.remainingMs(part(20, 100))]).toEqual([10, 8000]);
  expect(pace.remainingMs(part(20, null))).toBe(null);
  for (let at = 3000; at <= 60_000; at += 1000) pace.record(at, part(20, 100));
  expect(pace.remainingMs(part(20, 100))).toBe(null);
  // Another part's rows come at a pace of their own.
  const two = (done: number, other: number) => [
    ...part(done, 100),
    { part: 'others', done: other, total: 50, failed: 0, current: null },
  ];
  pace.record(70_000, two(100, 0));
  pace.record(72_000, two(100, 4));
  pace.record(74_000, two(100, 8));
  expect([pace.rate(), pace.remainingMs(two(100, 8))]).toEqual([2, 21_000]);
  expect(pace.remainingMs(two(90, 8))).toBe(null);
});
