import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import { openBackendWriter } from '../../../src/backend/open-backend-writer.ts';
import type { Backend } from '../../../src/backend/shared/backend-start-options.ts';
import { testAddresses } from '../../../src/backend/site-setup/connection-test.ts';
import { listPossibleAddresses } from '../../../src/backend/site-setup/service-details.ts';
import { readSite } from '../../../src/backend/sites/site-file.ts';
import { BillingError } from '../../../src/billing/index.ts';
import { type BackendClient, createBackendClient } from '../../../src/contract/index.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { createMemoryShell } from '../memory-shell.ts';

let home: string;
let writer: Backend;
let reader: Backend;
let client: BackendClient;
const open: { close(): unknown }[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tieout-details-'));
  const options = { home, version: '0.0.0', shell: createMemoryShell(), log: () => {} };
  writer = openBackendWriter(options);
  reader = openBackendReader(options);
  client = createBackendClient({ reader: reader.link, writer: writer.link });
});
afterEach(async () => {
  await writer.close();
  await reader.close();
  for (const each of open.splice(0)) await each.close();
  rmSync(home, { recursive: true, force: true });
});

/** Starts a service that answers JSON by path, or with a status. Other paths answer 404. */
async function serve(answers: Record<string, unknown>, requests: string[] = []): Promise<string> {
  const server: Server = createServer((request: IncomingMessage, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    requests.push(path);
    const answer = answers[path];
    if (typeof answer === 'number') response.writeHead(answer).end(' ');
    else if (Array.isArray(answer) && typeof answer[0] === 'number')
      response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
    else if (answer === undefined) response.writeHead(404).end(' ');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => server.close() });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startSite(settings: Record<string, unknown> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ subscriptions: 3, months: 1, settings });
  open.push(sandbox);
  return sandbox;
}

const add = (base_url: string, more: { currency?: string } = {}) =>
  client.sites.add({ title: 'Nordlicht', base_url, api_key: 'key', ...more });

describe('a site that is connected', () => {
  test('is described by the service: basis of billing, currencies, test or live', async () => {
    const site = {
      currency: 'CHF',
      non_primary_currencies: ['EUR', 'CHF', 7],
      relationship_invoicing_enabled: false,
      test: false,
    };
    const url = await serve({ '/webhooks.json': [], '/site.json': { site } });
    const expected = { bills_by: 'statements', currencies: ['CHF', 'EUR'], is_test: false, region: null };
    const { message } = await client.sites.test({ base_url: url, format: 'json', api_key: 'key' });
    expect(message).toBe(
      'The service responded. The site has no webhooks yet. The site bills by statements. Currency: CHF, EUR. It is a live site.',
    );
    expect(await add(url)).toMatchObject({ currency: 'CHF', service_details: expected });
    expect(readSite(home, 'nordlicht')?.service_details).toEqual(expected);
  });

  test.each([
    ['404', 404],
    ['500', 500],
    ['403', 403],
    ['another document', { account: 1 }],
    ['a list', [{ site: 1 }]],
    [
      'fields of other types',
      { site: { currency: ['USD'], relationship_invoicing_enabled: 'maybe', test: 3 } },
    ],
  ])('has unknown properties if the service answers with %s', async (_, answer) => {
    const url = await serve({
      '/webhooks.json': [],
      '/statements/ids.json': { statement_ids: [] },
      '/site.json': answer,
    });
    const site = await add(url);
    expect(site.service_details).toEqual({ bills_by: null, currencies: [], is_test: null, region: null });
    expect(site.currency).toBe('USD');
  });

  test('keeps a currency that was chosen explicitly', async () => {
    const site = { currency: 'GBP', relationship_invoicing_enabled: false };
    const url = await serve({ '/webhooks.json': [], '/site.json': { site } });
    expect((await add(url, { currency: 'EUR' })).currency).toBe('EUR');
  });

  test('by invoices is synced without statements and is complete', async () => {
    const sandbox = await startSite({ relationshipInvoicing: true });
    const { service_details } = await client.sites.add({
      title: 'Nordlicht',
      base_url: sandbox.url,
      api_key: sandbox.apiKey,
    });
    expect(service_details?.bills_by).toBe('invoices');
    const { job } = await client.sync.start({ site: 'nordlicht' });
    await expect.poll(async () => (await client.jobs.get({ site: 'nordlicht', job })).state).toBe('done');
    const status = await client.sync.status({ site: 'nordlicht' });
    expect(status.parts.map(({ part }) => part)).toEqual(['webhooks', 'allocations']);
    expect(status.complete).toBe(true);
    expect(sandbox.requests.byKind.statement_ids).toBeUndefined();
  });
});

