import type { FigureRow } from '../../../contract/index.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';

const texts: Readonly<Record<FigureRow['kind'], { of: 'cache' | 'books'; sql: string }>> = {
  statement: {
    of: 'cache',
    sql: "SELECT customer_name || ', subscription ' || subscription_id FROM statement WHERE id = ?",
  },
  transaction: {
    of: 'cache',
    sql: `SELECT customer_name || ', statement ' || statement_id || ', ' || lower(coalesce(txn.type, transaction_type))
          FROM txn JOIN statement ON statement.id = statement_id WHERE txn.id = ? AND statement_id = ? LIMIT 1`,
  },
  payment: {
    of: 'books',
    sql: `SELECT coalesce(customer_name || ', ', '') || iif(kind = 'refund', 'refund on statement ', 'statement ') || statement_id
          FROM match_payment WHERE id = ?`,
  },
  line: {
    of: 'books',
    sql: `SELECT name || ', row ' || row || ': ' || trim(description || coalesce(' ' || reference, ''))
          FROM bank_line JOIN bank_account ON bank_account.id = account_id WHERE bank_line.id = ?`,
  },
  payout: {
    of: 'books',
    sql: `SELECT name || ': payout ' || payout_id FROM bank_payout JOIN bank_account ON bank_account.id = account_id
          WHERE bank_payout.id = ?`,
  },
  bank_statement: {
    of: 'books',
    sql: `SELECT name || ', statement ' || coalesce(bank_statement.number || ' ', '') || 'of ' || from_on || ' to ' || to_on || ': ' || file
          FROM bank_statement JOIN bank_account ON bank_account.id = account_id WHERE bank_statement.id = ?`,
  },
  ledger: {
    of: 'books',
    sql: `SELECT account.account || coalesce(' ' || name, '') || iif(text = '', '', ': ' || text)
          FROM ledger_line JOIN ledger_account AS account ON account.account = ledger_line.account WHERE id = ?`,
  },
  balance: {
    of: 'books',
    sql: `SELECT account.account || coalesce(' ' || name, '') || ', trial balance as of ' || as_on
          FROM ledger_balance JOIN ledger_account AS account ON account.account = ledger_balance.account WHERE id = ?`,
  },
  entry: { of: 'books', sql: "SELECT number || ': ' || memo FROM journal_entry WHERE id = ?" },
  match: { of: 'books', sql: "SELECT 'Match ' || id || ', ' || rule FROM match_group WHERE id = ?" },
};

/** Returns a short description of a figure's row. `statement` is the statement that lists a transaction. */
export function describeFigureRow(
  stores: { cache: ReadableDb; books: ReadableDb },
  kind: FigureRow['kind'],
  id: number,
  statement: number,
): string {
  const { of, sql } = texts[kind];
  const name = `${kind[0]?.toUpperCase()}${kind.slice(1).replace('_', ' ')}`;
  return (
    select.value<string>(stores[of], sql, ...(kind === 'transaction' ? [id, statement] : [id])) ??
    `${name} ${id}`
  );
}
