import type { Inputs, OpenItem, Outputs } from '../../contract/index.ts';
import type { ReadableDb } from '../store/database.ts';
import { decodeCursor, encodeCursor, type Order } from '../store/keyset.ts';
import { listItems } from '../workpaper/items.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';
import { sealInForce } from './asSigned.ts';
import { keptOf, signedRows } from './signedLists.ts';

type Asked = Omit<Inputs['workpapers']['items'], 'site'> & { limit: number };
type Filter = NonNullable<Asked['filter']>;

/** By their place in what was signed. */
const order: Order = {
  name: 'signed-items',
  columns: [{ name: 'place', type: 'number' }],
  direction: 'asc',
};

/** What was outstanding at the as-at date: as it was signed where the period is closed, else as the records stand. The oldest first. */
export function itemsShown(site: WorkpaperSite, asked: Asked): Outputs['workpapers']['items'] {
  const seal = asked.now ? null : sealInForce(site.books, asked.period);
  const isKept = seal !== null && keptOf(seal).has('outstanding');
  return isKept ? signedItems(site.books, seal.id, asked) : listItems(site, asked);
}

function signedItems(
  books: ReadableDb,
  seal: number,
  { filter, after, limit }: Asked,
): Outputs['workpapers']['items'] {
  const isFirst = after === undefined;
  const rows: OpenItem[] = [];
  let place = isFirst ? 0 : Number(decodeCursor(order, after)[0]);
  let count = 0;
  let next: string | null = null;
  for (const item of signedRows(books, seal, 'outstanding', place)) {
    if (isOf(item, filter ?? {})) {
      count++;
      if (rows.length < limit) rows.push(item);
      else next ??= encodeCursor(order, [place]);
      // Only the first page counts all.
      if (next !== null && !isFirst) break;
    }
    place++;
  }
  return { rows, next, total: isFirst ? { count, exact: true } : null };
}

const isOf = (item: OpenItem, filter: Filter): boolean =>
  (filter.schedule ?? item.schedule) === item.schedule &&
  (filter.figure ?? item.figure) === item.figure &&
  (filter.currency ?? item.currency) === item.currency &&
  (filter.bucket ?? item.bucket) === item.bucket &&
  (filter.explained ?? item.explained) === item.explained;
