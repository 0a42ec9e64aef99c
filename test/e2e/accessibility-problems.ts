import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the serious and critical violations that axe finds, with their elements. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  // Runs axe through the debugger, because the page's policy blocks script tags.
  const { violations } = await page.evaluate<AxeResults>(
    `${axe}; axe.run(document, { resultTypes: ['violations'] })`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
