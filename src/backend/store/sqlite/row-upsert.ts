import { prepareSql, type SqlValue, type SqlValues, type WritableDb } from './connection.ts';

/** Numbers of rows that a write inserted, changed or left unchanged. */
export interface RowChangeCounts {
  inserted: number;
  changed: number;
  unchanged: number;
}

export const createRowChangeCounts = (): RowChangeCounts => ({ inserted: 0, changed: 0, unchanged: 0 });

/** A table for the service's records. Values are bound in the order key, stable, volatile, read_at, defaults. */
export interface UpsertTable {
  table: string;
  key: readonly string[];
  /** Columns that rarely change and are expensive to update, because they are indexed. */
  stable: readonly string[];
  volatile: readonly string[];
  /** Volatile columns with their default values. Inserting a row with only defaults omits them, which is faster. */
  defaults?: Readonly<Record<string, SqlValue>>;
}

export type RowChange = 'inserted' | 'changed' | 'unchanged';

/**
 * Creates a function that writes one row. Data from an earlier request never overwrites later data, and unchanged rows
 * are not written. Stable columns are only written if one of them differs, to avoid index updates.
 */
export function createRowUpsert({ table, key, stable, volatile: frequent, defaults = {} }: UpsertTable) {
  const sentColumns = [...key, ...stable, ...frequent, 'read_at'];
  const columns = [...sentColumns, ...Object.keys(defaults)];
  const volatile = [...frequent, ...Object.keys(defaults)];
  const defaultValues = Object.values(defaults);
  const differ = (names: readonly string[]) => names.map((name) => `${name} IS NOT ?`).join(' OR ') || '0';
  const set = (names: readonly string[]) => names.map((name) => `${name} = ?`).join(', ');
  const hasKey = key.map((name) => `${name} = ?`).join(' AND ');
  const order = (...names: (readonly string[])[]) => names.flat().map((name) => columns.indexOf(name));

  const insertOf = (names: readonly string[]) => `INSERT INTO ${table} (${names.join(', ')})
    VALUES (${names.map(() => '?').join(', ')}) ON CONFLICT (${key.join(', ')}) DO NOTHING`;
  const [insert, insertDefaults] = [insertOf(columns), insertOf(sentColumns)];
  const compare = `SELECT CASE WHEN read_at > ? THEN 0 WHEN ${differ(stable)} THEN 2 WHEN ${differ(volatile)} THEN 1 ELSE 0 END
    FROM ${table} WHERE ${hasKey}`;
  const compared = order(['read_at'], stable, volatile, key);
  const updates = [volatile, [...stable, ...volatile]].map((names) => ({
    sql: `UPDATE ${table} SET ${set([...names, 'read_at'])} WHERE ${hasKey}`,
    bound: order(names, ['read_at'], key),
  }));

  return (db: WritableDb, row: SqlValues): RowChange => {
    const hasDefaults = defaultValues.every((value, at) => row[sentColumns.length + at] === value);
    const inserted = hasDefaults
      ? prepareSql(db, insertDefaults).run(...row.slice(0, sentColumns.length))
      : prepareSql(db, insert).run(...row);
    if (inserted.changes === 1) return 'inserted';
    const difference = prepareSql<number>(db, compare)
      .pluck()
      .get(...compared.map((at) => row[at]!));
    const update = difference === undefined ? undefined : updates[difference - 1];
    if (update === undefined) return 'unchanged';
    prepareSql(db, update.sql).run(...update.bound.map((at) => row[at]!));
    return 'changed';
  };
}
