import { afterEach, expect, test } from 'vitest';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import { getActualJobState, isSiteLocked } from '../../../src/backend/sites/actual-job-state.ts';
import { getSiteFolder } from '../../../src/backend/sites/site-file.ts';
import { SiteLocks } from '../../../src/backend/sites/site-lock.ts';
import { saveJob } from '../../../src/backend/store/jobs/job.ts';
import { getJob } from '../../../src/backend/store/jobs/job-list.ts';
import { findReplay, type StoredReplay, saveReplay } from '../../../src/backend/store/replay/replay.ts';
import { findStoredReplayJob } from '../../../src/backend/store/replay/replay-figures.ts';
import { prepareSql } from '../../../src/backend/store/sqlite/connection.ts';
import { type ChangeEvent, createBackendClient } from '../../../src/contract/index.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

let bench: WriterTestSite;
afterEach(() => bench.close());

/** Performs an action and waits for a change event with the topic. Events are received from before the action on. */
async function waitForChange(
  topic: ChangeEvent['topics'][number],
  act: () => Promise<unknown>,
): Promise<void> {
  const changes = await bench.client.changes.watch({});
  await act();
  for await (const { topics } of changes) {
    if (topics.includes(topic)) break;
  }
}

test('a sync of another process causes change events', async () => {
  bench = await openWriterTestSite({ subscriptions: 5, months: 1 });
  await bench.sync();
  bench.sandbox.advance({ days: 20 });
  const other = bench.openSecondWriter();
  // The other process emits its changes only to its own subscribers.
  await waitForChange('webhooks', async () => {
    const { job } = await other.client.sync.start({ site: SITE });
    await other.waitForJob(job);
  });
});

/** Saves a job in the state that a process leaves if it is killed during a sync. */
function saveRunningJob(): void {
  saveJob(bench.writableBooks(), {
    ...{ id: 'left', kind: 'sync', state: 'running', started_at: Date.now(), ended_at: null, progress: [] },
    ...{ rate: 12, remaining_ms: 5, summary: null, error: null },
  });
}

test('a running job of a crashed process is shown as interrupted', async () => {
  bench = await openWriterTestSite({ subscriptions: 5, months: 1 });
  await bench.sync();
  const folder = getSiteFolder(bench.home, SITE);
  await waitForChange('jobs', async () => saveRunningJob());
  const states: string[] = [];
  for await (const { state } of await bench.client.jobs.watch({ site: SITE, job: 'left' }))
    states.push(state);
  expect(states.at(-1)).toBe('interrupted');
  expect(isSiteLocked(folder)).toBe(false);

  saveRunningJob();
  const interruptedJob = getJob(bench.books(), SITE, 'left');
  expect(getActualJobState(interruptedJob!, folder)).toMatchObject({
    state: 'interrupted',
    rate: null,
    remaining_ms: null,
  });
  const lock = new SiteLocks(bench.home).acquire(SITE, 'a sync');
  expect(isSiteLocked(folder)).toBe(true);
  expect(getActualJobState(interruptedJob!, folder)).toMatchObject({ state: 'running', rate: 12 });
  if ('release' in lock) lock.release();

  // The next job finds no other running job.
  await bench.sync();
  expect(getJob(bench.books(), SITE, 'left')).toMatchObject({ state: 'interrupted' });
});

test('the second of two processes gets an error with the activity, start and id of the first', async () => {
  bench = await openWriterTestSite({ subscriptions: 5, months: 2 });
  const other = bench.openSecondWriter();
  bench.sandbox.setFaults({ latency: [60_000, 60_000] });
  for (const [first, second] of [
    [bench, other],
    [other, bench],
  ] as const) {
    const { job } = await first.client.sync.start({ site: SITE });
    await expect(second.client.sync.start({ site: SITE })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        /^The site acme is in use by another process: a sync, since \d{4}-\d\d-\d\d \d\d:\d\d UTC \(process \d+\)\.$/,
      ) as string,
    });
    expect((await second.client.jobs.cancel({ site: SITE, job })).state).toBe('canceled');
    expect((await first.waitForJob(job)).state).toBe('canceled');
  }
});

