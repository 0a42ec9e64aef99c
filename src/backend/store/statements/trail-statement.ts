import type { TrailRecord } from '../../../contract/index.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';

type Undenominated = Omit<TrailRecord, 'currency'>;

/** Returns a statement as the record of a trail, or an empty list if it is not stored. */
export function listTrailStatement(cache: ReadableDb, statement: number): Undenominated[] {
  const sql = `SELECT id, NULL AS dated_on, closed_at_text AS at, customer_name AS title, NULL AS detail,
       charges_in_cents AS amount_in_cents FROM statement WHERE id = ?`;
  return select.rows<Undenominated>(cache, sql, statement);
}

interface StatementTransaction extends Undenominated {
  readonly transaction_type: string | null;
  readonly type: string | null;
}

/** Returns the transactions of a statement as records of a trail, with their types, in the order received. */
export function listTrailTransactions(cache: ReadableDb, statement: number): StatementTransaction[] {
  const sql = `SELECT id, NULL AS dated_on, created_at_text AS at, ifnull(memo, '') AS title, kind AS detail, amount_in_cents,
       transaction_type, type FROM txn WHERE statement_id = ? ORDER BY ordinal`;
  return select.rows<StatementTransaction>(cache, sql, statement);
}
