import type { z } from 'zod';
import type {
  BankLine,
  BankLineDetail,
  bankLineFilterSchema,
  bankLineSortSchema,
  Marks,
  MatchNote,
  Outputs,
} from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { type Branch, type Order, type Reading, readMarks } from '../lists/keyset-pagination.ts';
import {
  among,
  type Conditions,
  dayEdge,
  equal,
  moneyConditions,
  moneyPage,
  searching,
  sumsOf,
  together,
} from '../lists/money-list.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import { figureIds } from '../workpaper/figure-ids.ts';
import { matchStates, stateNumbers } from './bank-account.ts';
import type { LineMore } from './bank-line.ts';

export interface BankLineQuery {
  filter: z.output<typeof bankLineFilterSchema>;
  sort: z.output<typeof bankLineSortSchema>;
}

const sorts = {
  booked_on: { column: { name: 'booked_on', type: 'text' }, index: 'bank_line_dated' },
  amount_in_cents: { column: { name: 'amount_in_cents', type: 'number' }, index: 'bank_line_amount' },
} as const;

/** Returns a page of lines. The first page includes the number of lines and their sums. */
export function listLines(
  db: ReadableDb,
  query: BankLineQuery & { after?: string | undefined; limit: number },
): Outputs['bank']['lines'] {
  return moneyPage(
    db,
    lineReading(db, query),
    query,
    (ids) => bankLines(db, ids),
    () => sumsOf(db, branchesOf(db, query, false)),
  );
}

/** Returns cursors at regular intervals of the list, so that any part of it can be read directly. */
export function lineMarks(db: ReadableDb, query: BankLineQuery & { every: number }): Marks {
  return readMarks(db, lineReading(db, query), query.every, 'bank_line');
}

/** Plans how a list of lines is read. */
export function lineReading(db: ReadableDb, query: BankLineQuery): Reading {
  const { by, direction } = query.sort;
  const order: Order = {
    name: `lines ${by}`,
    columns: [sorts[by].column, { name: 'id', type: 'number' }],
    direction,
  };
  const branches = branchesOf(db, query, true);
  return {
    order,
    groups: branches.length === 0 ? [] : [{ lead: [], branches }],
    edge: by === 'booked_on' ? dayEdge(spanned(db, query.filter), direction) : null,
  };
}

/**
 * Returns a branch for every account and state. The few lines of a payout are read from its index, those of a figure by
 * their ids.
 */
function branchesOf(db: ReadableDb, { filter, sort }: BankLineQuery, inOrder: boolean): Branch[] {
  const accounts = filter.account ?? accountIds(db);
  const states = stateNumbers(filter.state);
  const direction = inOrder && sort.by === 'booked_on' ? sort.direction : null;
  const conditions = together(
    moneyConditions(spanned(db, filter), 'booked_on', direction),
    asked(filter),
    lineWords(filter.search),
  );
  if (filter.figure !== undefined) {
    const own = together(
      among('id', figureIds(db, filter.figure, 'line')),
      among('account_id', accounts),
      among('state', states),
      equal('payout_id', filter.payout_id),
      conditions,
    );
    return [{ from: 'bank_line NOT INDEXED', ...own }];
  }
  if (filter.payout_id !== undefined) {
    return accounts.map((account) => ({
      from: 'bank_line INDEXED BY bank_line_payout',
      where: [
        'account_id = ?',
        'payout_id = ?',
        'state IN (SELECT value FROM json_each(?))',
        ...conditions.where,
      ],
      bound: [account, filter.payout_id!, JSON.stringify(states), ...conditions.bound],
    }));
  }
  return accounts.flatMap((account) =>
    states.map((state) => ({
      from: `bank_line INDEXED BY ${sorts[sort.by].index}`,
      where: ['account_id = ?', 'state = ?', ...conditions.where],
      bound: [account, state, ...conditions.bound],
    })),
  );
}

/** Returns conditions for lines with these search words, this id or this amount. */
export function lineWords(search: string | undefined): Conditions {
  const texts = [
    'description',
    'reference',
    'counterparty',
    'bank_id',
    'payout_id',
    'gateway_transaction_id',
  ];
  return searching(search, texts, ['id']);
}

