import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWindowDriver } from '../e2e/window-driver.ts';
import { createTemporaryHome, openElectron } from './electron-test-app.ts';

test('a file is saved where the user chooses, and the window says so afterwards', async () => {
  const { app, page } = await openElectron();
  const target = join(createTemporaryHome(), 'report.csv');
  await app.evaluate(({ dialog }, filePath) => {
    Object.assign(dialog, { showSaveDialog: async () => ({ canceled: false, filePath }) });
  }, target);
  const window = createWindowDriver(page);
  await window.freshness(/^Synced/).waitFor();
  await window.go('Periods');
  await page.getByRole('row').nth(1).click();
  await page.getByRole('tab', { name: 'Report' }).click();
  await page.getByRole('button', { name: 'CSV' }).click();
  await page.getByText(`Saved as ${target}.`).waitFor();
  expect(readFileSync(target, 'utf8').split('\n').length).toBeGreaterThan(5);
});

test('the menu contains the commands of the page and runs them', async () => {
  const { app, page } = await openElectron();
  await createWindowDriver(page)
    .freshness(/^Synced/)
    .waitFor();
  const chooseSettings = () =>
    app.evaluate(({ Menu }) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
      const settings = items.find(({ accelerator }) => accelerator === 'CmdOrCtrl+,');
      settings?.click();
      return settings?.enabled ?? false;
    });
  await expect.poll(chooseSettings).toBe(true);
  await expect.poll(() => page.url()).toContain('/settings');
});

test('the theme of the window is the theme of system dialogs', async () => {
  const { app, page } = await openElectron();
  await createWindowDriver(page)
    .freshness(/^Synced/)
    .waitFor();
  await page.evaluate(() => {
    location.hash = '#/demo/settings';
  });
  await page.getByRole('radio', { name: 'Dark' }).click({ force: true });
  await expect.poll(() => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark');
});
