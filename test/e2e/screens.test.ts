import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

const SCREENS = [
  'Overview',
  'Exceptions',
  'Rules',
  'Webhooks',
  'Outages',
  'Replays',
  'Statements',
  'Subscriptions',
  'Allocations',
  'Archive',
  'Bank',
  'Matching',
  'Periods',
  'Audit log',
  'Backups',
  'Sync',
  'Sites',
  'Settings',
];
/** Screenshots for people: `out/screens/<theme>/<screen>.png`. */
const screenshotFolder = new URL('../../out/screens/', import.meta.url);

test.each(['light', 'dark'] as const)(
  'every screen is accessible and logs no errors, %s',
  async (colorScheme) => {
    await openAppWindow(
      { colorScheme, viewport: { width: 1440, height: 900 } },
      async ({ page, pageErrors }) => {
        const window = createWindowDriver(page);
        const folder = new URL(`${colorScheme}/`, screenshotFolder);
        mkdirSync(folder, { recursive: true });
        await window.freshness(/^Synced/).waitFor();
        const found: Record<string, string[]> = {};
        async function look(name: string) {
          // Waits until nothing is loading.
          await page.locator('body:not(:has([aria-busy="true"], .skeleton))').waitFor();
          await page.screenshot({ path: new URL(`${name.toLowerCase()}.png`, folder).pathname });
          const here = await findAccessibilityProblems(page);
          if (here.length > 0) found[name] = here;
        }
        for (const screen of SCREENS) {
          await window.go(screen);
          await look(screen);
        }
        await window.go('Exceptions');
        await window.rows('Exceptions').first().click();
        await page.getByRole('heading', { name: 'History' }).waitFor();
        await look('exception');
        await window.button('Accept…').click();
        await window.dialog('Accept 1 exception').waitFor();
        await look('accept');
        await page.keyboard.press('Escape');
        await window.go('Subscriptions');
        await window.rows('Subscriptions').first().click();
        await window.rows('Subscription activity').first().waitFor();
        await look('subscription');
        await window.go('Webhooks');
        await window.rows('Webhooks').first().click();
        await page.getByRole('heading', { name: 'Body' }).waitFor();
        await look('webhook');
        await window.go('Statements');
        await window.rows('Statements').nth(1).click();
        for (const tab of ['Transactions', 'PDF', 'Events', 'Text', 'Details', 'HTML']) {
          if (tab === 'HTML') expect(pageErrors).toEqual([]);
          await window.tab(tab).click();
          await page.getByRole('tabpanel').waitFor();
          if (tab === 'PDF')
            await page
              .getByRole('region', { name: 'PDF' })
              .getByText(/balance/i)
              .first()
              .waitFor();
          await look(`statement-${tab}`);
        }
        await window.go('Allocations');
        await window.rows('Subscription components').first().click();
        await page.getByText('Quantity over time').waitFor();
        await look('allocation');
        await window.go('Bank');
        await window.button('Import file').first().click();
        await page.getByRole('button', { name: 'bank-2026-10.csv' }).click();
        await page.getByText(/\d+ new/).waitFor();
        await look('import');
        await page.keyboard.press('Escape');
        await page.keyboard.press('?');
        await window.dialog('Help').waitFor();
        await look('help');
        await page.keyboard.press('Escape');
        await window.button('Connect site').click();
        await window.dialog('Connect a site').waitFor();
        await look('connect');
        expect(found).toEqual({});
        // The policy blocks inline styles and handlers of a statement's HTML. No other violation is allowed.
        expect(pageErrors.filter((complaint) => !/inline (style|event handler)/.test(complaint))).toEqual([]);
      },
    );
  },
);
