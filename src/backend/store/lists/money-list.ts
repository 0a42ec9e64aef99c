import type { CurrencyTotals } from '../../../contract/index.ts';
import { type ReadableDb, type SqlValues, select } from '../sqlite/connection.ts';
import { toLikePattern } from '../sqlite/like-pattern.ts';
import {
  type IndexScan,
  type ListOrder,
  type ListQueryPlan,
  type PageRequest,
  readListPage,
  toRowIds,
} from './keyset-pagination.ts';
import { joinConditions, type SqlConditions, whereIf } from './sql-conditions.ts';

/** Shared code of the lists of bank lines, payments and matches. */

export interface MoneyFilter {
  since?: string | undefined;
  until?: string | undefined;
  min_in_cents?: number | undefined;
  max_in_cents?: number | undefined;
}

/** Returns SQL conditions for days and amounts. In date order, the start key replaces the first-day condition. */
export function getMoneyFilterConditions(
  { since, until, min_in_cents, max_in_cents }: MoneyFilter,
  day: string,
  inOrder: ListOrder['direction'] | null,
): SqlConditions {
  return joinConditions(
    whereIf(`${day} >= ?`, inOrder === 'asc' ? undefined : since),
    whereIf(`${day} <= ?`, inOrder === 'desc' ? undefined : until),
    whereIf('abs(amount_in_cents) >= ?', min_in_cents),
    whereIf('abs(amount_in_cents) <= ?', max_in_cents),
  );
}

/** Returns a key before the first row of a date range in list order. Null if the range has no bound on that side. */
export function getDateRangeStartKey(
  { since, until }: MoneyFilter,
  direction: ListOrder['direction'],
): SqlValues | null {
  if (direction === 'asc') return since === undefined ? null : [since, -1];
  return until === undefined ? null : [until, Number.MAX_SAFE_INTEGER];
}

/** Returns SQL conditions for rows that match the search words, the amount, or one of the id columns. */
export function getMoneySearchConditions(
  search: string | undefined,
  texts: readonly string[],
  ids: readonly string[],
): SqlConditions {
  const words = search?.trim() ?? '';
  if (words === '') return { where: [], bound: [] };
  const tests = texts.map((name) => `${name} LIKE ? ESCAPE '\\'`);
  const bound: SqlValues = texts.map(() => toLikePattern(words));
  if (/^\d{1,15}$/.test(words)) {
    for (const id of ids) {
      tests.push(`${id} = ?`);
      bound.push(Number(words));
    }
  }
  const cents = parseAmountToCents(words);
  if (cents !== null) {
    tests.push('amount_in_cents IN (?, ?)');
    bound.push(cents, -cents);
  }
  return { where: [`(${tests.join(' OR ')})`], bound };
}

/** Parses an amount that a person typed, for example `1,234.50` or `19,90`, to cents. Returns null for other text. */
export function parseAmountToCents(words: string): number | null {
  const parts = /^-?(\d{1,3}(?:[,.' ]?\d{3})*|\d+)[.,](\d{2})$/.exec(words);
  if (parts === null) return null;
  const cents = Number(`${parts[1]!.replace(/\D/g, '')}${parts[2]}`);
  return Number.isSafeInteger(cents) ? cents : null;
}

export type ClaimedSum = CurrencyTotals & { claimed_in_cents: number };

/** Returns the totals by currency of the rows that the scans select. */
export function sumScansByCurrency(db: ReadableDb, scans: readonly IndexScan[]): ClaimedSum[] {
  const sums = new Map<string, ClaimedSum>();
  for (const { from, where, bound } of scans) {
    const sql = `SELECT currency, count(*) AS count, sum(max(amount_in_cents, 0)) AS in_cents,
         sum(min(amount_in_cents, 0)) AS out_cents, sum(claimed_in_cents) AS claimed_in_cents
       FROM ${from} WHERE ${where.join(' AND ') || '1'} GROUP BY currency`;
    const rows = select.rows<ClaimedSum>(db, sql, ...bound);
    for (const row of rows) {
      const sum = sums.get(row.currency);
      if (sum === undefined) sums.set(row.currency, row);
      else addTo(sum, row);
    }
  }
  return [...sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

function addTo(sum: ClaimedSum, row: ClaimedSum): void {
  sum.count += row.count;
  sum.in_cents += row.in_cents;
  sum.out_cents += row.out_cents;
  sum.claimed_in_cents += row.claimed_in_cents;
}

interface MoneyPage<Row, Sum> {
  rows: Row[];
  next: string | null;
  total: { count: number; exact: true } | null;
  sums: Sum[] | null;
}

/** Returns a page of a list of amounts. The first page includes the number of rows and their sums. */
export function readMoneyListPage<Row, Sum extends { count: number }>(
  db: ReadableDb,
  plan: ListQueryPlan,
  page: PageRequest,
  { listRows, sum }: { listRows: (ids: readonly number[]) => Row[]; sum: () => Sum[] },
): MoneyPage<Row, Sum> {
  const { keys, next } = readListPage(db, plan, page);
  const rows = listRows(toRowIds(keys));
  if (page.after !== undefined) return { rows, next, total: null, sums: null };
  const sums = sum();
  return { rows, next, total: { count: sums.reduce((all, { count }) => all + count, 0), exact: true }, sums };
}
