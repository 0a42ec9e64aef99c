import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from 'playwright-core';
import { openAppWindow } from '../e2e/app-window.ts';
import { createWindowDriver } from '../e2e/window-driver.ts';
import { putIntoArchive } from '../pdfs/archive.ts';
import { manyPages } from '../pdfs/write.ts';
import { reportMeasurement } from './measure.ts';

/**
 * Opens, searches and scrolls a long document in the PDF viewer of the built window in Chromium, with thumbnails, and
 * measures what stays in memory. The baseline is a one-page document.
 */
const PAGES = Number(process.env['PAGES'] ?? 2_000);
/** Maximum number of live canvases: pdf.js keeps ten pages, and thumbnails are drawn only in view. */
const MOST_CANVASES = 40;

await openAppWindow({}, async ({ app, page }) => {
  const window = createWindowDriver(page);
  await window.freshness(/^Synced/).waitFor();
  const { rows } = await app.host.client.statements.list({
    site: 'demo',
    filter: { state: ['paid'] },
    limit: 2,
  });
  const [small, long] = rows.map(({ id }) => id) as [number, number];
  const text = Array.from({ length: PAGES }, (_, index) => `Page ${index + 1}: the balance carried forward`);
  putIntoArchive(
    app.host.home,
    new Map([
      [small, manyPages(text.slice(0, 1))],
      [long, manyPages(text)],
    ]),
  );
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const browser = await page.context().browser()?.newBrowserCDPSession();
  if (!browser) throw new Error('The browser does not report its processes.');
  const memory = await readMemory(session, browser);

  await window.go('Statements');
  await window.row('Statements', String(small)).click();
  await window.tab('PDF').click();
  await page.getByText('Page 1: the balance').first().waitFor();
  const one = await memory(page);
  const printMemory = async (name: string) => {
    const now = await memory(page);
    reportMeasurement(`pdf.${name}: heap`, 'MB', now.heap, one.heap, PAGES, 0);
    reportMeasurement(`pdf.${name}: process`, 'MB', now.process, one.process, PAGES, 0);
    reportMeasurement(`pdf.${name}: canvases`, 'canvases', now.canvases, MOST_CANVASES, PAGES, 0);
    reportMeasurement(`pdf.${name}: pixels`, 'million pixels', now.pixels / 1e6, one.pixels / 1e6, PAGES, 0);
    if (now.canvases > MOST_CANVASES) throw new Error(`${now.canvases} canvases are alive`);
  };

  await page.evaluate((id) => {
    location.hash = `#/demo/statements/${id}`;
  }, long);
  await page.getByText(`of ${PAGES.toLocaleString('en-US')}`).waitFor();
  await page.locator('.textLayer span').first().waitFor();
  await printMemory('opened');

  await page.keyboard.press('Shift+F');
  await page.keyboard.type('balance');
  const all = PAGES.toLocaleString('en-US');
  await page.getByText(`1 / ${all}`).waitFor({ timeout: 120_000 });
  await printMemory('sought through');

  await page.getByRole('button', { name: 'Show pages, outline and matches' }).click();
  const field = page.getByRole('textbox', { name: 'Page', exact: true });
  for (let number = 1; number <= PAGES; number += Math.ceil(PAGES / 60)) {
    await field.fill(String(number));
    await field.press('Enter');
    await page.locator(`.page[data-page-number="${number}"] canvas`).waitFor();
  }
  await printMemory('leafed through');
});
process.exit(0);

interface MemoryUse {
  /** Unit: MB. */
  readonly heap: number;
  readonly process: number;
  readonly canvases: number;
  readonly pixels: number;
}

/** Memory of the page after garbage collection, and of the process if the system reports it. */
async function readMemory(
  session: CDPSession,
  browser: CDPSession,
): Promise<(page: Page) => Promise<MemoryUse>> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  const pids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  return async (page) => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const bytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
    const canvases = await page.evaluate(() =>
      [...document.querySelectorAll('canvas')].map(({ width, height }) => width * height),
    );
    return {
      heap: bytes / 1e6,
      process: Math.max(0, ...pids.map(residentMB)),
      canvases: canvases.length,
      pixels: canvases.reduce((sum, size) => sum + size, 0),
    };
  };
}

function residentMB(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}
