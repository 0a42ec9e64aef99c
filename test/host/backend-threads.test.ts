import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readHookEnvironment } from '../../src/backend/index.ts';
import { countPendingMigrations } from '../../src/backend/store/database/open-current-store.ts';
import { sqliteApplicationIds } from '../../src/backend/store/migrations/migrate.ts';
import { openSqlite, type WritableDb } from '../../src/backend/store/sqlite/connection.ts';
import { type MigrationProgress, toContractError } from '../../src/contract/index.ts';
import { startHost } from '../../src/host/index.ts';
import { addSite, SITE } from '../backend/bank/bank-bench.ts';
import { measureProcessTime } from '../measure-process-time.ts';
import { connectTestPage, createTemporaryFolder, startTestHost } from './test-host.ts';

test('routes each call to the thread that serves its kind', async () => {
  const host = await startTestHost();
  const about = await host.client.app.about({});
  expect(about).toMatchObject({ version: '1.2.3', home: host.home });
  expect(await host.client.settings.set({ key: 'theme', value: 'dark' })).toEqual({ theme: 'dark' });
});

test('makes the data directory and the log readable only by their owner', async () => {
  const home = join(createTemporaryFolder(), 'home');
  mkdirSync(home, { mode: 0o755 });
  const host = await startTestHost({ home });
  await host.close();
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect(statSync(join(home, 'logs', 'tieout.log')).mode & 0o777).toBe(0o600);
});

test('does not pass a key in the environment to the threads', async () => {
  process.env['TIEOUT_API_KEY'] = 'environment-key-1234';
  try {
    const host = await startTestHost({ fallbackKey: 'environment-key-1234' });
    const { environment } = (await host.client.settings.all({})) as { environment: string[] };
    expect(environment.toSorted()).toEqual(Object.keys(readHookEnvironment()).toSorted());
    expect(environment).not.toContain('TIEOUT_API_KEY');
  } finally {
    delete process.env['TIEOUT_API_KEY'];
  }
});

test('a program that the window runs for an alert gets the variables of the desktop, but no key', async () => {
  const home = join(createTemporaryFolder(), 'home');
  addSite(home);
  const output = join(home, 'variables.txt');
  mkdirSync(join(home, 'hooks'));
  writeFileSync(join(home, 'hooks', 'report'), `#!/bin/sh\nenv > '${output}'\n`, { mode: 0o700 });
  vi.stubEnv('DISPLAY', ':42');
  vi.stubEnv('TIEOUT_API_KEY', 'environment-key-5678');
  onTestFinished(() => void vi.unstubAllEnvs());
  const host = await startHost({ home, version: '1.2.3' });
  onTestFinished(() => host.close());
  await host.client.alerts.saveSettings({ site: SITE, command: 'report' });
  const { deliveries } = await host.client.alerts.test({ site: SITE });
  expect(deliveries).toMatchObject([{ channel: 'command', state: 'delivered' }]);
  const variables = readFileSync(output, 'utf8').split('\n');
  for (const name of ['PATH', 'HOME']) expect(variables).toContain(`${name}=${process.env[name]}`);
  expect(variables).toContain('DISPLAY=:42');
  expect(variables).toContain('TIEOUT_ALERT_KIND=test');
  expect(variables.join()).not.toContain('environment-key');
});

test('migrates the databases of earlier versions before the host has started, and reports the progress', async () => {
  const home = join(createTemporaryFolder(), 'home');
  addSite(home);
  // A database without any migration, as a version before the first one would have left it.
  const path = join(home, 'sites', SITE, 'cache.db');
  const db = openSqlite(path) as WritableDb;
  db.pragma(`application_id = ${sqliteApplicationIds.cache}`);
  db.close();
  const reported: MigrationProgress[] = [];
  const host = await startHost({
    home,
    version: '1.2.3',
    onMigration: (progress) => reported.push(progress),
  });
  expect(reported).toEqual([
    { done: 0, total: 1 },
    { done: 1, total: 1 },
  ]);
  expect(countPendingMigrations(path, 'cache')).toBe(0);
  await host.close();
});

