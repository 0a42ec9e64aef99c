import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import { getSiteLockPath } from '../../../src/backend/sites/actual-job-state.ts';
import {
  findOtherProcesses,
  getLockHolderPath,
  getScheduleFilePath,
  getScheduleLockPath,
} from '../../../src/backend/sites/other-processes.ts';
import { getSiteFolder } from '../../../src/backend/sites/site-file.ts';
import { lockFile } from '../../../src/backend/store/sqlite/file-lock.ts';
import { type ChangeEvent, createBackendClient } from '../../../src/contract/index.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

let bench: WriterTestSite;
afterEach(() => bench.close());

const AT = '2026-11-22T06:30:00.000Z';
const folder = () => getSiteFolder(bench.home, SITE);
/** Id of any other running process. Only its files are inspected. */
const PID = process.ppid;

/** Creates the files of another process that syncs the site on a schedule. Returns a function that ends that process. */
function startOtherSchedule(): () => void {
  const lock = lockFile(getScheduleLockPath(folder()));
  writeFileSync(getScheduleFilePath(folder()), JSON.stringify({ pid: PID, every_minutes: 20, next_at: AT }));
  return () => lock?.release();
}

test('a schedule is recorded for other processes while it lasts, and excludes theirs', async () => {
  bench = await openWriterTestSite({ subscriptions: 2, months: 1 });
  const schedule = { every_minutes: 15, next_at: null };
  await bench.client.sync.schedule({ site: SITE, schedule });
  // A process does not count itself as another process.
  expect(findOtherProcesses(folder())).toEqual({ other_process: null, scheduled: null });
  await bench.client.sync.schedule({ site: SITE, schedule: { ...schedule, next_at: AT } });
  const { client } = bench.openSecondWriter();
  await expect(client.sync.schedule({ site: SITE, schedule })).rejects.toMatchObject({ code: 'conflict' });

  await bench.client.sync.schedule({ site: SITE, schedule: null });
  expect(existsSync(getScheduleFilePath(folder()))).toBe(false);
  await client.sync.schedule({ site: SITE, schedule });
  await client.sync.schedule({ site: SITE, schedule: null });
});

test('the status shows other processes and schedules of a site, and their changes', async () => {
  bench = await openWriterTestSite({ subscriptions: 2, months: 1 });
  const reader = openBackendReader({
    home: bench.home,
    version: '0.0.0',
    shell: createMemoryShell(bench.keys),
    log: () => {},
  });
  const { sync } = createBackendClient({ reader: reader.link, writer: reader.link });
  const control = new AbortController();
  const changeEvents = await bench.client.changes.watch({}, { signal: control.signal });
  const ofSync = async () => {
    for await (const change of changeEvents as AsyncIterable<ChangeEvent>)
      if (change.topics.includes('sync')) return;
  };

  const endOtherProcess = startOtherSchedule();
  await ofSync();
  expect(await sync.status({ site: SITE })).toMatchObject({
    ...{ other_process: null, scheduled: { pid: PID, every_minutes: 20, next_at: AT } },
  });
  await expect(
    bench.client.sync.schedule({ site: SITE, schedule: { every_minutes: 5, next_at: null } }),
  ).rejects.toMatchObject({
    message: `Site acme is already synced on a schedule by process ${PID} (every 20 min).`,
  });

  const lock = lockFile(getSiteLockPath(folder()));
  writeFileSync(
    getLockHolderPath(folder()),
    JSON.stringify({ pid: PID, activity: 'a sync', started_at: AT }),
  );
  expect((await sync.status({ site: SITE })).other_process).toEqual({
    pid: PID,
    activity: 'a sync',
    started_at: AT,
  });
  lock?.release();

  // The process crashes, so its file remains.
  endOtherProcess();
  await expect.poll(async () => (await sync.status({ site: SITE })).scheduled).toBe(null);
  expect((await sync.status({ site: SITE })).other_process).toBe(null);
  control.abort();
  reader.close();
});
