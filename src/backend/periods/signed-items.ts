import type { Inputs, OpenItem, Outputs } from '../../contract/index.ts';
import type { ReadableDb } from '../store/database.ts';
import { decodeCursor, encodeCursor, type Order } from '../store/keyset.ts';
import { sealInForce } from './as-signed.ts';
import { keptOf, numberedRows } from './signed-lists.ts';

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
  const sums = new Map<string, Sum>();
  let next: string | null = null;
  for (const [place, item] of numberedRows(books, seal.id, 'outstanding', from)) {
    if (isOf(item, filter ?? {})) {
      add(sums, item);
      if (rows.length < limit) rows.push(item);
      else next ??= encodeCursor(order, [place]);
      // Only the first page counts all.
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
