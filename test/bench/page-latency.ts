import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { BackendClient, ContractInputs } from '../../src/contract/index.ts';

/** Durations of list pages in the window, in ms. */
export interface PageTimes {
  took: number[];
  /** The same without the time that the two threads waited for a core. Empty if the system does not report it. */
  working: number[];
}

/** Pause between two pages, as when scrolling. */
const PAUSE_MS = 10;

const LISTS: readonly Partial<ContractInputs['webhooks']['list']>[] = [
  {},
  { filter: { status: 'failed' } },
  { filter: { event: ['renewal_success'] } },
  { filter: { since: '2026-02-01', until: '2026-02-28' } },
];

/** Reads pages of a site's webhooks one after the other, like a window, until `enough` returns true. */
export async function readPagesUntilEnough(
  client: BackendClient,
  site: string,
  enough: () => boolean,
): Promise<PageTimes> {
  const pages: PageTimes = { took: [], working: [] };
  const threads = pageThreads();
  const page = async (input: ContractInputs['webhooks']['list']) => {
    const waited = getSchedulerWait(threads);
    const begun = performance.now();
    const answer = await client.webhooks.list(input);
    const took = performance.now() - begun;
    pages.took.push(took);
    if (threads.length > 0) pages.working.push(took - (getSchedulerWait(threads) - waited));
    return answer;
  };
  for (let turn = 0; !enough(); turn++) {
    const list = LISTS[turn % LISTS.length];
    const { next } = await page({ site, ...list });
    if (next !== null && turn % 2 === 0) await page({ site, ...list, after: next });
    await wait(PAUSE_MS);
  }
  return pages;
}

/** Returns the percentile of the values for this share. */
export function computePercentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

/**
 * Scheduler statistics of Linux for the threads involved: the window's, which is the main thread here, and the reader.
 */
function pageThreads(): string[] {
  try {
    const all = readdirSync('/proc/self/task').map((id) => `/proc/self/task/${id}`);
    const reader = all.filter((path) => readFileSync(`${path}/comm`, 'utf8').trim() === 'reader');
    return [`/proc/self/task/${process.pid}`, ...reader].map((path) => `${path}/schedstat`);
  } catch {
    return [];
  }
}

/** Returns the time that these threads waited for a core, in ms since their start. */
function getSchedulerWait(threads: readonly string[]): number {
  return threads.reduce((sum, path) => sum + Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6, 0);
}
