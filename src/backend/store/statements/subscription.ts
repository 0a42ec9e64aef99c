import { prepareSql, type WritableDb } from '../sqlite/connection.ts';

export function addSubscriptions(db: WritableDb, ids: Iterable<number>): void {
  const sql = `INSERT INTO subscription (subscription_id) SELECT value FROM json_each(?) WHERE true
     ON CONFLICT (subscription_id) DO NOTHING`;
  prepareSql(db, sql).run(JSON.stringify([...ids]));
}

interface Latest {
  customer_name: string;
  customer_organization: string | null;
  ending_balance_in_cents: number;
  closed_at: number;
  closed_at_text: string;
}

/** Updates a subscription's customer from its newest statement, and its balance from the last closed statement. */
export function updateSubscription(db: WritableDb, id: number): void {
  const countsSql = `SELECT count(*) AS statements, count(*) FILTER (WHERE state = 1) AS unpaid
     FROM statement WHERE subscription_id = ?`;
  const counts = prepareSql<{ statements: number; unpaid: number }>(db, countsSql).get(id);
  const latest = (where: string, order: string) =>
    prepareSql<Latest>(
      db,
      `SELECT customer_name, customer_organization, ending_balance_in_cents, closed_at, closed_at_text FROM statement
       WHERE subscription_id = ? AND ${where} ORDER BY ${order} DESC, id DESC LIMIT 1`,
    ).get(id);
  const newest = latest('1', 'dated_at');
  const closed = latest('closed_at IS NOT NULL', 'closed_at');
  addSubscriptions(db, [id]);
  const sql = `UPDATE subscription SET statements = ?, unpaid = ?, customer_name = ?, customer_organization = ?,
       balance_in_cents = ?, last_closed_at = ?, last_closed_at_text = ? WHERE subscription_id = ?`;
  prepareSql(db, sql).run(
    counts?.statements ?? 0,
    counts?.unpaid ?? 0,
    newest?.customer_name ?? '',
    newest?.customer_organization ?? null,
    closed?.ending_balance_in_cents ?? 0,
    closed?.closed_at ?? null,
    closed?.closed_at_text ?? null,
    id,
  );
}
