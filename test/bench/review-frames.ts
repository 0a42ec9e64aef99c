import type { Page } from 'playwright-core';

/** Responsiveness of a page during an operation. */
export interface FrameStatistics {
  readonly frames: number;
  /** Number of frames more than 50 ms after the previous one. */
  readonly late: number;
  /** Longest time between two frames, in ms. */
  readonly longestGap: number;
  /** Longest task that blocked the page, in ms. 0 if none took 50 ms. */
  readonly longestTask: number;
  /** CPU time of the page's thread, in ms. */
  readonly work: number;
  /** Time from each key press until another detail was painted, in ms. */
  readonly answers: readonly number[];
}

interface FrameWatch {
  gaps: number[];
  tasks: number[];
  answers: number[];
}

declare global {
  interface Window {
    tieoutWatch: FrameWatch;
  }
}

/** Makes every new page record its frames, long tasks and response times to keys. */
export async function watchFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watch: FrameWatch = { gaps: [], tasks: [], answers: [] };
    window.tieoutWatch = watch;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watch.tasks.push(duration);
    }).observe({ type: 'longtask' });
    let pressed: { at: number; shown: string | null } | null = null;
    const shown = () => document.querySelector('section.detail')?.getAttribute('aria-label') ?? null;
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        pressed = { at: timeStamp, shown: shown() };
      },
      { capture: true },
    );
    let last = performance.now();
    const frame = (now: number) => {
      watch.gaps.push(now - last);
      last = now;
      if (pressed !== null && shown() !== pressed.shown) {
        watch.answers.push(performance.now() - pressed.at);
        pressed = null;
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** Runs an operation and returns the responsiveness of the page. */
export async function measureFrames(page: Page, act: () => Promise<void>): Promise<FrameStatistics> {
  const connectDebugger = await page.context().newCDPSession(page);
  // CPU time, which other load on the machine hardly affects.
  await connectDebugger.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await connectDebugger.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  await page.evaluate(() => {
    Object.assign(window.tieoutWatch, { gaps: [], tasks: [], answers: [] });
  });
  const before = await worked();
  await act();
  const work = (await worked()) - before;
  await connectDebugger.detach();
  const { gaps, tasks, answers } = await page.evaluate(() => window.tieoutWatch);
  return {
    frames: gaps.length,
    late: gaps.filter((gap) => gap > 50).length,
    longestGap: Math.max(0, ...gaps),
    longestTask: Math.max(0, ...tasks),
    work,
    answers,
  };
}
