import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WindowEvent } from '../../src/contract/index.ts';
import { type ElectronWindow, openElectronWindow } from './electron-window.ts';
import { createWindowDriver } from './window-driver.ts';

/** Events of the window in Electron, from the main process to the real page. */
const bankText = [
  ':20:STARTUMS',
  ':25:50880050/0194777409888',
  ':28C:9/1',
  ':60F:C260901EUR100,00',
  ':61:2609040904C25,50NTRFNONREF//0001',
  ':86:166?20INVOICE 4711?32MARTA LINDQVIST',
  ':62F:C260930EUR125,50',
  '-',
].join('\r\n');

function writeTestFile(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-opened-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function openFile({ shell, files }: ElectronWindow, path: string): void {
  const event = files.open(path);
  if (event !== null) shell.send(event);
}

test('opens files from the system one after the other, without importing them', async () => {
  await openElectronWindow(async (electron) => {
    const { app, page } = electron;
    const window = createWindowDriver(page);
    // The first files arrive before the page watches events, as after a start with arguments.
    openFile(electron, writeTestFile('september.sta', bankText));
    openFile(electron, writeTestFile('broken.zip', 'not a ZIP file'));
    openFile(electron, '/no/such/file.csv');
    await page.getByText('/no/such/file.csv was not found.').first().waitFor();
    const preview = window.dialog('Import bank file');
    await preview.getByText('september.sta').first().waitFor();
    await preview.getByRole('button', { name: 'Import 1 line' }).waitFor();
    expect(page.url()).toContain('#/demo/bank');
    expect(await app.host.client.bank.imports({ site: 'demo' })).toMatchObject({ rows: [] });

    openFile(electron, writeTestFile('october.csv', 'date,amount,currency\n2026-10-02,5.00,USD\n'));
    await page.getByText('october.csv opens when you close this dialog.').first().waitFor();
    expect(await preview.getByText('september.sta').count()).toBeGreaterThan(0);
    await preview.getByRole('button', { name: 'Cancel' }).click();

    // The verification has started by itself.
    await page.getByText(/broken\.zip is not a readable ZIP file/).waitFor();
    await page.keyboard.press('Escape');

    await preview.getByText('october.csv').first().waitFor();
    await preview.getByRole('button', { name: 'Import 1 line' }).waitFor();
    await preview.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test('a notice of a later version links to the releases, and the setting is off by default', async () => {
  await openElectronWindow(async ({ app, page, shell }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    await window.go('Settings');
    const toggle = page.getByRole('switch', { name: 'Notify me when a new version is available' });
    expect(await toggle.isChecked()).toBe(false);
    await toggle.check({ force: true });
    await expect.poll(() => app.host.client.settings.all({})).toMatchObject({ 'updates.notify': true });

    const event: WindowEvent = { kind: 'update', version: '7.4.1', url: 'https://releases.test/' };
    await page.evaluate(() => {
      const opened: string[] = [];
      Object.assign(window, { opened, open: (url: string) => void opened.push(url) });
    });
    shell.send(event);
    await page.getByText('Tieout 7.4.1 is available.').first().waitFor();
    await page.getByRole('button', { name: 'View release' }).click();
    expect(await page.evaluate(() => Reflect.get(window, 'opened') as string[])).toEqual([event.url]);
  });
});

test('after sleep and after a network change, the page probes the service at once', async () => {
  await openElectronWindow(async ({ page, shell }) => {
    let probes = 0;
    page.on('websocket', (socket) => {
      // Only the probes of the latest page count. On a slow machine, the first page connects after its load event.
      probes = 0;
      socket.on('framesent', ({ payload }) => {
        if (payload.includes('/sites/test')) probes += 1;
      });
    });
    await createWindowDriver(page)
      .freshness(/^Synced/)
      .waitFor();
    await page.reload();
    await createWindowDriver(page)
      .freshness(/^Synced/)
      .waitFor();
    await expect.poll(() => probes).toBe(1);
    // The reloaded page may not listen yet when the first event is sent.
    const resume = () => {
      if (probes === 1) shell.send({ kind: 'resume' });
      return probes;
    };
    await expect.poll(resume, { interval: 1000 }).toBeGreaterThan(1);
    const afterResume = probes;
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await expect.poll(() => probes).toBeGreaterThan(afterResume);
  });
});
