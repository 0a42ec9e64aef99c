import {
  haveCommonRow,
  isRepeatedPage,
  MAX_BOUNDARY_PAGES,
  pagesAcrossBoundary,
} from '../shared/page-boundaries.ts';
import { type PageRequest, repeatedPageError } from '../shared/page-parts.ts';
import type { WebhookLog, WebhookLogFilter, WebhookPage } from './webhook-log.ts';
import {
  mustHaveMoreRows,
  nextWindowPage,
  rowsBeforePage,
  type WebhookWindow,
  webhookWindowAfterPage,
} from './webhook-window.ts';

/** Maximum number of times a page is read if it repeats another one. */
const MAX_READS = 5;

/** Learns the page size of a resumed window by reading its first page, which is known to be followed by others. */
export async function learnWindowPageSize(
  log: WebhookLog,
  window: WebhookWindow,
  signal: AbortSignal,
): Promise<void> {
  if (log.state.size.effective !== null || nextWindowPage(window, log.perPage()).page === 1) return;
  const { rows } = await log.read(
    webhookWindowFilter(window),
    { page: 1, per_page: log.state.size.asked },
    signal,
  );
  if (rows > 0 && rows < window.rows) log.learnPageSize(rows);
}

/**
 * Returns true if the service still returns longer pages than the given ones, which seemed to be the last. If it does
 * not, forgets the page size.
 */
export async function arePagesLonger(
  log: WebhookLog,
  pages: readonly WebhookPage[],
  signal: AbortSignal,
): Promise<boolean> {
  if (pages.every((page) => log.isCertainEnd(page))) return true;
  const longest = Math.max(...pages.map(({ rows }) => rows));
  const ask = { page: 1, per_page: log.perPage() };
  if (ask.per_page > longest && (await log.read({ order: 'newest_first' }, ask, signal)).rows > longest)
    return true;
  log.forgetPageSize();
  return false;
}

/**
 * Returns a page that was just read, or reads it again if it repeats the previous page or contains older rows. Both also
 * happen if the service reduces its page size, because page numbers then mean other rows.
 */
export async function rereadStalePage(
  log: WebhookLog,
  window: WebhookWindow,
  before: WebhookPage | null,
  asked: PageRequest,
  first: WebhookPage,
  signal: AbortSignal,
): Promise<{ ask: PageRequest; read: WebhookPage }> {
  let ask = asked;
  let read = first;
  for (let tries = 1; isStalePage(log, window, before, ask, read); tries++) {
    if (tries === MAX_READS) throw repeatedPageError('webhooks');
    if (read.rows < ask.per_page) {
      log.forgetPageSize();
      await learnWindowPageSize(log, window, signal);
      ask = nextWindowPage(window, log.perPage());
    }
    read = await log.read(webhookWindowFilter(window), ask, signal);
  }
  return { ask, read };
}

function isStalePage(
  log: WebhookLog,
  window: WebhookWindow,
  before: WebhookPage | null,
  ask: PageRequest,
  read: WebhookPage,
): boolean {
  if (before !== null && isRepeatedPage(before.ids, read.ids)) return true;
  // If a page is shorter than requested, its position is known only if it is the first or the last page.
  const short = ask.page > 1 && read.rows > 0 && read.rows < ask.per_page;
  if (
    short &&
    (ask.per_page > log.perPage() || mustHaveMoreRows(webhookWindowAfterPage(window, 0, read.created, true)))
  )
    return true;
  const overlapping = rowsBeforePage(ask) < window.rows;
  const [first] = read.created;
  return !overlapping && first !== undefined && window.last_at !== null && first < window.last_at;
}

/**
 * Reads pages across the boundary of two pages that share a row, because neither may contain another row with the same
 * timestamp.
 */
export async function readPageBoundary(
  log: WebhookLog,
  window: WebhookWindow,
  before: WebhookPage,
  after: WebhookPage,
  signal: AbortSignal,
): Promise<WebhookPage[]> {
  if (!haveCommonRow(before.ids, after.ids)) return [];
  const read: WebhookPage[] = [];
  const ids = new Set([...before.ids, ...after.ids]);
  const wanted = before.ids.length + after.ids.length;
  for (const ask of pagesAcrossBoundary(window.rows, log.perPage()).slice(0, MAX_BOUNDARY_PAGES)) {
    const page = await log.read(webhookWindowFilter(window), ask, signal);
    read.push(page);
    for (const id of page.ids) ids.add(id);
    if (ids.size >= wanted) break;
  }
  return read;
}

export function webhookWindowFilter({ since, until }: WebhookWindow): WebhookLogFilter {
  return {
    order: 'oldest_first',
    ...(since === null ? {} : { since_date: since }),
    ...(until === null ? {} : { until_date: until }),
  };
}
