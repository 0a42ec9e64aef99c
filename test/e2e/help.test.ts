import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

const smallDarkWindow = { viewport: { width: 1024, height: 700 }, colorScheme: 'dark' } as const;

/** Returns the elements of the dialog that are wider than their box, which cuts their text. */
const findCutTexts = (page: Page) =>
  page
    .getByRole('dialog')
    .locator('p, li, dt, h3')
    .evaluateAll((elements) =>
      elements
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        .map((e) => e.textContent),
    );

test('help explains the current screen, the API key and what is new, by keyboard alone', async () => {
  await openAppWindow(smallDarkWindow, async ({ page, pageErrors }) => {
    const window = createWindowDriver(page);
    const { keyboard } = page;
    const help = window.dialog('Help');
    const panel = help.getByRole('tabpanel');
    await window.freshness(/^Synced/).waitFor();
    await keyboard.press('g');
    await keyboard.press('w');
    await window.rows('Webhooks').first().waitFor();
    await keyboard.press('F1');
    await help.getByRole('heading', { name: 'Webhooks', level: 3 }).waitFor();
    await panel.getByText('Lists the webhooks that the service sent').waitFor();
    await panel.getByText('Search or run a command').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(await findCutTexts(page)).toEqual([]);
    await page.screenshot({ path: 'out/e2e/help-screen.png' });
    const size = await help.boundingBox();

    await help.getByRole('tab', { name: 'This screen' }).focus();
    await keyboard.press('ArrowRight');
    await panel.getByText('Open its Integrations tab').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.screenshot({ path: 'out/e2e/help-api-key.png' });
    await keyboard.press('ArrowRight');
    await panel.getByText('Sync of webhooks, statements').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(await findCutTexts(page)).toEqual([]);
    expect(await help.boundingBox()).toEqual(size);
    // The keyboard scrolls the list of changes.
    await keyboard.press('Tab');
    await keyboard.press('End');
    await expect.poll(() => panel.evaluate((element) => element.scrollTop)).toBeGreaterThan(100);
    await page.screenshot({ path: 'out/e2e/help-news.png' });
    await keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });

    // F1 works while the user types, and explains the screen that is open then.
    await keyboard.press('g');
    await keyboard.press('s');
    await window.rows('Statements').first().waitFor();
    await keyboard.press('Control+F');
    await keyboard.press('F1');
    await help.getByRole('heading', { name: 'Statements', level: 3 }).waitFor();
    await keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });

    await keyboard.press('Control+K');
    await page.getByRole('dialog').getByRole('searchbox').fill('where to find the api');
    await page.getByRole('menuitem', { name: 'Where to find the API key' }).waitFor();
    await keyboard.press('Enter');
    await panel.getByText('Open its Integrations tab').waitFor();
    await keyboard.press('Escape');
    await window.button('Help and keyboard shortcuts').first().click();
    await help.waitFor();
    await keyboard.press('Escape');
    await page.screenshot({ path: 'out/e2e/help-sidebar.png' });
    expect(pageErrors).toEqual([]);
  });
});

test('a computer with a keychain stores the key there and offers no key for the session', async () => {
  await openAppWindow(smallDarkWindow, async ({ page }) => {
    const window = createWindowDriver(page);
    await window.button('Connect site').click();
    const dialog = window.dialog('Connect a site');
    await dialog.getByText('Where to find the API key').click();
    await dialog.getByText('Open its Integrations tab').waitFor();
    expect(await dialog.getByText('Keep the key for this session only').count()).toBe(0);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.screenshot({ path: 'out/e2e/connect-steps.png' });
  });
});
