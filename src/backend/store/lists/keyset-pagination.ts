import type { PageMarks } from '../../../contract/index.ts';
import { contractError } from '../../../contract/shared/contract-error.ts';
import {
  INTEGER_PARAMETER,
  prepare,
  type ReadableDb,
  type SqlValue,
  type SqlValues,
  select,
} from '../sqlite/connection.ts';

export interface SortColumn {
  name: string;
  type: 'number' | 'text';
}

/** The order of a list. The columns together are unique, and an index has them in this order. */
export interface ListOrder {
  /** Identifies the list and its sort order, so that a cursor of another list is rejected. */
  name: string;
  columns: readonly SortColumn[];
  direction: 'asc' | 'desc';
}

/** An index range with a list's columns in the list's order. The SQL consists of constants. */
export interface IndexScan {
  from: string;
  where: readonly string[];
  bound: SqlValues;
  /** SQL expressions for columns that are not simply the table's column of that name. */
  as?: Readonly<Record<string, string>>;
}

/** Scans whose merge is a consecutive part of the list. `lead`: constant values of the first sort columns. */
export interface ListSection {
  lead: SqlValues;
  branches: readonly IndexScan[];
}

/**
 * Plan for keyset pagination over a UNION ALL of index range scans: the sections of a list in order. `edge` is a key before
 * all of them. `only` restricts the rows to these ids (the last column) if the scans return others as well.
 *
 * Example for webhooks of two classes, newest first, after the key (t, i): `SELECT created_at, id FROM webhook WHERE
 * class_id = 1 AND (created_at, id) < (t, i) UNION ALL SELECT … class_id = 2 … ORDER BY created_at DESC, id DESC LIMIT
 * 50`.
 */
export interface ListPlan {
  order: ListOrder;
  groups: readonly ListSection[];
  edge: SqlValues | null;
  only?: ReadonlySet<number>;
}

/** Returns the cursor for the position after a row. */
export function encodeCursor(order: ListOrder, key: SqlValues): string {
  return Buffer.from(JSON.stringify([order.name, order.direction, ...key])).toString('base64url');
}

/** Returns the position of a cursor. Throws `validation` if it does not belong to this list and order. */
export function decodeCursor(order: ListOrder, cursor: string): SqlValues {
  const [name, direction, ...key] = jsonList(Buffer.from(cursor, 'base64url').toString());
  const fits =
    name === order.name &&
    direction === order.direction &&
    key.length === order.columns.length &&
    order.columns.every(({ type }, at) =>
      type === 'text' ? typeof key[at] === 'string' : Number.isSafeInteger(key[at]),
    );
  if (fits) return key as SqlValues;
  throw contractError({
    code: 'validation',
    message: 'This list position is not valid. It belongs to another list or sort order.',
    hint: 'Load the list from its start.',
    errors: ['after: not a cursor of this list in this order'],
    retryable: false,
  });
}

function jsonList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Returns the keys of one page and the cursor after it, null at the end of the list. */
export function readPage(
  db: ReadableDb,
  plan: ListPlan,
  page: PageRequest,
): { keys: SqlValues[]; next: string | null } {
  const { order, groups, edge } = plan;
  const after = page.after === undefined ? null : decodeCursor(order, page.after);
  const keys: SqlValues[] = [];
  for (const group of groups) {
    const position = after === null ? 1 : compareSection(order, group.lead, after);
    if (position < 0) continue;
    const start = position > 0 ? edge : chooseStart(order, after!.slice(group.lead.length), edge);
    const count = page.limit + 1 - keys.length;
    for (const key of readKeysAfter(db, plan, group, { start, count })) keys.push([...group.lead, ...key]);
    if (keys.length > page.limit) break;
  }
  const more = keys.length > page.limit;
  if (more) keys.pop();
  return { keys, next: more ? encodeCursor(order, keys.at(-1)!) : null };
}

/** Position and size of a page. `after` is the cursor of the previous page. */
export interface PageRequest {
  after?: string | undefined;
  limit: number;
}

/** Returns the order of a list by one unique numeric column. */
export const orderByColumn = (
  name: string,
  column: string,
  direction: ListOrder['direction'],
): ListOrder => ({ name, columns: [{ name: column, type: 'number' }], direction });

/** Returns the plan of a list that merges some scans. `edge` is a key before all of its rows. */
export const planScans = (
  order: ListOrder,
  branches: readonly IndexScan[],
  edge: SqlValues | null = null,
): ListPlan => ({ order, groups: branches.length === 0 ? [] : [{ lead: [], branches }], edge });

/** Returns a page of rows. The first page includes the number of rows. */
export function readRowPage<Row>(
  db: ReadableDb,
  plan: ListPlan,
  { after, limit }: PageRequest,
  toRow: (key: SqlValues) => Row,
): { rows: Row[]; next: string | null; total: { count: number; exact: true } | null } {
  const { keys, next } = readPage(db, plan, { after, limit });
  const rows = keys.map(toRow);
  if (after !== undefined) return { rows, next, total: null };
  const branches = plan.groups.flatMap((group) => group.branches);
  return { rows, next, total: { count: countRows(db, branches), exact: true } };
}

/** Returns the ids of rows from their keys. */
export function toRowIds(keys: readonly SqlValues[]): number[] {
  return keys.map((key) => Number(key.at(-1)));
}

