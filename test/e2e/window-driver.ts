import type { Locator, Page } from 'playwright-core';

/** Locators for the parts of the window: screens, lists and details. */
export function createWindowDriver(page: Page) {
  const grid = (name: string): Locator => page.getByRole('grid', { name, exact: true });
  /** Waits until the list shows the latest data. Until then it shows the previous rows and is marked busy. */
  const loadedGrid = (name: string): Locator => grid(name).and(page.locator('[aria-busy="false"]'));
  const rows = (name: string): Locator => loadedGrid(name).locator('[role=row]:has([role=gridcell])');
  return {
    grid,
    /** Rendered rows of the current list, without the header. */
    rows,
    row: (name: string, text: string): Locator => rows(name).filter({ hasText: text }),
    async go(screen: string): Promise<void> {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click();
      await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
    },
    /** Total number of rows as exposed to assistive technology, without the header. */
    async count(name: string): Promise<number> {
      return Number(await loadedGrid(name).getAttribute('aria-rowcount')) - 1;
    },
    async choose(filter: string, option: RegExp): Promise<void> {
      await page.getByRole('toolbar', { name: 'Filter' }).getByRole('button', { name: filter }).click();
      const choice = page.getByRole('option', { name: option });
      const list = page.getByRole('listbox').filter({ has: choice });
      const allowsSeveral = (await list.getAttribute('aria-multiselectable')) === 'true';
      await choice.click();
      // A list that allows several choices stays open.
      if (allowsSeveral) await page.keyboard.press('Escape');
      await choice.waitFor({ state: 'hidden' });
    },
    /** Badge with the state of the last sync. */
    freshness: (text: RegExp): Locator => page.getByRole('status').filter({ hasText: text }),
    button: (name: string | RegExp): Locator => page.getByRole('button', { name }).first(),
    dialog: (name: string): Locator => page.getByRole('dialog', { name }),
    tab: (name: string): Locator => page.getByRole('tab', { name }),
    detail: (name: string | RegExp): Locator => page.getByRole('region', { name }),
  };
}
