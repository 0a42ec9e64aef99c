import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openAppWindow } from './app-window.ts';
import { waitForJob } from './backend-actions.ts';
import { createWindowDriver } from './window-driver.ts';

/** Returns the part of the address after the site. */
const place = (page: Page) => decodeURIComponent(page.url().split('#/demo/')[1] ?? '').replaceAll('+', ' ');
const titles = (page: Page) => page.locator('.grid-header-text').allTextContents();

/** Opens the menu of a column header with the keyboard and chooses an entry. */
async function chooseInHeaderMenu(page: Page, column: string, choice: string | RegExp): Promise<void> {
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowUp');
  const index = (await titles(page)).indexOf(column);
  for (let at = 0; at < 20; at += 1) await page.keyboard.press('ArrowLeft');
  for (let at = 0; at < index; at += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu', { name: 'Column actions' });
  await menu.getByRole('menuitem', { name: choice }).press('Enter');
  await menu.waitFor({ state: 'hidden' });
}

/** Returns the text of the active row's cell in a column. */
async function activeCell(page: Page, column: string): Promise<string> {
  const index = (await titles(page)).indexOf(column);
  return await page.locator('.grid-row-active [role=gridcell]').nth(index).innerText();
}

test('columns are sorted, grouped, moved, hidden and frozen by keyboard and by dragging', async () => {
  await openAppWindow({}, async ({ page, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    page.setDefaultTimeout(20_000);
    await window.go('Statements');
    await window.rows('Statements').first().waitFor();

    await chooseInHeaderMenu(page, 'Customer', 'Sort ascending');
    await expect.poll(() => place(page)).toBe('statements?sort=customer_name');
    await chooseInHeaderMenu(page, 'Customer', 'Group by Customer');
    await expect.poll(() => place(page)).toBe('statements?sort=customer_name.grouped');
    const starts = page.locator('.grid-row.grid-group-start');
    await starts.nth(2).waitFor();
    await page.reload();
    await starts.nth(2).waitFor();
    const names = await starts.locator('.grid-cell.grid-group-start').allTextContents();
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
    await chooseInHeaderMenu(page, 'Customer', 'Ungroup');
    await expect.poll(() => place(page)).toBe('statements?sort=customer_name');

    const before = await titles(page);
    await page.getByRole('grid').focus();
    await chooseInHeaderMenu(page, 'Closed', 'Hide Closed');
    await expect.poll(() => titles(page)).toEqual(before.filter((title) => title !== 'Closed'));
    await chooseInHeaderMenu(page, 'Customer', 'Show all columns');
    await chooseInHeaderMenu(page, 'Statement', 'Move left');
    const moved = ['Status', 'Statement', 'Customer'];
    await expect.poll(async () => (await titles(page)).slice(0, 3)).toEqual(moved);
    await page.keyboard.press('Alt+ArrowRight');
    await page.keyboard.press('Alt+ArrowLeft');

    const header = (name: string) => page.getByRole('columnheader', { name, exact: true });
    const [from, to] = [await header('Customer').boundingBox(), await header('Status').boundingBox()];
    if (!from || !to) throw new Error('The headers are not visible.');
    const sortedBefore = place(page);
    await page.mouse.move(from.x + 30, from.y + 12);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 12, { steps: 6 });
    await page.mouse.up();
    await expect.poll(async () => (await titles(page))[0]).toBe('Customer');
    expect(place(page)).toBe(sortedBefore);
    await page.reload();
    await expect.poll(async () => (await titles(page))[0]).toBe('Customer');

    await page.setViewportSize({ width: 900, height: 700 });
    const cell = window.rows('Statements').first().locator('[role=gridcell]');
    const left = async (index: number) => (await cell.nth(index).boundingBox())?.x ?? 0;
    const [first, second] = [await left(0), await left(1)];
    const scroll = (to: number) =>
      page.getByRole('grid').evaluate((grid, x) => {
        grid.scrollLeft = x;
      }, to);
    await scroll(120);
    await expect.poll(() => left(1)).toBeLessThan(second);
    expect(await left(0)).toBe(first);
    await scroll(0);
    await chooseInHeaderMenu(page, 'Customer', 'Unfreeze columns');
    await scroll(120);
    await expect.poll(() => left(0)).toBeLessThan(first);
    expect(pageErrors).toEqual([]);
  });
});

test('typing in a cell finds a row, and Ctrl+G jumps to a date', async () => {
  await openAppWindow({}, async ({ page, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    page.setDefaultTimeout(20_000);
    await window.go('Statements');
    await window.rows('Statements').first().waitFor();
    const customers = await window
      .rows('Statements')
      .locator('[role=gridcell]:nth-of-type(3)')
      .allTextContents();
    const wanted = customers.at(-1) ?? '';
    const typed = wanted.slice(0, 4).toLowerCase();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type(typed);
    await page.getByText(`Find in Customer: ${typed}`).waitFor();
    await expect
      .poll(async () => (await activeCell(page, 'Customer')).toLowerCase().startsWith(typed))
      .toBe(true);
    expect(new URL(page.url()).hash).toContain('/statements');

    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+g');
    await page.getByRole('dialog', { name: 'Jump to date' }).getByLabel('Date').fill('2026-08-20');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => Date.parse(await activeCell(page, 'Closed')))
      .toBeLessThan(Date.parse('2026-08-21'));
    expect(Date.parse(await activeCell(page, 'Closed'))).toBeGreaterThan(Date.parse('2026-07-20'));
    expect(pageErrors).toEqual([]);
  });
});

test('the menu of a row has the commands of the toolbar, and filters exclude values and limit amounts', async () => {
  await openAppWindow({}, async ({ app, page, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    page.setDefaultTimeout(20_000);
    await window.go('Webhooks');
    await window.rows('Webhooks').first().waitFor();
    const replay = (await page.getByRole('button', { name: 'Replay…', exact: true }).innerText()).trim();
    await window.rows('Webhooks').nth(3).click({ button: 'right' });
    await page.getByRole('menu', { name: 'Row actions' }).getByRole('menuitem', { name: replay }).click();
    await page.getByRole('dialog').filter({ hasText: 'Replay' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await window.go('Statements');
    const all = await window.count('Statements');
    const status = page
      .getByRole('toolbar', { name: 'Filter' })
      .getByRole('button', { name: 'Status' })
      .first();
    await status.click();
    await page.getByRole('option', { name: /^Paid/ }).click();
    await page.getByRole('button', { name: 'Is not Paid' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => place(page)).toBe('statements?state=["unpaid","open"]');
    await status.getByText('not Paid').waitFor();
    const others = await window.count('Statements');
    expect(others).toBeGreaterThan(0);
    expect(others).toBeLessThan(all);

    const site = 'demo';
    await waitForJob(app.host.client, site, (await app.host.client.match.run({ site })).job);
    await page.goto(`${page.url().split('#')[0]}#/demo/matching/payments`);
    await page.getByRole('toolbar', { name: 'Filter' }).getByRole('button', { name: 'Amount' }).click();
    await page.getByLabel('At least').fill('100');
    await page.getByLabel('At most').fill('1,99.999');
    await page.getByText('Enter an amount, for example 19.90.').first().waitFor();
    await page.getByLabel('At most').fill('250.5');
    await page.keyboard.press('Enter');
    await expect.poll(() => place(page)).toContain('payments.min_in_cents=10000&payments.max_in_cents=25050');
    await page.reload();
    const rows = await app.host.client.match.payments({ site, limit: 1000 });
    const within = rows.rows.filter(
      ({ amount_in_cents: cents }) => Math.abs(cents) >= 10000 && Math.abs(cents) <= 25050,
    );
    const grid = page.getByRole('grid').and(page.locator('[aria-busy=false]'));
    await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount')) - 1).toBe(within.length);
    expect(within.length).toBeGreaterThan(0);
    expect(pageErrors).toEqual([]);
  });
});
