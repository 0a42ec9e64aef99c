import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { waitForJob } from './backend-actions.ts';
import { createWindowDriver } from './window-driver.ts';

const site = 'demo';
const period = '2026-10';
const folder = new URL('../../out/screens/checklist/', import.meta.url);

/** Returns true if no part of the checklist and of the tabs is outside of the page's visible width. */
const isWidthVisible = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll('table.checklist, .period-bar .segment')].every(
      (element) => element.getBoundingClientRect().right <= document.documentElement.clientWidth - 8,
    ),
  );

test('a month is worked through by its checklist with the keyboard, and shown on the overview', async () => {
  mkdirSync(folder, { recursive: true });
  await openAppWindow({ viewport: { width: 1024, height: 700 } }, async ({ page, app, pageErrors }) => {
    const takeScreenshot = (name: string) =>
      page.screenshot({ path: new URL(`${name}.png`, folder).pathname });
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    const { client } = app.host;
    for (const month of ['2026-09', period]) await client.periods.open({ site, period: month });
    await page.goto(`${page.url().split('#')[0]}#/${site}/periods/${period}-checklist`);
    const checklist = page.getByRole('table', { name: 'Month-end checklist' });
    const row = (name: string) => checklist.getByRole('row').filter({ hasText: name });
    await row('Import bank files').getByText('Open', { exact: true }).waitFor();

    // Adds a step without the pointer.
    await window.button('Add step').focus();
    await page.keyboard.press('Enter');
    const dialog = window.dialog('Add a step to the checklist');
    await dialog.waitFor();
    await page.keyboard.type('Accrue the rent');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Cy Twombly');
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await takeScreenshot('dialog');
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'hidden' });
    await row('Accrue the rent').getByText('Cy Twombly').waitFor();

    // Marks the step as done, and assigns a step of Tieout.
    await row('Accrue the rent').getByRole('button', { name: 'Mark as done' }).focus();
    await page.keyboard.press('Enter');
    await row('Accrue the rent')
      .getByText(/^Done by /)
      .waitFor();
    await row('Match the bank lines').getByRole('button', { name: 'Edit' }).focus();
    await page.keyboard.press('Enter');
    await window.dialog('Edit step').waitFor();
    await page.keyboard.type('Di Modica');
    await page.keyboard.press('Enter');
    await row('Match the bank lines').getByText('Di Modica').waitFor();
    const { steps } = await client.periods.checklist({ site, period });
    expect(steps.find(({ step }) => step === 'matching')).toMatchObject({ owner: 'Di Modica' });
    expect(steps.find(({ step }) => step === 'own:1')).toMatchObject({ state: 'done', owner: 'Cy Twombly' });
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(await isWidthVisible(page)).toBe(true);
    await takeScreenshot('light-1024');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await takeScreenshot('dark-1024');

    // A step leads to the screen where it is done, and Back returns to the checklist.
    await row('Decide every exception').getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Exceptions', level: 1 }).waitFor();
    await page.goBack();
    await row('Accrue the rent').waitFor();

    // September is closed, so that the trend has a time to close.
    const september = { site, period: '2026-09' };
    await client.periods.submit({ ...september, by: 'Ada Byron', comment: 'Without bank files.' });
    await client.periods.review({ ...september, by: 'Bo Diddley', verdict: 'approve' });
    await waitForJob(client, site, (await client.periods.close(september)).job);
    const closed = page.getByRole('row').filter({ hasText: 'September 2026' });

    // The overview lists both months with their checklists, and leads to the checklist of a month.
    await window.go('Overview');
    const trend = page.getByRole('table', { name: 'Last months' });
    const shown = await client.periods.trend({ site });
    const { done, total } = shown.find((each) => each.period === period)!.steps;
    await trend
      .getByRole('row')
      .filter({ hasText: 'October 2026' })
      .getByText(`${done} of ${total}`)
      .waitFor();
    await closed.getByText('Closed', { exact: true }).waitFor();
    await page.locator('.trend-plot canvas').first().waitFor();
    await page.locator('.trend-plot').last().scrollIntoViewIfNeeded();
    await takeScreenshot('overview-dark-1024');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await takeScreenshot('overview-1024');
    await trend.getByRole('link', { name: 'October 2026' }).focus();
    await page.keyboard.press('Enter');
    await row('Accrue the rent').waitFor();
    expect(pageErrors).toEqual([]);
  });
});
