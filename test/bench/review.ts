import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { SITE } from '../backend/bank/bank-bench.ts';
import { launchChromium } from '../chromium.ts';
import { startApp } from '../e2e/app-window.ts';
import { createWindowDriver } from '../e2e/window-driver.ts';
import { createLabeledHome, importBankLines } from './labeled-home.ts';
import { printMeasurement } from './measure.ts';
import { type FrameStatistics, measureFrames, watchFrames } from './review-frames.ts';
import { waitForJob } from './wait-for-job.ts';

/**
 * Opens a home with 100,000 payments and bank lines in Chromium: scrolls, drags through and searches the lines, and
 * decides 50 suggestions by keyboard. Each figure is compared with a home of 2,000 in the same run. Needs `npm run
 * build`. `node test/bench/review.ts [payments] [decisions]`.
 */
const PAYMENTS = Number(process.argv[2] ?? 100_000);
const DECISIONS = Number(process.argv[3] ?? 50);
const SMALL = 2_000;

type ReviewFigures = ReadonlyMap<string, FrameStatistics>;

const browser = await launchChromium();
try {
  const small = await reviewSite(Math.min(SMALL, PAYMENTS));
  const large = await reviewSite(PAYMENTS);
  for (const [what, frames] of large.figures) {
    const beside = small.figures.get(what);
    if (beside) told(`${large.name}: ${what}`, frames, beside);
  }
} finally {
  await browser.close();
}

function told(name: string, frames: FrameStatistics, beside: FrameStatistics): void {
  const line = (of: string, read: (frames: FrameStatistics) => number, unit: string, n = frames.frames) => {
    const [value, baseline] = [read(frames), read(beside)];
    const spread = frames.longestGap;
    printMeasurement({
      name: `${name}: ${of}`,
      value,
      unit,
      baseline,
      ratio: baseline === 0 ? null : value / baseline,
      n,
      spread,
    });
  };
  line('frames later than 50 ms', ({ late }) => late, 'frames');
  line('longest task', ({ longestTask }) => longestTask, 'ms');
  line('work of the page', ({ work }) => work, 'ms');
  if (frames.answers.length === 0) return;
  line(
    'key to the next one painted, median',
    ({ answers }) => share(answers, 0.5),
    'ms',
    frames.answers.length,
  );
  line(
    'key to the next one painted, 95th of 100',
    ({ answers }) => share(answers, 0.95),
    'ms',
    frames.answers.length,
  );
}

/** Returns the percentile of the values for this share. */
function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

async function reviewSite(payments: number): Promise<{ name: string; figures: ReviewFigures }> {
  const home = mkdtempSync(join(tmpdir(), 'tieout-review-'));
  createLabeledHome(home, payments);
  const app = await startApp({ home, demo: false });
  try {
    const { client } = app.host;
    await importBankLines(client, home);
    await waitForJob(client, (await client.match.run({ site: SITE })).job);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
    const page = await context.newPage();
    await watchFrames(page);
    await page.goto(app.url);
    const figures = await visitScreens(page);
    await context.close();
    return { name: `${payments} payments`, figures };
  } finally {
    await app.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function visitScreens(page: Page): Promise<ReviewFigures> {
  const window = createWindowDriver(page);
  const figures = new Map<string, FrameStatistics>();
  await window.go('Bank');
  await window.rows('Bank lines').first().waitFor();
  const box = await window.grid('Bank lines').boundingBox();
  if (box) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const scrollGrid = async () => {
    for (let turn = 0; turn < 150; turn++) {
      await page.mouse.wheel(0, 480);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
  };
  figures.set('lines scrolled by the wheel', await measureFrames(page, scrollGrid));
  const dragScrollbar = async () => {
    for (let turn = 0; turn < 60; turn++) {
      await window.grid('Bank lines').evaluate(
        (grid, part) => {
          grid.scrollTop = grid.scrollHeight * part;
        },
        ((turn * 37) % 60) / 60,
      );
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await window.rows('Bank lines').first().getByRole('gridcell').nth(1).waitFor();
  };
  figures.set('scrollbar dragged through all lines', await measureFrames(page, dragScrollbar));
  const typeSearch = async () => {
    const field = page.getByRole('searchbox', { name: /^Search/ });
    await field.pressSequentially('deposit', { delay: 40 });
    await page.locator('[role=grid][aria-busy=false]').waitFor();
    await field.fill('');
  };
  figures.set('lines searched while typing', await measureFrames(page, typeSearch));

  await window.go('Matching');
  await window.rows('Matches').first().click();
  await window.detail(/^Match \d+$/).waitFor();
  figures.set(`${DECISIONS} matches decided`, await measureFrames(page, () => decideMatches(page)));
  return figures;
}

/** Confirms suggestions if possible and declines the others, one key each, as fast as they appear. */
async function decideMatches(page: Page): Promise<void> {
  const detail = page.getByRole('region', { name: /^Match \d+$/ });
  for (let made = 0; made < DECISIONS; made++) {
    const before = await detail.getAttribute('aria-label');
    const sure = await detail.getByRole('button', { name: /^Confirm/ }).isVisible();
    await page.keyboard.press(sure ? 'a' : 'd');
    await page.waitForFunction(
      (was) => {
        const shown = document.querySelector('section.detail')?.getAttribute('aria-label');
        return shown !== was && document.querySelector('section.detail .decisions') !== null;
      },
      before,
      { polling: 'raf' },
    );
  }
}
