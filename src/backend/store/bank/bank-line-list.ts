import type { z } from 'zod';
import type {
  BankLine,
  BankLineDetail,
  bankLineFilterSchema,
  bankLineSortSchema,
  ContractOutputs,
  PageMarks,
} from '../../../contract/index.ts';
import {
  type IndexScan,
  type ListQueryPlan,
  type PageRequest,
  planListScans,
  readPageCursors,
} from '../lists/keyset-pagination.ts';
import {
  getDateRangeStartKey,
  getMoneyFilterConditions,
  getMoneySearchConditions,
  readMoneyListPage,
  sumScansByCurrency,
} from '../lists/money-list.ts';
import { joinConditions, type SqlConditions, whereEqual, whereIf, whereIn } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { listFigureRowIds } from '../workpaper/figure-row-ids.ts';
import { matchStates, toMatchStateNumbers } from './bank-account.ts';
import type { BankLineExtra } from './bank-line.ts';

export interface BankLineQuery {
  filter: z.output<typeof bankLineFilterSchema>;
  sort: z.output<typeof bankLineSortSchema>;
}

const sorts = {
  booked_on: { column: { name: 'booked_on', type: 'text' }, index: 'bank_line_dated' },
  amount_in_cents: { column: { name: 'amount_in_cents', type: 'number' }, index: 'bank_line_amount' },
} as const;

/** Returns a page of bank lines. The first page includes the number of lines and their sums. */
export function listBankLines(
  db: ReadableDb,
  query: BankLineQuery & PageRequest,
): ContractOutputs['bank']['lines'] {
  return readMoneyListPage(db, planBankLineList(db, query), query, {
    listRows: (ids) => listBankLinesById(db, ids),
    sum: () => sumScansByCurrency(db, getLineScans(db, query, false)),
  });
}

export function readBankLinePageCursors(db: ReadableDb, query: BankLineQuery & { every: number }): PageMarks {
  return readPageCursors(db, planBankLineList(db, query), query.every, 'bank_line');
}

export function planBankLineList(db: ReadableDb, query: BankLineQuery): ListQueryPlan {
  const { by, direction } = query.sort;
  const columns = [sorts[by].column, { name: 'id', type: 'number' } as const];
  const startKey =
    by === 'booked_on' ? getDateRangeStartKey(narrowToImport(db, query.filter), direction) : null;
  return planListScans({ name: `lines ${by}`, columns, direction }, getLineScans(db, query, true), startKey);
}

/** Returns one index scan per account and state, or a single scan if the filter names ids or a payout. */
function getLineScans(db: ReadableDb, { filter, sort }: BankLineQuery, inOrder: boolean): IndexScan[] {
  const accounts = filter.account ?? listAccountIds(db);
  const states = toMatchStateNumbers(filter.state);
  const direction = inOrder && sort.by === 'booked_on' ? sort.direction : null;
  const conditions = joinConditions(
    getMoneyFilterConditions(narrowToImport(db, filter), 'booked_on', direction),
    getLineConditions(filter),
    getBankLineSearchConditions(filter.search),
  );
  const ofPayout = whereEqual('payout_id', filter.payout_id);
  if (filter.figure !== undefined || filter.ids !== undefined) {
    const ofFigure = whereIn('id', filter.figure && listFigureRowIds(db, filter.figure, 'line'));
    const own = joinConditions(
      whereIn('id', filter.ids),
      ofFigure,
      whereIn('account_id', accounts),
      whereIn('state', states),
      ofPayout,
    );
    return [{ from: 'bank_line NOT INDEXED', ...joinConditions(own, conditions) }];
  }
  if (filter.payout_id !== undefined) {
    const own = joinConditions(ofPayout, whereIn('state', states), conditions);
    const from = 'bank_line INDEXED BY bank_line_payout';
    return accounts.map((id) => ({ from, ...joinConditions(whereEqual('account_id', id), own) }));
  }
  const from = `bank_line INDEXED BY ${sorts[sort.by].index}`;
  return accounts.flatMap((id) =>
    states.map((state) => ({
      from,
      ...joinConditions(whereEqual('account_id', id), whereEqual('state', state), conditions),
    })),
  );
}

