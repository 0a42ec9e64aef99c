import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openAppWindow } from './app-window.ts';
import { matchDemoFiles } from './backend-actions.ts';
import { createWindowDriver } from './window-driver.ts';

/** Screens, and rows whose details are opened. A row is named by its list. */
const SCREENS: readonly (readonly [screen: string, list?: string])[] = [
  ['Overview'],
  ['Exceptions', 'Exceptions'],
  ['Rules'],
  ['Webhooks', 'Webhooks'],
  ['Outages', 'Outages'],
  ['Replays'],
  ['Statements', 'Statements'],
  ['Subscriptions', 'Subscriptions'],
  ['Allocations', 'Subscription components'],
  ['Archive'],
  ['Bank', 'Bank lines'],
  ['Matching'],
  ['Periods'],
  ['Audit log'],
  ['Backups'],
  ['Sync'],
  ['Sites'],
  ['Settings'],
];

/** Largest accepted shift of a screen while it loads, as in the Layout Instability API. */
const MAX_SHIFT = 0.02;

/** Records the layout shifts of the page. A screen counts as loaded before the user acts on it, so input is ignored. */
function recordShifts(): void {
  const shifts: number[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
  }).observe({ type: 'layout-shift' });
}

/** Returns the layout shift since the last call. */
const takeShift = (page: Page): Promise<number> =>
  page.evaluate(() =>
    (window as unknown as { shifts: number[] }).shifts.splice(0).reduce((sum, shift) => sum + shift, 0),
  );

/** Waits until the page has painted twice and has reported the shifts of these frames. */
const paintTwice = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  );

/**
 * Returns the elements that are outside of the window although nothing scrolls to them, the pages that scroll sideways, and
 * the controls whose text is cut.
 */
function findCutElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const describe = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className} ${element.textContent?.slice(0, 40)}`;
    const isScrolled = (element: Element, axis: 'overflowX' | 'overflowY') => {
      for (let parent = element.parentElement; parent; parent = parent.parentElement)
        if (/auto|scroll/.test(getComputedStyle(parent)[axis])) return true;
      return false;
    };
    const isCut = (element: HTMLElement) => {
      const box = element.getBoundingClientRect();
      if (element.matches('.page, .detail, .screen')) return element.scrollWidth > element.clientWidth + 1;
      if (element.matches('button, a') && getComputedStyle(element).overflowX !== 'visible')
        return element.scrollWidth > element.clientWidth + 1;
      const isBeside = box.right > innerWidth + 1 || box.left < -1;
      const isBelow = box.bottom > innerHeight + 1 || box.top < -1;
      return (
        (isBeside && !isScrolled(element, 'overflowX')) || (isBelow && !isScrolled(element, 'overflowY'))
      );
    };
    return [...document.querySelectorAll<HTMLElement>('#root *')]
      .filter((element) => element.checkVisibility({ opacityProperty: true }))
      .filter((element) => !element.matches('.skip-link, .visually-hidden') && isCut(element))
      .slice(0, 5)
      .map(describe);
  });
}

/** 640 × 400 is a window of 1280 × 800 at 200% zoom. */
test.each([
  [1024, 700],
  [640, 400],
])('nothing is cut and no screen jumps while it loads, at %i × %i', async (width, height) => {
  await openAppWindow({ viewport: { width, height } }, async ({ app, page, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor({ state: 'attached' });
    await matchDemoFiles(app.host.client, app.host.home);
    await page.evaluate(recordShifts);
    const found: Record<string, unknown> = {};
    const check = async (name: string) => {
      await page.locator('body:not(:has([aria-busy="true"], .skeleton))').waitFor();
      const cut = await findCutElements(page);
      if (cut.length > 0) found[name] = cut;
    };
    for (const [screen, list] of SCREENS) {
      await takeShift(page);
      await window.go(screen);
      await check(screen);
      const shift = await takeShift(page);
      if (shift > MAX_SHIFT && width >= 1024) found[`${screen}, shift`] = shift;
      if (list === undefined) continue;
      await window.rows(list).first().click();
      await page.locator('.detail, .selection-summary').first().waitFor();
      await check(`${screen}, detail`);
      await page.keyboard.press('Escape');
      // The closing of the details is not part of the next screen's loading.
      await paintTwice(page);
    }
    expect(found).toEqual({});
    expect(pageErrors).toEqual([]);
  });
});
