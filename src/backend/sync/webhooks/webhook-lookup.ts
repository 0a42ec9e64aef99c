import { countNewer, type WebhookPlace, webhookPlaces } from '../../store/webhooks/webhook-places.ts';
import { isDayClosed, latestDay } from '../shared/any-zone.ts';
import type { WebhookLog } from './webhook-log.ts';

/** Page sizes to choose from: the smallest that contains the requested rows. */
const SIZES = [25, 50, 100];
/** Maximum number of pages read to find one webhook. The next sync tries again. */
const LOOKS = 6;
/** Number of rows into a list from which a nearer end is chosen, because distant pages cost the service more. */
const DEEPEST = 10_000;
const DAY = 86_400_000;

/** Result of looking up webhooks in the log. */
export interface Found {
  /** Read again. */
  seen: Set<number>;
  /** No longer in the log: the page where they belong does not contain them. */
  gone: Set<number>;
  /** Older than the log's oldest row. The service keeps the log for a limited time. */
  behind: Set<number>;
  /** Not found in this run. */
  missed: Set<number>;
  /** Creation time of the log's oldest row (UTC milliseconds). Null if it was not requested. */
  begins: number | null;
}

type Verdict = 'gone' | 'behind' | 'hidden' | 'look on' | 'look before' | 'look behind';

/**
 * Reads exactly these webhooks again. The interface has no request for a single webhook, so the unfiltered page that
 * contains it is read. Its number follows from the count of newer stored rows and is corrected by what the page shows.
 * Neighbors share a page. The newest come first. `goOn` is called after each page with the requested rows found on it.
 */
export async function readAgain(
  log: WebhookLog,
  ids: readonly number[],
  signal: AbortSignal,
  goOn: (seen: readonly number[]) => boolean = () => true,
): Promise<Found> {
  const { cache } = log.context.site;
  const found: Found = {
    seen: new Set(),
    gone: new Set(),
    behind: new Set(),
    missed: new Set(),
    begins: null,
  };
  const left = new Map(webhookPlaces(cache, ids).map((place) => [place.id, place]));
  /** Per last day of a list: how much further down than estimated its rows are. */
  const offs = new Map<string | null, number>();

  let list: List | null = null;
  for (const target of [...left.values()]) {
    if (!left.has(target.id)) continue;
    if (isBefore(found, target)) {
      left.delete(target.id);
      found.behind.add(target.id);
      continue;
    }
    // Neighbors are looked up in one list, so that they share pages.
    if (list === null || countNewer(cache, target, list.end) > DEEPEST) list = listEndingWith(log, target);
    const { until, end } = list;
    const filter = { order: 'newest_first' as const, ...(until === null ? {} : { until_date: until }) };
    let verdict: Verdict = 'look on';
    let emptyFrom = Number.POSITIVE_INFINITY;
    for (let look = 0; look < LOOKS && verdict.startsWith('look') && left.has(target.id); look++) {
      const reckoned = countNewer(cache, target, end);
      const perPage = sizeFor(log, [...left.values()], end, reckoned, offs.get(until) ?? 0);
      const nudge = verdict === 'look before' ? -perPage : verdict === 'look behind' ? perPage : 0;
      const index = Math.min(Math.max(0, reckoned + (offs.get(until) ?? 0) + nudge), emptyFrom - 1);
      const page = Math.floor(index / perPage) + 1;
      const first = (page - 1) * perPage;
      const read = await log.read(filter, { page, per_page: perPage }, signal);
      const { ids: there } = log.store(read, until === null ? 'the log' : `the log until ${until}`);
      const here = there.filter((id) => left.delete(id));
      for (const id of here) found.seen.add(id);
      if (here.length > 0 && !goOn(here)) return found;
      if (read.rows === 0) emptyFrom = Math.min(emptyFrom, first);
      if (read.rows < perPage && left.has(target.id)) {
        // The row may be gone. The beginning of the log answers that at once for all older rows.
        found.begins ??= await beginningOf(log, signal);
        if (isBefore(found, target)) {
          verdict = 'behind';
          break;
        }
      }
      const rows = webhookPlaces(cache, there);
      const off = offBy(log, rows, first, target, end);
      if (off !== null) offs.set(until, off);
      verdict = judge(target, rows, page, first + read.rows >= emptyFrom);
      // The missing row may be the poison row itself.
      if (read.pieces.lost.length > 0 && !verdict.startsWith('look')) verdict = 'hidden';
    }
    if (!left.delete(target.id)) continue;
    found[verdict === 'gone' || verdict === 'behind' ? verdict : 'missed'].add(target.id);
  }
  return found;
}

const isBefore = ({ begins }: Found, { created_at }: WebhookPlace) => begins !== null && created_at < begins;

/** Returns the creation time of the log's oldest row (UTC milliseconds), or null if the log is empty. */
async function beginningOf(log: WebhookLog, signal: AbortSignal): Promise<number | null> {
  const read = await log.read({ order: 'oldest_first' }, { page: 1, per_page: SIZES[0] as number }, signal);
  log.store(read, 'the log');
  return read.created[0] ?? null;
}

/**
 * What a page that does not hold the target says of it. Rows of one moment may stand in any order, and in another one the
 * next time: then the page beside is looked at.
 */
function judge(
  { created_at }: WebhookPlace,
  rows: readonly WebhookPlace[],
  page: number,
  endsList: boolean,
): Verdict {
  const newest = rows[0];
  const oldest = rows.at(-1);
  if (newest === undefined || oldest === undefined) return page === 1 ? 'behind' : 'look on';
  if (newest.created_at < created_at) return page === 1 ? 'gone' : 'look on';
  if (oldest.created_at > created_at) return endsList ? 'behind' : 'look on';
  if (oldest.created_at === created_at && !endsList) return 'look behind';
  if (newest.created_at === created_at && page > 1) return 'look before';
  return 'gone';
}

/** The log up to a day, newest first. */
interface List {
  /** The day it ends with; null: it has no end but now. */
  until: string | null;
  /** When that day ends, ms UTC: a guess at the zone the service counts days in, put right by what is read. */
  end: number;
}

/** A short list that a webhook is in, whatever the zone; without an end where the day is not over everywhere. */
function listEndingWith(log: WebhookLog, { created_at, created_at_text }: WebhookPlace): List {
  const until = latestDay(created_at);
  if (!isDayClosed(until, log.serviceNow())) return { until: null, end: Number.MAX_SAFE_INTEGER };
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})$/.exec(created_at_text ?? '') ?? [];
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return { until, end: Date.parse(`${until}T00:00:00Z`) + DAY - offset * 60_000 };
}

/** How much further down the list its rows really stand than reckoned; null where it has none. */
function offBy(
  log: WebhookLog,
  rows: readonly WebhookPlace[],
  first: number,
  target: WebhookPlace,
  end: number,
): number | null {
  const { cache } = log.context.site;
  // The row next to the target tells best: rows that are not held, or not in the log any more, lie in between less.
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

/** The smallest page that holds the target and all the others; a full one where none does. */
function sizeFor(
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
  return SIZES.find((size) => size < full && holds(size)) ?? full;
}
