import { storedWebhooks } from '../../store/webhooks/webhook-places.ts';
import { addDays, earliestLocalDay } from '../shared/days-in-any-zone.ts';
import { haveCommonRow, isRepeatedPage, pagesAcrossBoundary } from '../shared/page-boundaries.ts';
import { type PageRequest, repeatedPageError, toPoisonError } from '../shared/page-parts.ts';
import {
  GUARANTEED_PAGE_SIZE,
  NEWEST_WEBHOOKS,
  type WebhookLog,
  type WebhookPage,
  withoutPoisonRows,
} from './webhook-log.ts';
import { WEBHOOK_SETTLING_MS } from './webhook-store.ts';
import { createWebhookWindow, rowsBeforePage, type WebhookWindow } from './webhook-window.ts';
import {
  addWebhookWindow,
  deleteWebhookUnits,
  deleteWebhookWindow,
  saveWebhookWindow,
  webhookWindowKey,
} from './window-units.ts';

const NEWEST_FIRST = { order: 'newest_first' as const };
/** Maximum number of times a page is read if it repeats the previous one. */
const MAX_READS = 3;
/** Maximum number of pages to read in one pass. A longer gap is read as a window, which can be resumed. */
const MAX_PAGES_PER_PASS = 40;

/**
 * Reads the webhook log newest first, until it reaches rows that are stored. New rows push others down, so pages may
 * repeat rows but never skip any, and deleted old rows do not matter. A short log is therefore read completely in this
 * way on the first sync. A gap that is too long to be read this way becomes a window.
 */
export async function readNewestWebhooks(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const { context } = log;
  const { webhooks: learned } = context.tally.minimumInputs;
  const reach = context.full ? null : log.state.reach;
  const rest = reach === null ? createFirstWindow(log) : null;
  let newReach = 0;
  let arrived = 0;
  let before: WebhookPage | null = null;
  /** True if the previous page may have been the last because it was shorter than others. */
  let doubted = false;
  /** Creation time of the oldest row that is connected to the newest row without a gap, in UTC milliseconds. */
  let connectedUntil: number | undefined;
  let whole = true;
  /**
   * Ids of the rows stored by this read. If a later page repeats one of them, that does not prove that older rows are
   * stored.
   */
  const addedIds = new Set<number>();
  let next = requestPage(log, { page: 1, per_page: log.state.size.asked }, null, signal);
  for (let page = 1; ; page++) {
    const { ask } = next;
    const came: WebhookPage = await next.reading;
    // Windows handle poison rows. If the first sync of a log meets one, a window reads the rest of the log.
    const handsOver = rest !== null && came.pieces.poisonRows.length > 0;
    const read: WebhookPage = handsOver ? withoutPoisonRows(came) : came;
    if (before === null) forgetChangedSize(log, read);
    else if (read.rows > 0 && !doubted) log.learnPageSize(before.rows);
    const bridged = before === null ? [] : await readBoundary(log, before, read, rowsBeforePage(ask), signal);
    before = read;

    const { created } = read;
    log.newestDensity ??= rowDensity(created);
    if (page === 1) newReach = Math.min(created[0] ?? 0, log.serviceNow() - WEBHOOK_SETTLING_MS);
    whole &&= read.pieces.poisonRows.length === 0;
    const oldest = created.at(-1);
    const met = reach !== null && reachesStoredRows(log, read, reach, addedIds);
    const last = log.isLast(read.rows) === true;
    // Pages may have become shorter, in which case this page does not follow the previous one.
    const unsure = last && !met && page > 1 && !log.isCertainEnd(read);
    const doubt: boolean = unsure && rest !== null && !doubted;
    const short = (unsure && !doubt) || (doubted && read.rows > 0);
    if (short) log.forgetPageSize();
    const ended = !handsOver && (met || (last && !unsure && !short));
    const gap =
      short ||
      handsOver ||
      (!ended && !doubt && oldest !== undefined && isGapLarge(context, page, created, reach));
    if (!doubt && !short && !handsOver && oldest !== undefined) connectedUntil = oldest;
    const meeting = whole ? (connectedUntil ?? null) : null;
    // Prefetch the next page while this page is being stored.
    if (!ended && !gap)
      next = requestPage(log, { page: page + 1, per_page: nextPageSize(log, read) }, read, signal);
    const stored = log.store(read, NEWEST_WEBHOOKS, () => {
      for (const each of bridged) log.store(each, NEWEST_WEBHOOKS);
      if (rest !== null && page === 1) {
        deleteWebhookUnits(log);
        log.save({ since: gap ? context.since : null, windows: log.state.windows + 1 });
      }
      // On the first sync, a window reads the rest of the log if this loop ends early.
      if (rest !== null && !ended) saveWebhookWindow(log, { ...rest, meets: meeting });
      else if (rest !== null) deleteWebhookWindow(log, rest);
      else if (gap) addWebhookWindow(log, { since: earliestLocalDay(reach as number), meets: meeting });
      // The window or the next sync requests poison rows again.
      const reached = ended ? whole : gap || rest !== null;
      const read_to = ended && newReach > 0 ? { read_to: newReach } : {};
      log.save(reached && newReach > 0 ? { reach: newReach } : read_to, reached ? {} : { complete: false });
    });
    arrived += stored.inserted;
    learned.rowsPerPage = log.perPage();
    learned.arrived = gap || reach === null ? (learned.arrived ?? 0) + read.rows : arrived;
    context.job.progress('webhooks', {
      done: log.seen,
      ...(page > 1 && oldest !== undefined && { current: new Date(oldest).toISOString().slice(0, 10) }),
    });
    context.emit('webhooks');
    if (ended || gap) return;
    doubted = doubt;
  }
}

