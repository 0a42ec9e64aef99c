import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createKeychain, loadKeychainImplementations } from '../../src/host/keychain.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { fillConnect } from '../e2e/connect.ts';
import { windowOf } from '../e2e/window.ts';
import { openElectron, temporaryHome } from './running.ts';

const { platform } = process;

test('a key typed into the window is stored only in the system’s keychain and is available after a restart', async () => {
  const sandbox = await startSandbox({ subscriptions: 8, months: 2 });
  onTestFinished(() => sandbox.close());
  const home = temporaryHome();
  const keychain = createKeychain({
    home,
    platform,
    onKey: () => undefined,
    loadVaults: () => loadKeychainImplementations(platform),
  });
  onTestFinished(() => keychain.forget('harbor'));

  const first = await openElectron(home);
  await windowOf(first.page).button('Connect site').click();
  const dialog = await fillConnect(first.page, sandbox.url, sandbox.apiKey);
  await dialog.waitFor({ state: 'hidden' });
  await windowOf(first.page)
    .freshness(/^Synced/)
    .waitFor();
  await first.app.close();
  expect(await keychain.get('harbor')).toBe(sandbox.apiKey);
  expect(filesWith(home, sandbox.apiKey)).toEqual([]);

  const before = sandbox.requests.total;
  const again = await openElectron(home);
  const window = windowOf(again.page);
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
