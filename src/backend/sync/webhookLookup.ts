import { countNewer, type WebhookPlace, webhookPlaces } from '../store/webhookPlaces.ts';
import { isDayClosed, latestDay } from './anyZone.ts';
import type { WebhookLog } from './webhookLog.ts';

/** Sizes of page to choose from: as small as holds what is looked for. */
const SIZES = [25, 50, 100];
/** Looks at one webhook's whereabouts before it is left for the next time. */
const LOOKS = 6;
const DAY = 86_400_000;

/** What became of looking for webhooks in the log. */
export interface Found {
  /** Read again. */
  seen: Set<number>;
  /** Not in the log any more: it is shown without them. */
  gone: Set<number>;
  /** Older than the log's oldest row: the service keeps it for a limited time. */
  behind: Set<number>;
  /** Not found this time. */
  missed: Set<number>;
}

type Verdict = 'gone' | 'behind' | 'look on';

/**
 * Reads exactly these webhooks again. The interface reads none by its id, so the unfiltered page that holds it is read:
 * which one that is follows from how many newer ones are held, and is put right by what the page shows. Several that
 * stand together cost one page; the newest come first. `goOn` is asked after each page, given what of it was looked for.
 */
export async function readAgain(
  log: WebhookLog,
  ids: readonly number[],
  signal: AbortSignal,
  goOn: (seen: readonly number[]) => boolean = () => true,
): Promise<Found> {
  const { cache } = log.context.site;
  const found: Found = { seen: new Set(), gone: new Set(), behind: new Set(), missed: new Set() };
  const left = new Map(webhookPlaces(cache, ids).map((place) => [place.id, place]));
  /** How much further down its list a row stands than reckoned, by the day the list ends with. */
  const offs = new Map<string | null, number>();

  for (const target of [...left.values()]) {
    const until = untilOf(target, log.serviceNow());
    const filter = { order: 'newest_first' as const, ...(until === null ? {} : { until_date: until }) };
    const end = endOf(until, target);
    let verdict: Verdict = 'look on';
    let emptyFrom = Number.POSITIVE_INFINITY;
    for (let look = 0; look < LOOKS && verdict === 'look on' && left.has(target.id); look++) {
      const reckoned = countNewer(cache, target, end);
      const perPage = sizeFor(log, [...left.values()], until, reckoned, offs.get(until) ?? 0);
      const index = Math.min(Math.max(0, reckoned + (offs.get(until) ?? 0)), emptyFrom - 1);
      const page = Math.floor(index / perPage) + 1;
      const first = (page - 1) * perPage;
      const read = await log.read(filter, page, signal, perPage);
      const { ids: there } = log.store(read, until === null ? 'the log' : `the log until ${until}`);
      const here = there.filter((id) => left.delete(id));
      for (const id of here) found.seen.add(id);
      if (here.length > 0 && !goOn(here)) return found;
      if (read.rows === 0) emptyFrom = Math.min(emptyFrom, first);
      const rows = webhookPlaces(cache, there);
      const off = offBy(log, rows, first, target, end);
      if (off !== null) offs.set(until, off);
      if (left.has(target.id)) verdict = judge(target, rows, page, first + read.rows >= emptyFrom);
    }
    if (!left.delete(target.id)) continue;
    found[verdict === 'look on' ? 'missed' : verdict].add(target.id);
  }
  return found;
}

/** What a page that does not hold the target says of it. */
function judge(
  target: WebhookPlace,
  rows: readonly WebhookPlace[],
  page: number,
  endsList: boolean,
): Verdict {
  const newest = rows[0];
  const oldest = rows.at(-1);
  if (newest === undefined || oldest === undefined) return page === 1 ? 'behind' : 'look on';
  if (isOlder(newest, target)) return page === 1 ? 'gone' : 'look on';
  if (isOlder(oldest, target)) return 'gone';
  return endsList ? 'behind' : 'look on';
}

function isOlder(a: WebhookPlace, b: WebhookPlace): boolean {
  return a.created_at < b.created_at || (a.created_at === b.created_at && a.id < b.id);
}

/** The last day of the list to look in: short lists are cheap to read; null where the day is not over everywhere. */
function untilOf({ created_at }: WebhookPlace, now: number): string | null {
  const day = latestDay(created_at);
  return isDayClosed(day, now) ? day : null;
}

/** When a day ends in the zone the webhook's time was written in: a guess at the filter's own, put right by what is read. */
function endOf(day: string | null, { created_at_text }: WebhookPlace): number {
  if (day === null) return Number.MAX_SAFE_INTEGER;
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})$/.exec(created_at_text ?? '') ?? [];
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return Date.parse(`${day}T00:00:00Z`) + DAY - offset * 60_000;
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

/** The smallest page that holds the target and, where that is possible, the others near it. */
function sizeFor(
  log: WebhookLog,
  places: readonly WebhookPlace[],
  until: string | null,
  reckoned: number,
  off: number,
): number {
  const full = log.perPage();
  const now = log.serviceNow();
  const last = places.findLast((place) => untilOf(place, now) === until);
  const span =
    last === undefined ? 0 : countNewer(log.context.site.cache, last, endOf(until, last)) - reckoned;
  const index = Math.max(0, reckoned + off);
  const holds = (size: number) => Math.floor(index / size) === Math.floor((index + span) / size);
  return SIZES.find((size) => size < full && holds(size)) ?? full;
}
