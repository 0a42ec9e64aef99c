import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toContractError } from '../../src/contract/index.ts';
import { startHost } from '../../src/host/index.ts';
import { lived } from '../lived.ts';
import { pageOf, temporaryFolder, temporaryHost } from './temporary.ts';

test('routes each call to the thread that serves its kind', async () => {
  const host = await temporaryHost();
  const about = await host.client.app.about({});
  expect(about).toMatchObject({ version: '1.2.3', home: host.home });
  expect(await host.client.settings.set({ key: 'theme', value: 'dark' })).toEqual({ theme: 'dark' });
});

test('makes the data directory and the log readable only by their owner', async () => {
  const home = join(temporaryFolder(), 'home');
  mkdirSync(home, { mode: 0o755 });
  const host = await temporaryHost({ home });
  await host.close();
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect(statSync(join(home, 'logs', 'tieout.log')).mode & 0o777).toBe(0o600);
});

test('does not pass a key in the environment to the threads', async () => {
  process.env['TIEOUT_API_KEY'] = 'environment-key-1234';
  try {
    const host = await temporaryHost({ fallbackKey: 'environment-key-1234' });
    expect(await host.client.settings.all({})).toEqual({ environment: [] });
  } finally {
    delete process.env['TIEOUT_API_KEY'];
  }
});

test('lowers the writer’s priority on systems with per-thread priorities', async () => {
  const usual = getPriority();
  const host = await startHost({ home: join(temporaryFolder(), 'home'), version: '1.2.3' });
  const found = prioritiesOf('reader', 'writer');
  await host.close();
  const less = Math.max(usual, constants.priority.PRIORITY_BELOW_NORMAL);
  expect(found).toEqual(process.platform === 'linux' ? { reader: usual, writer: less } : {});
  expect(getPriority()).toBe(usual);
});

/** Of threads of this process; only Linux tells. */
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
    // It has just ended.
    return '';
  }
}

test('gives each page its own ports', async () => {
  const host = await temporaryHost();
  const [one, two] = [pageOf(host), pageOf(host)];
  one.ports.reader.close();
  await expect(two.client.sites.list({})).resolves.toEqual([]);
  expect([one.reader.closed.aborted, two.reader.closed.aborted]).toEqual([true, false]);
});

test('rejects running calls and closes ports when a thread crashes, then serves new connections', async () => {
  const host = await temporaryHost();
  const page = pageOf(host);
  const crash = page.client.settings.set({ key: 'crash', value: true });
  await expect(crash).rejects.toMatchObject({ code: 'disconnected' });
  expect(page.writer.closed.aborted).toBe(true);
  const late = await page.client.settings.set({ key: 'a', value: 1 }).catch(toContractError);
  expect(late).toMatchObject({ code: 'disconnected' });

  const again = () => pageOf(host).client.settings.set({ key: 'b', value: 2 }).catch(toContractError);
  await expect.poll(again).toEqual({ b: 2 });
});

test("reconnects the shell's client after a crash", async () => {
  const host = await temporaryHost();
  await expect(host.client.settings.set({ key: 'crash', value: 1 })).rejects.toMatchObject({
    code: 'disconnected',
  });
  const again = () => host.client.settings.set({ key: 'c', value: 3 }).catch(toContractError);
  await expect.poll(again).toEqual({ c: 3 });
  expect(await host.client.sites.list({})).toEqual([]);
});

test('ends the streams of a closed port', async () => {
  const host = await temporaryHost();
  const { client, ports } = pageOf(host);
  const stream = await client.changes.watch({});
  expect(await stream.next()).toMatchObject({ value: { topics: ['sites'] } });
  ports.writer.close();
  await expect.poll(() => logOf(host.home)).toContain('the watcher went away');
});

test('terminates an unresponsive thread within the time limit', async () => {
  const host = await temporaryHost();
  host.client.settings.set({ key: 'hang', value: 1 }).catch(() => undefined);
  await host.client.sites.list({});
  expect(await lived(() => host.close())).toBeLessThan(7000);
  expect(logOf(host.home)).toContain('did not end in time');
});

test('rejects immediately if a thread cannot start, and stops all threads', async () => {
  const folder = temporaryFolder();
  const broken = join(folder, 'broken.mjs');
  writeFileSync(broken, 'throw new Error("the store is from the future")');
  const reader = new URL('./threads/reader.ts', import.meta.url);
  const started = startHost({
    home: join(folder, 'home'),
    version: '1',
    entries: { writer: new URL(`file://${broken}`), reader },
  });
  await expect(started).rejects.toThrow('the store is from the future');
});

test('throws a storage error with a hint for an unusable data directory', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const failure = await startHost({ home: join(file, 'home'), version: '1' }).catch(toContractError);
  expect(failure).toMatchObject({ code: 'storage', hint: expect.stringContaining('--home') });
});

function logOf(home: string): string {
  return readFileSync(join(home, 'logs', 'tieout.log'), 'utf8');
}
