import { bridges, isSamePage, MOST_BRIDGES, repeats } from '../shared/bridge.ts';
import { type PageAsk, samePage } from '../shared/pages.ts';
import type { Filter, ReadPage, WebhookLog } from './webhook-log.ts';
import { firstOf, mustGoOn, nextPage, type Window, walked } from './window.ts';

/** Maximum number of reads of a page that repeats another one. */
const MOST_TRIES = 5;

/**
 * Reads the first page of a resumed window if the page size is unknown. That page is followed by others, so it shows the
 * size.
 */
export async function sizeUp(log: WebhookLog, window: Window, signal: AbortSignal): Promise<void> {
  if (log.state.size.effective !== null || nextPage(window, log.perPage()).page === 1) return;
  const { rows } = await log.read(filterOf(window), { page: 1, per_page: log.state.size.asked }, signal);
  if (rows > 0 && rows < window.rows) log.learn(rows);
}

/**
 * Returns true if pages are still longer than the given ones, which seemed to be the last. Otherwise forgets the page
 * size.
 */
export async function arePagesLonger(
  log: WebhookLog,
  pages: readonly ReadPage[],
  signal: AbortSignal,
): Promise<boolean> {
  if (pages.every((page) => log.isSureEnd(page))) return true;
  const longest = Math.max(...pages.map(({ rows }) => rows));
  const ask = { page: 1, per_page: log.perPage() };
  if (ask.per_page > longest && (await log.read({ order: 'newest_first' }, ask, signal)).rows > longest)
    return true;
  log.unlearn();
  return false;
}

/**
 * Reads a page, again if the answer repeats the previous page or is older than what was read. That also happens when
 * pages become shorter, so that their numbers mean other rows.
 */
export async function inStep(
  log: WebhookLog,
  window: Window,
  before: ReadPage | null,
  asked: PageAsk,
  first: ReadPage,
  signal: AbortSignal,
): Promise<{ ask: PageAsk; read: ReadPage }> {
  let ask = asked;
  let read = first;
  for (let tries = 1; isStale(log, window, before, ask, read); tries++) {
    if (tries === MOST_TRIES) throw samePage('webhooks');
    if (read.rows < ask.per_page) {
      log.unlearn();
      await sizeUp(log, window, signal);
      ask = nextPage(window, log.perPage());
    }
    read = await log.read(filterOf(window), ask, signal);
  }
  return { ask, read };
}

function isStale(
  log: WebhookLog,
  window: Window,
  before: ReadPage | null,
  ask: PageAsk,
  read: ReadPage,
): boolean {
  if (before !== null && isSamePage(before.ids, read.ids)) return true;
  // The position of a page shorter than requested is unknown, unless it is the first or the last.
  const short = ask.page > 1 && read.rows > 0 && read.rows < ask.per_page;
  if (short && (ask.per_page > log.perPage() || mustGoOn(walked(window, 0, read.created, true)))) return true;
  const overlapping = firstOf(ask) < window.rows;
  const [first] = read.created;
  return !overlapping && first !== undefined && window.last_at !== null && first < window.last_at;
}

/**
 * If two pages share a row, another row with the same timestamp may have slipped between them. Reads pages that contain
 * the boundary.
 */
export async function bridge(
  log: WebhookLog,
  window: Window,
  before: ReadPage,
  after: ReadPage,
  signal: AbortSignal,
): Promise<ReadPage[]> {
  if (!repeats(before.ids, after.ids)) return [];
  const read: ReadPage[] = [];
  const ids = new Set([...before.ids, ...after.ids]);
  const wanted = before.ids.length + after.ids.length;
  for (const ask of bridges(window.rows, log.perPage()).slice(0, MOST_BRIDGES)) {
    const page = await log.read(filterOf(window), ask, signal);
    read.push(page);
    for (const id of page.ids) ids.add(id);
    if (ids.size >= wanted) break;
  }
  return read;
}

export function filterOf({ since, until }: Window): Filter {
  return {
    order: 'oldest_first',
    ...(since === null ? {} : { since_date: since }),
    ...(until === null ? {} : { until_date: until }),
  };
}
