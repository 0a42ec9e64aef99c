import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

/**
 * Imports a bank file through the window. The preview shows balances and unreadable rows, the account is created with the
 * import, importing the file again adds nothing, and the import is removed with a reason.
 */
const file = [
  'date,amount,currency,description,reference,branch',
  '2026-10-01,59.50,USD,PAYMENT JAMES PATEL,80168027,12',
  '2026-10-02,-3.20,USD,ACCOUNT FEE,,12',
  '2026-10-03,1O.00,USD,BAD ROW,,12',
  '2026-10-04,199.00,USD,"LARSEN, ABIGAIL",INV-80168040,12',
  '',
].join('\n');

/** Payout report of a payment processor. */
const report = [
  'created_utc,reporting_category,gross,fee,net,currency,automatic_payout_id,charge_id,balance_transaction_id',
  '2026-10-01 10:00:00,charge,19.00,0.85,18.15,usd,po_1,ch_1,txn_1',
  '',
].join('\n');

/** File of another bank: ambiguous dates and decimals, and a column whose header the app does not know. */
const otherReport = ['Tag;Betrag;Wofür', '03.04.2026;1.234;Miete', '05.04.2026;5,5;Strom', ''].join('\n');

test('previews, imports and removes a bank file, adds nothing when repeated, and saves a profile', async () => {
  await openAppWindow({}, async ({ page, app, pageErrors }) => {
    const screenshotFolder = new URL('../../out/screens/bank/', import.meta.url);
    mkdirSync(screenshotFolder, { recursive: true });
    const takeScreenshot = (name: string) =>
      page.screenshot({ path: new URL(`${name}.png`, screenshotFolder).pathname });
    const window = createWindowDriver(page);
    const chooseFile = async (name = 'october.csv', text = file) => {
      await window.button('Import file').first().click();
      const chooser = page.waitForEvent('filechooser');
      await window.button('Choose file').click();
      await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    };
    await page.getByRole('link', { name: 'Bank', exact: true }).click();
    await page.getByRole('heading', { name: 'No bank file imported yet' }).waitFor();
    await takeScreenshot('empty');

    await chooseFile();
    const dialog = window.dialog('Import bank file');
    await dialog.getByText('3 new').waitFor();
    await dialog.getByText('1 unreadable').waitFor();
    await takeScreenshot('plan');
    await dialog.getByRole('textbox', { name: 'Account name' }).fill('Main account');
    await dialog.getByRole('button', { name: 'Import 3 lines' }).click();
    await page.getByText('3 lines imported into Main account.').first().waitFor();
    await expect.poll(() => window.count('Bank lines')).toBe(3);
    expect(await app.host.client.bank.accounts({ site: 'demo' })).toMatchObject([
      { name: 'Main account', kind: 'bank', lines: 3 },
    ]);

    await window.rows('Bank lines').first().click();
    const line = window.detail(/^Bank line/);
    await line.getByText('LARSEN, ABIGAIL').waitFor();
    await line.getByText('branch').waitFor({ state: 'attached' });
    await takeScreenshot('line');

    await chooseFile();
    await dialog.getByText(/already imported as import/).waitFor();
    await dialog.getByText('This file was already imported into this account.').waitFor();
    await dialog.getByRole('button', { name: 'Nothing to import' }).waitFor();
    await takeScreenshot('again');
    await page.keyboard.press('Escape');

    // A processor's report is not added to the bank account. The dialog asks for its account.
    await chooseFile('payouts.csv', report);
    await dialog.getByText('Choose the account of the file.').first().waitFor();
    expect(await dialog.getByRole('button', { name: 'Import 1 line' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await takeScreenshot('which-account');
    await page.keyboard.press('Escape');

    await chooseFile('april.csv', otherReport);
    await dialog.getByRole('radio', { name: /^day, month, year/ }).waitFor();
    await takeScreenshot('question');
    await dialog.getByText('day, month, year').first().click();
    // The file does not state its currency, so that the window asks for it.
    await dialog.getByText('EUR (Euro)').first().click();
    await dialog.getByRole('radio').first().waitFor({ state: 'hidden' });
    const columns = dialog.getByRole('region', { name: 'Columns in the file' });
    expect(await columns.getByRole('listitem').allTextContents()).toEqual([
      'Tag Booking date',
      'Betrag Amount',
      'Wofür Description',
    ]);
    await dialog.getByText('Column mapping').click();
    // Choosing another column updates the preview immediately.
    const textOf = async (column: string) => {
      await dialog.getByRole('button', { name: /Description$/ }).click();
      await page.getByRole('option', { name: column }).click();
    };
    await textOf('None');
    await dialog.getByRole('cell', { name: 'Strom' }).waitFor({ state: 'hidden' });
    await textOf('Wofür');
    await dialog.getByRole('cell', { name: 'Strom' }).waitFor();
    await takeScreenshot('profile');
    await dialog.getByRole('textbox', { name: 'Profile name' }).fill('Hausbank, CSV');
    await dialog.getByRole('button', { name: 'Save profile' }).click();
    await dialog.getByRole('button', { name: 'Delete profile' }).waitFor();
    await page.keyboard.press('Escape');
    // The next file of this bank is read with the saved profile, without questions.
    await chooseFile('may.csv', otherReport.replaceAll('.04.', '.05.'));
    await dialog.getByRole('cell', { name: 'Miete' }).waitFor();
    expect(await dialog.getByRole('radio').count()).toBe(0);
    await page.keyboard.press('Escape');

    await line
      .getByRole('link', { name: /october.csv/ })
      .or(line.getByRole('button', { name: /october.csv/ }))
      .click();
    const detail = window.detail(/^Import 1$/);
    await detail.getByText('BAD ROW', { exact: false }).waitFor();
    await takeScreenshot('import');
    await detail.getByRole('button', { name: 'Remove…' }).click();
    await window.dialog('Remove import 1?').getByRole('textbox').fill('Into the wrong account.');
    await takeScreenshot('remove-import');
    await page.keyboard.press('Control+Enter');
    await detail.getByText('Into the wrong account.', { exact: false }).waitFor();
    const { rows } = await app.host.client.bank.lines({ site: 'demo' });
    expect(rows).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});
