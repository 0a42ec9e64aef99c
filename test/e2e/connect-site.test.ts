import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { openAppWindow } from './app-window.ts';
import { fillConnectDialog } from './fill-connect-dialog.ts';
import { createWindowDriver } from './window-driver.ts';

/** Starts a loopback server that is not the billing service. */
async function startOtherServer(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>A blog</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('reports an invalid key, address, network or server, and stores nothing', async () => {
  const sandbox = await startSandbox({ subscriptions: 5, months: 2 });
  onTestFinished(() => sandbox.close());
  const blog = await startOtherServer();

  await openAppWindow({}, async ({ page, app }) => {
    const window = createWindowDriver(page);
    await window.button('Connect site').click();
    const tryToConnect: [address: string, key: string, told: RegExp][] = [
      [sandbox.url, 'not-the-key', /key .*(refused|rejected)/i],
      [
        'http://127.0.0.1:9',
        sandbox.apiKey,
        /could not be reached|refused the connection|nothing answers|not reached/i,
      ],
      [blog, sandbox.apiKey, /not .*billing service|web page/i],
      ['http://billing.example.com', sandbox.apiKey, /https/i],
      ['not an address', sandbox.apiKey, /Enter an address|is not an address/i],
    ];
    for (const [address, key, told] of tryToConnect) {
      const dialog = await fillConnectDialog(page, address, key);
      await dialog.getByText(told).first().waitFor();
      const kept = await app.host.client.sites.list({});
      expect(kept.map(({ site }) => site)).toEqual(['demo']);
    }
    // With valid input the new site is connected and selected.
    await fillConnectDialog(page, sandbox.url, sandbox.apiKey);
    await page.getByRole('button', { name: 'Switch site: Harbor' }).waitFor();
    await window.freshness(/^Synced/).waitFor();
    await window.go('Webhooks');
    await expect.poll(() => window.count('Webhooks')).toBe(sandbox.truth.counts().webhooks);
  });
});

test.each(['JSON', 'XML'])('connects, syncs and browses a site over %s', async (format) => {
  const sandbox = await startSandbox({ seed: 7, subscriptions: 12, months: 3 });
  onTestFinished(() => sandbox.close());

  await openAppWindow({ demo: false }, async ({ page, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.button('Connect site').click();
    const dialog = page.getByRole('dialog', { name: 'Connect a site' });
    await dialog.getByRole('button', { name: 'Format' }).click();
    await page.getByRole('option', { name: format }).click();
    await fillConnectDialog(page, sandbox.url, sandbox.apiKey);
    await dialog.waitFor({ state: 'hidden' });

    await window.freshness(/^Synced/).waitFor();
    const truth = sandbox.truth.counts();
    await window.go('Webhooks');
    await expect.poll(() => window.count('Webhooks')).toBe(truth.webhooks);
    await window.go('Statements');
    await expect.poll(() => window.count('Statements')).toBe(truth.statements);
    await window.choose('Status', /^Paid/);
    await expect.poll(() => window.rows('Statements').first().textContent()).toContain('Paid');
    await window.rows('Statements').first().click();
    await window.tab('PDF').click();
    await page.getByRole('region', { name: 'PDF' }).getByText('Ending balance').waitFor();
    expect(pageErrors).toEqual([]);
  });
});
