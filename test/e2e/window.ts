import type { Locator, Page } from 'playwright-core';

/** The window as a person knows it: screens, lists, details. Where things are found stands here alone. */
export function windowOf(page: Page) {
  const grid = (name: string): Locator => page.getByRole('grid', { name, exact: true });
  /** It stays on the screen until another one that was asked for is there, and says so. */
  const settled = (name: string): Locator => grid(name).and(page.locator('[aria-busy="false"]'));
  const rows = (name: string): Locator => settled(name).locator('[role=row]:has([role=gridcell])');
  return {
    grid,
    /** The rows on screen of the list asked for last, without its header. */
    rows,
    row: (name: string, text: string): Locator => rows(name).filter({ hasText: text }),
    async go(screen: string): Promise<void> {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click();
      await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
    },
    /** How many rows the list has in all, as assistive technology is told; its header is not one. */
    async count(name: string): Promise<number> {
      return Number(await settled(name).getAttribute('aria-rowcount')) - 1;
    },
    async choose(filter: string, option: RegExp): Promise<void> {
      await page.getByRole('toolbar', { name: 'Filter' }).getByRole('button', { name: filter }).click();
      const choice = page.getByRole('option', { name: option });
      const list = page.getByRole('listbox').filter({ has: choice });
      const several = (await list.getAttribute('aria-multiselectable')) === 'true';
      await choice.click();
      // A list of several stays open for the next choice.
      if (several) await page.keyboard.press('Escape');
      await choice.waitFor({ state: 'hidden' });
    },
    /** The badge that says how fresh the copy is. */
    freshness: (text: RegExp): Locator => page.getByRole('status').filter({ hasText: text }),
    button: (name: string | RegExp): Locator => page.getByRole('button', { name }).first(),
    dialog: (name: string): Locator => page.getByRole('dialog', { name }),
    tab: (name: string): Locator => page.getByRole('tab', { name }),
    detail: (name: string | RegExp): Locator => page.getByRole('region', { name }),
  };
}
