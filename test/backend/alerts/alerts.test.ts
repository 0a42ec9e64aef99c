import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { runCommandHook } from '../../../src/backend/alerts/run-command-hook.ts';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import type { Backend } from '../../../src/backend/shared/backend-start-options.ts';
import { addAlert } from '../../../src/backend/store/alerts/alert.ts';
import {
  type BackendClient,
  type ContractInputs,
  createBackendClient,
  type DesktopAlert,
  deliverDesktopAlerts,
} from '../../../src/contract/index.ts';
import type { SandboxOptions } from '../../../src/sandbox/index.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { FAST_TUNING, openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

/** Alerts of the real writer: a sandbox whose endpoint fails and recovers, real programs and a real HTTP receiver. */

let bench: WriterTestSite;
let reader: Backend;
let queries: BackendClient;
afterEach(async () => {
  await reader.close();
  await bench.close();
});

const onSite = { site: SITE };
/** Lists the test alerts and those about the endpoint. The sandbox’s history has another endpoint and silent days. */
const list = async () =>
  (await queries.alerts.list(onSite))
    .filter(({ kind, endpoint }) => kind === 'test' || endpoint === bench.sandbox.endpointUrl)
    .toReversed();
const kinds = async () => (await list()).map(({ kind }) => kind);
const save = (change: Omit<ContractInputs['alerts']['saveSettings'], 'site'>) =>
  bench.client.alerts.saveSettings({ ...onSite, ...change });
const sync = () => bench.sync({ only: ['webhooks'] });

async function openSite(options: SandboxOptions = {}): Promise<void> {
  bench = await openWriterTestSite({
    subscriptions: 30,
    months: 1,
    outage: false,
    settings: { timeScale: 0.0001 },
    ...options,
  });
  const shell = createMemoryShell(bench.keys);
  reader = openBackendReader({ home: bench.home, version: '0.0.0', shell, log: () => undefined });
  queries = createBackendClient({ reader: reader.link, writer: reader.link });
  await sync();
}

/** Shows the due desktop alerts as a window does. Returns them. */
async function showDesktopAlerts(client: BackendClient): Promise<DesktopAlert[]> {
  const shown: DesktopAlert[] = [];
  await deliverDesktopAlerts(client, SITE, async (alert) => void shown.push(alert));
  return shown;
}

/** Lets this many webhooks fail at the endpoint, through a replay by the service. */
async function failWebhooks(count: number): Promise<void> {
  bench.sandbox.setEndpoint({ down: true });
  await replayNewest(count);
}

async function recover(): Promise<void> {
  bench.sandbox.setEndpoint({});
  await replayNewest(1);
}

async function replayNewest(count: number): Promise<void> {
  const { rows } = await queries.webhooks.list({ ...onSite, limit: count });
  const response = await fetch(`${bench.sandbox.url}/webhooks/replay.json`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${bench.sandbox.apiKey}:x`).toString('base64')}`,
    },
    body: JSON.stringify({ ids: rows.map(({ id }) => id) }),
  });
  expect(response.status).toBe(200);
  await bench.sandbox.idle();
  // The sandbox's times have whole seconds. The next attempts must be later than these.
  await delay(1100);
}

interface Receiver {
  url: string;
  documents: Record<string, unknown>[];
  requests: IncomingMessage[];
  status: number;
  /** If true, requests get no response. */
  hangs: boolean;
}

