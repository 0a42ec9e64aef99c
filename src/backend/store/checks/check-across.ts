import type { CrossSubscriptionGroup, CrossSubscriptionMember } from '../../../domain/checks/index.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { transactionRecord, transactionRecordColumns } from './check-statements.ts';

/** What rows of several subscriptions have in common. */
export interface AcrossKey {
  by: CrossSubscriptionGroup['by'];
  value: number | string;
}

/** Number of rows from which a shared gateway id no longer identifies a payment: test gateways use one id for all. */
const TOO_COMMON = 10;

const columns: Record<CrossSubscriptionGroup['by'], string> = {
  transaction_id: 'txn.id',
  gateway_transaction_id: 'txn.gateway_transaction_id',
};

/**
 * Returns the rows with a common key, of statements that the service still lists. Null if there are too many to be
 * meaningful.
 */
export function acrossGroup(db: ReadableDb, { by, value }: AcrossKey): CrossSubscriptionGroup | null {
  const rows = prepared<[number, ...Parameters<typeof transactionRecord>[0]]>(
    db,
    `SELECT statement.subscription_id, ${transactionRecordColumns}
     FROM txn JOIN statement ON statement.id = txn.statement_id
     WHERE ${columns[by]} = ? AND vanished_at IS NULL ORDER BY txn.statement_id, txn.id LIMIT ?`,
  )
    .raw()
    .all(value, TOO_COMMON);
  if (rows.length < 2 || (by === 'gateway_transaction_id' && rows.length === TOO_COMMON)) return null;
  const members = rows.map(([subscription_id, ...row]): CrossSubscriptionMember => {
    const [statement_id] = row;
    return { subscription_id, statement_id, transaction: transactionRecord(row) };
  });
  return { by, members };
}

/** Returns the gateway ids of these transactions. */
export function gatewaysOf(db: ReadableDb, ids: readonly number[]): string[] {
  if (ids.length === 0) return [];
  return prepared<string>(
    db,
    `SELECT DISTINCT gateway_transaction_id FROM txn
     WHERE id IN (SELECT value FROM json_each(?)) AND gateway_transaction_id <> ''`,
  )
    .pluck()
    .all(JSON.stringify(ids));
}

/** Returns the keys of these transactions that other rows have as well. */
export function sharedKeys(db: ReadableDb, ids: readonly number[], gateways: readonly string[]): AcrossKey[] {
  const shared = (by: AcrossKey['by'], index: string, values: readonly (number | string)[]): AcrossKey[] =>
    prepared<number | string>(
      db,
      `SELECT wanted.value FROM json_each(?) AS wanted WHERE 2 =
         (SELECT count(*) FROM (SELECT 1 FROM txn INDEXED BY ${index} WHERE ${columns[by]} = wanted.value LIMIT 2))`,
    )
      .pluck()
      .all(JSON.stringify([...new Set(values)]))
      .map((value) => ({ by, value }));
  return [
    ...shared('transaction_id', 'txn_id', ids),
    ...shared('gateway_transaction_id', 'txn_gateway', gateways),
  ];
}

/**
 * Returns the keys shared by several rows in a batch of an index: the keys after `after`, and the end of the batch, null
 * at the end of the index.
 */
export function sharedStretch(
  db: ReadableDb,
  by: CrossSubscriptionGroup['by'],
  after: number | string | null,
  rows: number,
): { keys: AcrossKey[]; end: number | string | null } {
  const column = columns[by];
  const index = by === 'transaction_id' ? 'txn_id' : 'txn_gateway';
  const bound = [after ?? (by === 'transaction_id' ? -1 : '')];
  const end =
    prepared<number | string>(
      db,
      `SELECT ${column} FROM txn INDEXED BY ${index} WHERE ${column} > ? ORDER BY ${column} LIMIT 1 OFFSET ?`,
    )
      .pluck()
      .get(...bound, rows) ?? null;
  const upTo = end === null ? '' : `AND ${column} <= ?`;
  const values = prepared<number | string>(
    db,
    `SELECT ${column} FROM txn INDEXED BY ${index} WHERE ${column} > ? ${upTo}
     GROUP BY ${column} HAVING count(*) > 1`,
  )
    .pluck()
    .all(...bound, ...(end === null ? [] : [end]));
  return { keys: values.map((value) => ({ by, value })), end };
}
