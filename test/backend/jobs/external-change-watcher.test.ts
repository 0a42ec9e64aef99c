import { afterEach, expect, test } from 'vitest';
import { openReader } from '../../../src/backend/open-reader.ts';
import { getActualJobState, isSiteLocked } from '../../../src/backend/sites/actual-job-state.ts';
import { siteFolder } from '../../../src/backend/sites/site-file.ts';
import { createSiteLocks } from '../../../src/backend/sites/site-lock.ts';
import { saveJob } from '../../../src/backend/store/jobs/job.ts';
import { jobOf } from '../../../src/backend/store/jobs/job-list.ts';
import { type StoredReplay, saveReplay, storedReplay } from '../../../src/backend/store/replay/replay.ts';
import { writtenJob } from '../../../src/backend/store/replay/replay-figures.ts';
import { prepared } from '../../../src/backend/store/sqlite/connection.ts';
import { type Change, createClient } from '../../../src/contract/index.ts';
import { memoryShell } from '../shell.ts';
import { openWorkbench, SITE, type Workbench } from '../workbench.ts';

let bench: Workbench;
afterEach(() => bench.close());

/** Settles when the window, which listens from before the act on, hears of the topic. */
async function hears(topic: Change['topics'][number], act: () => Promise<unknown>): Promise<void> {
  const changes = await bench.client.changes.watch({});
  await act();
  for await (const { topics } of changes) {
    if (topics.includes(topic)) break;
  }
}

test('what another process syncs is heard of here', async () => {
  bench = await openWorkbench({ subscriptions: 5, months: 1 });
  await bench.sync();
  bench.sandbox.advance({ days: 20 });
  const other = bench.another();
  // Its own changes are told to its own watchers only.
  await hears('webhooks', async () => {
    const { job } = await other.client.sync.start({ site: SITE });
    await other.ended(job);
  });
});

/** As a process leaves it that is killed in the middle of a sync. */
function leftRunning(): void {
  saveJob(bench.writableBooks(), {
    ...{ id: 'left', kind: 'sync', state: 'running', started_at: Date.now(), ended_at: null, progress: [] },
    ...{ rate: 12, remaining_ms: 5, summary: null, error: null },
  });
}

test('what a process that is gone left running is told as interrupted', async () => {
  bench = await openWorkbench({ subscriptions: 5, months: 1 });
  await bench.sync();
  const folder = siteFolder(bench.home, SITE);
  await hears('jobs', async () => leftRunning());
  const states: string[] = [];
  for await (const { state } of await bench.client.jobs.watch({ site: SITE, job: 'left' }))
    states.push(state);
  expect(states.at(-1)).toBe('interrupted');
  expect(isSiteLocked(folder)).toBe(false);

  leftRunning();
  const left = jobOf(bench.books(), SITE, 'left');
  expect(getActualJobState(left!, folder)).toMatchObject({
    state: 'interrupted',
    rate: null,
    remaining_ms: null,
  });
  const lock = createSiteLocks(bench.home).acquire(SITE, 'a sync');
  expect(isSiteLocked(folder)).toBe(true);
  expect(getActualJobState(left!, folder)).toMatchObject({ state: 'running', rate: 12 });
  if ('release' in lock) lock.release();

  // And the next job finds nothing beside itself.
  await bench.sync();
  expect(jobOf(bench.books(), SITE, 'left')).toMatchObject({ state: 'interrupted' });
});

test('of two processes, whoever comes second is told who is at work, since when and with what', async () => {
  bench = await openWorkbench({ subscriptions: 5, months: 2 });
  const other = bench.another();
  bench.sandbox.setFaults({ latency: [60_000, 60_000] });
  for (const [first, second] of [
    [bench, other],
    [other, bench],
  ] as const) {
    const { job } = await first.client.sync.start({ site: SITE });
    await expect(second.client.sync.start({ site: SITE })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        /^The site acme is being worked on by another process: a sync, since \d{4}-\d\d-\d\d \d\d:\d\d UTC \(process \d+\)\.$/,
      ) as string,
    });
    expect((await second.client.jobs.cancel({ site: SITE, job })).state).toBe('canceled');
    expect((await first.ended(job)).state).toBe('canceled');
  }
});

