import type { MoneySum } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type Values } from '../database.ts';
import { type Branch, idsOf, type Order, type Reading, readPage } from '../keyset.ts';
import { containing } from '../text.ts';

/** What lists of lines, payments and groups have in common: days, amounts, words, sums by currency. */

/** Conditions of a list besides its class. SQL from constants; values are bound. */
export interface Conditions {
  where: string[];
  bound: Values;
}

export interface MoneyFilter {
  since?: string | undefined;
  until?: string | undefined;
  least_in_cents?: number | undefined;
  most_in_cents?: number | undefined;
}

/**
 * The days and amounts of a filter. In the order of the days, the bound at the list's start is left out: it is its edge, and with the
 * page's own place there would be two bounds on that side, of which SQLite would take the first it sees.
 */
export function moneyConditions(
  { since, until, least_in_cents: least, most_in_cents: most }: MoneyFilter,
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

/** The key that all of a list in the order of its days lies behind; null where it is not bounded there. */
export function dayEdge({ since, until }: MoneyFilter, direction: Order['direction']): Values | null {
  if (direction === 'asc') return since === undefined ? null : [since, -1];
  return until === undefined ? null : [until, Number.MAX_SAFE_INTEGER];
}

/** Rows with these words in one of the columns, with this amount, or with this number as `id`. */
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

/** An amount as people type it, `1,234.50` or `19,90`; null for other words. */
export function centsIn(words: string): number | null {
  const parts = /^-?(\d{1,3}(?:[,.' ]?\d{3})*|\d+)[.,](\d{2})$/.exec(words);
  if (parts === null) return null;
  const cents = Number(`${parts[1]!.replace(/\D/g, '')}${parts[2]}`);
  return Number.isSafeInteger(cents) ? cents : null;
}

export type ClaimedSum = MoneySum & { claimed_in_cents: number };

/** What the branches hold together, by currency. */
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

/** A page of a list; with the first one, how many rows the list has, and what they come to. */
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

/** All of several conditions. */
export function together(...all: readonly Conditions[]): Conditions {
  return { where: all.flatMap(({ where }) => where), bound: all.flatMap(({ bound }) => bound) };
}

/** Rows with one of these values in a column; all where none are asked for. */
export function among(column: string, values: readonly (string | number)[] | undefined): Conditions {
  if (values === undefined) return { where: [], bound: [] };
  return { where: [`${column} IN (SELECT value FROM json_each(?))`], bound: [JSON.stringify(values)] };
}

/** Rows with this value in a column; all where none is asked for. */
export function equal(column: string, value: string | number | undefined): Conditions {
  return value === undefined ? { where: [], bound: [] } : { where: [`${column} = ?`], bound: [value] };
}
