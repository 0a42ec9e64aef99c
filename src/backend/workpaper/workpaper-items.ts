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
import { readWorkpaperInputs, type WorkpaperInputs, type WorkpaperSite } from './workpaper.ts';

const itemOrder: Order = {
  name: 'workpaper-items',
  columns: [
    { name: 'dated_on', type: 'text' },
    { name: 'kind', type: 'text' },
    { name: 'id', type: 'number' },
  ],
  direction: 'asc',
};
const FIRST_POSITION = { dated_on: '', kind: '', id: -1 };

/** Returns a page of the items outstanding at the end of the period, oldest first. */
export function listWorkpaperItems(
  site: WorkpaperSite,
  { period, filter, after, limit }: Omit<Inputs['workpapers']['items'], 'site'> & { limit: number },
  billing: BillingSums,
): Outputs['workpapers']['items'] {
  const inputs = readWorkpaperInputs(site, period, billing);
  const itemFilter = toItemFilter(filter ?? {}, inputs);
  const position = after === undefined ? FIRST_POSITION : decodePosition(after);
  const stored = itemsBehind(site.books, inputs.items, itemFilter, position, limit + 1);
  const rows = stored.slice(0, limit);
  const last = rows.at(-1);
  const sums = after === undefined ? itemTotals(site.books, inputs.items, itemFilter) : null;
  return {
    rows: rows.map((row) => toOpenItem(row, inputs)),
    next: stored.length > limit && last ? encodeCursor(itemOrder, [last.dated_on, last.kind, last.id]) : null,
    total: sums && { count: sums.reduce((all, { count }) => all + count, 0), exact: true },
    sums,
  };
}

/** Yields all outstanding items. They are read in batches. */
export function* allWorkpaperItems(
  site: WorkpaperSite,
  inputs: WorkpaperInputs,
): Generator<OpenItem, void, undefined> {
  for (
    let position: { dated_on: string; kind: string; id: number } | undefined = FIRST_POSITION;
    position !== undefined;
  ) {
    const stored: StoredItem[] = itemsBehind(site.books, inputs.items, {}, position, ITEMS_PER_BATCH);
    for (const row of stored) yield toOpenItem(row, inputs);
    position = stored.length < ITEMS_PER_BATCH ? undefined : stored.at(-1);
  }
}

const ITEMS_PER_BATCH = 5000;

function toItemFilter(
  { bucket, ...filter }: NonNullable<Inputs['workpapers']['items']['filter']>,
  { settings }: WorkpaperInputs,
): ItemFilter {
  if (bucket === undefined) return filter;
  const ages = createAgingBuckets(settings.buckets)[bucket];
  return {
    ...filter,
    ages: ages === undefined ? { from: -1, to: -1 } : { from: ages.from_days, to: ages.to_days },
  };
}

function decodePosition(after: string) {
  const [dated_on, kind, id] = decodeCursor(itemOrder, after);
  return { dated_on: String(dated_on), kind: String(kind), id: Number(id) };
}

function toOpenItem(item: StoredItem, { settings }: WorkpaperInputs): OpenItem {
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