/** Returns SQL conditions for bank lines that match the search words, an id or an amount. */
export function getBankLineSearchConditions(search: string | undefined): SqlConditions {
  const texts = ['description', 'reference', 'counterparty', 'bank_id', 'payout_id'];
  return getMoneySearchConditions(search, [...texts, 'gateway_transaction_id'], ['id']);
}

function getLineConditions({ import: of, kind, flow, currency }: BankLineQuery['filter']): SqlConditions {
  return joinConditions(
    whereEqual('import_id', of),
    whereIn('kind', kind),
    ...(flow === undefined ? [] : [whereIf(flow === 'in' ? 'amount_in_cents > 0' : 'amount_in_cents < 0')]),
    whereEqual('currency', currency),
  );
}

/** Limits the filter to the days of the selected import, because the index finds lines by date. */
function narrowToImport(db: ReadableDb, filter: BankLineQuery['filter']): BankLineQuery['filter'] {
  if (filter.import === undefined) return filter;
  const sql = 'SELECT first_on, last_on FROM bank_import WHERE id = ?';
  const days = prepareSql<{ first_on: string | null; last_on: string | null }>(db, sql).get(filter.import);
  const since = [filter.since, days?.first_on]
    .filter((day) => typeof day === 'string')
    .toSorted()
    .at(-1);
  const until = [filter.until, days?.last_on].filter((day) => typeof day === 'string').toSorted()[0];
  return { ...filter, since, until };
}

function listAccountIds(db: ReadableDb): number[] {
  return select.values<number>(db, 'SELECT id FROM bank_account ORDER BY id');
}

interface StoredLine extends Omit<BankLine, 'account' | 'import' | 'state' | 'bank_id'> {
  account_id: number;
  account_name: string;
  import_id: number;
  bank_id: string;
  state: number;
  location: string;
  extra_fields: string | null;
}

const columns = `bank_line.id, bank_line.account_id, bank_account.name AS account_name, import_id, file, row, booked_on,
  value_on, amount_in_cents, bank_line.currency, bank_line.kind, description, reference, counterparty, bank_id, payout_id,
  gateway_transaction_id, fee_in_cents, net_in_cents, bank_line.state, claimed_in_cents, comments, location, extra_fields`;
const joined = `CROSS JOIN bank_import ON bank_import.id = import_id
  CROSS JOIN bank_account ON bank_account.id = bank_line.account_id`;

/** Returns the bank lines with these ids in the given order, including lines of removed imports. */
export function listBankLinesById(db: ReadableDb, ids: readonly number[]): BankLine[] {
  const sql = `SELECT ${columns} FROM json_each(?) AS wanted CROSS JOIN bank_line ON bank_line.id = wanted.value ${joined}
     ORDER BY wanted.key`;
  return select
    .rows<StoredLine>(db, sql, JSON.stringify(ids))
    .map(({ location: _place, extra_fields: _extraFields, ...stored }) => toBankLine(stored));
}

function toBankLine(stored: Omit<StoredLine, 'location' | 'extra_fields'>): BankLine {
  const { account_id, account_name, import_id, bank_id, state, ...rest } = stored;
  return {
    ...rest,
    account: { id: account_id, name: account_name },
    import: import_id,
    bank_id: bank_id === '' ? null : bank_id,
    state: matchStates[state] ?? 'open',
  };
}

/** Returns a bank line, or null if it does not exist or its import was removed. */
export function getBankLine(db: ReadableDb, id: number): BankLineDetail | null {
  const storedSql = `SELECT ${columns} FROM bank_line ${joined} WHERE bank_line.id = ? AND removed = 0`;
  const stored = prepareSql<StoredLine>(db, storedSql).get(id);
  if (stored === undefined) return null;
  const { location, extra_fields, ...line } = stored;
  const { balance_in_cents, foreign, extra } = (
    extra_fields === null ? {} : JSON.parse(extra_fields)
  ) as BankLineExtra;
  const sql = 'SELECT DISTINCT group_id FROM match_item WHERE line_id = ? ORDER BY group_id DESC';
  return {
    ...toBankLine(line),
    location,
    balance_in_cents: balance_in_cents ?? null,
    foreign: foreign ?? null,
    extra: extra ?? {},
    groups: select.values<number>(db, sql, id),
  };
}
