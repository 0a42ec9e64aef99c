import {
  doPagesOverlap,
  isRepeatedPage,
  listPagesAcrossBoundary,
  MAX_PAGES_ACROSS_BOUNDARY,
} from '../shared/list-page-boundaries.ts';
import { type ListPageRequest, repeatedPageError } from '../shared/read-page-in-parts.ts';
import type { WebhookLog, WebhookLogFilter, WebhookPage } from './webhook-log.ts';
import {
  advanceWebhookWindow,
  countRowsBeforePage,
  getNextWebhookWindowPage,
  hasWebhookWindowUnreadRows,
  type WebhookWindow,
} from './webhook-window.ts';

/** Maximum number of reads of a page that repeats another page or contains older rows. */
const MAX_READS = 5;

/** A window whose pages are being read. */
export interface WebhookWindowReadContext {
  readonly log: WebhookLog;
  readonly window: WebhookWindow;
  readonly signal: AbortSignal;
}

/** Learns the page size for a resumed window from its first page, which has following pages. */
export async function learnWindowPageSize({ log, window, signal }: WebhookWindowReadContext): Promise<void> {
  const { effective, asked } = log.state.size;
  if (effective !== null || getNextWebhookWindowPage(window, log.perPage()).page === 1) return;
  const { rows } = await log.read(getWebhookWindowFilter(window), { page: 1, per_page: asked }, signal);
  if (rows > 0 && rows < window.rows) log.learnPageSize(rows);
}

/** Returns true if the service still returns pages longer than the given ones. Otherwise forgets the page size. */
export async function doesServiceReturnLongerPages(
  log: WebhookLog,
  pages: readonly WebhookPage[],
  signal: AbortSignal,
): Promise<boolean> {
  if (pages.every((page) => log.isCertainEnd(page))) return true;
  const longest = Math.max(...pages.map(({ rows }) => rows));
  const first = { page: 1, per_page: log.perPage() };
  if (first.per_page > longest && (await log.read({ order: 'newest_first' }, first, signal)).rows > longest)
    return true;
  log.forgetPageSize();
  return false;
}

/**
 * Returns a page that was just read, or reads it again if it repeats the previous page or contains older rows. Both can
 * happen if the service reduces its page size, because page numbers then refer to other rows.
 */
export async function rereadStaleWebhookPage(
  context: WebhookWindowReadContext,
  previous: WebhookPage | null,
  asked: ListPageRequest,
  answer: WebhookPage,
): Promise<{ request: ListPageRequest; read: WebhookPage }> {
  const { log, window, signal } = context;
  let request = asked;
  let read = answer;
  for (let reads = 1; isStalePage(context, previous, request, read); reads++) {
    if (reads === MAX_READS) throw repeatedPageError('webhooks');
    if (read.rows < request.per_page) {
      log.forgetPageSize();
      await learnWindowPageSize(context);
      request = getNextWebhookWindowPage(window, log.perPage());
    }
    read = await log.read(getWebhookWindowFilter(window), request, signal);
  }
  return { request, read };
}

function isStalePage(
  { log, window }: WebhookWindowReadContext,
  previous: WebhookPage | null,
  request: ListPageRequest,
  { ids, rows, created }: WebhookPage,
): boolean {
  if (previous !== null && isRepeatedPage(previous.ids, ids)) return true;
  // The position of a page that is shorter than requested is known only for the first or the last page.
  const isShort = request.page > 1 && rows > 0 && rows < request.per_page;
  const hasUnknownPosition =
    request.per_page > log.perPage() ||
    hasWebhookWindowUnreadRows(advanceWebhookWindow(window, 0, created, true));
  if (isShort && hasUnknownPosition) return true;
  const isOverlapping = countRowsBeforePage(request) < window.rows;
  const [first] = created;
  return !isOverlapping && first !== undefined && window.last_at !== null && first < window.last_at;
}

/** Reads across the boundary of two pages that share a row: both may lack another row with the same timestamp. */
export async function readAcrossPageBoundary(
  { log, window, signal }: WebhookWindowReadContext,
  before: WebhookPage,
  after: WebhookPage,
): Promise<WebhookPage[]> {
  if (!doPagesOverlap(before.ids, after.ids)) return [];
  const read: WebhookPage[] = [];
  const ids = new Set([...before.ids, ...after.ids]);
  const expected = before.ids.length + after.ids.length;
  for (const request of listPagesAcrossBoundary(window.rows, log.perPage()).slice(
    0,
    MAX_PAGES_ACROSS_BOUNDARY,
  )) {
    const page = await log.read(getWebhookWindowFilter(window), request, signal);
    read.push(page);
    for (const id of page.ids) ids.add(id);
    if (ids.size >= expected) break;
  }
  return read;
}

export function getWebhookWindowFilter({ since, until }: WebhookWindow): WebhookLogFilter {
  return {
    order: 'oldest_first',
    ...(since === null ? {} : { since_date: since }),
    ...(until === null ? {} : { until_date: until }),
  };
}