test('a replay whose process is gone is told as interrupted, and can be gone on with; one that waits for a person waits', async () => {
  bench = await openWorkbench({ subscriptions: 20, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const { plan } = await bench.client.replay.plan({
    site: SITE,
    selection: { filter: { status: 'failed' } },
  });
  const { job } = await bench.client.replay.run({ site: SITE, plan });
  await bench.client.replay.cancel({ site: SITE, job });
  const folder = siteFolder(bench.home, SITE);
  const books = bench.writableBooks();
  const reader = openReader({
    home: bench.home,
    version: '0.0.0',
    shell: memoryShell(bench.keys),
    log: () => undefined,
  });
  const client = createClient({ reader: reader.link, writer: reader.link });
  const read = async () => {
    const one = await client.replay.get({ site: SITE, job });
    expect(await client.replay.list({ site: SITE })).toEqual([one]);
    return one;
  };
  const left = (change: Partial<StoredReplay>) =>
    saveReplay(books, { ...storedReplay(books, job)!, ended_at: null, counts: null, ...change });

  try {
    // Nobody writes here: whoever reads sees it all the same.
    await bench.writer.close();
    left({ state: 'running' });
    expect(await read()).toMatchObject({ state: 'interrupted' });
    left({ state: 'paused', paused_by: 'breaker' });
    expect(await read()).toMatchObject({ state: 'interrupted', paused_by: null });
    left({ state: 'paused', paused_by: 'user' });
    expect(await read()).toMatchObject({ state: 'paused', paused_by: 'user' });
    left({ state: 'running' });
    const lock = createSiteLocks(bench.home).acquire(SITE, 'a replay');
    expect(await read()).toMatchObject({ state: 'running' });
    if ('release' in lock) lock.release();
  } finally {
    await reader.close();
  }

  // A window that is open all the while writes it down, and goes on with it.
  left({ state: 'canceled' });
  await bench.reopen();
  await bench.client.sync.start({ site: SITE, only: ['statements'] }).then(({ job }) => bench.ended(job));
  await hears('replay', async () => {
    saveJob(books, { ...writtenJob(books, job)!, state: 'paused', ended_at: null });
    left({ state: 'paused', paused_by: 'breaker' });
  });
  await expect.poll(() => storedReplay(books, job)).toMatchObject({ state: 'interrupted' });
  expect(jobOf(books, SITE, job)).toMatchObject({ state: 'interrupted' });
  expect(isSiteLocked(folder)).toBe(false);
  await bench.client.replay.resume({ site: SITE, job });
  expect((await bench.ended(job)).state).toBe('done');
});

test('what another process drafts, sets, adds and copies is heard of', async () => {
  bench = await openWorkbench({ subscriptions: 5, months: 1 });
  await bench.sync();
  const { client } = bench.another();
  const pair = prepared<{ subscription_id: number; component_id: number }>(
    bench.cache(),
    'SELECT subscription_id, component_id FROM subscription_component LIMIT 1',
  ).get()!;
  const changes = [{ ...pair, quantity: '7' }];
  await hears('allocations', () => client.allocations.draft({ site: SITE, from: { changes } }));
  await hears('settings', () => client.settings.set({ key: 'theme', value: 'dark' }));
  await hears('backups', () => client.backups.make({ site: SITE }));
  const { url: base_url, apiKey: api_key } = bench.sandbox;
  await hears('sites', () => client.sites.add({ title: 'Second', site: 'second', base_url, api_key }));
});

test('so is what it does on a site that nobody here has worked on yet', async () => {
  bench = await openWorkbench({ subscriptions: 5, months: 1 });
  await bench.reopen();
  const other = bench.another();
  await hears('webhooks', async () => {
    const { job } = await other.client.sync.start({ site: SITE });
    await other.ended(job);
  });
});
