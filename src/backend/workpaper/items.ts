import type { Inputs, OpenItem, Outputs } from '../../contract/index.ts';
import { createAgingBuckets, findAgingBucket } from '../../domain/workpaper/index.ts';
import { decodeCursor, encodeCursor, type Order } from '../store/lists/keyset-pagination.ts';
import {
  type ItemFilter,
  itemsBehind,
  itemTotals,
  type StoredItem,
} from '../store/workpaper/workpaper-items.ts';
import type { BillingSums } from './billing-sums.ts';
import { type WorkpaperGround, type WorkpaperSite, workpaperGround } from './workpaper.ts';

const order: Order = {
  name: 'workpaper-items',
  columns: [
    { name: 'dated_on', type: 'text' },
    { name: 'kind', type: 'text' },
    { name: 'id', type: 'number' },
  ],
  direction: 'asc',
};
const START = { dated_on: '', kind: '', id: -1 };

/** Returns the outstanding items at the as-at date, oldest first. */
export function listItems(
  site: WorkpaperSite,
  { period, filter, after, limit }: Omit<Inputs['workpapers']['items'], 'site'> & { limit: number },
  billing: BillingSums,
): Outputs['workpapers']['items'] {
  const ground = workpaperGround(site, period, billing);
  const asked = filterOf(filter ?? {}, ground);
  const place = after === undefined ? START : placeOf(after);
  const stored = itemsBehind(site.books, ground.items, asked, place, limit + 1);
  const rows = stored.slice(0, limit);
  const last = rows.at(-1);
  const sums = after === undefined ? itemTotals(site.books, ground.items, asked) : null;
  return {
    rows: rows.map((row) => shownItem(row, ground)),
    next: stored.length > limit && last ? encodeCursor(order, [last.dated_on, last.kind, last.id]) : null,
    total: sums && { count: sums.reduce((all, { count }) => all + count, 0), exact: true },
    sums,
  };
}

/** Yields every item, read in batches of a thousand. */
export function* allItems(
  site: WorkpaperSite,
  ground: WorkpaperGround,
): Generator<OpenItem, void, undefined> {
  for (let place: { dated_on: string; kind: string; id: number } | undefined = START; place !== undefined; ) {
    const stored: StoredItem[] = itemsBehind(site.books, ground.items, {}, place, CHUNK);
    for (const row of stored) yield shownItem(row, ground);
    place = stored.length < CHUNK ? undefined : stored.at(-1);
  }
}

const CHUNK = 5000;

function filterOf(
  { bucket, ...filter }: NonNullable<Inputs['workpapers']['items']['filter']>,
  { settings }: WorkpaperGround,
): ItemFilter {
  if (bucket === undefined) return filter;
  const ages = createAgingBuckets(settings.buckets)[bucket];
  return {
    ...filter,
    ages: ages === undefined ? { from: -1, to: -1 } : { from: ages.from_days, to: ages.to_days },
  };
}

function placeOf(after: string) {
  const [dated_on, kind, id] = decodeCursor(order, after);
  return { dated_on: String(dated_on), kind: String(kind), id: Number(id) };
}

function shownItem(item: StoredItem, { settings }: WorkpaperGround): OpenItem {
  const { kind, id, figure, cents, explained, inside: _inside, now_cents: _now, ...rest } = item;
  return {
    ...rest,
    key: `${kind}:${id}`,
    schedule: figure.slice(0, 2) as OpenItem['schedule'],
    figure,
    amount_in_cents: cents,
    bucket: findAgingBucket(settings.buckets, item.age_days),
    explained: explained === 1,
  };
}
