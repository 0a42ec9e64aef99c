import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

/** Returns the part of the address after the site, which starts with the screen. */
const place = (page: Page) => decodeURIComponent(page.url().split('#/demo/')[1] ?? '').replaceAll('+', ' ');

/** Returns the index of the row at the top of a list. */
const topRow = (page: Page) =>
  page.evaluate(() => {
    const grid = document.querySelector<HTMLElement>('[role=grid]');
    return grid === null ? null : Math.round(grid.scrollTop / 32);
  });

test('filter, sort order, tab, scroll position, selection and open record survive reload, back and forward', async () => {
  await openAppWindow(
    { permissions: ['clipboard-read', 'clipboard-write'] },
    async ({ page, pageErrors }) => {
      const window = createWindowDriver(page);
      await window.freshness(/^Synced/).waitFor();

      await window.go('Webhooks');
      await window.choose('Status', /^Accepted/);
      await window.rows('Webhooks').first().waitFor();
      await page.getByRole('columnheader', { name: 'Event' }).click();
      await expect.poll(() => place(page)).toBe('webhooks?status=successful&sort=-event');
      const count = await window.count('Webhooks');

      await window.grid('Webhooks').evaluate((grid) => {
        grid.scrollTop = 300 * 32;
      });
      await window.grid('Webhooks').locator('[aria-rowindex="305"] .grid-cell').first().click();
      await window.detail(/^Webhook \d+/).waitFor();
      await window.grid('Webhooks').locator('[aria-rowindex="306"] .grid-checkbox').click();
      await window.grid('Webhooks').locator('[aria-rowindex="308"] .grid-checkbox').click();
      await page.getByRole('status').getByText('2 selected').waitFor();
      // The detail follows the row that was checked last.
      const id = await window
        .grid('Webhooks')
        .locator('[aria-rowindex="308"] [role=gridcell]')
        .nth(3)
        .innerText();
      await expect.poll(() => place(page)).toContain(`webhooks/${id}?`);
      const seen = { place: place(page), top: await topRow(page) };
      expect(seen.place).toMatch(/^webhooks\/\d+\?status=successful&sort=-event$/);

      const expectSameView = async () => {
        await page.getByRole('status').getByText('2 selected').waitFor();
        await window.detail(/^Webhook \d+/).waitFor();
        await expect.poll(async () => ({ place: place(page), top: await topRow(page) })).toEqual(seen);
        expect(await window.count('Webhooks')).toBe(count);
        await page
          .getByRole('columnheader', { name: 'Event' })
          .and(page.locator('[aria-sort=descending]'))
          .waitFor();
      };
      await page.reload();
      await expectSameView();
      await window.go('Bank');
      await page.goBack();
      await expectSameView();
      await page.goForward();
      await page.getByRole('heading', { name: 'Bank', level: 1 }).waitFor();
      await page.goBack();
      await expectSameView();

      await page.keyboard.press('Shift+U');
      await page.getByText('Link copied').first().waitFor();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      await window.go('Overview');
      await page.goto(link);
      await page.reload();
      await window.detail(/^Webhook \d+/).waitFor();
      expect(place(page)).toBe(seen.place);
      expect(await window.count('Webhooks')).toBe(count);

      await window.go('Statements');
      await window.rows('Statements').first().click();
      await window.tab('Details').click();
      await expect.poll(() => place(page)).toMatch(/^statements\/\d+\?tab.statement=details$/);
      await page.reload();
      await window.tab('Details').and(page.locator('[aria-selected=true]')).waitFor();

      await page.goto(`${page.url().split('#')[0]}#/demo/matching/payments`);
      const search = page.getByRole('toolbar', { name: 'Filter' }).getByRole('searchbox');
      await search.fill('10.00');
      await expect.poll(() => place(page)).toContain('payments.search="10.00"');
      await page.reload();
      await expect.poll(() => search.inputValue()).toBe('10.00');

      await page.goto(`${page.url().split('#')[0]}#/demo/webhooks?status=exploded`);
      await page.getByText('a filter that this screen does not have: status').first().waitFor();
      expect(pageErrors).toEqual([]);
    },
  );
});

test('Escape in a chooser closes the chooser and nothing else', async () => {
  await openAppWindow({}, async ({ page, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    const tried: string[] = [];
    const left: string[] = [];
    const tryChoosers = async () => {
      const before = page.url();
      const triggers = page.locator('main button[aria-haspopup], main button[aria-expanded]');
      for (let index = 0; index < (await triggers.count()); index += 1) {
        const trigger = triggers.nth(index);
        if (!(await trigger.isEnabled()) || !(await trigger.isVisible())) continue;
        const name = await trigger.innerText();
        await trigger.focus();
        await page.keyboard.press('Enter');
        await page.waitForTimeout(80);
        await page.keyboard.press('Escape');
        await page.waitForTimeout(80);
        tried.push(name);
        if (page.url() !== before) {
          left.push(`${before.split('#')[1]}: ${name}`);
          await page.goto(before);
        }
        if ((await page.getByRole('dialog').count()) > 0) await page.keyboard.press('Escape');
      }
    };
    for (const screen of ['Webhooks', 'Statements', 'Exceptions', 'Subscriptions', 'Allocations', 'Bank']) {
      await window.go(screen);
      const row = page.getByRole('grid').locator('[role=row]:has([role=gridcell])').first();
      if (
        await row.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        )
      )
        await row.click();
      await tryChoosers();
    }
    for (const tab of ['', '-checklist', '-items', '-signoff', '-changes', '-report']) {
      await page.goto(`${page.url().split('#')[0]}#/demo/periods/2026-10${tab}`);
      await page.waitForTimeout(600);
      await tryChoosers();
    }
    for (const tab of ['', 'payments', 'payouts', 'manual', 'rules', 'runs']) {
      await page.goto(`${page.url().split('#')[0]}#/demo/matching/${tab}`);
      await page.waitForTimeout(600);
      await tryChoosers();
    }
    expect(left).toEqual([]);
    expect(tried.length).toBeGreaterThan(20);
    expect(pageErrors).toEqual([]);
  });
});
