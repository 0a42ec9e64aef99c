import { prepareSql, type SqlValue, type WritableDb } from './connection.ts';

type RowOf<Fields> = { readonly [Name in keyof Fields]: SqlValue };

/** Returns an INSERT statement with one parameter per column. */
export const insertSql = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;

/** Inserts a row and returns its id. The property names are the columns, so the row must have no other properties. */
export function insertRow<Fields extends RowOf<Fields>>(
  db: WritableDb,
  table: string,
  row: Fields,
  onConflict = '',
): number {
  const sql = `${insertSql(table, Object.keys(row))} ${onConflict}`;
  return Number(prepareSql(db, sql).run(...Object.values<SqlValue>(row)).lastInsertRowid);
}

/** Returns an ON CONFLICT clause that updates these columns if a row with the key exists. */
export const onConflictSql = (key: string, ...columns: string[]): string =>
  `ON CONFLICT (${key}) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Updates the rows with these key values. The property names are the columns. */
export function updateRow<Fields extends RowOf<Fields>, Key extends RowOf<Key>>(
  db: WritableDb,
  table: string,
  row: Fields,
  key: Key,
): void {
  const list = (names: string[], separator: string) => names.map((name) => `${name} = ?`).join(separator);
  const sql = `UPDATE ${table} SET ${list(Object.keys(row), ', ')} WHERE ${list(Object.keys(key), ' AND ')}`;
  prepareSql(db, sql).run(...Object.values<SqlValue>(row), ...Object.values<SqlValue>(key));
}

/** Returns a copy of a row with only these columns, in this order. */
export function pickColumns<Row, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as Pick<Row, Name>;
}
