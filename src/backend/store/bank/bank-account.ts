import type { AccountKind, BankAccount, MatchState } from '../../../contract/index.ts';
import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateRow } from '../sqlite/write-row.ts';

/** States of lines and payments, by the number stored. `removed` lines belong to a removed import and are not shown. */
export const matchStates = ['open', 'ambiguous', 'suggested', 'partial', 'matched', 'ignored'] as const;
const REMOVED_STATE = matchStates.length;

/** Returns the numbers of these states, or of all shown states. */
export function toStateNumbers(states: readonly MatchState[] | undefined): number[] {
  return matchStates.flatMap((state, at) => (states === undefined || states.includes(state) ? [at] : []));
}

export interface StoredAccount {
  id: number;
  name: string;
  kind: AccountKind;
  currency: string | null;
  number: string | null;
  window_from: number | null;
  window_to: number | null;
  /** Number of imports and removals so far. */
  changes: number;
}

/** Returns null if the account does not exist. */
export function findAccount(db: ReadableDb, id: number): StoredAccount | null {
  return select.row<StoredAccount>(db, 'SELECT * FROM bank_account WHERE id = ?', id);
}

/** Returns the account with exactly this name, or null. */
export function findAccountByName(db: ReadableDb, name: string): StoredAccount | null {
  return select.row<StoredAccount>(db, 'SELECT * FROM bank_account WHERE name = ?', name);
}

/** Returns all accounts by name, including those without lines. */
export function listStoredAccounts(db: ReadableDb): StoredAccount[] {
  return select.rows<StoredAccount>(db, 'SELECT * FROM bank_account ORDER BY name, id');
}

export type AccountContent = Pick<StoredAccount, 'name' | 'kind' | 'currency' | 'window_from' | 'window_to'>;

/** Adds an account. Returns its id. */
export function addAccount(db: WritableDb, account: AccountContent): number {
  const { name, kind, currency, window_from, window_to } = account;
  return insertRow(db, 'bank_account', { name, kind, currency, window_from, window_to });
}

export function changeAccount(db: WritableDb, id: number, account: AccountContent): void {
  const { name, kind, currency, window_from, window_to } = account;
  updateRow(db, 'bank_account', { name, kind, currency, window_from, window_to }, { id });
}

/** Records that the account's lines have changed, and its number once a file has named it. */
export function recordAccountChange(db: WritableDb, id: number, number: string | null = null): void {
  const sql = 'UPDATE bank_account SET changes = changes + 1, number = coalesce(number, ?) WHERE id = ?';
  prepare(db, sql).run(number, id);
}

/** Deletes an account. Returns false if it has or had imports. */
export function removeAccount(db: WritableDb, id: number): boolean {
  const used = prepare(db, 'SELECT 1 FROM bank_import WHERE account_id = ? LIMIT 1').get(id);
  if (used !== undefined) return false;
  prepare(db, 'DELETE FROM bank_account WHERE id = ?').run(id);
  return true;
}

export function listAccounts(db: ReadableDb): BankAccount[] {
  return listStoredAccounts(db).map((account) => toBankAccount(db, account));
}

export function getAccount(db: ReadableDb, id: number): BankAccount | null {
  const account = findAccount(db, id);
  return account === null ? null : toBankAccount(db, account);
}

interface StateSum {
  state: number;
  currency: string;
  count: number;
  in_cents: number;
  out_cents: number;
  first_on: string;
  last_on: string;
}

function toBankAccount(db: ReadableDb, account: StoredAccount): BankAccount {
  const { id, name, kind, currency, number, window_from, window_to } = account;
  const sumsSql = `SELECT state, currency, count(*) AS count, sum(max(amount_in_cents, 0)) AS in_cents,
       sum(min(amount_in_cents, 0)) AS out_cents, min(booked_on) AS first_on, max(booked_on) AS last_on
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
    balance: findLatestBalance(db, id),
    sums: [...Map.groupBy(sums, (each) => each.currency)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([of, each]) => ({
        currency: of,
        count: each.reduce((total, { count }) => total + count, 0),
        in_cents: each.reduce((total, { in_cents }) => total + in_cents, 0),
        out_cents: each.reduce((total, { out_cents }) => total + out_cents, 0),
      })),
    states: Object.fromEntries(
      matchStates.map((state, at) => [
        state,
        sums.reduce((total, each) => total + (each.state === at ? each.count : 0), 0),
      ]),
    ),
  };
}

/** Returns the closing balance of the latest day in the account's files. */
function findLatestBalance(db: ReadableDb, account: number): BankAccount['balance'] {
  const sql = `SELECT said.value ->> 'closing_in_cents' AS amount_in_cents, said.value ->> 'currency' AS currency,
         said.value ->> 'closing_on' AS "on"
       FROM bank_import CROSS JOIN json_each(bank_import.statements) AS said
       WHERE account_id = ? AND state = 'done' AND said.value ->> 'closing_in_cents' IS NOT NULL
         AND said.value ->> 'closing_on' IS NOT NULL AND said.value ->> 'currency' IS NOT NULL
       ORDER BY "on" DESC, bank_import.id DESC LIMIT 1`;
  return select.row<NonNullable<BankAccount['balance']>>(db, sql, account);
}
