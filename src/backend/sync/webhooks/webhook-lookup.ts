import type { ReadableDb } from '../../store/sqlite/connection.ts';
import {
  countWebhooksAfter,
  listWebhookLogPositions,
  type WebhookLogPosition,
} from '../../store/webhooks/webhook-lookups.ts';
import { getLatestLocalDay, isDayOverInAllTimeZones } from '../shared/days-in-all-time-zones.ts';
import type { ListPageRequest } from '../shared/read-page-in-parts.ts';
import type { WebhookLog } from './webhook-log.ts';
import { countRowsBeforePage } from './webhook-window.ts';

/** Page sizes for lookups. The smallest size that fits all requested rows is used. */
const PAGE_SIZES = [25, 50, 100];
/** Maximum number of pages read per sync to find one webhook. Chosen by judgment. */
const MAX_PAGES_PER_WEBHOOK = 6;
/** Number of newer rows above which a lookup uses a shorter list, because distant pages cost the service more. */
const MAX_LIST_DEPTH = 10_000;
const DAY_MS = 86_400_000;

export interface WebhookLookupResult {
  /** Ids that were found and read again. */
  seen: Set<number>;
  /** Ids that are no longer in the log: the page where they belong does not contain them. */
  missing: Set<number>;
  /** Ids of webhooks older than the log's oldest row. The service deletes old rows after some time. */
  older: Set<number>;
  /** Ids that were not found within the page limit. */
  notFound: Set<number>;
  /** Creation time of the log's oldest row in UTC milliseconds. Null if the lookup did not need it. */
  logStart: number | null;
}

type PageVerdict = 'missing' | 'older' | 'hidden' | 'search on' | 'search before' | 'search after';

/**
 * Reads specific webhooks again, newest first. The interface has no request for a single webhook, so this reads the
 * page that should contain it. `shouldContinue` is called after each page with the requested ids found on the page.
 */
export function lookUpWebhooks(
  log: WebhookLog,
  ids: readonly number[],
  signal: AbortSignal,
  shouldContinue: (seen: readonly number[]) => boolean = () => true,
): Promise<WebhookLookupResult> {
  const targets = listWebhookLogPositions(log.context.site.cache, ids);
  return new WebhookLookup(log, targets, signal, shouldContinue).run();
}

interface TargetSearch {
  readonly target: WebhookLogPosition;
  readonly list: WebhookList;
  verdict: PageVerdict;
  /** Zero-based index from which the list has no rows. */
  emptyFrom: number;
}

