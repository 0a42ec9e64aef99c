import { afterEach, expect, test } from 'vitest';
import { createSiteLocks } from '../../../src/backend/jobs/siteLock.ts';
import { asItIs, isWorkedOn } from '../../../src/backend/jobs/workedOn.ts';
import { siteFolder } from '../../../src/backend/sites/siteFile.ts';
import { saveJob } from '../../../src/backend/store/books/job.ts';
import { jobOf } from '../../../src/backend/store/books/jobList.ts';
import type { Change } from '../../../src/contract/index.ts';
import { openWorkbench, SITE, type Workbench } from '../workbench.ts';

let bench: Workbench;
afterEach(() => bench.close());

/** The changes that the window hears from now on. */
async function* heard(): AsyncGenerator<Change> {
  const stop = new AbortController();
  try {
    yield* await bench.client.changes.watch({}, { signal: stop.signal });
  } finally {
    stop.abort();
  }
}

async function hears(topic: Change['topics'][number], act: () => Promise<unknown>): Promise<void> {
  const changes = heard();
  const first = changes.next();
  await act();
  for (let { value } = await first; ; { value } = await changes.next()) {
    if ((value as Change | undefined)?.topics.includes(topic)) break;
  }
  await changes.return(undefined);
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
  expect(isWorkedOn(folder)).toBe(false);

  leftRunning();
  const left = jobOf(bench.books(), SITE, 'left');
  expect(asItIs(left!, folder)).toMatchObject({ state: 'interrupted', rate: null, remaining_ms: null });
  const lock = createSiteLocks(bench.home).take(SITE, 'a sync');
  expect(isWorkedOn(folder)).toBe(true);
  expect(asItIs(left!, folder)).toMatchObject({ state: 'running', rate: 12 });
  if ('release' in lock) lock.release();

  // And the next job finds nothing beside itself.
  await bench.sync();
  expect(jobOf(bench.books(), SITE, 'left')).toMatchObject({ state: 'interrupted' });
});

test('of two processes, whoever comes second is told who is at work, since when and with what', async () => {
  bench = await openWorkbench({ subscriptions: 5, months: 2 });
  const other = bench.another();
  bench.sandbox.setFaults({ latency: [100, 100] });
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
    expect((await second.client.jobs.cancel({ site: SITE, job })).state).toBe('cancelled');
    expect((await first.ended(job)).state).toBe('cancelled');
  }
});
