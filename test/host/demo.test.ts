import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DEMO_API_KEY } from '../../src/host/demo.ts';
import { type AppHost, startHost } from '../../src/host/index.ts';
import { createTemporaryFolder, startTestHost } from './test-host.ts';

/** The demo uses the real sandbox as its service, and small test threads as its backend. */
const sandboxEntry = new URL('../../src/sandbox/worker.ts', import.meta.url);

async function demoSite(host: AppHost) {
  const site = (await host.client.sites.list({})).find(({ demo }) => demo);
  if (!site) throw new Error('There is no demo site.');
  return site;
}

async function requestWebhooks(base_url: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${DEMO_API_KEY}:x`).toString('base64')}`;
  return (await fetch(`${base_url}/webhooks.json?per_page=1`, { headers: { authorization } })).status;
}

/** Occupies the port of an address, unless another program already uses it. */
async function occupyPort(address: string): Promise<void> {
  const server = createServer().listen(Number(new URL(address).port), '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
  });
}

test('creates and syncs the demo if there is no site', async () => {
  const host = await startTestHost({ sandboxEntry });
  await host.demo?.openIfNeeded();
  const site = await demoSite(host);
  expect(site).toMatchObject({ site: 'demo', demo: true, has_key: true });
  expect(site.last_synced_at).not.toBeNull();
  expect(await requestWebhooks(site.base_url)).toBe(200);
  await host.close();
  await expect(requestWebhooks(site.base_url)).rejects.toThrow();
});

test('keeps its address and bank files when opened again', async () => {
  const home = join(createTemporaryFolder(), 'home');
  const first = await startTestHost({ home, sandboxEntry });
  await first.demo?.openIfNeeded();
  const before = await demoSite(first);
  const bank = join(home, 'demo', 'bank-2026-10.csv');
  const processor = join(home, 'demo', 'payouts-2026-10.csv');
  expect(readFileSync(bank, 'utf8')).toContain('date,amount,currency,description,reference');
  expect(readFileSync(processor, 'utf8')).toContain('automatic_payout_id');
  await first.close();
  writeFileSync(bank, 'mine');
  const second = await startTestHost({ home, sandboxEntry });
  await second.demo?.openIfNeeded();
  expect((await demoSite(second)).base_url).toBe(before.base_url);
  expect(await requestWebhooks(before.base_url)).toBe(200);
  expect(readFileSync(bank, 'utf8')).toBe('mine');
});

test('uses another port if its port is in use', async () => {
  const home = join(createTemporaryFolder(), 'home');
  const first = await startTestHost({ home, sandboxEntry });
  await first.demo?.openIfNeeded();
  const before = await demoSite(first);
  await first.close();
  await occupyPort(before.base_url);

  const second = await startTestHost({ home, sandboxEntry });
  await second.demo?.openIfNeeded();
  const after = await demoSite(second);
  expect(after.base_url).not.toBe(before.base_url);
  expect(await requestWebhooks(after.base_url)).toBe(200);
});

test('uses the running service of another process', async () => {
  const home = join(createTemporaryFolder(), 'home');
  const first = await startTestHost({ home, sandboxEntry });
  await first.demo?.openIfNeeded();
  const { base_url } = await demoSite(first);
  const second = await startTestHost({ home, sandboxEntry });
  await second.demo?.openIfNeeded();
  expect((await demoSite(second)).base_url).toBe(base_url);
  await second.close();
  expect(await requestWebhooks(base_url)).toBe(200);
});

test('creates no demo if there is another site', async () => {
  const host = await startTestHost({ sandboxEntry });
  await host.client.sites.add({ title: 'Acme', base_url: 'https://acme.example' });
  await host.demo?.openIfNeeded();
  expect((await host.client.sites.list({})).map(({ site }) => site)).toEqual(['acme']);
});

test('does not change a user’s site called demo, and explains the conflict', async () => {
  const host = await startTestHost({ sandboxEntry });
  await host.client.sites.add({ title: 'Demo', base_url: 'https://acme.example' });
  await expect(host.demo?.open()).rejects.toMatchObject({ code: 'conflict' });
  expect(await host.client.sites.list({})).toMatchObject([{ base_url: 'https://acme.example', demo: false }]);
  expect(await host.keychain.get('demo')).toBeNull();
});

test('a demo that cannot start does not prevent the app from starting', async () => {
  const host = await startTestHost({ sandboxEntry: new URL('file:///nowhere/sandbox.js') });
  await host.demo?.openIfNeeded();
  expect(await host.client.sites.list({})).toEqual([]);
  await host.close();
  expect(readFileSync(join(host.home, 'logs', 'tieout.log'), 'utf8')).toContain('demo could not be opened');
});

test('syncs with the complete backend, also after moving to another port', async () => {
  const home = join(createTemporaryFolder(), 'home');
  const synced = async (host: AppHost, job: string | null) => {
    if (!job) throw new Error('Nothing is running.');
    for await (const state of await host.client.jobs.watch({ site: 'demo', job })) {
      if (state.ended_at) return state.state;
    }
    return null;
  };
  const first = await startHost({ home, version: '1.2.3', sandboxEntry });
  onTestFinished(() => first.close());
  await first.demo?.openIfNeeded();
  const before = await demoSite(first);
  expect(before).toMatchObject({ has_key: true, demo: true });
  const [job] = await first.client.jobs.list({ site: 'demo' });
  expect(await synced(first, job?.id ?? null)).toBe('done');
  await first.close();

  await occupyPort(before.base_url);
  const second = await startHost({ home, version: '1.2.3', sandboxEntry });
  onTestFinished(() => second.close());
  await second.demo?.openIfNeeded();
  expect((await demoSite(second)).base_url).not.toBe(before.base_url);
  const again = await second.client.sync.start({ site: 'demo' });
  expect(await synced(second, again.job)).toBe('done');
});
