import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { BackendClient } from '../../src/contract/index.ts';
import { parseCsvRecords } from '../../src/domain/csv/csv-records.ts';
import { openAppWindow } from './app-window.ts';
import { waitForJob } from './backend-actions.ts';
import { createWindowDriver } from './window-driver.ts';

/** Returns a statement that closed in the evening at the site and was paid on that day. In Auckland, it is the next day. */
async function findEveningStatement(client: BackendClient) {
  const site = 'demo';
  await waitForJob(client, site, (await client.match.run({ site })).job);
  const { rows: payments } = await client.match.payments({ site, limit: 1000 });
  const { rows } = await client.statements.list({ site, limit: 1000 });
  for (const { id, closed_at } of rows) {
    const [, day, clock] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d-0[45]:00$/.exec(closed_at ?? '') ?? [];
    const isPaid = payments.some(({ statement_id, paid_on }) => statement_id === id && paid_on === day);
    if (closed_at && day && clock && clock > '20:00' && isPaid) return { id, closed_at, day, clock };
  }
  throw new Error('The demo has no statement that closed in the evening and was paid on that day.');
}

const formatDay = (day: string, options: Intl.DateTimeFormatOptions = {}) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC', ...options }).format(
    new Date(day.length === 10 ? `${day}T00:00:00Z` : day),
  );

async function chooseZone(page: Page, choice: string): Promise<void> {
  await page.getByRole('button', { name: /^Time zone: / }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${choice}`) }).click();
}

test('a screen shows, copies and exports all times in one named zone, by default the site’s', async () => {
  const options = {
    timezoneId: 'Pacific/Auckland',
    permissions: ['clipboard-read', 'clipboard-write'],
  };
  await openAppWindow(options, async ({ app, page, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    page.setDefaultTimeout(20_000);
    const { id, closed_at, day, clock } = await findEveningStatement(app.host.client);
    const zone = page.getByRole('button', { name: /^Time zone: / });

    await page.goto(`${page.url().split('#')[0]}#/demo/matching/payments?payments.statement_id=${id}`);
    const paid = page.getByRole('grid').locator('[role=row]:has([role=gridcell])').first();
    await paid.getByText(formatDay(day)).waitFor();
    expect(await zone.innerText()).toContain('Site time, UTC−5/−4');

    await page.goto(`${page.url().split('#')[0]}#/demo/statements?search="${id}"`);
    const row = window.row('Statements', String(id));
    await row
      .getByText(`${formatDay(day)}, ${clock}`)
      .first()
      .waitFor();
    expect(await zone.innerText()).toContain('Site time, UTC−5/−4');
    await row.locator('[role=gridcell]').first().click();
    await page.keyboard.press('Escape');
    await page.getByRole('grid').focus();
    await page.keyboard.press('ControlOrMeta+c');
    await page
      .getByText(/copied/)
      .first()
      .waitFor();
    const copy = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await copy()).toContain(closed_at);

    await chooseZone(page, 'My time');
    const mine = { timeZone: 'Pacific/Auckland' };
    expect(formatDay(closed_at, mine)).not.toBe(formatDay(day));
    await row
      .getByText(`${formatDay(closed_at, mine)}, `)
      .first()
      .waitFor();
    expect(await zone.innerText()).toContain('My time, UTC+12/+13');
    await page.reload();
    await row
      .getByText(`${formatDay(closed_at, mine)}, `)
      .first()
      .waitFor();
    expect(await zone.innerText()).toContain('My time, UTC+12/+13');

    await chooseZone(page, 'UTC');
    const utc = `${new Date(closed_at).toISOString().slice(0, 19)}Z`;
    await row
      .getByText(`${formatDay(closed_at)}, ${utc.slice(11, 16)}`)
      .first()
      .waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).first().click();
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    const csv = readFileSync(await (await download).path(), 'utf8');
    const cells = [...parseCsvRecords(csv)].map((record) => record.cells);
    expect(cells).toContainEqual(['Time zone', 'UTC']);
    expect(cells.at(-1)).toContain(utc);
    expect(pageErrors).toEqual([]);
  });
});
