import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openInProcessHost, startHost } from '../../src/host/index.ts';
import { addSite, SITE } from '../backend/bank/bank-bench.ts';
import { connectTestPage, createTemporaryFolder } from './test-host.ts';

const onSite = { site: SITE };

/** Starts a service on this computer that a page must not reach, and a window on a home with one site. */
async function openPage() {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin`;
  const home = join(createTemporaryFolder(), 'home');
  mkdirSync(home, { recursive: true });
  addSite(home);
  const openWindow = async () => {
    const host = await startHost({ home, version: '1.2.3' });
    onTestFinished(() => host.close());
    return connectTestPage(host).client;
  };
  return { requests, url, home, openWindow };
}

// Check 23
test('a page reaches no local network through alerts and time stamps', async () => {
  const { requests, url, home, openWindow } = await openPage();
  const client = await openWindow();
  for (const address of [url, 'https://localhost:8443/x', 'https://192.168.0.9/hook', 'https://[fd00::7]/'])
    await expect(client.alerts.saveSettings({ ...onSite, address })).rejects.toMatchObject({
      code: 'validation',
      message: expect.stringContaining('is this computer or in a local network'),
    });
  for (const authority of [url, 'http://10.7.7.7/tsa'])
    await expect(client.audit.timeStamp({ ...onSite, authority })).rejects.toMatchObject({
      code: 'validation',
    });
  // The name of this address was public when a page set it.
  writeFileSync(join(home, 'sites', SITE, 'alerts.json'), JSON.stringify({ address: url }));
  const { deliveries } = await client.alerts.test(onSite);
  expect(deliveries).toMatchObject([{ error: '127.0.0.1 is this computer or in a local network.' }]);
  expect(requests).toEqual([]);
});

test('the window uses an address in a local network that was set on the command line', async () => {
  const { requests, url, home, openWindow } = await openPage();
  const commandLine = openInProcessHost({ home, version: '1.2.3' });
  await commandLine.client.alerts.saveSettings({ ...onSite, address: url });
  await commandLine.close();
  const client = await openWindow();
  await client.alerts.saveSettings({ ...onSite, address: url, quiet_hours: { from: '20:00', to: '07:00' } });
  expect((await client.alerts.test(onSite)).deliveries).toMatchObject([{ state: 'delivered' }]);
  expect(requests).toEqual(['POST /admin']);
  const other = url.replace('admin', 'shutdown');
  await expect(client.alerts.saveSettings({ ...onSite, address: other })).rejects.toMatchObject({
    code: 'validation',
  });
  await client.alerts.saveSettings({ ...onSite, address: null });
  await expect(client.alerts.saveSettings({ ...onSite, address: url })).rejects.toMatchObject({
    code: 'validation',
  });
});