test.each([
  'Your trial has ended, please contact sales.',
  'Site data clearing is in progress. Please try later.',
  'Ihr Konto wurde geschlossen.',
])('a refused account shows the sentence of the service: %s', async (sentence) => {
  const url = await serve({ '/webhooks.json': [422, { errors: [sentence] }] });
  const failure = add(url);
  await expect(failure).rejects.toMatchObject({
    code: 'service',
    message: expect.stringContaining(sentence),
  });
});

describe('the state of the endpoints', () => {
  test('is read from the service', async () => {
    const endpoint = {
      id: 4,
      url: 'https://hooks.nordlicht.example',
      status: 'disabled',
      webhook_subscriptions: [],
    };
    const url = await serve({
      '/webhooks.json': [],
      '/site.json': { site: { relationship_invoicing_enabled: false } },
      '/endpoints.json': [endpoint],
    });
    await add(url);
    expect(await client.sites.endpoints({ site: 'nordlicht' })).toEqual({
      endpoints: [{ id: 4, url: 'https://hooks.nordlicht.example', status: 'disabled' }],
    });
  });

  test('is unknown if the service does not list them', async () => {
    const sandbox = await startSite({ describesSite: false });
    await client.sites.add({ title: 'Nordlicht', base_url: sandbox.url, api_key: sandbox.apiKey });
    expect(await client.sites.endpoints({ site: 'nordlicht' })).toEqual({ endpoints: null });
  });
});

test.each([
  ['nordlicht', ['https://nordlicht.chargify.com', 'https://nordlicht.ebilling.maxio.com']],
  ['Nordlicht-2', ['https://nordlicht-2.chargify.com', 'https://nordlicht-2.ebilling.maxio.com']],
  ['nordlicht.chargify.com', ['https://nordlicht.chargify.com', 'https://nordlicht.ebilling.maxio.com']],
  ['https://a.ebilling.maxio.com/', ['https://a.ebilling.maxio.com', 'https://a.chargify.com']],
  ['http://127.0.0.1:80', ['http://127.0.0.1:80']],
  ['https://chargify.com.evil.example', ['https://chargify.com.evil.example']],
  ['https://evilchargify.com', ['https://evilchargify.com']],
  ['localhost', ['localhost']],
])('the address %s may mean %j', (entered, expected) => {
  expect(listPossibleAddresses(entered)).toEqual(expected);
});

describe('the other region', () => {
  const details = { bills_by: null, currencies: [], is_test: null, region: null } as const;
  const answer = (base_url: string) => ({
    ms: 1,
    message: 'The service answered.',
    utc_offset: null,
    base_url,
    service_details: { ...details, currencies: [] },
  });
  const fail = (code: 'auth' | 'network' | 'not_found', text: string) => {
    throw new BillingError(code, text, { hint: 'Check it.' });
  };

  test('is used, and named, if the site is only there', async () => {
    const found = await testAddresses(['https://a.example', 'https://b.example'], async (address) =>
      address.includes('a.') ? fail('not_found', 'none') : answer(address),
    );
    expect(found).toMatchObject({
      base_url: 'https://b.example',
      message: 'The site was not found at a.example, but at b.example. The service answered.',
    });
  });

  test('is not asked if the first answers', async () => {
    const asked: string[] = [];
    await testAddresses(['https://a.example', 'https://b.example'], async (address) => {
      asked.push(address);
      return answer(address);
    });
    expect(asked).toEqual(['https://a.example']);
  });

  test('gives the error if a site exists only there', async () => {
    const failure = testAddresses(['https://a.example', 'https://b.example'], async (address) =>
      address.includes('a.') ? fail('network', 'a is unknown') : fail('auth', 'b rejected the key'),
    );
    await expect(failure).rejects.toMatchObject({
      code: 'auth',
      message: 'b rejected the key',
      hint: 'Check it. The other region was tried as well: a is unknown',
    });
  });
});
