import type { Marks } from '../../../contract/index.ts';
import { contractError } from '../../../contract/shared/contract-error.ts';
import { integer, prepared, type ReadableDb, type Value, type Values } from '../sqlite/connection.ts';

export interface Column {
  name: string;
  type: 'number' | 'text';
}

/** The order of a list. The columns together are unique, and an index has them in this order. */
export interface Order {
  /** Identifies the list and its sort order, so that a cursor of another list is rejected. */
  name: string;
  columns: readonly Column[];
  direction: 'asc' | 'desc';
}

/**
 * A range of an index that returns a list's columns in the list's order. The SQL consists of constants; values are bound.
 */
export interface Branch {
  from: string;
  where: readonly string[];
  bound: Values;
  /** SQL expressions for columns that are not simply the table's column of that name. */
  as?: Readonly<Record<string, string>>;
}

/** Branches whose merge is a consecutive part of the list. `lead` holds its constant values of the first columns. */
export interface Group {
  lead: Values;
  branches: readonly Branch[];
}

/**
 * Plan for keyset pagination over a UNION ALL of index range scans: the groups of a list in order. `edge` is a key before
 * all of them. `only` restricts the rows to these ids (the last column) if the branches return others as well.
 *
 * Example for webhooks of two classes, newest first, after the key (t, i): `SELECT created_at, id FROM webhook WHERE
 * class_id = 1 AND (created_at, id) < (t, i) UNION ALL SELECT … class_id = 2 … ORDER BY created_at DESC, id DESC LIMIT
 * 50`.
 */
export interface Reading {
  order: Order;
  groups: readonly Group[];
  edge: Values | null;
  only?: ReadonlySet<number>;
}

/** Returns the cursor for the position after a row. */
export function encodeCursor(order: Order, key: Values): string {
  return Buffer.from(JSON.stringify([order.name, order.direction, ...key])).toString('base64url');
}