/** Returns the window for the first sync of a log. It starts at the beginning of the log or at the requested day. */
function createFirstWindow(log: WebhookLog): WebhookWindow {
  return createWebhookWindow(
    webhookWindowKey(log.state.windows + 1),
    firstDay(log.context.since),
    null,
    null,
  );
}

/**
 * Returns true if the stored rows are so many pages away that a window should read the gap, because a window can be
 * resumed.
 */
function isGapLarge(
  { since }: WebhookLog['context'],
  page: number,
  created: readonly number[],
  reach: number | null,
): boolean {
  if (reach !== null) return pagesLeft(created, reach) > MAX_PAGES_PER_PASS;
  return since !== null || page >= MAX_PAGES_PER_PASS;
}

function requestPage(log: WebhookLog, ask: PageRequest, before: WebhookPage | null, signal: AbortSignal) {
  const reading = readNewPage(log, ask, before, signal);
  // A prefetched page may fail while the previous page is being stored; the error surfaces when the page is awaited.
  reading.catch(() => {});
  return { ask, reading };
}

/** Reads a page of the newest webhooks. Reads it again if it repeats the previous page. */
async function readNewPage(
  log: WebhookLog,
  ask: PageRequest,
  before: WebhookPage | null,
  signal: AbortSignal,
): Promise<WebhookPage> {
  for (let tries = 1; ; tries++) {
    const read = await readWithSafeSize(log, ask, signal);
    if (before === null || !isRepeatedPage(before.ids, read.ids)) return read;
    if (tries === MAX_READS) throw repeatedPageError('webhooks');
  }
}

/**
 * Reads a page. If the service fails on the first page of an untested size, reads it again in a size that the service is
 * known to support.
 */
async function readWithSafeSize(
  log: WebhookLog,
  ask: PageRequest,
  signal: AbortSignal,
): Promise<WebhookPage> {
  try {
    return await log.read(NEWEST_FIRST, ask, signal);
  } catch (error) {
    const { effective } = log.state.size;
    if (ask.page > 1 || ask.per_page <= (effective ?? GUARANTEED_PAGE_SIZE) || toPoisonError(error) === null)
      throw error;
    if (effective === null) log.state.size = { asked: GUARANTEED_PAGE_SIZE, effective: GUARANTEED_PAGE_SIZE };
    return await log.read(NEWEST_FIRST, { page: 1, per_page: effective ?? GUARANTEED_PAGE_SIZE }, signal);
  }
}

/** Returns the size of the next page: the known page size, or the number of rows on the previous page. */
function nextPageSize({ state: { size } }: WebhookLog, before: WebhookPage): number {
  return size.effective ?? Math.max(1, before.rows);
}

/**
 * Reads a page across the boundary of two pages that share a row. Either new rows have arrived, or rows with the same
 * timestamp have changed their order and neither page contains one of them.
 */
async function readBoundary(
  log: WebhookLog,
  before: WebhookPage,
  after: WebhookPage,
  index: number,
  signal: AbortSignal,
): Promise<WebhookPage[]> {
  const [ask] = haveCommonRow(before.ids, after.ids) ? pagesAcrossBoundary(index, log.perPage()) : [];
  return ask === undefined ? [] : [await log.read(NEWEST_FIRST, ask, signal)];
}

/** Returns the day before the requested one, because the time zone of the service's days is unknown. */
function firstDay(since: string | null): string | null {
  return since === null ? null : addDays(since, -1);
}

/**
 * Returns true if a page contains a row that was stored before this read, up to which all rows are stored. Adds the
 * page's new rows to `addedIds`.
 */
function reachesStoredRows(
  log: WebhookLog,
  read: WebhookPage,
  reach: number,
  addedIds: Set<number>,
): boolean {
  const settled = read.datedRows.filter(({ created_at }) => created_at <= reach).map(({ id }) => id);
  const held = storedWebhooks(log.context.site.cache, settled);
  for (const id of settled) if (!held.has(id)) addedIds.add(id);
  return settled.some((id) => !addedIds.has(id));
}

/** Estimates the number of pages between a page and `reach` (UTC milliseconds), assuming the row density of that page. */
function pagesLeft(created: readonly number[], reach: number): number {
  const newest = created[0];
  const oldest = created.at(-1);
  if (newest === undefined || oldest === undefined || newest === oldest) return 1;
  return (oldest - reach) / (newest - oldest);
}

/** Returns rows per millisecond, or null if all rows have the same timestamp. */
function rowDensity(created: readonly number[]): number | null {
  const [newest, oldest] = [created[0], created.at(-1)];
  if (newest === undefined || oldest === undefined || newest <= oldest) return null;
  return created.length / (newest - oldest);
}

/**
 * Forgets the page size if the first page has another length. Otherwise a service that has reduced its page size would
 * seem to have no further pages, and a larger size would not be used.
 */
function forgetChangedSize(log: WebhookLog, { rows }: WebhookPage): void {
  const { effective } = log.state.size;
  if (effective !== null && rows !== effective) log.forgetPageSize();
}
