import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { openReader } from '../../../src/backend/open-reader.ts';
import { siteLockPath } from '../../../src/backend/sites/interrupted-state.ts';
import {
  lockHolderPath,
  otherProcessesOn,
  scheduleLockPath,
  schedulePath,
} from '../../../src/backend/sites/other-processes.ts';
import { siteFolder } from '../../../src/backend/sites/site-file.ts';
import { lockFile } from '../../../src/backend/store/sqlite/file-lock.ts';
import { type Change, createClient } from '../../../src/contract/index.ts';
import { memoryShell } from '../shell.ts';
import { openWorkbench, SITE, type Workbench } from '../workbench.ts';

let bench: Workbench;
afterEach(() => bench.close());

const AT = '2026-11-22T06:30:00.000Z';
const folder = () => siteFolder(bench.home, SITE);
/** Any process but this one: its notes are all that is looked at. */
const PID = process.ppid;

/** What another process that syncs the site on a schedule leaves here; gives how it ends, however that is. */
function anotherWatches(): () => void {
  const lock = lockFile(scheduleLockPath(folder()));
  writeFileSync(schedulePath(folder()), JSON.stringify({ pid: PID, every_minutes: 20, next_at: AT }));
  return () => lock?.release();
}

test('a schedule of this process is noted for others as long as it lasts, and no other can have one', async () => {
  bench = await openWorkbench({ subscriptions: 2, months: 1 });
  const schedule = { every_minutes: 15, next_at: null };
  await bench.client.sync.schedule({ site: SITE, schedule });
  // It is no other's, to itself.
  expect(otherProcessesOn(folder())).toEqual({ other_process: null, scheduled: null });
  await bench.client.sync.schedule({ site: SITE, schedule: { ...schedule, next_at: AT } });
  const { client } = bench.another();
  await expect(client.sync.schedule({ site: SITE, schedule })).rejects.toMatchObject({ code: 'conflict' });

  await bench.client.sync.schedule({ site: SITE, schedule: null });
  expect(existsSync(schedulePath(folder()))).toBe(false);
  await client.sync.schedule({ site: SITE, schedule });
  await client.sync.schedule({ site: SITE, schedule: null });
});

test('who else works on a site, or has it on a schedule, is told with its state, and when that changes', async () => {
  bench = await openWorkbench({ subscriptions: 2, months: 1 });
  const reader = openReader({
    home: bench.home,
    version: '0.0.0',
    shell: memoryShell(bench.keys),
    log: () => {},
  });
  const { sync } = createClient({ reader: reader.link, writer: reader.link });
  const control = new AbortController();
  const told = await bench.client.changes.watch({}, { signal: control.signal });
  const ofSync = async () => {
    for await (const change of told as AsyncIterable<Change>) if (change.topics.includes('sync')) return;
  };

  const ends = anotherWatches();
  await ofSync();
  expect(await sync.status({ site: SITE })).toMatchObject({
    ...{ other_process: null, scheduled: { pid: PID, every_minutes: 20, next_at: AT } },
  });
  await expect(
    bench.client.sync.schedule({ site: SITE, schedule: { every_minutes: 5, next_at: null } }),
  ).rejects.toMatchObject({
    message: `The site acme is synced on a schedule already, by process ${PID}, every 20 min.`,
  });

  const lock = lockFile(siteLockPath(folder()));
  writeFileSync(lockHolderPath(folder()), JSON.stringify({ pid: PID, activity: 'a sync', started_at: AT }));
  expect((await sync.status({ site: SITE })).other_process).toEqual({
    pid: PID,
    activity: 'a sync',
    started_at: AT,
  });
  lock?.release();

  // It is gone without a word: its note stays behind.
  ends();
  await expect.poll(async () => (await sync.status({ site: SITE })).scheduled).toBe(null);
  expect((await sync.status({ site: SITE })).other_process).toBe(null);
  control.abort();
  reader.close();
});
