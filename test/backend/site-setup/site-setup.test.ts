import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBackendWriter } from '../../../src/backend/open-backend-writer.ts';
import type { Backend } from '../../../src/backend/shared/backend-start-options.ts';
import { readAppSettings, writeAppSetting } from '../../../src/backend/sites/app-settings.ts';
import { findFoldersWithoutSiteFile } from '../../../src/backend/sites/folders-without-site-file.ts';
import { deriveSiteName, readSite, readSites } from '../../../src/backend/sites/site-file.ts';
import { findLastAuditEntry } from '../../../src/backend/store/audit-log/audit-entry-list.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { type BackendClient, createBackendClient } from '../../../src/contract/index.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { createMemoryShell } from '../memory-shell.ts';

let home: string;
let keys: Map<string, string>;
let writer: Backend;
let client: BackendClient;
let sandbox: Sandbox;
const servers: Server[] = [];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'tieout-sites-'));
  keys = new Map();
  writer = openBackendWriter({ home, version: '0.0.0', shell: createMemoryShell(keys), log: () => {} });
  client = createBackendClient({ reader: writer.link, writer: writer.link });
  sandbox = await startSandbox({ subscriptions: 3, months: 1 });
});
afterEach(async () => {
  await writer.close();
  await sandbox.close();
  for (const server of servers.splice(0)) server.close();
  rmSync(home, { recursive: true, force: true });
});

async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]).sort() : [];

test('a site is saved after the service has answered; its key is stored only in the keychain', async () => {
  const site = await client.sites.add({
    title: 'Acme & Söhne',
    base_url: `${sandbox.url}/`,
    api_key: sandbox.apiKey,
  });
  expect(site).toMatchObject({
    site: 'acme-sohne',
    base_url: sandbox.url,
    currency: 'USD',
    has_key: true,
    key_hint: sandbox.apiKey.slice(-4),
    last_synced_at: null,
  });
  expect(keys.get('acme-sohne')).toBe(sandbox.apiKey);
  const folder = join(home, 'sites', 'acme-sohne');
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['books.db', 'cache.db', 'site.json']));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of filesIn(home)) {
    const path = join(home, file);
    if (statSync(path).isFile()) expect(readFileSync(path).includes(sandbox.apiKey)).toBe(false);
  }
});

test.each<[string, () => Promise<string>, RegExp, string]>([
  ['a wrong key', async () => sandbox.url, /rejected the API key/, 'auth'],
  ['an unreachable service', async () => 'http://127.0.0.1:1', /refused the connection/, 'network'],
  ['an invalid address', async () => 'acme billing', /is not a valid URL/, 'validation'],
  ['an unencrypted address', async () => 'http://acme.example.com', /unencrypted/, 'validation'],
  ['a web site', () => serverThat((_, to) => to.end('<!doctype html><html></html>')), /web page/, 'service'],
  ['another API', () => serverThat((_, to) => to.end('[{"name":"x"}]')), /not a list of webhooks/, 'service'],
  [
    'an API with another format',
    () => serverThat((_, to) => to.end('{"ok":true}')),
    /not a list of webhooks/,
    'service',
  ],
  [
    'a 404',
    () => serverThat((_, to) => to.writeHead(404).end(' ')),
    /is not the address of a billing service/,
    'not_found',
  ],
])('connecting to %s fails with a specific error and changes nothing', async (_, url, message, code) => {
  const before = filesIn(home);
  const base_url = await url();
  const failure = client.sites.add({ title: 'Acme', base_url, api_key: 'not the key' });
  await expect(failure).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  await expect(failure).rejects.toMatchObject({ data: { hint: expect.stringMatching(/\w/) } });
  expect(filesIn(home)).toEqual(before);
  expect(keys.size).toBe(0);
  await expect(client.sites.test({ base_url, format: 'json', api_key: 'not the key' })).rejects.toMatchObject(
    { code },
  );
});