test('a replay of a crashed process is shown as interrupted and can be resumed; one paused by a user stays paused', async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  const { plan } = await bench.client.replay.plan({
    site: SITE,
    selection: { filter: { status: 'failed' } },
  });
  const { job } = await bench.client.replay.run({ site: SITE, plan });
  await bench.client.replay.cancel({ site: SITE, job });
  const folder = getSiteFolder(bench.home, SITE);
  const books = bench.writableBooks();
  const reader = openBackendReader({
    home: bench.home,
    version: '0.0.0',
    shell: createMemoryShell(bench.keys),
    log: () => undefined,
  });
  const client = createBackendClient({ reader: reader.link, writer: reader.link });
  const read = async () => {
    const one = await client.replay.get({ site: SITE, job });
    expect(await client.replay.list({ site: SITE })).toEqual([one]);
    return one;
  };
  const setReplayJob = (change: Partial<StoredReplay>) =>
    saveReplay(books, { ...findReplay(books, job)!, ended_at: null, counts: null, ...change });

  try {
    // The reader shows the actual state even if no process writes it.
    await bench.writer.close();
    setReplayJob({ state: 'running' });
    expect(await read()).toMatchObject({ state: 'interrupted' });
    setReplayJob({ state: 'paused', paused_by: 'breaker' });
    expect(await read()).toMatchObject({ state: 'interrupted', paused_by: null });
    setReplayJob({ state: 'paused', paused_by: 'user' });
    expect(await read()).toMatchObject({ state: 'paused', paused_by: 'user' });
    setReplayJob({ state: 'running' });
    const lock = new SiteLocks(bench.home).acquire(SITE, 'a replay');
    expect(await read()).toMatchObject({ state: 'running' });
    if ('release' in lock) lock.release();
  } finally {
    await reader.close();
  }

  // An open app records the interruption and can resume the replay.
  setReplayJob({ state: 'canceled' });
  await bench.reopen();
  await bench.client.sync
    .start({ site: SITE, only: ['statements'] })
    .then(({ job }) => bench.waitForJob(job));
  await waitForChange('replay', async () => {
    saveJob(books, { ...findStoredReplayJob(books, job)!, state: 'paused', ended_at: null });
    setReplayJob({ state: 'paused', paused_by: 'breaker' });
  });
  await expect.poll(() => findReplay(books, job)).toMatchObject({ state: 'interrupted' });
  expect(getJob(books, SITE, job)).toMatchObject({ state: 'interrupted' });
  expect(isSiteLocked(folder)).toBe(false);
  await bench.client.replay.resume({ site: SITE, job });
  expect((await bench.waitForJob(job)).state).toBe('done');
});

test('drafts, settings, sites and backups of another process cause change events', async () => {
  bench = await openWriterTestSite({ subscriptions: 5, months: 1 });
  await bench.sync();
  const { client } = bench.openSecondWriter();
  const pair = prepareSql<{ subscription_id: number; component_id: number }>(
    bench.cache(),
    'SELECT subscription_id, component_id FROM subscription_component LIMIT 1',
  ).get()!;
  const changes = [{ ...pair, quantity: '7' }];
  await waitForChange('allocations', () => client.allocations.draft({ site: SITE, from: { changes } }));
  await waitForChange('settings', () => client.settings.set({ key: 'theme', value: 'dark' }));
  await waitForChange('backups', () => client.backups.make({ site: SITE }));
  const { url: base_url, apiKey: api_key } = bench.sandbox;
  await waitForChange('sites', () =>
    client.sites.add({
      title: 'Second',
      site: 'second',
      base_url: base_url.replace('127.0.0.1', 'localhost'),
      api_key,
    }),
  );
});

test('a sync of another process causes change events for a site that is not open here', async () => {
  bench = await openWriterTestSite({ subscriptions: 5, months: 1 });
  await bench.reopen();
  const other = bench.openSecondWriter();
  await waitForChange('webhooks', async () => {
    const { job } = await other.client.sync.start({ site: SITE });
    await other.waitForJob(job);
  });
});
