import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DEMO_API_KEY } from '../../src/host/demo.ts';
import { openAppWindow, type RunningApp } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

const HEIGHT = 700;
const SCREENS = ['Outages', 'Allocations', 'Matching', 'Settings'];

/** Returns the controls beside the scrolled content that are partly outside of the window or covered by another element. */
function findCovered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = [
      ...document.querySelectorAll(
        'nav a, .sidebar button, .screen-head button, .detail-head button, [aria-label="Jobs"] header button',
      ),
    ];
    return found.flatMap((element) => {
      const box = element.getBoundingClientRect();
      if (box.width === 0) return [];
      const inset = 2;
      const corners = [
        [box.left + inset, box.top + inset],
        [box.right - inset, box.top + inset],
        [box.left + inset, box.bottom - inset],
        [box.right - inset, box.bottom - inset],
      ] as const;
      const seen = corners.every(([x, y]) => {
        const there = document.elementFromPoint(x, y);
        return there !== null && (element.contains(there) || there.contains(element));
      });
      return seen ? [] : [element.textContent || (element.getAttribute('aria-label') ?? element.className)];
    });
  });
}

/** Returns the part of the cell's text that is visible. */
function seenOf(cell: Locator): Promise<string> {
  return cell.evaluate((element) => {
    const [node] = [...element.querySelectorAll('*')].flatMap(({ childNodes }) =>
      [...childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE),
    );
    if (node === undefined) return '';
    const box = element.getBoundingClientRect();
    const text = node.textContent ?? '';
    const letter = document.createRange();
    const seen = (at: number) => {
      letter.setStart(node, at);
      letter.setEnd(node, at + 1);
      const { right, bottom } = letter.getBoundingClientRect();
      return right <= box.right && bottom <= box.bottom;
    };
    const end = [...text].findIndex((_, at) => !seen(at));
    return end < 0 ? text : text.slice(0, end);
  });
}

/** Delays each webhook response of the demo service by two seconds. */
async function slow({ host }: RunningApp): Promise<void> {
  const [site] = await host.client.sites.list({});
  const authorization = `Basic ${btoa(`${DEMO_API_KEY}:x`)}`;
  const { status } = await fetch(`${site?.base_url}/sandbox/faults`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ latency: [2000, 2000], only: ['webhooks', 'replay'] }),
  });
  expect(status).toBe(200);
}

test('no control is covered during a job, and list texts are readable, at 800 px and wider', async () => {
  await openAppWindow({ viewport: { width: 1280, height: HEIGHT } }, async ({ page, app, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();

    for (const width of [1024, 1280]) {
      await page.setViewportSize({ width, height: HEIGHT });
      await window.go('Exceptions');
      const sentence = window.rows('Exceptions').first().getByRole('gridcell').nth(3);
      await expect
        .poll(() => seenOf(sentence))
        .toMatch(/^Your accounting system did not receive payment \d+ of [\d,.]+\d: webhook/);
    }

    // The slow service keeps the replay running during the test.
    await slow(app);
    await window.go('Outages');
    await window.rows('Outages').first().click();
    await page.keyboard.press('r');
    await page.getByRole('button', { name: /^Replay 34/ }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    const jobs = page.getByRole('region', { name: 'Jobs' });
    await jobs.getByRole('button', { name: 'Cancel Replay' }).waitFor();

    const found: Record<string, string[]> = {};
    for (const width of [800, 1024]) {
      await page.setViewportSize({ width, height: HEIGHT });
      for (const screen of SCREENS) {
        await window.go(screen);
        const here = await findCovered(page);
        if (here.length > 0) found[`${screen}, ${width}`] = here;
      }
    }
    expect(found).toEqual({});
    expect(pageErrors).toEqual([]);
  });
});
