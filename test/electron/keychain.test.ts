import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createKeychain, loadKeychainImplementations } from '../../src/host/keychain.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { fillConnectDialog } from '../e2e/fill-connect-dialog.ts';
import { createWindowDriver } from '../e2e/window-driver.ts';
import { createTemporaryHome, openElectron } from './electron-test-app.ts';

const { platform } = process;

test('a key typed into the window is stored only in the system’s keychain and is available after a restart', async () => {
  const sandbox = await startSandbox({ subscriptions: 8, months: 2 });
  onTestFinished(() => sandbox.close());
  const home = createTemporaryHome();
  const keychain = createKeychain({
    home,
    platform,
    onKey: () => undefined,
    loadVaults: () => loadKeychainImplementations(platform),
  });
  onTestFinished(() => keychain.forget('harbor'));

  const first = await openElectron(home);
  await createWindowDriver(first.page).button('Connect site').click();
  const dialog = await fillConnectDialog(first.page, sandbox.url, sandbox.apiKey);
  await dialog.waitFor({ state: 'hidden' });
  await createWindowDriver(first.page)
    .freshness(/^Synced/)
    .waitFor();
  await first.app.close();
  expect(await keychain.get('harbor')).toBe(sandbox.apiKey);
  expect(filesWith(home, sandbox.apiKey)).toEqual([]);

  const before = sandbox.requests.total;
  const again = await openElectron(home);
  const window = createWindowDriver(again.page);
  await window.freshness(/^Synced/).waitFor();
  await window.go('Sync');
  await window.button('Sync now').click();
  await expect.poll(() => sandbox.requests.total).toBeGreaterThan(before);
});

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}
