import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Inputs } from '../../src/contract/index.ts';

/** How long pages of the window's list took, in ms. */
export interface Pages {
  took: number[];
  /** The same, less what of it the two threads that make a page waited for a core; none where the system does not tell. */
  working: number[];
}

/** Between two pages, as somebody who scrolls. */
const PAUSE_MS = 10;

const LISTS: readonly Partial<Inputs['webhooks']['list']>[] = [
  {},
  { filter: { status: 'failed' } },
  { filter: { event: ['renewal_success'] } },
  { filter: { since: '2026-02-01', until: '2026-02-28' } },
];

/** Reads pages of a site's webhooks one after the other, as a window does, until `enough`. */
export async function readPages(client: Client, site: string, enough: () => boolean): Promise<Pages> {
  const pages: Pages = { took: [], working: [] };
  const threads = pageThreads();
  const page = async (input: Inputs['webhooks']['list']) => {
    const waited = waitedBy(threads);
    const begun = performance.now();
    const answer = await client.webhooks.list(input);
    const took = performance.now() - begun;
    pages.took.push(took);
    if (threads.length > 0) pages.working.push(took - (waitedBy(threads) - waited));
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

/** The value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

/** What Linux tells of the threads a page takes: the window's, which here is the main one, and the reader. */
function pageThreads(): string[] {
  try {
    const all = readdirSync('/proc/self/task').map((id) => `/proc/self/task/${id}`);
    const reader = all.filter((path) => readFileSync(`${path}/comm`, 'utf8').trim() === 'reader');
    return [`/proc/self/task/${process.pid}`, ...reader].map((path) => `${path}/schedstat`);
  } catch {
    return [];
  }
}

/** How long these threads could have run and had no core, in ms since they began. */
function waitedBy(threads: readonly string[]): number {
  return threads.reduce((sum, path) => sum + Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6, 0);
}
