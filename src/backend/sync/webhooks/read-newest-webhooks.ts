import { filterStoredWebhooks } from '../../store/webhooks/webhook-lookups.ts';
import { addDays, getEarliestLocalDay } from '../shared/days-in-all-time-zones.ts';
import { doPagesOverlap, isRepeatedPage, listPagesAcrossBoundary } from '../shared/list-page-boundaries.ts';
import { type ListPageRequest, repeatedPageError, toPoisonRowError } from '../shared/read-page-in-parts.ts';
import { WEBHOOK_SETTLING_MS } from './store-webhook-page.ts';
import {
  GUARANTEED_PAGE_SIZE,
  NEWEST_WEBHOOKS_LOCATION,
  omitPoisonRows,
  type WebhookLog,
  type WebhookPage,
} from './webhook-log.ts';
import { countRowsBeforePage, createWebhookWindow, type WebhookWindow } from './webhook-window.ts';
import {
  addWebhookWindow,
  deleteWebhookSyncUnits,
  deleteWebhookWindow,
  getWebhookWindowKey,
  saveWebhookWindow,
} from './webhook-window-units.ts';

const NEWEST_FIRST = { order: 'newest_first' as const };
/** Maximum number of reads of a page that repeats the previous page. */
const MAX_READS = 3;
/** Maximum number of pages to read in one pass. A longer gap is read as a window, because a window can be resumed. */
const MAX_PAGES_PER_PASS = 40;

/**
 * Reads the webhook log newest first until it reaches stored rows. New rows shift the pages, so pages may repeat rows
 * but never skip any. A gap that is too long for one pass becomes a window.
 */
export function readNewestWebhooks(log: WebhookLog, signal: AbortSignal): Promise<void> {
  return new NewestWebhooksReader(log, signal).run();
}

/**
 * Relation of a page to the rest of the log. `end`: reaches stored rows or the end of the log. `verify-end`: seems to
 * be the last page. `disconnected`: does not follow the previous page or has poison rows. `gap`: too many pages are
 * left. A window continues after `disconnected` and `gap`.
 */
type PagePosition = 'end' | 'verify-end' | 'disconnected' | 'gap' | 'continue';

class NewestWebhooksReader {
  readonly #log: WebhookLog;
  readonly #signal: AbortSignal;
  /** Instant back to which this read goes, in UTC milliseconds. Null means the complete log. */
  readonly #reach: number | null;
  /** Window for the rest of the log if the log is too long for this reader. Null unless the complete log is read. */
  readonly #restWindow: WebhookWindow | null;
  #previous: WebhookPage | null = null;
  #position: PagePosition = 'continue';
  /** Creation time (UTC milliseconds) of the oldest row with no gap between it and the newest row. */
  #connectedUntil: number | null = null;
  #hasPoisonRows = false;
  /** Ids of the rows that this read has stored. Finding one of them again does not prove that older rows are stored. */
  readonly #addedIds = new Set<number>();
  #newReach = 0;
  #arrived = 0;

  constructor(log: WebhookLog, signal: AbortSignal) {
    const { full, since } = log.context;
    this.#log = log;
    this.#signal = signal;
    this.#reach = full ? null : log.state.reach;
    // The window starts a day early, because the time zone of the service's days is unknown.
    const firstDay = since === null ? null : addDays(since, -1);
    const key = getWebhookWindowKey(log.state.windows + 1);
    this.#restWindow = this.#reach === null ? createWebhookWindow(key, firstDay, null, null) : null;
  }

  async run(): Promise<void> {
    const log = this.#log;
    let next = this.#requestPage({ page: 1, per_page: log.state.size.asked });
    for (let page = 1; ; page++) {
      const { request } = next;
      const answer = await next.pagePromise;
      // Windows handle poison rows. If a site's first sync encounters a poison row, a window reads the rest of the log.
      const needsWindow = this.#restWindow !== null && answer.parts.poisonRows.length > 0;
      const read = needsWindow ? omitPoisonRows(answer) : answer;
      const boundaryPages = await this.#connectToPrevious(read, request);
      this.#previous = read;
      log.newestDensity ??= computeRowDensity(read.created);
      if (page === 1) {
        this.#newReach = Math.min(read.created[0] ?? 0, log.serviceNow() - WEBHOOK_SETTLING_MS);
      }
      this.#hasPoisonRows ||= read.parts.poisonRows.length > 0;
      this.#position = this.#locate(read, page, needsWindow);
      const isFinal = this.#position !== 'continue' && this.#position !== 'verify-end';
      // Prefetches the next page while this page is being stored.
      if (!isFinal) next = this.#requestPage({ page: page + 1, per_page: this.#nextPageSize(read) });
      this.#store(read, boundaryPages, page);
      if (isFinal) return;
    }
  }

