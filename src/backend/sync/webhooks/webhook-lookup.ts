import { countNewer, type WebhookPlace, webhookPlaces } from '../../store/webhooks/webhook-places.ts';
import { isDayOverInAllZones, latestLocalDay } from '../shared/days-in-any-zone.ts';
import type { WebhookLog } from './webhook-log.ts';

/** Page sizes to choose from. The smallest one that contains all requested rows is used. */
const PAGE_SIZES = [25, 50, 100];
/** Maximum number of pages read to find one webhook. The next sync tries again. */
const MAX_PAGES_PER_WEBHOOK = 6;
/**
 * Maximum depth of a row in a list, in rows. If a row is deeper, a list that ends closer to it is used, because distant
 * pages cost the service more.
 */
const MAX_LIST_DEPTH = 10_000;
const DAY_MS = 86_400_000;

/** Result of looking up webhooks in the log. */
export interface WebhookLookupResult {
  /** Ids that were found and read again. */
  seen: Set<number>;
  /** Ids no longer in the log: the page where they belong does not contain them. */
  gone: Set<number>;
  /** Ids of webhooks older than the log's oldest row. The service deletes old rows after some time. */
  older: Set<number>;
  /** Ids that were not found within the page limit. */
  notFound: Set<number>;
  /** Creation time of the log's oldest row in UTC milliseconds. Null if it was not needed. */
  logStart: number | null;
}

type PageVerdict = 'gone' | 'older' | 'hidden' | 'search on' | 'search before' | 'search after';

/**
 * Reads specific webhooks again, newest first. The interface has no request for a single webhook, so this reads the page
 * of the unfiltered log that contains it. The page number is estimated from the number of newer stored rows and corrected
 * after each page. Neighbors share a page. `shouldContinue` is called after each page with the requested ids found on it.
 */
export async function lookUpWebhooks(
  log: WebhookLog,
  ids: readonly number[],
  signal: AbortSignal,
  shouldContinue: (seen: readonly number[]) => boolean = () => true,
): Promise<WebhookLookupResult> {
  const { cache } = log.context.site;
  const found: WebhookLookupResult = {
    seen: new Set(),
    gone: new Set(),
    older: new Set(),
    notFound: new Set(),
    logStart: null,
  };
  const left = new Map(webhookPlaces(cache, ids).map((place) => [place.id, place]));
  /** Number of rows by which webhooks are further down than estimated, per last day of a list. */
  const offsets = new Map<string | null, number>();

  let list: WebhookList | null = null;
  for (const target of [...left.values()]) {
    if (!left.has(target.id)) continue;
    if (isBeforeLogStart(found, target)) {
      left.delete(target.id);
      found.older.add(target.id);
      continue;
    }
    // Neighbors are looked up in the same list, so that they share pages.
    if (list === null || countNewer(cache, target, list.end) > MAX_LIST_DEPTH)
      list = findListFor(log, target);
    const { until, end } = list;
    const filter = { order: 'newest_first' as const, ...(until === null ? {} : { until_date: until }) };
    let verdict: PageVerdict = 'search on';
    let emptyFrom = Number.POSITIVE_INFINITY;
    for (
      let look = 0;
      look < MAX_PAGES_PER_WEBHOOK && verdict.startsWith('search') && left.has(target.id);
      look++
    ) {
      const reckoned = countNewer(cache, target, end);
      const perPage = choosePageSize(log, [...left.values()], end, reckoned, offsets.get(until) ?? 0);
      const nudge = verdict === 'search before' ? -perPage : verdict === 'search after' ? perPage : 0;
      const index = Math.min(Math.max(0, reckoned + (offsets.get(until) ?? 0) + nudge), emptyFrom - 1);
      const page = Math.floor(index / perPage) + 1;
      const first = (page - 1) * perPage;
      const read = await log.read(filter, { page, per_page: perPage }, signal);
      const { ids: there } = log.store(read, until === null ? 'the log' : `the log until ${until}`);
      const here = there.filter((id) => left.delete(id));
      for (const id of here) found.seen.add(id);
      if (here.length > 0 && !shouldContinue(here)) return found;
      if (read.rows === 0) emptyFrom = Math.min(emptyFrom, first);
      if (read.rows < perPage && left.has(target.id)) {
        // The webhook may have been deleted. The log's oldest row shows this for all older webhooks with a single
        // request.
        found.logStart ??= await readOldestRowTime(log, signal);
        if (isBeforeLogStart(found, target)) {
          verdict = 'older';
          break;
        }
      }
      const rows = webhookPlaces(cache, there);
      const off = measureOffset(log, rows, first, target, end);
      if (off !== null) offsets.set(until, off);
      verdict = judgePage(target, rows, page, first + read.rows >= emptyFrom);
      // The webhook itself may be the poison row.
      if (read.pieces.poisonRows.length > 0 && !verdict.startsWith('search')) verdict = 'hidden';
    }
    if (!left.delete(target.id)) continue;
    found[verdict === 'gone' || verdict === 'older' ? verdict : 'notFound'].add(target.id);
  }
  return found;
}

