import type { Page } from 'playwright-core';

/** How a page kept up while something was done in it. */
export interface Frames {
  readonly frames: number;
  /** Frames that came more than 50 ms after the one before. */
  readonly late: number;
  /** ms between two frames, at most. */
  readonly longestGap: number;
  /** The longest task that held the page, ms; 0 where none took 50. */
  readonly longestTask: number;
  /** ms of the processor that the page's thread took in all. */
  readonly work: number;
  /** From each key until another detail was painted, ms. */
  readonly answers: readonly number[];
}

interface Watch {
  gaps: number[];
  tasks: number[];
  answers: number[];
}

declare global {
  interface Window {
    tieoutWatch: Watch;
  }
}

/** Lets every page that is opened keep book of its frames, its long tasks, and how long a key took to be answered. */
export async function watchFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watch: Watch = { gaps: [], tasks: [], answers: [] };
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

/** Does it, and says how the page kept up meanwhile. */
export async function framesWhile(page: Page, act: () => Promise<void>): Promise<Frames> {
  const debuggerOf = await page.context().newCDPSession(page);
  // Time on the processor: other load on the machine hardly changes it.
  await debuggerOf.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await debuggerOf.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  await page.evaluate(() => {
    Object.assign(window.tieoutWatch, { gaps: [], tasks: [], answers: [] });
  });
  const before = await worked();
  await act();
  const work = (await worked()) - before;
  await debuggerOf.detach();
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
