import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inWindow } from './running.ts';
import { windowOf } from './window.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SCREENS = [
  'Overview',
  'Exceptions',
  'Rules',
  'Webhooks',
  'Replays',
  'Statements',
  'Subscriptions',
  'Allocations',
  'Audit log',
  'Sync',
  'Sites',
  'Settings',
];
/** Pictures for people: `out/screens/<theme>/<screen>.png`. */
const pictures = new URL('../../out/screens/', import.meta.url);

/** The serious and critical findings of axe, each with the element it is about. */
async function barriers(page: Page): Promise<string[]> {
  // Through the debugger, which the page's policy does not concern: a script tag would be refused, as it should be.
  const { violations } = await page.evaluate<AxeResults>(
    `${axe}; axe.run(document, { resultTypes: ['violations'] })`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

test.each(['light', 'dark'] as const)('every screen, %s: no barrier, no complaint', async (colorScheme) => {
  await inWindow({ colorScheme, viewport: { width: 1440, height: 900 } }, async ({ page, complaints }) => {
    const window = windowOf(page);
    const folder = new URL(`${colorScheme}/`, pictures);
    mkdirSync(folder, { recursive: true });
    await window.freshness(/^Synced/).waitFor();
    const found: Record<string, string[]> = {};
    async function look(name: string) {
      await page.screenshot({ path: new URL(`${name.toLowerCase()}.png`, folder).pathname });
      const here = await barriers(page);
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
    await window.rows('Story of the subscription').first().waitFor();
    await look('subscription');
    await window.go('Webhooks');
    await window.rows('Webhooks').first().click();
    await page.getByRole('heading', { name: 'Body' }).waitFor();
    await look('webhook');
    await window.go('Statements');
    await window.rows('Statements').nth(1).click();
    for (const tab of ['Transactions', 'PDF', 'Events', 'Text', 'Details', 'HTML']) {
      if (tab === 'HTML') expect(complaints).toEqual([]);
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
    await window.rows('Subscriptions and components').first().click();
    await page.getByText('Quantity over time').waitFor();
    await look('allocation');
    await window.button('Connect your own site').click();
    await window.dialog('Connect your own site').waitFor();
    await look('connect');
    expect(found).toEqual({});
    // A statement's own inline styles and handlers are refused as its HTML is read; nothing else may be.
    expect(complaints.filter((complaint) => !/inline (style|event handler)/.test(complaint))).toEqual([]);
  });
});
