import type { ContractInputs, ContractOutputs, OutstandingItem } from '../../contract/index.ts';
import { decodeCursor, encodeCursor, type ListOrder } from '../store/lists/keyset-pagination.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { numberSignedOffRows, readClosedListNames } from './signed-off-lists.ts';
import { findClosedFiguresInForce } from './signed-off-period.ts';

type SignedItemsInput = Omit<ContractInputs['workpapers']['items'], 'site'> & { limit: number };
type ItemFilter = NonNullable<SignedItemsInput['filter']>;

/** Sorts by position in the signed list. */
const itemOrder: ListOrder = {
  name: 'signed-items',
  columns: [{ name: 'place', type: 'number' }],
  direction: 'asc',
};

/** Returns a page of the signed outstanding items, oldest first. Returns null if none were stored. */
export function listSignedOffItems(
  books: ReadableDb,
  { period, filter, after, limit }: SignedItemsInput,
): ContractOutputs['workpapers']['items'] | null {
  const closedFigures = findClosedFiguresInForce(books, period);
  if (closedFigures === null || !readClosedListNames(closedFigures).has('outstanding')) return null;
  const isFirst = after === undefined;
  const rows: OutstandingItem[] = [];
  const from = isFirst ? 0 : Number(decodeCursor(itemOrder, after)[0]);
  const sums = new Map<string, CurrencySum>();
  let next: string | null = null;
  for (const [index, item] of numberSignedOffRows(books, closedFigures.id, 'outstanding', from)) {
    if (matchesFilter(item, filter ?? {})) {
      addToSum(sums, item);
      if (rows.length < limit) rows.push(item);
      else next ??= encodeCursor(itemOrder, [index]);
      // Stops early on later pages. The first page goes on, because it also returns the totals.
      if (next !== null && !isFirst) break;
    }
  }
  if (!isFirst) return { rows, next, total: null, sums: null };
  const all = [...sums.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
  const count = all.reduce((total, sum) => total + sum.count, 0);
  return { rows, next, total: { count, exact: true }, sums: all };
}

interface CurrencySum {
  currency: string;
  count: number;
  amount_in_cents: number;
}

function addToSum(sums: Map<string, CurrencySum>, { currency, amount_in_cents }: OutstandingItem): void {
  const sum = sums.get(currency) ?? { currency, count: 0, amount_in_cents: 0 };
  sum.count += 1;
  sum.amount_in_cents += amount_in_cents;
  sums.set(currency, sum);
}

const FILTER_FIELDS = ['schedule', 'figure', 'currency', 'bucket', 'explained'] as const;

const matchesFilter = (item: OutstandingItem, filter: ItemFilter): boolean =>
  FILTER_FIELDS.every((field) => (filter[field] ?? item[field]) === item[field]);
