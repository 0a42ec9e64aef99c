import type { MoneySum } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import { containing } from '../sqlite/like-pattern.ts';
import { type Branch, idsOf, type Order, type Reading, readPage } from './keyset-pagination.ts';

/** Shared parts of the lists of lines, payments and matches: days, amounts, search words, sums by currency. */

/** SQL conditions of a list besides its class. The SQL consists of constants; values are bound. */
export interface Conditions {
  where: string[];
  bound: Values;
}

export interface MoneyFilter {
  since?: string | undefined;
  until?: string | undefined;
  min_in_cents?: number | undefined;
  max_in_cents?: number | undefined;
}

/**
 * Returns the conditions for the days and amounts of a filter. In date order, the bound at the list's start is left out,
 * because the page's position already bounds that side and SQLite would use only one of two bounds.
 */
export function moneyConditions(
  { since, until, min_in_cents: least, max_in_cents: most }: MoneyFilter,
  day: string,
  inOrder: Order['direction'] | null,
): Conditions {
  const where: string[] = [];
  const bound: Values = [];
  const ask = (condition: string, value: string | number | undefined) => {
    if (value === undefined) return;
    where.push(condition);
    bound.push(value);
  };
  if (inOrder !== 'asc') ask(`${day} >= ?`, since);
  if (inOrder !== 'desc') ask(`${day} <= ?`, until);
  ask('abs(amount_in_cents) >= ?', least);
  ask('abs(amount_in_cents) <= ?', most);
  return { where, bound };
}

/** Returns the key before the start of a list in date order, or null if it is unbounded there. */
export function dayEdge({ since, until }: MoneyFilter, direction: Order['direction']): Values | null {
  if (direction === 'asc') return since === undefined ? null : [since, -1];
  return until === undefined ? null : [until, Number.MAX_SAFE_INTEGER];
}

/** Returns conditions for rows with these search words in one of the columns, with this amount, or with this `id`. */
export function searching(
  search: string | undefined,
  texts: readonly string[],
  ids: readonly string[],
): Conditions {
  const words = search?.trim() ?? '';
  if (words === '') return { where: [], bound: [] };
  const tests = texts.map((name) => `${name} LIKE ? ESCAPE '\\'`);
  const bound: Values = texts.map(() => containing(words));
  if (/^\d{1,15}$/.test(words)) {
    for (const id of ids) {
      tests.push(`${id} = ?`);
      bound.push(Number(words));
    }
  }
  const cents = centsIn(words);
  if (cents !== null) {
    tests.push('amount_in_cents IN (?, ?)');
    bound.push(cents, -cents);
  }
  return { where: [`(${tests.join(' OR ')})`], bound };
}

/** Parses an amount as typed, for example `1,234.50` or `19,90`. Returns null for other text. */
export function centsIn(words: string): number | null {
  const parts = /^-?(\d{1,3}(?:[,.' ]?\d{3})*|\d+)[.,](\d{2})$/.exec(words);
  if (parts === null) return null;
  const cents = Number(`${parts[1]!.replace(/\D/g, '')}${parts[2]}`);
  return Number.isSafeInteger(cents) ? cents : null;
}

export type ClaimedSum = MoneySum & { claimed_in_cents: number };

/** Returns the totals of the branches by currency. */
export function sumsOf(db: ReadableDb, branches: readonly Branch[]): ClaimedSum[] {
  const sums = new Map<string, ClaimedSum>();
  for (const { from, where, bound } of branches) {
    const rows = prepared<ClaimedSum>(
      db,
      `SELECT currency, count(*) AS count, sum(max(amount_in_cents, 0)) AS in_cents,
         sum(min(amount_in_cents, 0)) AS out_cents, sum(claimed_in_cents) AS claimed_in_cents
       FROM ${from} WHERE ${where.join(' AND ') || '1'} GROUP BY currency`,
    ).all(...bound);
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

/** Returns a page of a list. The first page includes the number of rows and their sums. */
export function moneyPage<Row, Sum extends { count: number }>(
  db: ReadableDb,
  reading: Reading,
  page: { after?: string | undefined; limit: number },
  rowsOf: (ids: readonly number[]) => Row[],
  sumsOf: () => Sum[],
): MoneyPage<Row, Sum> {
  const { keys, next } = readPage(db, reading, page);
  const rows = rowsOf(idsOf(keys));
  if (page.after !== undefined) return { rows, next, total: null, sums: null };
  const sums = sumsOf();
  return { rows, next, total: { count: sums.reduce((all, { count }) => all + count, 0), exact: true }, sums };
}

/** Combines conditions with AND. */
export function together(...all: readonly Conditions[]): Conditions {
  return { where: all.flatMap(({ where }) => where), bound: all.flatMap(({ bound }) => bound) };
}

/** Returns a condition for rows with one of these values in a column, or none if no values are given. */
export function among(column: string, values: readonly (string | number)[] | undefined): Conditions {
  if (values === undefined) return { where: [], bound: [] };
  return { where: [`${column} IN (SELECT value FROM json_each(?))`], bound: [JSON.stringify(values)] };
}

/** Returns a condition for rows with this value in a column, or none if no value is given. */
export function equal(column: string, value: string | number | undefined): Conditions {
  return value === undefined ? { where: [], bound: [] } : { where: [`${column} = ?`], bound: [value] };
}