test('lowers the writer’s priority on systems with per-thread priorities', async () => {
  const normalPriority = getPriority();
  const host = await startHost({ home: join(createTemporaryFolder(), 'home'), version: '1.2.3' });
  const threads = prioritiesOf('reader', 'writer');
  await host.close();
  const lowered = Math.max(normalPriority, constants.priority.PRIORITY_BELOW_NORMAL);
  expect(threads).toEqual(process.platform === 'linux' ? { reader: normalPriority, writer: lowered } : {});
  expect(getPriority()).toBe(normalPriority);
});

/** Returns the priorities of this process's threads by name. Only Linux provides them. */
function prioritiesOf(...names: string[]): Record<string, number> {
  if (process.platform !== 'linux') return {};
  const threads = readdirSync('/proc/self/task').map((id) => ({ id: Number(id), name: nameOf(id) }));
  const wanted = threads.filter(({ name }) => names.includes(name));
  return Object.fromEntries(wanted.map(({ id, name }) => [name, getPriority(id)]));
}

function nameOf(thread: string): string {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
  } catch {
    // The thread has just ended.
    return '';
  }
}

test('gives each page its own ports', async () => {
  const host = await startTestHost();
  const [one, two] = [connectTestPage(host), connectTestPage(host)];
  one.ports.reader.close();
  await expect(two.client.sites.list({})).resolves.toEqual([]);
  expect([one.reader.closed.aborted, two.reader.closed.aborted]).toEqual([true, false]);
});

test('rejects running calls and closes ports when a thread crashes, then serves new connections', async () => {
  const host = await startTestHost();
  const page = connectTestPage(host);
  const crash = page.client.settings.set({ key: 'crash', value: true });
  await expect(crash).rejects.toMatchObject({ code: 'disconnected' });
  expect(page.writer.closed.aborted).toBe(true);
  const lateCall = await page.client.settings.set({ key: 'a', value: 1 }).catch(toContractError);
  expect(lateCall).toMatchObject({ code: 'disconnected' });

  const again = () =>
    connectTestPage(host).client.settings.set({ key: 'b', value: 2 }).catch(toContractError);
  await expect.poll(again).toEqual({ b: 2 });
});

test("reconnects the shell's client after a crash", async () => {
  const host = await startTestHost();
  await expect(host.client.settings.set({ key: 'crash', value: 1 })).rejects.toMatchObject({
    code: 'disconnected',
  });
  const again = () => host.client.settings.set({ key: 'c', value: 3 }).catch(toContractError);
  await expect.poll(again).toEqual({ c: 3 });
  expect(await host.client.sites.list({})).toEqual([]);
});

test('ends the streams of a closed port', async () => {
  const host = await startTestHost();
  const { client, ports } = connectTestPage(host);
  const stream = await client.changes.watch({});
  expect(await stream.next()).toMatchObject({ value: { topics: ['sites'] } });
  ports.writer.close();
  await expect.poll(() => readLogOf(host.home)).toContain('the watcher went away');
});

test('terminates an unresponsive thread within the time limit', async () => {
  const host = await startTestHost();
  host.client.settings.set({ key: 'hang', value: 1 }).catch(() => undefined);
  await host.client.sites.list({});
  expect(await measureProcessTime(() => host.close())).toBeLessThan(7000);
  expect(readLogOf(host.home)).toContain('did not end in time');
});

test('rejects immediately if a thread cannot start, and stops all threads', async () => {
  const folder = createTemporaryFolder();
  const brokenThread = join(folder, 'broken.mjs');
  writeFileSync(brokenThread, 'throw new Error("the store is from the future")');
  const reader = new URL('./threads/reader.ts', import.meta.url);
  const started = startHost({
    home: join(folder, 'home'),
    version: '1',
    entries: { writer: new URL(`file://${brokenThread}`), reader },
  });
  await expect(started).rejects.toThrow('the store is from the future');
});

test('throws a storage error with a hint for an unusable data directory', async () => {
  const file = join(createTemporaryFolder(), 'file');
  writeFileSync(file, '');
  const failure = await startHost({ home: join(file, 'home'), version: '1' }).catch(toContractError);
  expect(failure).toMatchObject({ code: 'storage', hint: expect.stringContaining('--home') });
});

function readLogOf(home: string): string {
  return readFileSync(join(home, 'logs', 'tieout.log'), 'utf8');
}