async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', documents: [], requests: [], status: 204, hangs: false };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    receiver.requests.push(request);
    receiver.documents.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
    if (!receiver.hangs) response.writeHead(receiver.status, { location: `${receiver.url}&moved` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts?token=hush`;
  return receiver;
}

/** Writes an executable program into the folder of the home. Its output file is next to it. */
function writeProgram(name: string, lines: string[], mode = 0o700): string {
  const folder = join(bench.home, 'hooks');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(path, mode);
  return path;
}

test('failures, the pause and the recovery alert once each, over several syncs and a restart', async () => {
  await openSite();
  const receiver = await startReceiver();
  await save({ address: receiver.url, desktop: true });
  await sync();
  expect(await kinds()).toEqual([]);
  await failWebhooks(5);
  await sync();
  await sync();
  await bench.reopen();
  await sync();
  expect(await kinds()).toEqual(['failing']);
  await failWebhooks(28);
  await sync();
  await sync();
  const [first, paused] = await list();
  expect(paused).toMatchObject({ kind: 'paused', endpoint: bench.sandbox.endpointUrl, reported: true });
  expect(first).toMatchObject({ failures: 5 });
  // The next probe of a paused endpoint is due after two hours.
  bench.sandbox.advance({ days: 1 });
  await recover();
  await sync();
  expect(await kinds()).toEqual(['failing', 'paused', 'recovered']);
  const received = receiver.documents.filter(({ endpoint }) => endpoint === bench.sandbox.endpointUrl);
  expect(received.map(({ kind }) => kind)).toEqual(['failing', 'paused', 'recovered']);
  expect(receiver.documents[0]).toMatchObject({
    type: 'tieout.alert',
    site: SITE,
    endpoint: bench.sandbox.endpointUrl,
    failures: 5,
    title: 'Acme: Webhooks failing',
  });
  // No key, no webhook body and no complete address leaves the computer.
  const sent = JSON.stringify(receiver.documents);
  for (const secret of [bench.sandbox.apiKey, bench.sandbox.sharedKey, 'payload', 'hush'])
    expect(sent).not.toContain(secret);
  expect(sent.length).toBeLessThan(receiver.documents.length * 1500);
  // The desktop shows only the latest alert about an endpoint, and only once, also with two windows.
  const second = bench.openSecondWriter();
  const taken = await Promise.all([bench.client, second.client].map(showDesktopAlerts));
  expect(
    taken
      .flat()
      .filter(({ endpoint }) => endpoint === bench.sandbox.endpointUrl)
      .map(({ kind }) => kind),
  ).toEqual(['recovered']);
  expect(await showDesktopAlerts(bench.client)).toEqual([]);
});

test('alerts wait for the end of quiet hours, and for an address that is down, but not forever', async () => {
  await openSite();
  let local = '23:30';
  let day = '2026-11-24';
  const now = () => Date.parse(`${day}T${local}:00`);
  await bench.reopen({ ...FAST_TUNING, now });
  const receiver = await startReceiver();
  await save({ address: receiver.url, desktop: true, quiet_hours: { from: '22:00', to: '06:30' } });
  await failWebhooks(4);
  await sync();
  expect(await kinds()).toEqual([]);
  local = '21:59';
  receiver.status = 500;
  await sync();
  expect(await list()).toMatchObject([
    {
      kind: 'failing',
      deliveries: [{ channel: 'address', state: 'pending', attempts: 1 }, { channel: 'desktop' }],
    },
  ]);
  local = '22:00';
  receiver.status = 204;
  await sync();
  expect(receiver.documents).toHaveLength(1);
  expect(await bench.client.alerts.takeDesktop(onSite)).toBeNull();
  // A test arrives also in quiet hours.
  await bench.client.alerts.test(onSite);
  expect(receiver.documents.map(({ kind }) => kind)).toEqual(['failing', 'test']);
  // The address is down until the next day.
  receiver.status = 500;
  day = '2026-11-25';
  for (const time of ['06:30', '06:31', '06:32', '06:50', '07:20']) {
    local = time;
    await sync();
    await sync();
  }
  const [failing] = await list();
  expect(failing?.deliveries[0]).toMatchObject({ state: 'pending', error: '500 Internal Server Error' });
  const attempts = failing?.deliveries[0]?.attempts ?? 0;
  expect(receiver.documents.filter(({ kind }) => kind === 'failing')).toHaveLength(attempts);
  expect([5, 6]).toContain(attempts);
  local = '21:58';
  receiver.status = 204;
  await sync();
  expect((await list())[0]?.deliveries[0]).toMatchObject({ state: 'delivered', attempts: attempts + 1 });
});

test('a desktop alert is delivered only after it was shown, and repeated after a failure or a crash', async () => {
  await openSite();
  let ahead = 0;
  await bench.reopen({ ...FAST_TUNING, now: () => Date.now() + ahead });
  const since = Date.now();
  const alert = { kind: 'paused', endpoint: 'https://z.merchant.test/', failures: 30, since } as const;
  const id = addAlert(bench.writableBooks(), { ...alert, at: since, reported: 1 }, ['desktop']);
  const readDelivery = async () =>
    (await queries.alerts.list(onSite)).find((each) => each.id === id)?.deliveries[0];
  await deliverDesktopAlerts(bench.client, SITE, async () => {
    throw new Error('No notification service\n    at line 7');
  });
  expect(await readDelivery()).toMatchObject({
    ...{ state: 'pending', attempts: 1, error: 'No notification service' },
  });
  // The window crashes after it has taken the alert.
  expect(await bench.client.alerts.takeDesktop(onSite)).toMatchObject({ id, attempt: 2 });
  expect(await showDesktopAlerts(bench.client)).toEqual([]);
  ahead = 3 * 60_000;
  expect(await showDesktopAlerts(bench.client)).toMatchObject([{ id, attempt: 3 }]);
  await bench.client.alerts.saveDesktopResult({ ...onSite, alert: id, attempt: 2, error: 'Too late' });
  expect(await readDelivery()).toMatchObject({ state: 'delivered', attempts: 3, error: null });
  const unknown = { ...onSite, alert: id + 7, attempt: 1, error: null };
  await expect(bench.client.alerts.saveDesktopResult(unknown)).rejects.toMatchObject({ code: 'not_found' });
});

test('an unresponsive address delays a sync for one timeout, and the other alerts are not lost', async () => {
  await openSite();
  const receiver = await startReceiver();
  await save({ address: receiver.url });
  const book = bench.writableBooks();
  for (const endpoint of ['https://b.merchant.test/', 'https://c.merchant.test/', 'https://d.merchant.test/'])
    addAlert(
      book,
      { at: Date.now(), kind: 'failing', endpoint, failures: 3, since: Date.now(), reported: 0 },
      ['address'],
    );
  receiver.hangs = true;
  const began = Date.now();
  expect((await sync()).error).toBeNull();
  expect(Date.now() - began).toBeLessThan(18_000);
  expect(receiver.requests).toHaveLength(1);
  receiver.hangs = false;
  await sync();
  const alerts = (await queries.alerts.list(onSite)).filter(({ endpoint }) => endpoint?.includes('merchant'));
  expect(alerts.map(({ deliveries }) => [deliveries[0]?.state, deliveries[0]?.attempts])).toEqual([
    ['delivered', 1],
    ['delivered', 1],
    ['delivered', 2],
  ]);
});

test('a redirect is not followed, and an unencrypted or invalid address is refused', async () => {
  await openSite();
  for (const address of ['http://alerts.merchant.test/x', 'ftp://127.0.0.1/x', 'https://me:pass@host.test/'])
    await expect(save({ address })).rejects.toMatchObject({ code: 'validation' });
  const receiver = await startReceiver();
  receiver.status = 307;
  const settings = await save({ address: receiver.url });
  expect(settings.address_host).toBe(new URL(receiver.url).host);
  expect(JSON.stringify(settings)).not.toContain('hush');
  const alert = await bench.client.alerts.test(onSite);
  expect(alert.deliveries).toMatchObject([{ channel: 'address', error: '307 Temporary Redirect' }]);
  expect(receiver.requests).toHaveLength(1);
  // The token of the address is neither in the books nor in the log of the app.
  const audit = await queries.audit.list({ ...onSite, limit: 20 });
  expect(JSON.stringify([audit, bench.log])).not.toContain('hush');
  expect(readFileSync(join(bench.home, 'sites', SITE, 'books.db')).includes('hush')).toBe(false);
});

test('a program receives the alert as JSON and variables, and neither arguments nor keys', async () => {
  await openSite();
  process.env['TIEOUT_API_KEY'] = 'do-not-pass-on';
  onTestFinished(() => void delete process.env['TIEOUT_API_KEY']);
  const out = join(bench.outputs, 'out');
  writeProgram('notify', [
    `cat > '${out}.json'`,
    `echo "$# $TIEOUT_ALERT_KIND" > '${out}.args'`,
    `env > '${out}.env'`,
  ]);
  await bench.client.sites.update({ ...onSite, title: '$(touch pwned) `id`; "x"' });
  expect((await save({})).available_commands).toEqual(['notify']);
  await save({ command: 'notify' });
  const alert = await bench.client.alerts.test(onSite);
  expect(alert.deliveries).toMatchObject([{ channel: 'command', state: 'delivered', error: null }]);
  expect(JSON.parse(readFileSync(`${out}.json`, 'utf8'))).toMatchObject({
    kind: 'test',
    title: '$(touch pwned) `id`; "x": Test alert',
  });
  expect(readFileSync(`${out}.args`, 'utf8')).toBe('0 test\n');
  expect(readFileSync(`${out}.env`, 'utf8')).not.toContain('do-not-pass-on');
});

test('a program outside the folder, or one that others can change, is refused', async () => {
  await openSite();
  writeProgram('plain', [], 0o600);
  writeProgram('shared', [], 0o722);
  mkdirSync(join(bench.home, 'hooks', 'folder'));
  symlinkSync('/bin/true', join(bench.home, 'hooks', 'linked'));
  for (const command of ['plain', 'shared', 'folder', 'missing', '../hooks/linked', '/bin/sh', '-c', 'a b'])
    await expect(save({ command })).rejects.toMatchObject({ code: 'validation' });
  expect((await save({ command: 'linked' })).command).toBe('linked');
});

test('a program that fails or hangs is reported, and ended with its children', async () => {
  await openSite();
  const options = { variables: {}, timeoutMs: 300 };
  expect(await runCommandHook(writeProgram('fails', ['exit 3']), {}, options)).toBe(
    'The program ended with 3',
  );
  expect(await runCommandHook(join(bench.home, 'none'), {}, options)).toContain('cannot be started');
  const file = join(bench.outputs, 'late');
  const hangs = writeProgram('hangs', [`(sleep 1; touch '${file}') &`, 'wait']);
  const began = Date.now();
  expect(await runCommandHook(hangs, { much: 'x'.repeat(1_000_000) }, options)).toContain('did not end');
  expect(Date.now() - began).toBeLessThan(900);
  await delay(1200);
  expect(() => readFileSync(file)).toThrow('ENOENT');
});

test('a delivery that cannot even start fails alone, not the sync or the other channel', async () => {
  await openSite();
  const path = writeProgram('broken', []);
  const receiver = await startReceiver();
  await save({ command: 'broken', address: receiver.url });
  // The system refuses this interpreter with an error that `spawn` throws.
  writeFileSync(path, '#!/bin/sh/x\n');
  await failWebhooks(4);
  expect((await sync()).error).toBeNull();
  expect((await list())[0]?.deliveries).toMatchObject([
    { channel: 'address', state: 'delivered' },
    { channel: 'command', error: 'The program cannot be started (ENOTDIR)' },
  ]);
  const settingsPath = join(bench.home, 'sites', SITE, 'alerts.json');
  const settings = JSON.parse(readFileSync(settingsPath, 'utf8')) as object;
  writeFileSync(settingsPath, JSON.stringify({ ...settings, address: 'hooks, please' }));
  const { deliveries } = await bench.client.alerts.test(onSite);
  expect(deliveries).toMatchObject([
    { channel: 'address', error: 'The endpoint’s address is not a valid URL.' },
    { channel: 'command', error: 'The program cannot be started (ENOTDIR)' },
  ]);
});

test('without a channel there is no request about endpoints and no test', async () => {
  await openSite();
  await failWebhooks(3);
  await sync();
  expect(await list()).toMatchObject([{ kind: 'failing', reported: false, deliveries: [] }]);
  expect(bench.sandbox.requests.counts().byKind?.['endpoints'] ?? 0).toBe(0);
  await expect(bench.client.alerts.test(onSite)).rejects.toMatchObject({ code: 'validation' });
  await recover();
  await sync();
  expect(await kinds()).toEqual(['failing', 'recovered']);
});
