import type { AccountKind, BankAccount, CurrencyTotals, MatchState } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateRow } from '../sqlite/write-row.ts';
import { findLatestStatedBalance } from './bank-statement.ts';

/** Match states of lines and payments. The index is the stored number. Lines of a removed import are `removed`. */
export const matchStates = ['open', 'ambiguous', 'suggested', 'partial', 'matched', 'ignored'] as const;
const REMOVED_STATE = matchStates.length;

/** Returns the stored numbers of these match states, or of all visible states if `states` is undefined. */
export function toMatchStateNumbers(states: readonly MatchState[] | undefined): number[] {
  return matchStates.flatMap((state, at) => (states === undefined || states.includes(state) ? [at] : []));
}

export interface StoredBankAccount {
  id: number;
  name: string;
  kind: AccountKind;
  currency: string | null;
  number: string | null;
  window_from: number | null;
  window_to: number | null;
  /** Number of imports and import removals so far. */
  changes: number;
}

export function findBankAccount(db: ReadableDb, id: number): StoredBankAccount | null {
  return select.row<StoredBankAccount>(db, 'SELECT * FROM bank_account WHERE id = ?', id);
}

/** Returns the bank account with exactly this name, or null. */
export function findBankAccountByName(db: ReadableDb, name: string): StoredBankAccount | null {
  return select.row<StoredBankAccount>(db, 'SELECT * FROM bank_account WHERE name = ?', name);
}

/** Returns all bank accounts by name, including those without lines. */
export function listStoredBankAccounts(db: ReadableDb): StoredBankAccount[] {
  return select.rows<StoredBankAccount>(db, 'SELECT * FROM bank_account ORDER BY name, id');
}

export type BankAccountContent = Pick<
  StoredBankAccount,
  'name' | 'kind' | 'currency' | 'window_from' | 'window_to'
>;

export function addBankAccount(db: WritableDb, account: BankAccountContent): number {
  const { name, kind, currency, window_from, window_to } = account;
  return insertRow(db, 'bank_account', { name, kind, currency, window_from, window_to });
}

export function updateBankAccount(db: WritableDb, id: number, account: BankAccountContent): void {
  const { name, kind, currency, window_from, window_to } = account;
  updateRow(db, 'bank_account', { name, kind, currency, window_from, window_to }, { id });
}

/** Counts a change of the account's lines. Saves the account number if the account has none yet. */
export function recordBankAccountChange(db: WritableDb, id: number, number: string | null = null): void {
  const sql = 'UPDATE bank_account SET changes = changes + 1, number = coalesce(number, ?) WHERE id = ?';
  prepareSql(db, sql).run(number, id);
}

/** Returns an account's currency: the saved currency, or else the only currency of its lines. Otherwise null. */
export function findAccountCurrency(
  db: ReadableDb,
  { id, currency }: Pick<StoredBankAccount, 'id' | 'currency'>,
): string | null {
  if (currency !== null) return currency;
  const [first, ...others] = listLineCurrencies(db, id);
  return others.length === 0 ? (first ?? null) : null;
}

/** Saves the currency of an account that has none, unless its lines have several currencies. */
export function setBankAccountCurrency(db: WritableDb, id: number): void {
  const account = findBankAccount(db, id);
  if (account === null || account.currency !== null) return;
  updateRow(db, 'bank_account', { currency: findAccountCurrency(db, account) }, { id });
}

/** Returns the currencies of the account's lines. */
export const listLineCurrencies = (db: ReadableDb, id: number): string[] =>
  select
    .rows<{ currency: string }>(
      db,
      `SELECT DISTINCT currency FROM bank_line INDEXED BY bank_line_dated WHERE account_id = ? AND state < ${REMOVED_STATE}`,
      id,
    )
    .map(({ currency }) => currency);

