import type { BalanceStatement, StatementTransaction } from '../../../domain/receivables/index.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { toBalanceTransaction } from '../statements/transaction.ts';

/** A statement as part of its subscription's balance, with the time at which it was settled. */
export interface ReceivableStatement extends BalanceStatement {
  readonly subscription_id: number;
  readonly settled: number | null;
}

/** Yields all statements that the service still lists, by subscription. */
export function readReceivableStatements(cache: ReadableDb): IterableIterator<ReceivableStatement> {
  const sql = `SELECT id, subscription_id, opened_at AS opened, iif(state = 0, NULL, dated_at) AS closed, settled_at AS settled,
      starting_balance_in_cents AS starting, ending_balance_in_cents AS ending
    FROM statement INDEXED BY statement_subscription WHERE vanished_at IS NULL ORDER BY subscription_id`;
  return prepareSql<ReceivableStatement>(cache, sql).iterate();
}

export interface ReceivableTransaction extends StatementTransaction {
  readonly statement_id: number;
  readonly created_text: string | null;
}

/** Returns the transactions of statements, in order, by statement. */
export function readReceivableTransactions(
  cache: ReadableDb,
  statements: readonly number[],
): Map<number, ReceivableTransaction[]> {
  const sql = `SELECT id, statement_id, transaction_type, type, success, amount_in_cents, starting_balance_in_cents,
      ending_balance_in_cents, created_at AS created, created_at_text AS created_text
    FROM txn WHERE statement_id IN (SELECT value FROM json_each(?)) ORDER BY statement_id, ordinal`;
  type Stored = Omit<ReceivableTransaction, 'success'> & { readonly success: number | null };
  const rows = select.rows<Stored>(cache, sql, JSON.stringify(statements));
  return Map.groupBy(rows.map(toBalanceTransaction), ({ statement_id }) => statement_id);
}

/** Customer of a statement, and the statement's dates as the service wrote them. */
export interface StatementCustomer {
  readonly id: number;
  readonly subscription: number;
  readonly customer: string;
  readonly organization: string | null;
  readonly opened_text: string | null;
  readonly closed_text: string | null;
}

export const getStatementCustomer = (cache: ReadableDb, statement: number): StatementCustomer =>
  findStatementCustomer(cache, statement) as StatementCustomer;

/** Returns the customer of a statement; null if the statement is not stored. */
export function findStatementCustomer(cache: ReadableDb, statement: number): StatementCustomer | null {
  const sql = `SELECT id, subscription_id AS subscription, customer_name AS customer, nullif(customer_organization, '') AS organization,
      opened_at_text AS opened_text, closed_at_text AS closed_text
    FROM statement WHERE id = ?`;
  return select.row<StatementCustomer>(cache, sql, statement);
}
