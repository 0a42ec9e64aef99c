import { readFileSync } from 'node:fs';
import { readXlsx } from 'hucre';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { parseCsvRecords } from '../../src/domain/csv/csv-records.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

/** Exports the list whose button comes first on the screen. Returns the path of the downloaded file. */
async function exportAs(page: Page, format: RegExp): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).first().click();
  await page.getByRole('menuitem', { name: format }).click();
  return await (await download).path();
}

test('a list is exported and printed with exactly the rows and columns that it shows', async () => {
  await openAppWindow({}, async ({ page, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    page.setDefaultTimeout(20_000);
    await window.go('Statements');
    await window.choose('Status', /^Paid/);
    await window.button('Columns').click();
    await page.getByRole('switch', { name: 'Customer' }).press('Space');
    await page.keyboard.press('Escape');
    const count = await window.count('Statements');
    expect(count).toBeGreaterThan(100);
    const grid = window.grid('Statements');
    const titles = await grid.locator('.grid-header-text').allTextContents();
    const shown = await window.rows('Statements').first().locator('[role=gridcell]').allTextContents();

    const csv = await exportAs(page, /CSV/);
    const records = [...parseCsvRecords(readFileSync(csv, 'utf8'))].map(({ cells }) => cells);
    const head = records.findIndex((cells) => cells.length === titles.length);
    expect(records.slice(0, head)).toContainEqual(['Filter', 'Status: Paid']);
    expect(records[head]).toEqual(titles);
    expect(titles).not.toContain('Customer');
    expect(records.slice(head + 1)).toHaveLength(count);
    expect(records[head + 1]?.[0]).toBe(shown[0]);

    const xlsx = await exportAs(page, /Excel/);
    const rows = (await readXlsx(readFileSync(xlsx))).sheets[0]?.rows ?? [];
    expect(rows.length - head - 2).toBe(count);

    await page.evaluate(() => {
      globalThis.print = () => document.body.setAttribute('data-printed', 'yes');
    });
    await window.button('Export').click();
    await page.getByRole('menuitem', { name: 'Print…' }).click();
    await page.locator('body[data-printed]').waitFor();
    await page.emulateMedia({ media: 'print' });
    const printed = page.locator('.printed-list');
    expect(await printed.locator('tbody tr').count()).toBe(count);
    expect(await printed.innerText()).toContain('Filter: Status: Paid');
    expect(await page.locator('.app-shell').isVisible()).toBe(false);
    await page.evaluate(() => globalThis.dispatchEvent(new Event('afterprint')));
    await printed.waitFor({ state: 'detached' });
    expect(pageErrors).toEqual([]);
  });
});