/** Returns the first keys of a section after `start`, reading on until enough of them are in `only`. */
function readKeysAfter(
  db: ReadableDb,
  { order, only }: ListPlan,
  { lead, branches }: ListSection,
  { start, count }: { start: SqlValues | null; count: number },
): SqlValues[] {
  const keys: SqlValues[] = [];
  let from = start;
  for (let step = only === undefined ? count : count * 4; ; step *= 2) {
    const { sql, bound } = mergeScans(getRemainingOrder(order, lead), branches, from);
    const read = prepareMerge<SqlValues>(db, sql, branches)
      .raw()
      .all(...bound, step);
    for (const key of read) {
      if (only === undefined || only.has(Number(key.at(-1)))) keys.push(key);
      if (keys.length === count) return keys;
    }
    if (read.length < step) return keys;
    from = read.at(-1)!;
  }
}

/** Returns the cursor before every `every`-th row. The last sort column is the id in `table`. */
export function readListMarks(
  db: ReadableDb,
  { order, groups, edge, only }: ListPlan,
  every: number,
  table: string,
): PageMarks {
  const columns = order.columns.map(({ name }) => name);
  const key = `SELECT ${columns.join(', ')} FROM ${table} WHERE ${columns.at(-1)} = ?`;
  const keyOf = (id: number): SqlValues =>
    columns.length === 1 ? [id] : prepare<SqlValues>(db, key).raw().get(id)!;
  const marks: (string | null)[] = [null];
  let total = 0;
  let last = 0;
  for (const { lead, branches } of groups) {
    const rest = getRemainingOrder(order, lead);
    const { sql, bound } = mergeScans(rest, branches, edge);
    const all = prepareMerge<number>(db, `SELECT ${rest.columns.at(-1)!.name} FROM (${sql})`, branches)
      .pluck()
      .all(...bound, -1);
    const ids = only === undefined ? all : all.filter((id) => only.has(id));
    for (let at = (every - (total % every)) % every; at < ids.length; at += every) {
      if (total + at > 0) marks.push(encodeCursor(order, keyOf(at === 0 ? last : ids[at - 1]!)));
    }
    total += ids.length;
    last = ids.at(-1) ?? last;
  }
  return { every, total, marks };
}

/** Returns the number of rows of all scans, counting at most `bound`. */
export function countRows(db: ReadableDb, branches: readonly IndexScan[], bound?: number): number {
  let count = 0;
  for (const { from, where, bound: values } of branches) {
    const rows = `FROM ${from} WHERE ${where.join(' AND ') || '1'}`;
    const sql =
      bound === undefined ? `SELECT count(*) ${rows}` : `SELECT count(*) FROM (SELECT 1 ${rows} LIMIT ?)`;
    const rest = bound === undefined ? [] : [bound - count];
    count += select.value<number>(db, sql, ...values, ...rest) ?? 0;
    if (count === bound) break;
  }
  return count;
}

/** Returns one query for scans after `start`. The limit is its last parameter. */
export function mergeScans(
  { columns, direction }: ListOrder,
  branches: readonly IndexScan[],
  start: SqlValues | null,
): { sql: string; bound: SqlValues } {
  const names = columns.map(({ name }) => name);
  const parameters = columns.map(({ type }) => (type === 'number' ? INTEGER_PARAMETER : '?')).join(', ');
  const selects = branches.map(({ from, where, as }) => {
    const selected = names.map((name) => (as?.[name] ? `${as[name]} AS ${name}` : name));
    const own = names.map((name) => as?.[name] ?? name);
    const isAfterStart = `(${own.join(', ')}) ${direction === 'asc' ? '>' : '<'} (${parameters})`;
    const conditions = start === null ? where : [...where, isAfterStart];
    return `SELECT ${selected.join(', ')} FROM ${from} WHERE ${conditions.join(' AND ') || '1'}`;
  });
  const all =
    selects.length === 1
      ? selects[0]!
      : selects.map((select) => `SELECT * FROM (${select})`).join(' UNION ALL ');
  const order = (branches.length === 1 ? names.map((name) => branches[0]!.as?.[name] ?? name) : names)
    .map((name) => `${name} ${direction}`)
    .join(', ');
  return {
    sql: `${all} ORDER BY ${order} LIMIT ?`,
    bound: branches.flatMap(({ bound }) => (start === null ? bound : [...bound, ...start])),
  };
}

/** The text of a merge depends on its number of branches, so only statements of a single range are cached. */
function prepareMerge<Row>(db: ReadableDb, sql: string, branches: readonly IndexScan[]) {
  return branches.length === 1 ? prepare<Row>(db, sql) : db.prepare<SqlValues, Row>(sql);
}

/** Returns the order within a section whose first columns are constant. */
function getRemainingOrder(order: ListOrder, lead: SqlValues): ListOrder {
  return { ...order, columns: order.columns.slice(lead.length) };
}

/** Returns the position of a section relative to a key: before (-1), around (0) or after (1). */
function compareSection({ direction }: ListOrder, lead: SqlValues, key: SqlValues): number {
  for (const [at, value] of lead.entries()) {
    const difference = compareBytes(String(value), String(key[at]));
    if (difference !== 0) return direction === 'asc' ? difference : -difference;
  }
  return 0;
}

/** Compares texts in SQLite's binary order. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Returns the start position that leaves less of the list. */
function chooseStart({ direction }: ListOrder, key: SqlValues, edge: SqlValues | null): SqlValues {
  if (edge === null) return key;
  const at = key.findIndex((value, index) => value !== edge[index]);
  if (at < 0) return key;
  const keyIsLess = (key[at] as SqlValue & number) < (edge[at] as SqlValue & number);
  return keyIsLess === (direction === 'desc') ? key : edge;
}
