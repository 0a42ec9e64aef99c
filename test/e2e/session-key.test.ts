import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { fillConnectDialog } from './fill-connect-dialog.ts';
import { createWindowDriver } from './window-driver.ts';

const API_KEY = 'sk-Window/session+only-77Qd';
const smallDarkWindow = { viewport: { width: 1024, height: 700 }, colorScheme: 'dark' } as const;

test('without a keychain, the window offers to keep the key for the session, and asks again after a restart', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-e2e-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  // No Secret Service responds at this address.
  process.env['DBUS_SESSION_BUS_ADDRESS'] = `unix:path=${home}/no-bus`;
  const sandbox = await startSandbox({ subscriptions: 5, months: 2, apiKey: API_KEY });
  onTestFinished(() => sandbox.close());
  const options = { home, demo: false, ...smallDarkWindow };

  await openAppWindow(options, async ({ page, app }) => {
    const window = createWindowDriver(page);
    await window.button('Connect site').click();
    const choice = page.getByRole('switch', { name: 'Keep the key for this session only' });
    await window.dialog('Connect a site').waitFor();
    expect(await choice.count()).toBe(0);
    const dialog = await fillConnectDialog(page, sandbox.url, API_KEY);
    await dialog.getByText('The system keychain cannot be used').waitFor();
    await dialog.getByText('Enter the key again after you close Tieout').waitFor();
    expect(await app.host.client.sites.list({})).toEqual([]);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.screenshot({ path: 'out/e2e/session-key-offer.png' });
    await choice.focus();
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: 'Connect and sync' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('The key is kept for this session only').first().waitFor();
    await window.freshness(/^Synced/).waitFor();
    await window.go('Sites');
    await page.getByText('Key ending in 77Qd (this session only)').waitFor();
    await page.screenshot({ path: 'out/e2e/session-key-site.png' });
  });

  await openAppWindow(options, async ({ page }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^API key missing/).waitFor();
    await window.go('Sites');
    await page.getByText('Tieout has no API key for this site').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.screenshot({ path: 'out/e2e/session-key-missing.png' });
    await page.getByRole('main').getByRole('button', { name: 'Enter API key' }).click();
    const dialog = window.dialog('Enter the API key of Harbor');
    await dialog.getByLabel('API key').fill(API_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: 'Keep the key for this session only' }).focus();
    await page.keyboard.press('Space');
    await page.screenshot({ path: 'out/e2e/session-key-enter.png' });
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Key ending in 77Qd (this session only)').waitFor();
  });

  const files = (readdirSync(home, { recursive: true }) as string[])
    .map((name) => join(home, name))
    .filter((path) => statSync(path).isFile());
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((path) => readFileSync(path).includes(API_KEY))).toEqual([]);
});