  /** Learns the page size from two consecutive pages. If the pages share a row, reads a page across their boundary. */
  async #connectToPrevious(read: WebhookPage, request: ListPageRequest): Promise<WebhookPage[]> {
    const log = this.#log;
    const previous = this.#previous;
    if (previous === null) {
      forgetChangedSize(log, read);
      return [];
    }
    if (read.rows > 0 && this.#position !== 'verify-end') log.learnPageSize(previous.rows);
    // A shared row means that new rows have arrived, or that rows with the same timestamp have changed their order and
    // one of them is missing from both pages.
    if (!doPagesOverlap(previous.ids, read.ids)) return [];
    const [boundary] = listPagesAcrossBoundary(countRowsBeforePage(request), log.perPage());
    return boundary === undefined ? [] : [await log.read(NEWEST_FIRST, boundary, this.#signal)];
  }

  #locate(read: WebhookPage, page: number, needsWindow: boolean): PagePosition {
    const log = this.#log;
    const reachesStored = this.#reachesStoredRows(read);
    const isLast = log.isLast(read.rows) === true;
    const wasVerifying = this.#position === 'verify-end';
    // The service may have reduced its page size, in which case this page does not follow the previous one.
    const isUncertain = isLast && !reachesStored && page > 1 && !log.isCertainEnd(read);
    const mustVerify = isUncertain && this.#restWindow !== null && !wasVerifying;
    const haveShrunk = (isUncertain && !mustVerify) || (wasVerifying && read.rows > 0);
    if (haveShrunk) log.forgetPageSize();
    if (haveShrunk || needsWindow) return 'disconnected';
    if (mustVerify) return 'verify-end';
    this.#connectedUntil = read.created.at(-1) ?? this.#connectedUntil;
    if (reachesStored || isLast) return 'end';
    return this.#isGapLarge(page, read.created) ? 'gap' : 'continue';
  }

  #store(read: WebhookPage, boundaryPages: readonly WebhookPage[], page: number): void {
    const log = this.#log;
    const { context } = log;
    const { webhooks: minimum } = context.tally.minimumInputs;
    const isGap = this.#position === 'gap' || this.#position === 'disconnected';
    const stored = log.store(read, NEWEST_WEBHOOKS_LOCATION, () => {
      for (const each of boundaryPages) log.store(each, NEWEST_WEBHOOKS_LOCATION);
      if (this.#restWindow !== null && page === 1) {
        deleteWebhookSyncUnits(log);
        log.save({ since: isGap ? context.since : null, windows: log.state.windows + 1 });
      }
      this.#saveRest(isGap);
      this.#saveReach(isGap);
    });
    this.#arrived += stored.inserted;
    minimum.rowsPerPage = log.perPage();
    minimum.arrived = isGap || this.#reach === null ? (minimum.arrived ?? 0) + read.rows : this.#arrived;
    const oldest = read.created.at(-1);
    context.job.progress('webhooks', {
      done: log.rowsRead,
      ...(page > 1 && oldest !== undefined && { current: new Date(oldest).toISOString().slice(0, 10) }),
    });
    context.emit('webhooks');
  }

