import type { Inputs, OpenItem, Outputs } from '../../contract/index.ts';
import { decodeCursor, encodeCursor, type Order } from '../store/lists/keyset-pagination.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { findClosedFiguresInForce } from './as-signed.ts';
import { numberedSignedRows, storedListNames } from './signed-lists.ts';

type Asked = Omit<Inputs['workpapers']['items'], 'site'> & { limit: number };
type Filter = NonNullable<Asked['filter']>;

/** Sorts by the position in the signed list. */
const order: Order = {
  name: 'signed-items',
  columns: [{ name: 'place', type: 'number' }],
  direction: 'asc',
};

/**
 * Returns the outstanding items of a closed period as signed, oldest first. Returns null if the period is not closed or
 * the items were not stored.
 */
export function listSignedItems(
  books: ReadableDb,
  { period, filter, after, limit }: Asked,
): Outputs['workpapers']['items'] | null {
  const closedFigures = findClosedFiguresInForce(books, period);
  if (closedFigures === null || !storedListNames(closedFigures).has('outstanding')) return null;
  const isFirst = after === undefined;
  const rows: OpenItem[] = [];
  const from = isFirst ? 0 : Number(decodeCursor(order, after)[0]);
  const sums = new Map<string, Sum>();
  let next: string | null = null;
  for (const [place, item] of numberedSignedRows(books, closedFigures.id, 'outstanding', from)) {
    if (isOf(item, filter ?? {})) {
      add(sums, item);
      if (rows.length < limit) rows.push(item);
      else next ??= encodeCursor(order, [place]);
      // Only the first page counts all items.
      if (next !== null && !isFirst) break;
    }
  }
  if (!isFirst) return { rows, next, total: null, sums: null };
  const all = [...sums.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return {
    rows,
    next,
    total: { count: all.reduce((count, sum) => count + sum.count, 0), exact: true },
    sums: all,
  };
}

interface Sum {
  currency: string;
  count: number;
  amount_in_cents: number;
}

function add(sums: Map<string, Sum>, { currency, amount_in_cents }: OpenItem): void {
  const sum = sums.get(currency) ?? { currency, count: 0, amount_in_cents: 0 };
  sum.count += 1;
  sum.amount_in_cents += amount_in_cents;
  sums.set(currency, sum);
}

const isOf = (item: OpenItem, filter: Filter): boolean =>
  (filter.schedule ?? item.schedule) === item.schedule &&
  (filter.figure ?? item.figure) === item.figure &&
  (filter.currency ?? item.currency) === item.currency &&
  (filter.bucket ?? item.bucket) === item.bucket &&
  (filter.explained ?? item.explained) === item.explained;
