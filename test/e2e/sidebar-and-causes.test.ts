import { expect, test } from 'vitest';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

test('a section of the sidebar collapses by keyboard, also after a reload, and the current screen stays visible', async () => {
  await openAppWindow({}, async ({ page, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    page.setDefaultTimeout(20_000);
    const heading = page.getByRole('button', { name: 'Billing', exact: true });
    const links = page.getByRole('list', { name: 'Billing' }).getByRole('link');
    expect(await links.count()).toBe(4);
    await heading.press('Enter');
    expect(await heading.getAttribute('aria-expanded')).toBe('false');
    expect(await links.count()).toBe(0);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Statements', level: 1 }).waitFor();
    expect(await links.allTextContents()).toEqual([expect.stringMatching(/^Statements/)]);
    await page.reload();
    await page.getByRole('heading', { name: 'Statements', level: 1 }).waitFor();
    await expect.poll(() => heading.getAttribute('aria-expanded')).toBe('false');
    await heading.press('Enter');
    await expect.poll(() => links.count()).toBe(4);
    expect(pageErrors).toEqual([]);
  });
});

test('exceptions show customer, amount and finding first, and list their causes', async () => {
  await openAppWindow({}, async ({ page }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    page.setDefaultTimeout(20_000);
    await window.go('Exceptions');
    const titles = await window.grid('Exceptions').locator('.grid-header-text').allTextContents();
    expect(titles.slice(0, 4)).toEqual(['Severity', 'Customer', 'Amount at stake (USD)', 'Finding']);
    const total = await window.count('Exceptions');
    const causes = page.getByRole('list', { name: 'Causes' }).getByRole('button');
    await causes.nth(1).waitFor();
    const counts = (await causes.locator('small').allTextContents()).map(Number.parseFloat);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
    await causes.last().press('Enter');
    await expect.poll(() => window.count('Exceptions')).toBe(counts.at(-1));
    await window.button('Remove filter Severity').waitFor();
  });
});
