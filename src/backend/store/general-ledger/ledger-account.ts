import type { LedgerAccount } from '../../../contract/index.ts';
import { type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

const ACCOUNTS = `
  SELECT account, name, area,
    (SELECT count(*) FROM ledger_line AS line WHERE line.account = ledger_account.account AND removed = 0) AS lines,
    (SELECT count(*) FROM ledger_balance AS balance WHERE balance.account = ledger_account.account AND removed = 0) AS balances,
    (SELECT min(day) FROM (SELECT min(dated_on) AS day FROM ledger_line AS line WHERE line.account = ledger_account.account AND removed = 0
      UNION ALL SELECT min(as_on) FROM ledger_balance AS balance WHERE balance.account = ledger_account.account AND removed = 0)) AS first_on,
    (SELECT max(day) FROM (SELECT max(dated_on) AS day FROM ledger_line AS line WHERE line.account = ledger_account.account AND removed = 0
      UNION ALL SELECT max(as_on) FROM ledger_balance AS balance WHERE balance.account = ledger_account.account AND removed = 0)) AS last_on
  FROM ledger_account`;

/** Returns the accounts of all ledger files and mappings, by number. */
export const listLedgerAccounts = (books: ReadableDb): LedgerAccount[] =>
  select.rows<LedgerAccount>(books, `${ACCOUNTS} ORDER BY account`);

/** Returns the mapped area of each account, by account. */
export function readLedgerAreas(books: ReadableDb): Map<string, NonNullable<LedgerAccount['area']>> {
  const sql = 'SELECT account, area FROM ledger_account WHERE area IS NOT NULL ORDER BY account';
  const rows = select.rows<{ account: string; area: NonNullable<LedgerAccount['area']> }>(books, sql);
  return new Map(rows.map(({ account, area }) => [account, area]));
}

/** Returns the mapped accounts with the time (UTC milliseconds) and user of the mapping, by account. */
export const listAreaDecisions = (
  books: ReadableDb,
): { account: string; area: string; changed_at: number; changed_by: string }[] =>
  select.rows(
    books,
    'SELECT account, area, changed_at, changed_by FROM ledger_account WHERE area IS NOT NULL ORDER BY account',
  );

/** Returns the account names, by account. Omits accounts without a name. */
export function readLedgerAccountNames(books: ReadableDb): Map<string, string> {
  const sql = 'SELECT account, name FROM ledger_account WHERE name IS NOT NULL';
  const rows = select.rows<{ account: string; name: string }>(books, sql);
  return new Map(rows.map(({ account, name }) => [account, name]));
}

interface AccountChange {
  readonly account: string;
  readonly name: string | null;
  readonly at: number;
  readonly user: string;
}

/** Adds an account, or updates its name if a file contains the name. */
export function addLedgerAccount(db: WritableDb, { account, name, at, user }: AccountChange): void {
  const row = { account, name, area: null, changed_at: at, changed_by: user };
  insertRow(
    db,
    'ledger_account',
    row,
    'ON CONFLICT (account) DO UPDATE SET name = coalesce(excluded.name, name)',
  );
}

/** Maps a ledger account to an area. Null removes the mapping. */
export function mapLedgerAccount(
  db: WritableDb,
  { account, name, area, at, user }: AccountChange & { readonly area: string | null },
): void {
  addLedgerAccount(db, { account, name, at, user });
  const row = { account, area, changed_at: at, changed_by: user };
  insertRow(db, 'ledger_account', row, onConflictSql('account', 'area', 'changed_at', 'changed_by'));
}
