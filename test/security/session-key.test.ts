import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type AppHost, startHost } from '../../src/host/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { createTemporaryHome } from '../host/test-host.ts';

/** An API key that the user keeps for the session, on a computer without a keychain: it reaches no file. */
const KEY = 'sk-Session+Only/31-aQ9w';
const place = createTemporaryHome();
let service: Sandbox;

beforeAll(async () => {
  // No Secret Service responds at this address.
  process.env['DBUS_SESSION_BUS_ADDRESS'] = `unix:path=${place.home}/no-bus`;
  service = await startSandbox({ apiKey: KEY, subscriptions: 3, months: 2, seed: 9 });
});

afterAll(async () => {
  await service.close();
  place.remove();
});

async function start(): Promise<AppHost> {
  const host = await startHost({ home: place.home, version: '1.2.3', logLevel: 'debug' });
  onTestFinished(() => host.close());
  return host;
}

async function sync(host: AppHost) {
  const { job } = await host.client.sync.start({ site: 'harbor' });
  for await (const state of await host.client.jobs.watch({ site: 'harbor', job }))
    if (state.ended_at) return state;
  throw new Error('The sync did not end.');
}

/** Returns the files of the home that contain the key as text or as Basic credentials. */
function findFilesWithKey(): string[] {
  const spellings = [KEY, Buffer.from(`${KEY}:x`).toString('base64').slice(0, 24), encodeURIComponent(KEY)];
  return (readdirSync(place.home, { recursive: true }) as string[])
    .map((name) => join(place.home, name))
    .filter((path) => statSync(path).isFile())
    .filter((path) => {
      const content = readFileSync(path);
      return spellings.some((spelling) => content.includes(spelling));
    });
}

test('a key is kept for the session only if the user allows it, and is never written to a file', async () => {
  const host = await start();
  const site = { title: 'Harbor', base_url: service.url, api_key: KEY };
  await expect(host.client.sites.add(site)).rejects.toMatchObject({ code: 'keychain_unavailable' });
  expect(await host.client.sites.list({})).toEqual([]);

  const added = await host.client.sites.add({ ...site, allow_session_key: true });
  expect(added).toMatchObject({ has_key: true, is_session_key: true, key_hint: KEY.slice(-4) });
  expect(await sync(host)).toMatchObject({ state: 'done' });
  expect(await host.client.sites.list({})).toMatchObject([{ site: 'harbor', is_session_key: true }]);
  expect(findFilesWithKey()).toEqual([]);
  await host.close();
  expect(findFilesWithKey()).toEqual([]);
});

test('after a restart, the key must be entered again', async () => {
  const host = await start();
  expect(await host.client.sites.get({ site: 'harbor' })).toMatchObject({
    has_key: false,
    is_session_key: false,
  });
  expect(await sync(host)).toMatchObject({ state: 'failed', error: { code: 'keychain_unavailable' } });

  const input = { site: 'harbor', api_key: KEY };
  await expect(host.client.sites.replaceKey(input)).rejects.toMatchObject({ code: 'keychain_unavailable' });
  const replaced = await host.client.sites.replaceKey({ ...input, allow_session_key: true });
  expect(replaced).toMatchObject({ has_key: true, is_session_key: true });
  expect(await sync(host)).toMatchObject({ state: 'done' });
});

test('a site with a key for the session can be removed', async () => {
  const host = await start();
  const input = { site: 'harbor', api_key: KEY, allow_session_key: true };
  await host.client.sites.replaceKey(input);
  await host.client.sites.remove({ site: 'harbor' });
  expect(await host.client.sites.list({})).toEqual([]);
  expect(findFilesWithKey()).toEqual([]);
});
