import type { PageMarks } from '../../../contract/index.ts';
import { createContractError } from '../../../contract/shared/contract-error.ts';
import {
  INTEGER_PARAMETER,
  prepareSql,
  type ReadableDb,
  type SqlValue,
  type SqlValues,
  select,
} from '../sqlite/connection.ts';

export interface SortColumn {
  name: string;
  type: 'number' | 'text';
}

/** Sort order of a list. The columns together identify a row. An index contains them in this order. */
export interface ListOrder {
  /** Name of the list and its sort order. Cursors with another name are rejected. */
  name: string;
  columns: readonly SortColumn[];
  direction: 'asc' | 'desc';
}

/** A range of an index that contains the sort columns in list order. The SQL must be constant. */
export interface IndexScan {
  from: string;
  where: readonly string[];
  bound: SqlValues;
  /** SQL expressions for sort columns that are not table columns of the same name. */
  as?: Readonly<Record<string, string>>;
}

/** Index scans that form a consecutive part of a list, in which the first sort columns equal `leadingValues`. */
export interface ListSection {
  leadingValues: SqlValues;
  scans: readonly IndexScan[];
}

/**
 * Plan for keyset pagination over a UNION ALL of index scans, with sections in list order. `startKey` is a key before
 * all rows. `onlyIds` limits the rows to these ids (the last sort column) if the scans also return other rows. Example
 * for webhooks of two classes, newest first, after the key (t, i): `SELECT created_at, id FROM webhook WHERE class_id =
 * 1 AND (created_at, id) < (t, i) UNION ALL SELECT … class_id = 2 … ORDER BY created_at DESC, id DESC LIMIT 50`.
 */
export interface ListQueryPlan {
  order: ListOrder;
  sections: readonly ListSection[];
  startKey: SqlValues | null;
  onlyIds?: ReadonlySet<number>;
}

/** Encodes a row's sort key as the cursor for the position after the row. */
export function encodeCursor(order: ListOrder, key: SqlValues): string {
  return Buffer.from(JSON.stringify([order.name, order.direction, ...key])).toString('base64url');
}

