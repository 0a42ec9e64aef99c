import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Inputs } from '../../src/contract/index.ts';
import { startHost } from '../../src/host/index.ts';

/**
 * The app with its threads, syncing from the service at an address while a window reads pages: `syncLoadChild.ts <url>`.
 * Says `Loaded` to the process that started it.
 */
export interface Loaded {
  /** The most memory that the two threads took at once, in MB: of the whole process, less what it had before they began. */
  peak: number;
  syncing: Latency;
  idle: Latency;
}

interface Latency {
  n: number;
  median: number;
  p95: number;
}

const SITE = 'bench';
/** Between two pages, as somebody who scrolls. */
const PAUSE_MS = 20;
const IDLE_PAGES = 300;

const [url = ''] = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
const before = process.memoryUsage().rss / 2 ** 20;
const host = await startHost({ home, version: '0.0.0', fallbackKey: 'key', logLevel: 'error', ...built() });
const { client } = host;
await client.sites.add({ title: SITE, site: SITE, base_url: url, api_key: 'key' });

const LISTS: readonly Partial<Inputs['webhooks']['list']>[] = [
  {},
  { filter: { status: 'failed' } },
  { filter: { event: ['renewal_success'] } },
  { filter: { since: '2026-02-01', until: '2026-02-28' } },
];

/** Reads pages one after the other until `enough`; gives how long each took, in ms. */
async function read(enough: (pages: number) => boolean): Promise<Latency> {
  const took: number[] = [];
  while (!enough(took.length)) {
    const list = LISTS[took.length % LISTS.length];
    const begun = performance.now();
    const page = await client.webhooks.list({ site: SITE, ...list });
    took.push(performance.now() - begun);
    if (page.next !== null && took.length % 3 === 0) {
      const next = performance.now();
      await client.webhooks.list({ site: SITE, ...list, after: page.next });
      took.push(performance.now() - next);
    }
    await wait(PAUSE_MS);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
  return { n: took.length, median: at(0.5), p95: at(0.95) };
}

let over = false;
const { job } = await client.sync.start({ site: SITE, only: ['webhooks'] });
const ended = (async () => {
  for await (const now of await client.jobs.watch({ site: SITE, job })) {
    if (now.error !== null) throw new Error(now.error.message);
  }
  over = true;
})();
const syncing = await read(() => over);
await ended;
const peak = peakMemory() - before;
const idle = await read((pages) => pages >= IDLE_PAGES);
await host.close();
rmSync(home, { recursive: true, force: true });
process.send?.({ peak, syncing, idle } satisfies Loaded, () => process.exit());

/** The threads as they ship, where the app was built: from source each also holds what strips the types. */
function built() {
  const at = (thread: string) => new URL(`../../out/main/${thread}.js`, import.meta.url);
  const entries = { reader: at('reader'), writer: at('writer') };
  return existsSync(entries.writer) ? { entries } : {};
}

/** In MB; where the system does not tell it, what Node says. */
function peakMemory(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) / 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
}
