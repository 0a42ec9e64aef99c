import type { ContractInputs, ContractOutputs, OutstandingItem } from '../../contract/index.ts';
import { createAgingBuckets, findAgingBucket } from '../../domain/workpaper/index.ts';
import { decodeCursor, encodeCursor, type ListOrder } from '../store/lists/keyset-pagination.ts';
import {
  listOutstandingItemsAfter,
  type OutstandingItemFilter,
  type OutstandingItemRow,
  sumOutstandingItems,
} from '../store/workpaper/workpaper-items.ts';
import type { BillingSums } from './billing-sums.ts';
import { readWorkpaperInputs, type WorkpaperInputs } from './workpaper.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

const itemOrder: ListOrder = {
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
  { period, filter, after, limit }: Omit<ContractInputs['workpapers']['items'], 'site'> & { limit: number },
  billing: BillingSums,
): ContractOutputs['workpapers']['items'] {
  const inputs = readWorkpaperInputs(site, period, billing);
  const itemFilter = toItemFilter(filter ?? {}, inputs);
  const position = after === undefined ? FIRST_POSITION : decodePosition(after);
  const stored = listOutstandingItemsAfter(site.books, inputs.items, itemFilter, {
    after: position,
    limit: limit + 1,
  });
  const rows = stored.slice(0, limit);
  const last = rows.at(-1);
  const sums = after === undefined ? sumOutstandingItems(site.books, inputs.items, itemFilter) : null;
  return {
    rows: rows.map((row) => toOpenItem(row, inputs)),
    next: stored.length > limit && last ? encodeCursor(itemOrder, [last.dated_on, last.kind, last.id]) : null,
    total: sums && { count: sums.reduce((all, { count }) => all + count, 0), exact: true },
    sums,
  };
}

/** Yields all outstanding items in batches. */
export function* readAllWorkpaperItems(
  site: WorkpaperSite,
  inputs: WorkpaperInputs,
): Generator<OutstandingItem, void, undefined> {
  let position: typeof FIRST_POSITION | undefined = FIRST_POSITION;
  while (position !== undefined) {
    const stored: OutstandingItemRow[] = listOutstandingItemsAfter(
      site.books,
      inputs.items,
      {},
      { after: position, limit: ITEMS_PER_BATCH },
    );
    for (const row of stored) yield toOpenItem(row, inputs);
    position = stored.length < ITEMS_PER_BATCH ? undefined : stored.at(-1);
  }
}

const ITEMS_PER_BATCH = 5000;

function toItemFilter(
  { bucket, ...filter }: NonNullable<ContractInputs['workpapers']['items']['filter']>,
  { settings }: WorkpaperInputs,
): OutstandingItemFilter {
  if (bucket === undefined) return filter;
  const ages = createAgingBuckets(settings.buckets)[bucket];
  return { ...filter, ages: { from: ages?.from_days ?? -1, to: ages === undefined ? -1 : ages.to_days } };
}

function decodePosition(after: string) {
  const [dated_on, kind, id] = decodeCursor(itemOrder, after);
  return { dated_on: String(dated_on), kind: String(kind), id: Number(id) };
}

function toOpenItem(item: OutstandingItemRow, { settings }: WorkpaperInputs): OutstandingItem {
  const { kind, id, figure, cents, explained, inside: _inside, now_cents: _now, ...rest } = item;
  return {
    ...rest,
    key: `${kind}:${id}`,
    schedule: figure.slice(0, 2) as OutstandingItem['schedule'],
    figure,
    amount_in_cents: cents,
    bucket: findAgingBucket(settings.buckets, item.age_days),
    explained: explained === 1,
  };
}