test('a connection test returns its duration and the UTC offset of the service', async () => {
  await client.sites.add({ title: 'Acme', base_url: sandbox.url, api_key: sandbox.apiKey });
  expect(await client.sites.test({ site: 'acme' })).toMatchObject({
    ok: true,
    message: expect.stringMatching(/^The service responded\. Its newest webhook is \w+, created 2026-/),
    utc_offset: expect.stringMatching(/^-0[45]:00$/),
  });
  keys.clear();
  await expect(client.sites.test({ site: 'acme' })).rejects.toMatchObject({ code: 'auth' });
  await expect(client.sites.test({ site: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
});

test('a new key replaces the old one only if the service accepts it', async () => {
  await client.sites.add({ title: 'Acme', base_url: sandbox.url, api_key: sandbox.apiKey });
  await expect(client.sites.replaceKey({ site: 'acme', api_key: 'wrong' })).rejects.toMatchObject({
    code: 'auth',
  });
  expect(keys.get('acme')).toBe(sandbox.apiKey);
  expect(await client.sites.replaceKey({ site: 'acme', api_key: sandbox.apiKey })).toMatchObject({
    has_key: true,
  });
});

test('a site can be changed, and removed without deleting data', async () => {
  await client.sites.add({ title: 'Acme', base_url: sandbox.url, api_key: sandbox.apiKey });
  expect(await client.sites.update({ site: 'acme', title: 'Acme Inc', currency: 'EUR' })).toMatchObject({
    title: 'Acme Inc',
    currency: 'EUR',
    base_url: sandbox.url,
  });
  await expect(client.sites.add({ title: 'x', site: 'acme', base_url: sandbox.url })).rejects.toMatchObject({
    code: 'conflict',
  });
  const { set_aside } = await client.sites.remove({ site: 'acme' });
  expect(readdirSync(join(home, set_aside))).toContain('cache.db');
  expect([readSite(home, 'acme'), keys.size]).toEqual([null, 0]);
  await expect(client.sites.update({ site: 'acme', title: 'y' })).rejects.toMatchObject({
    code: 'not_found',
  });
  const again = await client.sites.add({ title: 'Acme', base_url: sandbox.url, api_key: sandbox.apiKey });
  expect(again.site).toBe('acme');
});

test('a site is not removed if the keychain fails; the demo, which has no key there, is removed', async () => {
  await client.sites.add({ title: 'Acme', base_url: sandbox.url, api_key: sandbox.apiKey });
  await client.sites.add({ title: 'Demo', base_url: sandbox.url, api_key: sandbox.apiKey, demo: true });
  const locked = () => {
    throw new Error('locked');
  };
  Object.assign(keys, { get: locked, delete: locked });
  await expect(client.sites.remove({ site: 'acme' })).rejects.toThrow();
  expect(readSite(home, 'acme')).not.toBeNull();
  const books = openStore(join(home, 'sites', 'acme', 'books.db'), 'books', { readonly: true });
  expect(findLastAuditEntry(books, 'sites.add', 'acme')).not.toBeNull();
  expect(findLastAuditEntry(books, 'sites.remove', 'acme')).toBeNull();
  closeStore(books);
  const { set_aside } = await client.sites.remove({ site: 'demo' });
  expect([readSite(home, 'demo'), existsSync(join(home, set_aside))]).toEqual([null, true]);
});

test('site names are derived from titles', () => {
  expect(deriveSiteName('Größe 7 – Ärzte GmbH', new Set())).toBe('gro-e-7-arzte-gmbh');
  expect(deriveSiteName('!!!', new Set())).toBe('site');
  expect(deriveSiteName('Acme', new Set(['acme', 'acme-2']))).toBe('acme-3');
  expect(deriveSiteName('x'.repeat(80), new Set())).toHaveLength(36);
});

test('an invalid site file is ignored', async () => {
  await client.sites.add({ title: 'Acme', base_url: sandbox.url, api_key: sandbox.apiKey });
  expect(readSite(home, '../acme')).toBe(null);
  writeFileSync(join(home, 'sites', 'acme', 'site.json'), '{"site":"other"}');
  expect(readSites(home)).toEqual([]);
});

test('settings are saved, returned, and deleted with null', async () => {
  expect(await client.settings.set({ key: 'theme', value: 'dark' })).toEqual({ theme: 'dark' });
  expect(await client.settings.set({ key: 'grid.columns', value: ['id'] })).toEqual({
    theme: 'dark',
    'grid.columns': ['id'],
  });
  expect(readAppSettings(home)).toEqual({ theme: 'dark', 'grid.columns': ['id'] });
  expect(writeAppSetting(home, 'theme', null)).toEqual({ 'grid.columns': ['id'] });
  writeFileSync(join(home, 'settings.json'), 'damaged');
  expect(readAppSettings(home)).toEqual({});
});

test('a damaged site.json is renamed and restored from the audit log', async () => {
  await client.sites.add({ title: 'Acme', base_url: sandbox.url, api_key: sandbox.apiKey, currency: 'EUR' });
  const added = Date.now();
  const renamed = await client.sites.update({ site: 'acme', title: 'Acme Ltd' });
  const before = readSite(home, 'acme');
  await writer.close();
  const path = join(home, 'sites', 'acme', 'site.json');
  writeFileSync(path, '{"site":"ac');
  expect(readSites(home)).toEqual([]);
  expect(findFoldersWithoutSiteFile(home)).toEqual(['acme']);

  writer = openBackendWriter({ home, version: '0.0.0', shell: createMemoryShell(keys), log: () => {} });
  client = createBackendClient({ reader: writer.link, writer: writer.link });
  const { created_at, ...same } = before!;
  expect(readSite(home, 'acme')).toMatchObject(same);
  // The audit log has the time at which the site was added, shortly after that of the file.
  const again = Date.parse(readSite(home, 'acme')!.created_at);
  expect([again >= Date.parse(created_at), again <= added]).toEqual([true, true]);
  expect(await client.sites.test({ site: 'acme' })).toMatchObject({ ok: true });
  expect(renamed.title).toBe('Acme Ltd');
  expect(readFileSync(`${path}.damaged`, 'utf8')).toBe('{"site":"ac');
});