  /** Saves the window for the rest of the log, or for the gap to the stored rows, if this reader ends early. */
  #saveRest(isGap: boolean): void {
    const log = this.#log;
    const meets = this.#hasPoisonRows ? null : this.#connectedUntil;
    if (this.#restWindow !== null) {
      if (this.#position === 'end') deleteWebhookWindow(log, this.#restWindow);
      else saveWebhookWindow(log, { ...this.#restWindow, meets });
    } else if (isGap) {
      addWebhookWindow(log, { since: getEarliestLocalDay(this.#reach as number), until: null, meets });
    }
  }

  /** Saves the instant up to which the log has been read. Poison rows are requested again later. */
  #saveReach(isGap: boolean): void {
    const isEnd = this.#position === 'end';
    const isReached = isEnd ? !this.#hasPoisonRows : isGap || this.#restWindow !== null;
    const newReach = this.#newReach;
    const part = isReached ? {} : { complete: false };
    if (newReach <= 0 || !(isReached || isEnd)) this.#log.save({}, part);
    else this.#log.save(isReached ? { reach: newReach } : { read_to: newReach }, part);
  }

  #requestPage(request: ListPageRequest) {
    const pagePromise = this.#readPage(request, this.#previous);
    // A prefetched page may fail while the previous page is being stored; the error surfaces when the page is awaited.
    pagePromise.catch(() => {});
    return { request, pagePromise };
  }

  /** Reads a page. Reads the page again if it repeats the previous page. */
  async #readPage(request: ListPageRequest, previous: WebhookPage | null): Promise<WebhookPage> {
    for (let reads = 1; ; reads++) {
      const read = await this.#readWithSafeSize(request);
      if (previous === null || !isRepeatedPage(previous.ids, read.ids)) return read;
      if (reads === MAX_READS) throw repeatedPageError('webhooks');
    }
  }

  /** Reads a page. If the service fails on the first page of an untested size, requests a known size instead. */
  async #readWithSafeSize(request: ListPageRequest): Promise<WebhookPage> {
    const log = this.#log;
    try {
      return await log.read(NEWEST_FIRST, request, this.#signal);
    } catch (error) {
      const { effective } = log.state.size;
      const safeSize = effective ?? GUARANTEED_PAGE_SIZE;
      if (request.page > 1 || request.per_page <= safeSize || toPoisonRowError(error) === null) throw error;
      if (effective === null) log.state.size = { asked: safeSize, effective: safeSize };
      return await log.read(NEWEST_FIRST, { page: 1, per_page: safeSize }, this.#signal);
    }
  }

  /** Returns the size of the next page: the known page size, or the number of rows on the previous page. */
  #nextPageSize(previous: WebhookPage): number {
    return this.#log.state.size.effective ?? Math.max(1, previous.rows);
  }

  /** Returns true if a page contains a row that was stored before this read. All older rows are then stored. */
  #reachesStoredRows(read: WebhookPage): boolean {
    const reach = this.#reach;
    if (reach === null) return false;
    const settled = read.datedRows.filter(({ created_at }) => created_at <= reach).map(({ id }) => id);
    const stored = filterStoredWebhooks(this.#log.context.site.cache, settled);
    for (const id of settled) if (!stored.has(id)) this.#addedIds.add(id);
    return settled.some((id) => !this.#addedIds.has(id));
  }

  /** Returns true if the rest of the log is long enough to be read as a window, which can be resumed. */
  #isGapLarge(page: number, created: readonly number[]): boolean {
    if (created.length === 0) return false;
    if (this.#reach !== null) return estimatePagesLeft(created, this.#reach) > MAX_PAGES_PER_PASS;
    return this.#log.context.since !== null || page >= MAX_PAGES_PER_PASS;
  }
}

/** Estimates the number of pages from a page back to `reach` (UTC milliseconds), from the page's row density. */
function estimatePagesLeft(created: readonly number[], reach: number): number {
  const [newest, oldest] = [created[0], created.at(-1)];
  if (newest === undefined || oldest === undefined || newest === oldest) return 1;
  return (oldest - reach) / (newest - oldest);
}

/** Returns the number of rows per millisecond, or null if all rows have the same timestamp. */
function computeRowDensity(created: readonly number[]): number | null {
  const [newest, oldest] = [created[0], created.at(-1)];
  if (newest === undefined || oldest === undefined || newest <= oldest) return null;
  return created.length / (newest - oldest);
}

/** Forgets the page size if the first page has a different length. Otherwise, shorter pages would seem to be last. */
function forgetChangedSize(log: WebhookLog, { rows }: WebhookPage): void {
  const { effective } = log.state.size;
  if (effective !== null && rows !== effective) log.forgetPageSize();
}
