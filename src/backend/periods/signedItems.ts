import type { Inputs, OpenItem, Outputs } from '../../contract/index.ts';
import type { ReadableDb } from '../store/database.ts';
import { decodeCursor, encodeCursor, type Order } from '../store/keyset.ts';
import { sealInForce } from './asSigned.ts';
import { keptOf, numberedRows } from './signedLists.ts';

type Asked = Omit<Inputs['workpapers']['items'], 'site'> & { limit: number };
type Filter = NonNullable<Asked['filter']>;

/** By their place in what was signed. */
const order: Order = {
  name: 'signed-items',
  columns: [{ name: 'place', type: 'number' }],
  direction: 'asc',
};

/** What was outstanding at the as-at date of a closed period, as it was signed, the oldest first; null for another, and where that was not kept. */
export function signedItems(
  books: ReadableDb,
  { period, filter, after, limit }: Asked,
): Outputs['workpapers']['items'] | null {
  const seal = sealInForce(books, period);
  if (seal === null || !keptOf(seal).has('outstanding')) return null;
  const isFirst = after === undefined;
  const rows: OpenItem[] = [];
  const from = isFirst ? 0 : Number(decodeCursor(order, after)[0]);
  let count = 0;
  let next: string | null = null;
  for (const [place, item] of numberedRows(books, seal.id, 'outstanding', from)) {
    if (isOf(item, filter ?? {})) {
      count++;
      if (rows.length < limit) rows.push(item);
      else next ??= encodeCursor(order, [place]);
      // Only the first page counts all.
      if (next !== null && !isFirst) break;
    }
  }
  return { rows, next, total: isFirst ? { count, exact: true } : null };
}

const isOf = (item: OpenItem, filter: Filter): boolean =>
  (filter.schedule ?? item.schedule) === item.schedule &&
  (filter.figure ?? item.figure) === item.figure &&
  (filter.currency ?? item.currency) === item.currency &&
  (filter.bucket ?? item.bucket) === item.bucket &&
  (filter.explained ?? item.explained) === item.explained;