/** Deletes a bank account. Returns false if the account has or ever had imports. */
export function removeBankAccount(db: WritableDb, id: number): boolean {
  const used = prepareSql(db, 'SELECT 1 FROM bank_import WHERE account_id = ? LIMIT 1').get(id);
  if (used !== undefined) return false;
  prepareSql(db, 'DELETE FROM bank_account WHERE id = ?').run(id);
  return true;
}

export function listBankAccounts(db: ReadableDb): BankAccount[] {
  return listStoredBankAccounts(db).map((account) => toBankAccount(db, account));
}

export function getBankAccount(db: ReadableDb, id: number): BankAccount | null {
  const account = findBankAccount(db, id);
  return account === null ? null : toBankAccount(db, account);
}

interface StateSum {
  state: number;
  currency: string;
  count: number;
  in_cents: number;
  out_cents: number;
  unmatched_in: number;
  unmatched_out: number;
  first_on: string;
  last_on: string;
}

function toBankAccount(db: ReadableDb, account: StoredBankAccount): BankAccount {
  const { id, name, kind, currency, number, window_from, window_to } = account;
  const sumsSql = `SELECT state, currency, count(*) AS count, sum(max(amount_in_cents, 0)) AS in_cents,
       sum(min(amount_in_cents, 0)) AS out_cents, ${UNMATCHED_SUMS_SQL}, min(booked_on) AS first_on, max(booked_on) AS last_on
     FROM bank_line INDEXED BY bank_line_dated WHERE account_id = ? AND state < ${REMOVED_STATE} GROUP BY state, currency`;
  const sums = select.rows<StateSum>(db, sumsSql, id);
  const importsSql = "SELECT count(*) FROM bank_import WHERE account_id = ? AND state = 'done'";
  const imports = select.value<number>(db, importsSql, id) ?? 0;
  return {
    id,
    name,
    kind,
    currency,
    number,
    window:
      window_from === null || window_to === null ? null : { from_days: window_from, to_days: window_to },
    lines: sums.reduce((total, each) => total + each.count, 0),
    imports,
    first_on: sums.map(({ first_on }) => first_on).toSorted()[0] ?? null,
    last_on:
      sums
        .map(({ last_on }) => last_on)
        .toSorted()
        .at(-1) ?? null,
    balance: findLatestStatedBalance(db, id),
    sums: addUpByCurrency(sums),
    unmatched: addUpUnmatched(sums),
    states: Object.fromEntries(
      matchStates.map((state, at) => [
        state,
        sums.reduce((total, each) => total + (each.state === at ? each.count : 0), 0),
      ]),
    ),
  };
}

/** SQL for the amounts that no confirmed match covers. Covered amounts have the row's sign and never exceed it. */
export const UNMATCHED_SUMS_SQL = `sum(max(amount_in_cents - claimed_in_cents, 0)) AS unmatched_in,
  sum(min(amount_in_cents - claimed_in_cents, 0)) AS unmatched_out`;

/** Adds up the unmatched amounts by currency. Excludes states in which nothing is unmatched. */
export function addUpUnmatched(
  sums: readonly (Omit<CurrencyTotals, 'in_cents' | 'out_cents'> &
    Pick<StateSum, 'state' | 'unmatched_in' | 'unmatched_out'>)[],
): CurrencyTotals[] {
  const unmatched = sums.filter(({ state }) => state < matchStates.indexOf('matched'));
  return addUpByCurrency(
    unmatched.map((sum) => ({ ...sum, in_cents: sum.unmatched_in, out_cents: sum.unmatched_out })),
  );
}

/** Adds up totals by currency, sorted by currency code. */
function addUpByCurrency(totals: readonly CurrencyTotals[]): CurrencyTotals[] {
  return [...Map.groupBy(totals, ({ currency }) => currency)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, each]) => ({
      currency,
      count: each.reduce((total, { count }) => total + count, 0),
      in_cents: each.reduce((total, { in_cents }) => total + in_cents, 0),
      out_cents: each.reduce((total, { out_cents }) => total + out_cents, 0),
    }));
}
