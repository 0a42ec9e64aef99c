import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReportTab } from '../e2e/window-actions.ts';
import { createWindowDriver } from '../e2e/window-driver.ts';
import { createTemporaryHome, openElectron } from './electron-test-app.ts';

test('a file is saved where the user chooses, and the window says so afterwards', async () => {
  const { app, page } = await openElectron();
  const target = join(createTemporaryHome(), 'report.csv');
  await app.evaluate(({ dialog }, filePath) => {
    Object.assign(dialog, { showSaveDialog: async () => ({ canceled: false, filePath }) });
  }, target);
  await openReportTab(page);
  await page.getByRole('button', { name: 'CSV' }).click();
  await page.getByText(`Saved as ${target}.`).first().waitFor();
  expect(readFileSync(target, 'utf8').split('\n').length).toBeGreaterThan(5);
});

test('Cancel saves nothing and shows no notice', async () => {
  const { app, page } = await openElectron();
  await app.evaluate(({ dialog }) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    Object.assign(dialog, {
      async showSaveDialog(_window: object, { title }: { title: string }) {
        asked.push(title);
        return { canceled: true, filePath: '' };
      },
    });
  });
  await openReportTab(page);
  await page.getByRole('button', { name: 'CSV' }).click();
  const asked = () => app.evaluate(() => Reflect.get(globalThis, 'asked') as string[]);
  await expect.poll(asked).toEqual([expect.stringMatching(/^Save .+\.csv$/)]);
  await expect.poll(() => page.getByRole('button', { name: 'CSV' }).isEnabled()).toBe(true);
  expect(await page.getByText(/^Saved as/).count()).toBe(0);
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