const isBeforeLogStart = ({ logStart }: WebhookLookupResult, { created_at }: WebhookPlace) =>
  logStart !== null && created_at < logStart;

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

/**
 * Decides from a page without the requested webhook where to search next, or that the webhook is gone. Rows with the same
 * timestamp may change their order between requests, so the neighboring page is searched as well.
 */
function judgePage(
  { created_at }: WebhookPlace,
  rows: readonly WebhookPlace[],
  page: number,
  endsList: boolean,
): PageVerdict {
  const newest = rows[0];
  const oldest = rows.at(-1);
  if (newest === undefined || oldest === undefined) return page === 1 ? 'older' : 'search on';
  if (newest.created_at < created_at) return page === 1 ? 'gone' : 'search on';
  if (oldest.created_at > created_at) return endsList ? 'older' : 'search on';
  if (oldest.created_at === created_at && !endsList) return 'search after';
  if (newest.created_at === created_at && page > 1) return 'search before';
  return 'gone';
}

/** The webhook log up to a given day, newest first. */
interface WebhookList {
  /** Last day of the list. Null means that it has no end date. */
  until: string | null;
  /**
   * Estimated end of that day in UTC milliseconds. The service's time zone is a guess that is corrected by the rows read.
   */
  end: number;
}

/**
 * Returns a short list that contains a webhook in every time zone. The list has no end date if the webhook's day is not
 * over everywhere.
 */
function findListFor(log: WebhookLog, { created_at, created_at_text }: WebhookPlace): WebhookList {
  const until = latestLocalDay(created_at);
  if (!isDayOverInAllZones(until, log.serviceNow())) return { until: null, end: Number.MAX_SAFE_INTEGER };
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})$/.exec(created_at_text ?? '') ?? [];
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return { until, end: Date.parse(`${until}T00:00:00Z`) + DAY_MS - offset * 60_000 };
}

/** Returns by how many rows a page's rows are further down the list than estimated, or null if the page is empty. */
function measureOffset(
  log: WebhookLog,
  rows: readonly WebhookPlace[],
  first: number,
  target: WebhookPlace,
  end: number,
): number | null {
  const { cache } = log.context.site;
  // The row closest in time to the target gives the best estimate, because few unknown or deleted rows lie between the
  // two.
  let nearest: { index: number; row: WebhookPlace } | null = null;
  rows.forEach((row, index) => {
    const distance = Math.abs(row.created_at - target.created_at);
    const so =
      nearest === null ? Number.POSITIVE_INFINITY : Math.abs(nearest.row.created_at - target.created_at);
    if (distance <= so) nearest = { index, row };
  });
  if (nearest === null) return null;
  const { index, row } = nearest as { index: number; row: WebhookPlace };
  return first + index - countNewer(cache, row, end);
}

/**
 * Returns the smallest page size that fits the target and all other requested webhooks on one page, or the full page size
 * if none does.
 */
function choosePageSize(
  log: WebhookLog,
  places: readonly WebhookPlace[],
  end: number,
  reckoned: number,
  off: number,
): number {
  const full = log.perPage();
  const last = places.at(-1);
  const span = last === undefined ? 0 : countNewer(log.context.site.cache, last, end) - reckoned;
  const index = Math.max(0, reckoned + off);
  const holds = (size: number) => Math.floor(index / size) === Math.floor((index + span) / size);
  return PAGE_SIZES.find((size) => size < full && holds(size)) ?? full;
}