class WebhookLookup {
  readonly #log: WebhookLog;
  readonly #signal: AbortSignal;
  readonly #shouldContinue: (seen: readonly number[]) => boolean;
  readonly #cache: ReadableDb;
  /** Requested webhooks that are not found yet, newest first. */
  readonly #left: Map<number, WebhookLogPosition>;
  /** Correction of the estimated row index, by the list's last day: how many rows further down webhooks were found. */
  readonly #offsets = new Map<string | null, number>();
  readonly #result: WebhookLookupResult = {
    seen: new Set(),
    missing: new Set(),
    older: new Set(),
    notFound: new Set(),
    logStart: null,
  };

  constructor(
    log: WebhookLog,
    targets: readonly WebhookLogPosition[],
    signal: AbortSignal,
    shouldContinue: (seen: readonly number[]) => boolean,
  ) {
    this.#log = log;
    this.#signal = signal;
    this.#shouldContinue = shouldContinue;
    this.#cache = log.context.site.cache;
    this.#left = new Map(targets.map((target) => [target.id, target]));
  }

  async run(): Promise<WebhookLookupResult> {
    let list: WebhookList | null = null;
    for (const target of [...this.#left.values()]) {
      if (!this.#left.has(target.id)) continue;
      if (this.#isBeforeLogStart(target)) {
        this.#left.delete(target.id);
        this.#result.older.add(target.id);
        continue;
      }
      // Neighbors are looked up in the same list, so that they share pages.
      if (list === null || countWebhooksAfter(this.#cache, target, list.end) > MAX_LIST_DEPTH)
        list = findListFor(this.#log, target);
      if (!(await this.#find(target, list))) break;
    }
    return this.#result;
  }

  /** Searches for a webhook and records the result. Returns false if the caller requires no further pages. */
  async #find(target: WebhookLogPosition, list: WebhookList): Promise<boolean> {
    const search: TargetSearch = { target, list, verdict: 'search on', emptyFrom: Infinity };
    for (let pages = 0; pages < MAX_PAGES_PER_WEBHOOK; pages++) {
      if (!search.verdict.startsWith('search') || !this.#left.has(target.id)) break;
      if (!(await this.#readNextPage(search))) return false;
    }
    const { verdict } = search;
    if (this.#left.delete(target.id)) {
      this.#result[verdict === 'missing' || verdict === 'older' ? verdict : 'notFound'].add(target.id);
    }
    return true;
  }

  async #readNextPage(search: TargetSearch): Promise<boolean> {
    const { until } = search.list;
    const request = this.#nextPage(search);
    const first = countRowsBeforePage(request);
    const filter = { order: 'newest_first' as const, ...(until === null ? {} : { until_date: until }) };
    const read = await this.#log.read(filter, request, this.#signal);
    const { ids } = this.#log.store(read, until === null ? 'the log' : `the log until ${until}`);
    const found = ids.filter((id) => this.#left.delete(id));
    for (const id of found) this.#result.seen.add(id);
    if (found.length > 0 && !this.#shouldContinue(found)) return false;
    if (read.rows === 0) search.emptyFrom = Math.min(search.emptyFrom, first);
    if (read.rows < request.per_page && (await this.#isDeletedFromLog(search.target))) {
      search.verdict = 'older';
      return true;
    }
    const rows = listWebhookLogPositions(this.#cache, ids);
    const offset = this.#measureOffset(rows, first, search);
    if (offset !== null) this.#offsets.set(until, offset);
    search.verdict = judgePage(search.target, rows, request.page, first + read.rows >= search.emptyFrom);
    // The webhook itself may be the poison row.
    if (read.parts.poisonRows.length > 0 && !search.verdict.startsWith('search')) search.verdict = 'hidden';
    return true;
  }

  /** Returns the page that should contain the webhook, shifted by one page if the previous verdict requires it. */
  #nextPage({ target, list, verdict, emptyFrom }: TargetSearch): ListPageRequest {
    const estimated = countWebhooksAfter(this.#cache, target, list.end);
    const offset = this.#offsets.get(list.until) ?? 0;
    const per_page = this.#choosePageSize(list, estimated, offset);
    const shift = verdict === 'search before' ? -per_page : verdict === 'search after' ? per_page : 0;
    const index = Math.min(Math.max(0, estimated + offset + shift), emptyFrom - 1);
    return { page: Math.floor(index / per_page) + 1, per_page };
  }

  /** Returns the smallest page size that fits all remaining webhooks on one page, or the largest size if none does. */
  #choosePageSize({ end }: WebhookList, estimated: number, offset: number): number {
    const full = this.#log.perPage();
    const oldest = [...this.#left.values()].at(-1);
    const distance = oldest === undefined ? 0 : countWebhooksAfter(this.#cache, oldest, end) - estimated;
    const index = Math.max(0, estimated + offset);
    const fits = (size: number) => Math.floor(index / size) === Math.floor((index + distance) / size);
    return PAGE_SIZES.find((size) => size < full && fits(size)) ?? full;
  }

  /** Returns true if a missing webhook is older than the log's oldest row. Requests the oldest row at most once. */
  async #isDeletedFromLog(target: WebhookLogPosition): Promise<boolean> {
    if (!this.#left.has(target.id)) return false;
    this.#result.logStart ??= await readOldestRowTime(this.#log, this.#signal);
    return this.#isBeforeLogStart(target);
  }

  #isBeforeLogStart({ created_at }: WebhookLogPosition): boolean {
    const { logStart } = this.#result;
    return logStart !== null && created_at < logStart;
  }

  /** Returns the actual minus the estimated index of the row closest in time to the target, or null without rows. */
  #measureOffset(rows: readonly WebhookLogPosition[], first: number, search: TargetSearch): number | null {
    const distance = ({ created_at }: WebhookLogPosition) => Math.abs(created_at - search.target.created_at);
    const shortest = Math.min(...rows.map(distance));
    const index = rows.findLastIndex((row) => distance(row) === shortest);
    const nearest = rows[index];
    return nearest === undefined
      ? null
      : first + index - countWebhooksAfter(this.#cache, nearest, search.list.end);
  }
}

/** Returns the creation time of the log's oldest row in UTC milliseconds, or null if the log is empty. */
async function readOldestRowTime(log: WebhookLog, signal: AbortSignal): Promise<number | null> {
  const read = await log.read(
    { order: 'oldest_first' },
    { page: 1, per_page: PAGE_SIZES[0] as number },
    signal,
  );
  log.store(read, 'the log');
  return read.created[0] ?? null;
}

/** Decides where to search next, or that the webhook is missing. Rows with the same timestamp may change their order. */
function judgePage(
  { created_at }: WebhookLogPosition,
  rows: readonly WebhookLogPosition[],
  page: number,
  endsList: boolean,
): PageVerdict {
  const newest = rows[0];
  const oldest = rows.at(-1);
  if (newest === undefined || oldest === undefined) return page === 1 ? 'older' : 'search on';
  if (newest.created_at < created_at) return page === 1 ? 'missing' : 'search on';
  if (oldest.created_at > created_at) return endsList ? 'older' : 'search on';
  if (oldest.created_at === created_at && !endsList) return 'search after';
  if (newest.created_at === created_at && page > 1) return 'search before';
  return 'missing';
}

/** The webhook log up to a given day, newest first. */
interface WebhookList {
  /** Last day of the list. Null means that it has no end date. */
  until: string | null;
  /** Estimated end of that day in UTC milliseconds. The rows read correct the guess of the service's time zone. */
  end: number;
}

/** Returns a short list that contains the webhook in any time zone, or the full log if its day is not over yet. */
function findListFor(log: WebhookLog, { created_at, created_at_text }: WebhookLogPosition): WebhookList {
  const until = getLatestLocalDay(created_at);
  if (!isDayOverInAllTimeZones(until, log.serviceNow())) return { until: null, end: Number.MAX_SAFE_INTEGER };
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})$/.exec(created_at_text ?? '') ?? [];
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return { until, end: Date.parse(`${until}T00:00:00Z`) + DAY_MS - offset * 60_000 };
}