/** Returns the position of a cursor. Throws `validation` if it does not belong to this list and order. */
export function decodeCursor(order: Order, cursor: string): Values {
  const [name, direction, ...key] = jsonList(Buffer.from(cursor, 'base64url').toString());
  const fits =
    name === order.name &&
    direction === order.direction &&
    key.length === order.columns.length &&
    order.columns.every(({ type }, at) =>
      type === 'text' ? typeof key[at] === 'string' : Number.isSafeInteger(key[at]),
    );
  if (fits) return key as Values;
  throw contractError({
    code: 'validation',
    message: 'That place in the list is not known: it belongs to another list or order.',
    hint: 'Read the list from its start.',
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
  reading: Reading,
  page: { after?: string | undefined; limit: number },
): { keys: Values[]; next: string | null } {
  const { order, groups, edge } = reading;
  const after = page.after === undefined ? null : decodeCursor(order, page.after);
  const keys: Values[] = [];
  for (const group of groups) {
    const place = after === null ? 1 : placeOf(order, group.lead, after);
    if (place < 0) continue;
    const start = place > 0 ? edge : farther(order, after!.slice(group.lead.length), edge);
    const wanted = page.limit + 1 - keys.length;
    for (const key of keysBehind(db, reading, group, start, wanted)) keys.push([...group.lead, ...key]);
    if (keys.length > page.limit) break;
  }
  const more = keys.length > page.limit;
  if (more) keys.pop();
  return { keys, next: more ? encodeCursor(order, keys.at(-1)!) : null };
}

/** Returns the ids of rows from their keys. */
export function idsOf(keys: readonly Values[]): number[] {
  return keys.map((key) => Number(key.at(-1)));
}

/**
 * Returns the first keys of a group after `start`. If only some rows belong to the list, reads on until there are enough.
 */
function keysBehind(
  db: ReadableDb,
  { order, only }: Reading,
  { lead, branches }: Group,
  start: Values | null,
  wanted: number,
): Values[] {
  const keys: Values[] = [];
  let from = start;
  for (let step = only === undefined ? wanted : wanted * 4; ; step *= 2) {
    const { sql, bound } = merged(inner(order, lead), branches, from);
    const read = statement<Values>(db, sql, branches)
      .raw()
      .all(...bound, step);
    for (const key of read) {
      if (only === undefined || only.has(Number(key.at(-1)))) keys.push(key);
      if (keys.length === wanted) return keys;
    }
    if (read.length < step) return keys;
    from = read.at(-1)!;
  }
}

/**
 * Returns the cursor before every `every`-th row of a list from one scan of its ids. The list's last column is the id in
 * `table`.
 */
export function readMarks(
  db: ReadableDb,
  { order, groups, edge, only }: Reading,
  every: number,
  table: string,
): Marks {
  const columns = order.columns.map(({ name }) => name);
  const key = `SELECT ${columns.join(', ')} FROM ${table} WHERE ${columns.at(-1)} = ?`;
  const keyOf = (id: number): Values =>
    columns.length === 1 ? [id] : prepared<Values>(db, key).raw().get(id)!;
  const marks: (string | null)[] = [null];
  let total = 0;
  let last = 0;
  for (const { lead, branches } of groups) {
    const rest = inner(order, lead);
    const { sql, bound } = merged(rest, branches, edge);
    const all = statement<number>(db, `SELECT ${rest.columns.at(-1)!.name} FROM (${sql})`, branches)
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

/** Returns the number of rows in all branches, counting at most `bound`. */
export function countRows(db: ReadableDb, branches: readonly Branch[], bound?: number): number {
  let count = 0;
  for (const { from, where, bound: values } of branches) {
    const rows = `FROM ${from} WHERE ${where.join(' AND ') || '1'}`;
    const sql =
      bound === undefined ? `SELECT count(*) ${rows}` : `SELECT count(*) FROM (SELECT 1 ${rows} LIMIT ?)`;
    const rest = bound === undefined ? [] : [bound - count];
    count +=
      prepared<number>(db, sql)
        .pluck()
        .get(...values, ...rest) ?? 0;
    if (count === bound) break;
  }
  return count;
}

/** Returns one statement for a group after `start`. Bind its values, then a limit. */
export function merged(
  { columns, direction }: Order,
  branches: readonly Branch[],
  start: Values | null,
): { sql: string; bound: Values } {
  const names = columns.map(({ name }) => name);
  const places = columns.map(({ type }) => (type === 'number' ? integer : '?')).join(', ');
  const selects = branches.map(({ from, where, as }) => {
    const shown = names.map((name) => (as?.[name] ? `${as[name]} AS ${name}` : name));
    const own = names.map((name) => as?.[name] ?? name);
    const behind = `(${own.join(', ')}) ${direction === 'asc' ? '>' : '<'} (${places})`;
    const conditions = start === null ? where : [...where, behind];
    return `SELECT ${shown.join(', ')} FROM ${from} WHERE ${conditions.join(' AND ') || '1'}`;
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
function statement<Row>(db: ReadableDb, sql: string, branches: readonly Branch[]) {
  return branches.length === 1 ? prepared<Row>(db, sql) : db.prepare<Values, Row>(sql);
}

/** Returns the order within a group whose first columns are constant. */
function inner(order: Order, lead: Values): Order {
  return { ...order, columns: order.columns.slice(lead.length) };
}

/** Returns the position of a group relative to a key: before (-1), around (0) or after (1). */
function placeOf({ direction }: Order, lead: Values, key: Values): number {
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
function farther({ direction }: Order, key: Values, edge: Values | null): Values {
  if (edge === null) return key;
  const at = key.findIndex((value, index) => value !== edge[index]);
  if (at < 0) return key;
  const keyIsLess = (key[at] as Value & number) < (edge[at] as Value & number);
  return keyIsLess === (direction === 'desc') ? key : edge;
}
