import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

const site = 'demo';
const period = '2026-10';

/** Account activity of an accounting system. */
const activity = [
  'Account,Account name,Date,Description,Debit,Credit',
  '4000,Subscriptions,2026-10-31,Monthly revenue,,"1,250.00"',
  '1200,Debtors,2026-10-31,Monthly revenue,"1,250.00",',
  '',
].join('\n');

/**
 * Imports a ledger file through the window, maps its accounts, and compares them in schedule S4. Then adds, approves,
 * exports and discards journal entries, and removes the import with a reason.
 */
test('imports a ledger file, maps accounts, and adds, approves and exports journal entries', async () => {
  await openAppWindow({}, async ({ page, app, pageErrors }) => {
    const screenshotFolder = new URL('../../out/screens/general-ledger/', import.meta.url);
    mkdirSync(screenshotFolder, { recursive: true });
    const takeScreenshot = (name: string) =>
      page.screenshot({ path: new URL(`${name}.png`, screenshotFolder).pathname, fullPage: true });
    const window = createWindowDriver(page);
    const { client } = app.host;
    const panel = (name: string) => page.getByRole('region', { name, exact: true });
    const choose = async (field: string, option: string) => {
      await page.getByRole('button', { name: field }).last().click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await window.freshness(/^Synced/).waitFor();
    await client.periods.open({ site, period });
    await page.goto(`${page.url().split('#')[0]}#/demo/periods/${period}-ledger`);
    await page.getByText('No ledger file has been imported yet.').waitFor();
    await takeScreenshot('empty');

    await window.button('Import ledger file').click();
    const dialog = window.dialog('Import ledger file');
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose file' }).click();
    await (await chooser).setFiles({
      name: 'activity.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(activity),
    });
    await dialog.getByText(/: 2 rows$/).waitFor();
    await takeScreenshot('plan');
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await client.ledger.imports({ site })).toMatchObject([{ state: 'done', rows: 2 }]);

    await choose('Area of 4000', 'Revenue');
    await expect
      .poll(async () => (await client.ledger.accounts({ site })).map(({ area }) => area))
      .toContain('revenue');
    const accounts = panel('Ledger accounts');
    await accounts.getByRole('textbox', { name: 'Account number' }).fill('6855');
    await accounts.getByRole('textbox', { name: 'Name (optional)' }).fill('Bank charges');
    await choose('Area', 'Processor fees');
    await accounts.getByRole('button', { name: 'Add account' }).click();
    await accounts.getByText('Bank charges').waitFor();
    const { sections } = await client.workpapers.get({ site, period });
    expect(sections[0]?.schedules.map(({ id }) => id)).toContain('S4');

    await window.button('Add entry').click();
    const entry = window.dialog('Add journal entry');
    const fields = {
      Memo: 'Account fee',
      'Account of line 1': '6855',
      'Debit of line 1': '3.20',
      'Account of line 2': '1200',
      'Credit of line 2': '3.20',
    };
    for (const [name, value] of Object.entries(fields))
      await entry.getByRole('textbox', { name }).fill(value);
    await takeScreenshot('entry');
    await entry.getByRole('button', { name: 'Add entry' }).click();
    await entry.waitFor({ state: 'hidden' });
    await window.button('Approve 1 entry').click();
    const [added] = await client.journal.list({ site, period });
    await expect
      .poll(async () => (await client.journal.list({ site, period }))[0])
      .toMatchObject({ state: 'approved', total_in_cents: 320 });
    const number = `T${period}-0001`;
    await panel('Journal entries').getByText(number).waitFor();
    await takeScreenshot('journal');
    expect(await findAccessibilityProblems(page)).toEqual([]);

    const download = page.waitForEvent('download');
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'));
    await window.button('Export approved entries').click();
    expect((await download).suggestedFilename()).toContain(period);
    await expect
      .poll(async () => (await client.journal.list({ site, period }))[0])
      .toMatchObject({ id: added?.id, number, state: 'exported' });

    await window.button('Discard').click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Posted manually.');
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await panel('Journal entries').getByText('Discarded').waitFor();

    await panel('Ledger files').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Wrong month.');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await panel('Ledger files').getByText('Removed', { exact: true }).waitFor();
    expect(await client.ledger.imports({ site })).toMatchObject([
      { state: 'removed', removed_reason: 'Wrong month.' },
    ]);
    expect(pageErrors).toEqual([]);
  });
});