/** Decodes a cursor to a sort key. Throws `validation` if the cursor belongs to another list or sort order. */
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
  throw createContractError({
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

/** Returns the sort keys of one page, and the cursor of the next page or null at the end of the list. */
export function readListPage(
  db: ReadableDb,
  plan: ListQueryPlan,
  page: PageRequest,
): { keys: SqlValues[]; next: string | null } {
  const { order, sections, startKey } = plan;
  const after = page.after === undefined ? null : decodeCursor(order, page.after);
  const keys: SqlValues[] = [];
  for (const group of sections) {
    const position = after === null ? 1 : compareSection(order, group.leadingValues, after);
    if (position < 0) continue;
    const start =
      position > 0 ? startKey : chooseStart(order, after!.slice(group.leadingValues.length), startKey);
    const count = page.limit + 1 - keys.length;
    for (const key of readKeysAfter(db, plan, group, { start, count }))
      keys.push([...group.leadingValues, ...key]);
    if (keys.length > page.limit) break;
  }
  const more = keys.length > page.limit;
  if (more) keys.pop();
  return { keys, next: more ? encodeCursor(order, keys.at(-1)!) : null };
}

/** Start and size of a page. `after` is the cursor that the previous page returned. */
export interface PageRequest {
  after?: string | undefined;
  limit: number;
}

/** Returns the sort order of a list that is sorted by one unique numeric column. */
export const orderByColumn = (
  name: string,
  column: string,
  direction: ListOrder['direction'],
): ListOrder => ({ name, columns: [{ name: column, type: 'number' }], direction });

/** Returns the plan of a list that merges index scans. `startKey` is a key before all of its rows. */
export const planListScans = (
  order: ListOrder,
  scans: readonly IndexScan[],
  startKey: SqlValues | null = null,
): ListQueryPlan => ({ order, sections: scans.length === 0 ? [] : [{ leadingValues: [], scans }], startKey });

/** Returns a page of rows. The first page includes the total number of rows. */
export function readRowPage<Row>(
  db: ReadableDb,
  plan: ListQueryPlan,
  { after, limit }: PageRequest,
  toRow: (key: SqlValues) => Row,
): { rows: Row[]; next: string | null; total: { count: number; exact: true } | null } {
  const { keys, next } = readListPage(db, plan, { after, limit });
  const rows = keys.map(toRow);
  if (after !== undefined) return { rows, next, total: null };
  const scans = plan.sections.flatMap((group) => group.scans);
  return { rows, next, total: { count: countScannedRows(db, scans), exact: true } };
}

/** Returns the row ids, which are the last values of the sort keys. */
export function toRowIds(keys: readonly SqlValues[]): number[] {
  return keys.map((key) => Number(key.at(-1)));
}

/** Returns the first `count` keys of a section after `start`. With `onlyIds`, continues until enough rows qualify. */
function readKeysAfter(
  db: ReadableDb,
  { order, onlyIds }: ListQueryPlan,
  { leadingValues, scans }: ListSection,
  { start, count }: { start: SqlValues | null; count: number },
): SqlValues[] {
  const keys: SqlValues[] = [];
  let from = start;
  for (let step = onlyIds === undefined ? count : count * 4; ; step *= 2) {
    const { sql, bound } = mergeIndexScans(getRemainingOrder(order, leadingValues), scans, from);
    const read = prepareMerge<SqlValues>(db, sql, scans)
      .raw()
      .all(...bound, step);
    for (const key of read) {
      if (onlyIds === undefined || onlyIds.has(Number(key.at(-1)))) keys.push(key);
      if (keys.length === count) return keys;
    }
    if (read.length < step) return keys;
    from = read.at(-1)!;
  }
}

/** Returns a cursor for every `every` rows, so that any page can be read directly. `table` has the sort columns. */
export function readPageCursors(
  db: ReadableDb,
  { order, sections, startKey, onlyIds }: ListQueryPlan,
  every: number,
  table: string,
): PageMarks {
  const columns = order.columns.map(({ name }) => name);
  const key = `SELECT ${columns.join(', ')} FROM ${table} WHERE ${columns.at(-1)} = ?`;
  const keyOf = (id: number): SqlValues =>
    columns.length === 1 ? [id] : prepareSql<SqlValues>(db, key).raw().get(id)!;
  const marks: (string | null)[] = [null];
  let total = 0;
  let last = 0;
  for (const { leadingValues, scans } of sections) {
    const rest = getRemainingOrder(order, leadingValues);
    const { sql, bound } = mergeIndexScans(rest, scans, startKey);
    const all = prepareMerge<number>(db, `SELECT ${rest.columns.at(-1)!.name} FROM (${sql})`, scans)
      .pluck()
      .all(...bound, -1);
    const ids = onlyIds === undefined ? all : all.filter((id) => onlyIds.has(id));
    for (let at = (every - (total % every)) % every; at < ids.length; at += every) {
      if (total + at > 0) marks.push(encodeCursor(order, keyOf(at === 0 ? last : ids[at - 1]!)));
    }
    total += ids.length;
    last = ids.at(-1) ?? last;
  }
  return { every, total, marks };
}

/** Returns the total number of rows of the scans. Stops counting at `bound`. */
export function countScannedRows(db: ReadableDb, scans: readonly IndexScan[], bound?: number): number {
  let count = 0;
  for (const { from, where, bound: values } of scans) {
    const rows = `FROM ${from} WHERE ${where.join(' AND ') || '1'}`;
    const sql =
      bound === undefined ? `SELECT count(*) ${rows}` : `SELECT count(*) FROM (SELECT 1 ${rows} LIMIT ?)`;
    const rest = bound === undefined ? [] : [bound - count];
    count += select.value<number>(db, sql, ...values, ...rest) ?? 0;
    if (count === bound) break;
  }
  return count;
}

/** Returns one SQL query that merges index scans after the key `start`. Its last parameter is the limit. */
export function mergeIndexScans(
  { columns, direction }: ListOrder,
  scans: readonly IndexScan[],
  start: SqlValues | null,
): { sql: string; bound: SqlValues } {
  const names = columns.map(({ name }) => name);
  const parameters = columns.map(({ type }) => (type === 'number' ? INTEGER_PARAMETER : '?')).join(', ');
  const selects = scans.map(({ from, where, as }) => {
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
  const order = (scans.length === 1 ? names.map((name) => scans[0]!.as?.[name] ?? name) : names)
    .map((name) => `${name} ${direction}`)
    .join(', ');
  return {
    sql: `${all} ORDER BY ${order} LIMIT ?`,
    bound: scans.flatMap(({ bound }) => (start === null ? bound : [...bound, ...start])),
  };
}

/** Caches only the statement of a single scan, because the SQL of a merge varies with its number of scans. */
function prepareMerge<Row>(db: ReadableDb, sql: string, scans: readonly IndexScan[]) {
  return scans.length === 1 ? prepareSql<Row>(db, sql) : db.prepare<SqlValues, Row>(sql);
}

/** Returns the sort order within a section, in which the first sort columns are constant. */
function getRemainingOrder(order: ListOrder, leadingValues: SqlValues): ListOrder {
  return { ...order, columns: order.columns.slice(leadingValues.length) };
}

/** Compares a section with a key: negative if it precedes the key, 0 if it contains the key, positive if it follows. */
function compareSection({ direction }: ListOrder, leadingValues: SqlValues, key: SqlValues): number {
  for (const [at, value] of leadingValues.entries()) {
    const difference = compareBinaryTexts(String(value), String(key[at]));
    if (difference !== 0) return direction === 'asc' ? difference : -difference;
  }
  return 0;
}

/** Compares texts in SQLite's binary collation order. */
export function compareBinaryTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Returns the later of two start positions in list order. */
function chooseStart({ direction }: ListOrder, key: SqlValues, startKey: SqlValues | null): SqlValues {
  if (startKey === null) return key;
  const at = key.findIndex((value, index) => value !== startKey[index]);
  if (at < 0) return key;
  const keyIsLess = (key[at] as SqlValue & number) < (startKey[at] as SqlValue & number);
  return keyIsLess === (direction === 'desc') ? key : startKey;
}