function asked({ import: of, kind, flow, currency }: BankLineQuery['filter']): Conditions {
  const where: string[] = [];
  const bound: Values = [];
  if (of !== undefined) {
    where.push('import_id = ?');
    bound.push(of);
  }
  if (kind !== undefined) {
    where.push('kind IN (SELECT value FROM json_each(?))');
    bound.push(JSON.stringify(kind));
  }
  if (flow !== undefined) where.push(flow === 'in' ? 'amount_in_cents > 0' : 'amount_in_cents < 0');
  if (currency !== undefined) {
    where.push('currency = ?');
    bound.push(currency);
  }
  return { where, bound };
}

/** Narrows the filter to an import's days, because the index finds its lines by date. */
function spanned(db: ReadableDb, filter: BankLineQuery['filter']): BankLineQuery['filter'] {
  if (filter.import === undefined) return filter;
  const days = prepared<{ first_on: string | null; last_on: string | null }>(
    db,
    'SELECT first_on, last_on FROM bank_import WHERE id = ?',
  ).get(filter.import);
  const since = [filter.since, days?.first_on]
    .filter((day) => typeof day === 'string')
    .toSorted()
    .at(-1);
  const until = [filter.until, days?.last_on].filter((day) => typeof day === 'string').toSorted()[0];
  return { ...filter, since, until };
}

function accountIds(db: ReadableDb): number[] {
  return prepared<number>(db, 'SELECT id FROM bank_account ORDER BY id').pluck().all();
}

interface StoredLine extends Omit<BankLine, 'account' | 'import' | 'state' | 'bank_id'> {
  account_id: number;
  account_name: string;
  import_id: number;
  bank_id: string;
  state: number;
  location: string;
  more: string | null;
}

const columns = `bank_line.id, bank_line.account_id, bank_account.name AS account_name, import_id, file, row, booked_on,
  value_on, amount_in_cents, bank_line.currency, bank_line.kind, description, reference, counterparty, bank_id, payout_id,
  gateway_transaction_id, fee_in_cents, net_in_cents, bank_line.state, claimed_in_cents, notes, location, more`;
const joined = `CROSS JOIN bank_import ON bank_import.id = import_id
  CROSS JOIN bank_account ON bank_account.id = bank_line.account_id`;

/** Returns the lines with these ids in the given order, including those of removed imports. */
export function bankLines(db: ReadableDb, ids: readonly number[]): BankLine[] {
  return prepared<StoredLine>(
    db,
    `SELECT ${columns} FROM json_each(?) AS wanted CROSS JOIN bank_line ON bank_line.id = wanted.value ${joined}
     ORDER BY wanted.key`,
  )
    .all(JSON.stringify(ids))
    .map(({ location: _place, more: _more, ...stored }) => shown(stored));
}

function shown(stored: Omit<StoredLine, 'location' | 'more'>): BankLine {
  const { account_id, account_name, import_id, bank_id, state, ...rest } = stored;
  return {
    ...rest,
    account: { id: account_id, name: account_name },
    import: import_id,
    bank_id: bank_id === '' ? null : bank_id,
    state: matchStates[state] ?? 'open',
  };
}

/** Returns a line, or null if it does not exist or its import was removed. */
export function bankLine(db: ReadableDb, id: number): BankLineDetail | null {
  const stored = prepared<StoredLine>(
    db,
    `SELECT ${columns} FROM bank_line ${joined} WHERE bank_line.id = ? AND gone = 0`,
  ).get(id);
  if (stored === undefined) return null;
  const { location, more, ...line } = stored;
  const { balance_in_cents, foreign, extra } = (more === null ? {} : JSON.parse(more)) as LineMore;
  return {
    ...shown(line),
    location,
    balance_in_cents: balance_in_cents ?? null,
    foreign: foreign ?? null,
    extra: extra ?? {},
    groups: prepared<number>(
      db,
      'SELECT DISTINCT group_id FROM match_item WHERE line_id = ? ORDER BY group_id DESC',
    )
      .pluck()
      .all(id),
    note_texts: notesOn(db, 'line_id', id),
  };
}

/** Returns the notes, oldest first. */
export function notesOn(
  db: ReadableDb,
  column: 'group_id' | 'line_id' | 'transaction_id',
  id: number,
): MatchNote[] {
  return prepared<{ at: number; user: string; text: string }>(
    db,
    `SELECT at, user, text FROM match_note WHERE ${column} = ? ORDER BY id`,
  )
    .all(id)
    .map((note) => ({ ...note, at: formatTimestamp(note.at) }));
}
