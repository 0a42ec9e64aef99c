import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ChangeEvents } from '../../../src/backend/jobs/change-events.ts';
import { consumeJobCommand, storeJobCommand } from '../../../src/backend/jobs/job-commands.ts';
import type { JobDefinition, JobHandle } from '../../../src/backend/jobs/job-handle.ts';
import { JobRunner } from '../../../src/backend/jobs/job-runner.ts';
import { ProgressRate } from '../../../src/backend/jobs/progress-rate.ts';
import { SiteLocks } from '../../../src/backend/sites/site-lock.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { getJob } from '../../../src/backend/store/jobs/job-list.ts';
import type { WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import { BillingError } from '../../../src/billing/index.ts';
import type { ChangeEvent, Job } from '../../../src/contract/index.ts';

let home: string;
let books: WritableDb;
let changes: ChangeEvents;
let locks: SiteLocks;
let jobs: JobRunner;
const unexpected: string[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tieout-jobs-'));
  mkdirSync(join(home, 'sites', 'acme'), { recursive: true });
  books = openStore(join(home, 'sites', 'acme', 'books.db'), 'books');
  changes = new ChangeEvents();
  locks = new SiteLocks(home);
  unexpected.length = 0;
  jobs = new JobRunner({
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

const definition = (run: JobDefinition['run'], more: Partial<JobDefinition> = {}): JobDefinition => ({
  site: 'acme',
  kind: 'sync',
  noun: 'a sync',
  books,
  run,
  ...more,
});

/** Work that runs until its signal is aborted. */
const endless = ({ signal }: JobHandle) =>
  new Promise<string>((_, reject) => {
    const end = () => reject(new DOMException('Aborted', 'AbortError'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });

async function watchToEnd(id: string): Promise<Job[]> {
  const seen: Job[] = [];
  for await (const now of jobs.watch('acme', id)) seen.push(now);
  return seen;
}

test('watching a job yields its final state, which is stored', async () => {
  const { id } = jobs.start(
    definition(async (job) => {
      job.progress('webhooks', { done: 5, total: 10 });
      job.progress('statements', { done: 1 });
      return 'Done.';
    }),
  );
  const seen = await watchToEnd(id);
  expect(seen.at(-1)).toMatchObject({
    state: 'done',
    summary: 'Done.',
    error: null,
    progress: [
      { part: 'webhooks', done: 5, total: 10, failed: 0, current: null },
      { part: 'statements', done: 1, total: null },
    ],
  });
  expect(getJob(books, 'acme', id)).toEqual(seen.at(-1));
  expect(jobs.findLive('acme', id)).toBe(null);
});

test('watchers receive at most ten updates per second, always including the last', async () => {
  const { id } = jobs.start(
    definition(async (job) => {
      for (let done = 1; done <= 5000; done++) {
        job.progress('webhooks', { done });
        if (done % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      return '';
    }),
  );
  const begun = performance.now();
  const seen = await watchToEnd(id);
  // The first and the last update, and one more, because a timer may fire early.
  expect(seen.length).toBeLessThanOrEqual((performance.now() - begun) / 100 + 3);
  expect(seen.at(-1)?.progress[0]?.done).toBe(5000);
});

test('a job ends as canceled or with its error; an unexpected error only names its log entry', async () => {
  const { id } = jobs.start(definition(endless));
  expect(await jobs.cancel('acme', id)).toMatchObject({ state: 'canceled', error: null });
  expect(jobs.cancel('acme', id)).toBe(null);

  const failing = jobs.start(
    definition(async () => {
      throw new BillingError('network', 'Unreachable.', { hint: 'Wait.', retryable: true });
    }),
  );
  expect((await watchToEnd(failing.id)).at(-1)).toMatchObject({
    state: 'failed',
    error: { code: 'network', message: 'Unreachable.', hint: 'Wait.', retryable: true },
  });

  const buggy = jobs.start(
    definition(async () => {
      throw new TypeError('secret detail');
    }),
  );
  const last = (await watchToEnd(buggy.id)).at(-1);
  expect(last).toMatchObject({ state: 'failed', error: { code: 'internal', detail: { log: 'abc' } } });
  expect(JSON.stringify(last)).not.toContain('secret');
  expect(unexpected).toEqual(['TypeError: secret detail']);
});

test('jobs of different kinds run at the same time, but only in one process and one per kind', async () => {
  const { id } = jobs.start(definition(endless));
  expect(() => jobs.start(definition(endless))).toThrow(/already running/);
  const replay = jobs.start(definition(endless, { kind: 'replay', noun: 'a replay' }));

  const otherLock = new SiteLocks(home).acquire('acme', 'a sync');
  expect(otherLock).toMatchObject({
    conflict: { code: 'conflict', detail: { pid: process.pid, activity: 'a sync' } },
  });
  await jobs.cancel('acme', id);
  expect(new SiteLocks(home).acquire('acme', 'a sync')).toHaveProperty('conflict');
  await jobs.cancel('acme', replay.id);
  const acquiredLock = new SiteLocks(home).acquire('acme', 'a sync');
  expect(acquiredLock).toHaveProperty('release');
  expect(() => jobs.start(definition(endless))).toThrow(/in use by another process/);
  if ('release' in acquiredLock) acquiredLock.release();
});

test('jobs of conflicting kinds exclude each other', async () => {
  const closing = { kind: 'period' as const, noun: 'a closing', conflictsWith: ['sync' as const] };
  const sync = jobs.start(definition(endless));
  expect(() => jobs.start(definition(endless, closing))).toThrow(
    'A closing of acme has to wait until a sync has finished.',
  );
  await jobs.cancel('acme', sync.id);
  jobs.start(definition(endless, closing));
  expect(() => jobs.start(definition(endless))).toThrow(
    'A sync of acme has to wait until a closing has finished.',
  );
  jobs.start(definition(endless, { kind: 'archive', noun: 'a fetch' }));
});

test('closing the backend interrupts jobs, so that they can be resumed', async () => {
  const { id } = jobs.start(definition(endless));
  await jobs.close();
  expect(getJob(books, 'acme', id)).toMatchObject({ state: 'interrupted' });
});

test('a job executes each command of another process once', async () => {
  const heard: string[] = [];
  const { id } = jobs.start(
    definition((job) => {
      job.onCommand((what) => {
        heard.push(what);
        storeJobCommand(home, 'acme', id, 'cancel');
      });
      return endless(job);
    }),
  );
  storeJobCommand(home, 'acme', id, 'pause');
  expect((await watchToEnd(id)).at(-1)?.state).toBe('canceled');
  expect(heard).toEqual(['pause']);
  expect(consumeJobCommand(home, 'acme', id)).toBe(null);
});

test('changes are batched by site, and subscribers receive only later ones', async () => {
  const stop = new AbortController();
  const heard: ChangeEvent[] = [];
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

test('the remaining time is estimated only from sufficient data', () => {
  const progressRate = new ProgressRate();
  const part = (done: number, total: number | null) => [{ part: 'a', done, total, failed: 0, current: null }];
  progressRate.record(0, part(0, 100));
  expect([progressRate.rate(), progressRate.remainingMs(part(0, 100))]).toEqual([null, null]);
  progressRate.record(2000, part(20, 100));
  expect([progressRate.rate(), progressRate.remainingMs(part(20, 100))]).toEqual([10, 8000]);
  expect(progressRate.remainingMs(part(20, null))).toBe(null);
  for (let at = 3000; at <= 60_000; at += 1000) progressRate.record(at, part(20, 100));
  expect(progressRate.remainingMs(part(20, 100))).toBe(null);
  // Another part has its own speed.
  const two = (done: number, other: number) => [
    ...part(done, 100),
    { part: 'others', done: other, total: 50, failed: 0, current: null },
  ];
  progressRate.record(70_000, two(100, 0));
  progressRate.record(72_000, two(100, 4));
  progressRate.record(74_000, two(100, 8));
  expect([progressRate.rate(), progressRate.remainingMs(two(100, 8))]).toEqual([2, 21_000]);
  expect(progressRate.remainingMs(two(90, 8))).toBe(null);
});
