import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

const site = 'demo';
const period = '2026-10';

/** Imports one of the demo's files into an account of its name and kind. */
async function importFile(page: Page, file: string) {
  const window = createWindowDriver(page);
  await window.button('Import file').first().click();
  const dialog = window.dialog('Import bank file');
  await dialog.getByRole('button', { name: file }).click();
  await dialog.getByText(/\d+ new/).waitFor();
  await dialog.locator('button:not([aria-disabled])', { hasText: /^Import \d+ lines/ }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Areas of the accounts in the demo's ledger. The other accounts are not compared. */
const ledgerAreas: Readonly<Record<string, string>> = {
  '1000': 'Cash at bank',
  '1200': 'Receivables',
  '1250': 'Processor clearing',
  '4000': 'Revenue',
  '6855': 'Processor fees',
};

/** Imports the demo's ledger file and maps its accounts to areas. */
async function importLedger(page: Page) {
  const window = createWindowDriver(page);
  await window.button('Import ledger file').click();
  const dialog = window.dialog('Import ledger file');
  await dialog.getByRole('button', { name: `ledger-${period}.csv` }).click();
  await dialog.locator('button:not([aria-disabled])', { hasText: /^Import [\d,]+ rows/ }).click();
  await dialog.waitFor({ state: 'hidden' });
  for (const [account, area] of Object.entries(ledgerAreas)) {
    await page
      .getByRole('button', { name: `Area of ${account}` })
      .last()
      .click();
    await page.getByRole('option', { name: area, exact: true }).click();
  }
}

/**
 * Month end of an accountant: imports the files of the bank, the processor and the ledger, matches them, accepts exceptions with a
 * reason, explains outstanding items, submits, reviews and closes the period, and creates and verifies its evidence pack.
 * Afterward, a copy of the books without the sign-off cannot be restored, and missing decisions are restored from the
 * pack.
 */
test('closes the demo’s October with no unexplained difference and verifies its pack', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-closing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await openAppWindow({}, async ({ page, app, pageErrors }) => {
    const screenshotFolder = new URL('../../out/screens/closing/', import.meta.url);
    mkdirSync(screenshotFolder, { recursive: true });
    const takeScreenshot = (name: string) =>
      page.screenshot({ path: new URL(`${name}.png`, screenshotFolder).pathname });
    const window = createWindowDriver(page);
    const part = (name: string) => page.getByText(name, { exact: true }).first().click();
    await window.freshness(/^Synced/).waitFor();

    await window.go('Backups');
    await window.button('Back up now').click();
    await page
      .getByRole('link', { name: /Compare with the backup/ })
      .first()
      .waitFor();

    await window.go('Bank');
    await importFile(page, `bank-${period}.csv`);
    await importFile(page, `payouts-${period}.csv`);
    const accounts = await app.host.client.bank.accounts({ site });
    expect(accounts.map(({ name, kind }) => [name, kind])).toEqual([
      ['Bank', 'bank'],
      ['Card processor', 'processor'],
    ]);
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'Matching', level: 1 }).waitFor();
    await page.keyboard.press('Shift+M');
    await page.getByText(/^Last run: \d+ confirmed/).waitFor();

    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await window.button('Open October 2026').click();
    await page.getByRole('heading', { name: 'October 2026', level: 1 }).waitFor();
    await page.getByText('Not fully explained').waitFor();
    await takeScreenshot('workpaper');

    // Imports the general ledger and maps its accounts, so that S4 compares it with S1 to S3.
    await part('General ledger');
    await importLedger(page);
    await expect
      .poll(async () => (await app.host.client.ledger.accounts({ site })).filter(({ area }) => area !== null))
      .toHaveLength(Object.keys(ledgerAreas).length);
    await takeScreenshot('ledger');
    await part('Workpaper');
    await page.getByText('Not fully explained').waitFor();

    // Opens the exceptions of the month from their figure, accepts all of them with one reason, and returns to the same
    // sheet.
    await page.getByRole('link', { name: /Open exceptions/ }).click();
    await expect.poll(() => window.count('Exceptions')).toBeGreaterThan(5);
    await window.grid('Exceptions').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('a');
    await page
      .getByRole('textbox', { name: 'Reason' })
      .fill('The endpoint was down; the merchant posted these by hand.');
    await page.keyboard.press('Control+Enter');
    await page
      .getByText(/exceptions accepted\./)
      .first()
      .waitFor();
    await page.goBack();
    await page.getByText('Not fully explained').waitFor();

    // A figure opens its rows. A row opens its record, and Back returns to the figure.
    await page.getByRole('link', { name: 'Plus: bank lines not in billing' }).click();
    await window.rows('Rows').first().click();
    await window.detail(/^Bank line/).waitFor();
    await page.goBack();
    await window.rows('Rows').first().waitFor();
    await takeScreenshot('figure');
    await page.keyboard.press('Escape');

    await part('Outstanding items');
    await expect.poll(() => window.count('Outstanding items')).toBeGreaterThan(0);
    const bar = page.getByRole('status').filter({ hasText: /^\d+ items?/ });
    await bar.filter({ hasText: /items? -?\$[\d,]+\.\d\d/ }).waitFor();
    await window.rows('Outstanding items').first().waitFor();
    await window.grid('Outstanding items').focus();
    await page.keyboard.press('x');
    await bar.filter({ hasText: /1 selected -?\$[\d,]+\.\d\d/ }).waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('e');
    const explain = page.getByRole('dialog');
    await explain
      .getByRole('textbox', { name: 'Explanation' })
      .fill('Not of customers: put in by the owner, and interest.');
    await explain.getByRole('textbox', { name: 'Category' }).fill('not revenue');
    await explain.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/Explanation saved for \d+ items/)
      .first()
      .waitFor();
    await takeScreenshot('items');
    await part('Workpaper');
    await page.getByText('Every difference and item is explained').waitFor();
    const workpaper = await app.host.client.workpapers.get({ site, period });
    expect(workpaper.explained).toBe(true);
    const schedules = workpaper.sections[0]?.schedules ?? [];
    expect(schedules.map(({ id }) => id)).toEqual(expect.arrayContaining(['S1', 'S2', 'S3', 'S4']));
    const ledgerLines = schedules.find(({ id }) => id === 'S4')?.lines ?? [];
    for (const area of ['revenue', 'receivables', 'clearing', 'fees', 'cash'])
      expect(ledgerLines).toContainEqual(
        expect.objectContaining({ id: `S4.${area}-difference`, amount_in_cents: 0 }),
      );
    for (const { schedules } of workpaper.sections) {
      expect(schedules.map(({ difference_in_cents }) => difference_in_cents)).toEqual(schedules.map(() => 0));
    }

    const sign = async (
      button: string,
      fields: readonly (readonly [label: string, text: string])[],
      run: string,
    ) => {
      await window.button(button).click();
      const dialog = page.getByRole('dialog');
      for (const [label, text] of fields) await dialog.getByRole('textbox', { name: label }).fill(text);
      await dialog.getByRole('button', { name: run, exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
      // The pressed button is removed with its action. The focus must stay in the page.
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    };
    await sign('Submit for review…', [['Prepared by', 'Ada Okafor']], 'Submit');
    await page.getByText('Submitted', { exact: true }).first().waitFor();
    await sign(
      'Send back…',
      [
        ['Reviewed by', 'Grace Lind'],
        ['Comment', 'Say more about the interest.'],
      ],
      'Send back',
    );
    await sign(
      'Submit for review…',
      [
        ['Prepared by', 'Ada Okafor'],
        ['Comment', 'It is the bank’s own.'],
      ],
      'Submit',
    );
    await sign('Approve…', [['Reviewed by', 'Grace Lind']], 'Approve');
    await sign('Close and lock…', [['Closed by', 'Grace Lind']], 'Close and lock');
    await window.button('Reopen…').waitFor();
    await part('Sign-off');
    await page.getByText('sent back').waitFor();
    await takeScreenshot('signed');
    await part('Changes since sign-off');
    await page.getByText('All figures are as signed.').waitFor();
    await page.getByRole('heading', { name: 'No changes since sign-off' }).waitFor();

    await part('Report and pack');
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await window.button('Preview').click();
    await page
      .getByRole('region', { name: 'Preview' })
      .getByText(/Every schedule foots/)
      .waitFor();
    await takeScreenshot('report');
    await window.button('Close preview').click();
    const path = join(folder, 'october.zip');
    await page.getByRole('textbox', { name: 'Save to' }).fill(path);
    await window.button('Create pack').click();
    await page.getByRole('heading', { name: 'Evidence pack created and verified' }).waitFor();
    await window.button('Verify').click();
    await page.getByText(/^Intact: \d+ files/).waitFor();
    await takeScreenshot('pack');
    const verdict = await app.host.client.packs.verify({ path });
    expect(verdict).toMatchObject({
      ok: true,
      audit: { ok: true },
      pack: { site, period, digest: workpaper.digest },
    });

    // The earlier copy has no sign-off. The dialog says so, and it cannot be restored.
    await window.go('Backups');
    await page
      .getByRole('link', { name: /Compare with the backup/ })
      .last()
      .click();
    await page.getByText(/does not contain the sign-off of October 2026/).waitFor();
    expect(await window.button('Restore…').getAttribute('aria-disabled')).toBe('true');
    await takeScreenshot('backup');

    // Decisions of the pack cannot be restored before the month is reopened. Then the missing ones are restored.
    const { client } = app.host;
    const compared = async () => {
      await window.button('Restore decisions from evidence pack…').click();
      const dialog = window.dialog('Restore decisions from an evidence pack');
      await dialog.getByRole('textbox', { name: /^Evidence pack/ }).fill(path);
      await dialog.getByRole('button', { name: 'Verify and compare' }).click();
      return dialog;
    };
    const closed = await compared();
    await closed.getByText(/^October 2026 is closed\./).waitFor();
    await closed.getByRole('button', { name: 'Cancel' }).click();
    await client.periods.reopen({ site, period, by: 'Grace Lind', reason: 'The wrong file.' });
    const { job } = await client.bank.removeImport({ site, id: 1, reason: 'The wrong file.' });
    for await (const _state of await client.jobs.watch({ site, job }));
    const open = await compared();
    await open.getByText('Missing', { exact: true }).last().waitFor();
    await takeScreenshot('packDecisions');
    await open.getByRole('textbox', { name: 'Reason' }).fill('It was the right one.');
    await open.getByRole('button', { name: 'Restore missing decisions' }).click();
    await page
      .getByText(/decisions restored/)
      .first()
      .waitFor();
    expect((await client.packs.compareDecisions({ site, path })).missing).toBe(0);
    expect(pageErrors).toEqual([]);
  });
});
