import type { ContractInputs, LedgerImport, LedgerLine } from '../../../contract/index.ts';
import type { LedgerFileBalance, LedgerFileLine } from '../../../domain/general-ledger/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import {
  type ListOrder,
  type PageRequest,
  planListScans,
  readListPage,
  toRowIds,
} from '../lists/keyset-pagination.ts';
import { joinConditions, whereEqual, whereIf } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, insertSql, updateRow } from '../sqlite/write-row.ts';

type StoredLedgerImport = Omit<LedgerImport, 'at' | 'removed_at'> & {
  readonly at: number;
  readonly removed_at: number | null;
};

export interface NewLedgerImport
  extends Omit<StoredLedgerImport, 'id' | 'state' | 'removed_at' | 'removed_by' | 'removed_reason'> {
  readonly isNatural: boolean;
}

/** Returns all ledger imports, newest first. */
export const listLedgerImports = (books: ReadableDb): LedgerImport[] =>
  select.rows<StoredLedgerImport>(books, 'SELECT * FROM ledger_import ORDER BY id DESC').map(toLedgerImport);

export function findLedgerImport(books: ReadableDb, id: number): LedgerImport | null {
  const row = select.row<StoredLedgerImport>(books, 'SELECT * FROM ledger_import WHERE id = ?', id);
  return row === null ? null : toLedgerImport(row);
}

const toLedgerImport = ({ at, removed_at, ...row }: StoredLedgerImport): LedgerImport => ({
  ...row,
  at: formatTimestamp(at),
  removed_at: formatTimestamp(removed_at),
});

/** Stores an import with its lines and balances. Returns its id. */
export function addLedgerImport(
  db: WritableDb,
  { isNatural, ...row }: NewLedgerImport,
  { lines, balances }: { lines: readonly LedgerFileLine[]; balances: readonly LedgerFileBalance[] },
): number {
  const import_id = insertRow(db, 'ledger_import', { ...row, state: 'done', natural: Number(isNatural) });
  const line = prepareSql(
    db,
    insertSql('ledger_line', [
      'import_id',
      'row',
      'account',
      'dated_on',
      'amount_in_cents',
      'currency',
      'text',
      'location',
    ]),
  );
  for (const { row: number, account, dated_on, amount_in_cents, currency, location, ...texts } of lines) {
    const text = [texts.entry, texts.reference, texts.description].filter((each) => each).join(' ');
    const values = [import_id, number, account, dated_on, amount_in_cents, currency ?? row.currency];
    line.run(...values, text.slice(0, 1000), location);
  }
  for (const { row: number, account_name: _name, currency, ...balance } of balances)
    insertRow(db, 'ledger_balance', {
      ...balance,
      ...{ import_id, row: number, as_on: row.last_on, currency: currency ?? row.currency },
    });
  return import_id;
}

/** Marks an import and its rows as removed. Releases the journal entries that these rows posted. */
export function markLedgerImportRemoved(
  db: WritableDb,
  id: number,
  { at, user, reason }: { at: number; user: string; reason: string },
): void {
  const row = { state: 'removed', removed_at: at, removed_by: user, removed_reason: reason };
  updateRow(db, 'ledger_import', row, { id });
  prepareSql(db, 'UPDATE ledger_line SET removed = 1, entry_id = NULL WHERE import_id = ?').run(id);
  updateRow(db, 'ledger_balance', { removed: 1 }, { import_id: id });
}

/** Returns the imports that have lines of these accounts in a range of days, or balances on that day. */
export function findOverlappingImports(
  books: ReadableDb,
  kind: LedgerImport['kind'],
  accounts: readonly string[],
  { first, last }: { first: string; last: string },
): { id: number; file: string }[] {
  const rows = kind === 'activity' ? 'ledger_line' : 'ledger_balance';
  const day = kind === 'activity' ? 'dated_on' : 'as_on';
  const sql = `SELECT id, file FROM ledger_import WHERE id IN (SELECT import_id FROM json_each(?) AS accounts
      CROSS JOIN ${rows} AS row ON row.account = accounts.value WHERE row.removed = 0 AND row.${day} BETWEEN ? AND ?) ORDER BY id`;
  return select.rows<{ id: number; file: string }>(books, sql, JSON.stringify(accounts), first, last);
}

const order: ListOrder = {
  name: 'ledger-lines',
  columns: [
    { name: 'dated_on', type: 'text' },
    { name: 'id', type: 'number' },
  ],
  direction: 'asc',
};

const LINE = `SELECT line.id, import_id AS import, row, line.account, account.name, area, dated_on, amount_in_cents, currency, text,
    (SELECT number FROM journal_entry WHERE journal_entry.id = entry_id) AS entry
  FROM ledger_line AS line JOIN ledger_account AS account ON account.account = line.account WHERE line.id = ?`;

/** Returns a page of ledger lines, sorted by day. */
export function listLedgerLines(
  books: ReadableDb,
  { account, since, until, ...page }: Omit<ContractInputs['ledger']['lines'], 'site'> & PageRequest,
) {
  const { where, bound } = joinConditions(
    { where: ['removed = 0'], bound: [] },
    whereEqual('account', account),
    whereIf('dated_on >= ?', since),
    whereIf('dated_on <= ?', until),
  );
  const plan = planListScans(order, [{ from: 'ledger_line', where, bound }]);
  const { keys, next } = readListPage(books, plan, page);
  const count = `SELECT count(*) FROM ledger_line WHERE ${where.join(' AND ')}`;
  return {
    rows: toRowIds(keys).map((id) => select.row<LedgerLine>(books, LINE, id) as LedgerLine),
    next,
    total:
      page.after === undefined
        ? { count: select.value<number>(books, count, ...bound) ?? 0, exact: true }
        : null,
  };
}
