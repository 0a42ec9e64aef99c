import type { ComparedLedgerArea } from '../../../domain/general-ledger/index.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';

/** Ledger account that the reconciliation compares with the workpaper. */
export interface ComparedAccount {
  account: string;
  area: ComparedLedgerArea;
}

/** Returns the accounts that are mapped to one of these areas, by number. */
export function listAccountsOfAreas(
  books: ReadableDb,
  areas: readonly ComparedLedgerArea[],
): ComparedAccount[] {
  const sql =
    'SELECT account, area FROM ledger_account WHERE area IN (SELECT value FROM json_each(?)) ORDER BY account';
  return select.rows<ComparedAccount>(books, sql, JSON.stringify(areas));
}

/** A posting or a balance. `natural` is 1 if increases of the account are positive, and 0 if debits are positive. */
interface SignedLedgerRow {
  id: number;
  currency: string;
  natural: 0 | 1;
}

/** Yields the postings of an account in a range of days, by day. */
export function readAccountPostings(
  books: ReadableDb,
  account: string,
  { first, last }: { readonly first: string; readonly last: string },
): IterableIterator<SignedLedgerRow & { day: string; cents: number }> {
  const sql = `SELECT line.id, line.currency, natural, dated_on AS day, amount_in_cents AS cents
    FROM ledger_line AS line INDEXED BY ledger_line_dated CROSS JOIN ledger_import ON ledger_import.id = import_id
    WHERE line.account = ? AND removed = 0 AND dated_on BETWEEN ? AND ?`;
  return prepareSql<SignedLedgerRow & { day: string; cents: number }>(books, sql).iterate(
    account,
    first,
    last,
  );
}

export interface AccountBalance extends SignedLedgerRow {
  opening_in_cents: number | null;
  movement_in_cents: number | null;
  closing_in_cents: number | null;
}

/** Returns the balances of an account on a day, by currency. */
export function listAccountBalances(books: ReadableDb, account: string, day: string): AccountBalance[] {
  const sql = `SELECT balance.id, balance.currency, natural, opening_in_cents, movement_in_cents, closing_in_cents
    FROM ledger_balance AS balance CROSS JOIN ledger_import ON ledger_import.id = import_id
    WHERE balance.account = ? AND removed = 0 AND as_on = ? ORDER BY balance.id`;
  return select.rows<AccountBalance>(books, sql, account, day);
}

/** Returns each account's change in cents by approved entries that no ledger file contains yet. Debits are positive. */
export function listUnpostedAmounts(
  books: ReadableDb,
  { first, last }: { readonly first: string; readonly last: string },
): { id: number; day: string; currency: string; account: string; cents: number }[] {
  const sql = `SELECT id, dated_on AS day, currency, account, sum(debit_in_cents - credit_in_cents) AS cents
    FROM journal_entry INDEXED BY journal_entry_dated CROSS JOIN journal_line ON entry_id = id
    WHERE state IN ('approved', 'exported') AND dated_on BETWEEN ? AND ? GROUP BY id, account ORDER BY id, account`;
  return select.rows<{ id: number; day: string; currency: string; account: string; cents: number }>(
    books,
    sql,
    first,
    last,
  );
}
