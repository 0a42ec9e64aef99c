import type { CrossSubscriptionGroup, CrossSubscriptionMember } from '../../../domain/checks/index.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { toTransactionRecord, transactionRecordColumns } from './check-statements.ts';

/** A transaction id or gateway id that several rows share. */
export interface SharedRowKey {
  by: CrossSubscriptionGroup['by'];
  value: number | string;
}

/**
 * Number of rows above which a gateway id does not identify a payment, because test gateways use one id for all
 * payments. Chosen by judgment.
 */
const MAX_SHARED_ROWS = 10;

const columns: Record<CrossSubscriptionGroup['by'], string> = {
  transaction_id: 'txn.id',
  gateway_transaction_id: 'txn.gateway_transaction_id',
};

/** Returns the transactions that share a key. Null if too many rows share a gateway id to identify one payment. */
export function findCrossSubscriptionGroup(
  db: ReadableDb,
  { by, value }: SharedRowKey,
): CrossSubscriptionGroup | null {
  const sql = `SELECT statement.subscription_id, ${transactionRecordColumns}
     FROM txn JOIN statement ON statement.id = txn.statement_id
     WHERE ${columns[by]} = ? AND vanished_at IS NULL ORDER BY txn.statement_id, txn.id LIMIT ?`;
  const rows = prepareSql<[number, ...Parameters<typeof toTransactionRecord>[0]]>(db, sql)
    .raw()
    .all(value, MAX_SHARED_ROWS);
  if (rows.length < 2 || (by === 'gateway_transaction_id' && rows.length === MAX_SHARED_ROWS)) return null;
  return { by, members: rows.map(toMember) };
}

/** Returns the transactions with these ids. A transaction on several statements appears only once. */
export function findTransactionsById(
  db: ReadableDb,
  ids: Iterable<number>,
): Map<number, CrossSubscriptionMember> {
  const wanted = JSON.stringify([...ids]);
  if (wanted === '[]') return new Map();
  const sql = `SELECT statement.subscription_id, ${transactionRecordColumns}
     FROM json_each(?) AS wanted CROSS JOIN txn INDEXED BY txn_id ON txn.id = wanted.value
     JOIN statement ON statement.id = txn.statement_id WHERE vanished_at IS NULL`;
  const rows = prepareSql<[number, ...Parameters<typeof toTransactionRecord>[0]]>(db, sql).raw().all(wanted);
  return new Map(rows.map((row) => toMember(row)).map((member) => [member.transaction.id, member]));
}

const toMember = ([subscription_id, ...row]: [
  number,
  ...Parameters<typeof toTransactionRecord>[0],
]): CrossSubscriptionMember => ({
  subscription_id,
  statement_id: row[0],
  transaction: toTransactionRecord(row),
});

/** Returns the distinct gateway transaction ids of these transactions. */
export function listGatewayIds(db: ReadableDb, ids: readonly number[]): string[] {
  if (ids.length === 0) return [];
  const sql = `SELECT DISTINCT gateway_transaction_id FROM txn
     WHERE id IN (SELECT value FROM json_each(?)) AND gateway_transaction_id <> ''`;
  return select.values<string>(db, sql, JSON.stringify(ids));
}

/** Returns the transaction ids and gateway ids that other rows share with these transactions. */
export function findSharedKeysOfTransactions(
  db: ReadableDb,
  ids: readonly number[],
  gateways: readonly string[],
): SharedRowKey[] {
  const shared = (
    by: SharedRowKey['by'],
    index: string,
    values: readonly (number | string)[],
  ): SharedRowKey[] =>
    select
      .values<number | string>(
        db,
        `SELECT wanted.value FROM json_each(?) AS wanted WHERE 2 =
         (SELECT count(*) FROM (SELECT 1 FROM txn INDEXED BY ${index} WHERE ${columns[by]} = wanted.value LIMIT 2))`,
        JSON.stringify([...new Set(values)]),
      )
      .map((value) => ({ by, value }));
  return [
    ...shared('transaction_id', 'txn_id', ids),
    ...shared('gateway_transaction_id', 'txn_gateway', gateways),
  ];
}

/** Returns the shared keys among the next `rows` index entries, and the last key read. Null at the end of the index. */
export function readSharedKeys(
  db: ReadableDb,
  by: CrossSubscriptionGroup['by'],
  after: number | string | null,
  rows: number,
): { keys: SharedRowKey[]; end: number | string | null } {
  const column = columns[by];
  const index = by === 'transaction_id' ? 'txn_id' : 'txn_gateway';
  const bound = [after ?? (by === 'transaction_id' ? -1 : '')];
  const endSql = `SELECT ${column} FROM txn INDEXED BY ${index} WHERE ${column} > ? ORDER BY ${column} LIMIT 1 OFFSET ?`;
  const end = select.value<number | string>(db, endSql, ...bound, rows);
  const upTo = end === null ? '' : `AND ${column} <= ?`;
  const valuesSql = `SELECT ${column} FROM txn INDEXED BY ${index} WHERE ${column} > ? ${upTo}
     GROUP BY ${column} HAVING count(*) > 1`;
  const values = select.values<number | string>(db, valuesSql, ...bound, ...(end === null ? [] : [end]));
  return { keys: values.map((value) => ({ by, value })), end };
}
