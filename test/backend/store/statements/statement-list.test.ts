import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addStatementPdf } from '../../../../src/backend/store/archive/statement-pdf.ts';
import { indexPendingRecords } from '../../../../src/backend/store/search/search-index.ts';
import { runInTransaction, type WritableDb } from '../../../../src/backend/store/sqlite/connection.ts';
import {
  addKnownStatements,
  markVanishedStatements,
} from '../../../../src/backend/store/statements/known-statements.ts';
import { upsertStatements } from '../../../../src/backend/store/statements/statement.ts';
import { getStatementDetail } from '../../../../src/backend/store/statements/statement-detail.ts';
import {
  listStatements,
  readStatementFacets,
  readStatementPageCursors,
} from '../../../../src/backend/store/statements/statement-list.ts';
import type { StatementSort } from '../../../../src/backend/store/statements/statement-list-plan.ts';
import { parseInstant, type Statement } from '../../../../src/billing/index.ts';
import type { StatementFilter } from '../../../../src/contract/index.ts';
import { expectCorrectMarks, readAllPages } from '../read-all-pages.ts';
import {
  createStatement,
  createStatementEvent,
  createTransaction,
  formatServiceTime,
  T0,
} from '../sample-records.ts';
import { openTemporaryStore } from '../temporary-store.ts';

const DAY = 86_400_000;
/** Month of all test statements. */
const MONTH = '2026-01';
const arbitraryTime = fc
  .integer({ min: 0, max: 5 })
  .map((days) => formatServiceTime(T0 + days * DAY + 17 * 3_600_000));

const arbitraryStatement: fc.Arbitrary<Statement> = fc
  .record({
    id: fc.integer({ min: 1, max: 40 }),
    subscription_id: fc.integer({ min: 1, max: 4 }),
    opened_at: fc.option(arbitraryTime, { freq: 8 }),
    closed_at: fc.option(arbitraryTime, { freq: 3 }),
    settled_at: fc.option(arbitraryTime),
    ending_balance_in_cents: fc.integer({ min: -2, max: 2 }),
    customer_first_name: fc.constantFrom('Anna', 'anna', 'Bo', 'Örjan', null),
    customer_last_name: fc.constantFrom('Larsson', null),
    memo: fc.constantFrom('', 'Late fee', null),
    transactions: fc.array(
      fc
        .record({
          transaction_type: fc.constantFrom('charge', 'payment'),
          amount_in_cents: fc.integer({ min: -9, max: 9 }),
        })
        .map(createTransaction),
      { maxLength: 2 },
    ),
  })
  .map((row) => createStatement({ ...row, created_at: null }));

const day = fc.integer({ min: -1, max: 7 }).map((days) => formatServiceTime(T0 + days * DAY).slice(0, 10));
const filters: { [Name in keyof StatementFilter]-?: fc.Arbitrary<StatementFilter[Name]> } = {
  state: fc.subarray(['open', 'unpaid', 'paid']),
  subscription_id: fc.integer({ min: 1, max: 4 }),
  since: day,
  until: day,
  search: fc.constantFrom('anna', 'larsson anna', 'fee', '3', 'late fee', '??'),
  figure: fc.record({
    period: fc.constantFrom(MONTH, '2020-01'),
    currency: fc.constant('USD'),
    figure: fc.constantFrom('S1.opening', 'S1.closing', 'S1.charges'),
  }),
};
const arbitraryFilter = fc
  .subarray(Object.keys(filters) as (keyof StatementFilter)[], { maxLength: 3 })
  .chain((names) =>
    fc.record<StatementFilter>(Object.fromEntries(names.map((name) => [name, filters[name]]))),
  );
const arbitrarySort: fc.Arbitrary<StatementSort> = fc.record({
  by: fc.constantFrom('closed_at', 'opened_at', 'id', 'ending_balance_in_cents', 'customer_name'),
  direction: fc.constantFrom('asc', 'desc'),
});

const getState = (row: Statement) =>
  row.settled_at !== null ? 'paid' : row.closed_at === null ? 'open' : 'unpaid';
const getCustomerName = (row: Statement) =>
  [row.customer_first_name, row.customer_last_name].filter(Boolean).join(' ');
const getFilingDate = (row: Statement) => row.closed_at ?? row.opened_at;
const splitWords = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u);
const sumOf = (rows: Statement[], type: string) =>
  rows
    .flatMap((row) => row.transactions)
    .filter((txn) => txn.transaction_type === type)
    .reduce((sumTransactions, txn) => sumTransactions + Math.abs(txn.amount_in_cents), 0);

function matches(row: Statement, filter: StatementFilter): boolean {
  const date = getFilingDate(row)?.slice(0, 10);
  const text = splitWords(
    `${getCustomerName(row)} ${row.memo ?? ''} ${row.id} ${row.subscription_id} ${row.text_view ?? ''}`,
  );
  const sought = filter.search?.match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    (filter.state === undefined || filter.state.includes(getState(row))) &&
    (filter.subscription_id === undefined || row.subscription_id === filter.subscription_id) &&
    (filter.since === undefined || (date !== undefined && date >= filter.since)) &&
    (filter.until === undefined || (date !== undefined && date <= filter.until)) &&
    (filter.search === undefined ||
      (sought.length > 0 && sought.every((word) => text.includes(word.toLowerCase()))))
  );
}

/** Returns the first or the last statement of each subscription that was closed in the month. */
function selectFigureRows(rows: Statement[], figure: StatementFilter['figure']): Statement[] {
  if (figure === undefined) return rows;
  if (figure.figure === 'S1.charges') return [];
  const closed = rows.filter(
    (row) => getState(row) !== 'open' && getFilingDate(row)?.slice(0, 7) === figure.period,
  );
  const time = (text: string | null) => (text === null ? 0 : parseInstant(text)!);
  const key = ({ opened_at, closed_at, id }: Statement) => [
    closed_at === null ? Number.NEGATIVE_INFINITY : Math.max(time(closed_at), time(opened_at)),
    time(opened_at),
    id,
  ];
  const ordered = closed.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)];
    const at = left.findIndex((part, place) => part !== right[place]);
    return at < 0 ? 0 : left[at]! < right[at]! ? -1 : 1;
  });
  const place = figure.figure === 'S1.opening' ? 0 : -1;
  const bySubscription = Map.groupBy(ordered, ({ subscription_id }) => subscription_id);
  return [...bySubscription.values()].flatMap((of) => of.at(place) ?? []);
}

/** Folds a text like SQLite's NOCASE, which ignores case only for ASCII letters. */
const foldCase = (text: string) =>
  Buffer.from(text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())).toString('latin1');

function listExpected(
  rows: Statement[],
  filter: StatementFilter,
  { by, direction }: StatementSort,
): Statement[] {
  const time = (text: string | null) => (text === null ? 0 : parseInstant(text)!);
  const key: Record<StatementSort['by'], (row: Statement) => number | string> = {
    closed_at: (row) => time(getFilingDate(row)),
    opened_at: (row) => time(row.opened_at),
    id: (row) => row.id,
    ending_balance_in_cents: (row) => row.ending_balance_in_cents!,
    customer_name: (row) => foldCase(getCustomerName(row)),
  };
  const compare = (a: Statement, b: Statement) => {
    const [left, right] = [key[by](a), key[by](b)];
    return left < right ? -1 : left > right ? 1 : a.id - b.id;
  };
  const sorted = selectFigureRows(rows, filter.figure)
    .filter((row) => matches(row, filter))
    .sort(compare);
  return direction === 'asc' ? sorted : sorted.reverse();
}

function writeRows(db: WritableDb, rows: readonly Statement[]): void {
  db.exec('DELETE FROM statement');
  runInTransaction(db, () => {
    for (const [at, row] of rows.entries()) upsertStatements(db, [row], at + 1);
  });
  while (indexPendingRecords(db, 7) > 0);
}

describe('statement list', () => {
  it('has the same rows, totals and scrollbar marks as filtering and sorting all statements', () => {
    const db = openTemporaryStore('cache');
    const log = fc.array(arbitraryStatement, { maxLength: 40, size: 'max' });
    fc.assert(
      fc.property(
        log,
        arbitraryFilter,
        arbitrarySort,
        fc.integer({ min: 1, max: 7 }),
        (rows, filter, sort, limit) => {
          writeRows(db, rows);
          const stored = [...new Map(rows.map((row) => [row.id, row])).values()];
          const expected = listExpected(stored, filter, sort);
          const list = (page: { after?: string; limit: number }) => {
            const { rows: shown, next, total } = listStatements(db, { filter, sort, ...page });
            return { rows: shown.map((row) => row.id), next, total };
          };
          const ids = expected.map((row) => row.id);
          const { rows: read, total } = readAllPages(list, limit);
          expect(read).toEqual(ids);
          expect(total).toEqual({ count: ids.length, exact: true });
          expectCorrectMarks(readStatementPageCursors(db, { filter, sort, every: limit }), ids, list);
          expect(listStatements(db, { filter, sort, limit: 1 }).sums).toEqual({
            charges_in_cents: sumOf(expected, 'charge'),
            payments_in_cents: sumOf(expected, 'payment'),
          });
          const facets = readStatementFacets(db);
          expect(facets.total).toBe(stored.length);
          for (const state of ['open', 'unpaid', 'paid'] as const) {
            expect(facets[state]).toBe(stored.filter((row) => getState(row) === state).length);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is the same with more hits than are sorted in memory', () => {
    const db = openTemporaryStore('cache');
    const rows = Array.from({ length: 2200 }, (_, at) =>
      createStatement({
        id: at + 1,
        closed_at: formatServiceTime(T0 + ((at * 7) % 2200) * 60_000),
        transactions: [],
        events: [],
      }),
    );
    runInTransaction(db, () => upsertStatements(db, rows, 1));
    while (indexPendingRecords(db, 5000) > 0);
    const filter = { search: 'larsson' };
    const sort = { by: 'closed_at', direction: 'desc' } as const;
    const list = (page: { after?: string; limit: number }) => {
      const { rows: shown, next, total } = listStatements(db, { filter, sort, ...page });
      return { rows: shown.map((row) => row.id), next, total };
    };
    const ids = listExpected(rows, filter, sort).map((row) => row.id);
    expect(readAllPages(list, 1000).rows).toEqual(ids);
    expectCorrectMarks(readStatementPageCursors(db, { filter, sort, every: 1000 }), ids, list);
  });

  it('shows a statement as sent, with its neighbors and its transactions and events in order', () => {
    const db = openTemporaryStore('cache');
    const month = (n: number) => ({
      opened_at: formatServiceTime(T0 + n * 30 * DAY),
      closed_at: formatServiceTime(T0 + (n + 1) * 30 * DAY),
    });
    const middle = createStatement({
      id: 2,
      ...month(1),
      memo: 'Thank you',
      transactions: [
        createTransaction({ id: 8 }),
        createTransaction({ id: 7, transaction_type: 'payment', success: false }),
        createTransaction({ id: 8 }),
      ],
      events: [createStatementEvent({ id: 5 }), createStatementEvent({ id: 4, event_specific_data: null })],
      extra: { total_in_cents: 5 },
    });
    upsertStatements(
      db,
      [createStatement({ id: 1, ...month(0) }), middle, createStatement({ id: 3, ...month(2) })],
      Date.UTC(2026, 5, 1),
    );
    const detail = getStatementDetail(db, 2)!;
    expect(detail).toMatchObject({
      memo: 'Thank you',
      state: 'unpaid',
      charges_in_cents: 2000,
      payments_in_cents: 0,
      extra: { total_in_cents: 5 },
      html_view: '<div>Statement</div>',
      billing: { street: 'Storgatan 1', city: 'Lund', zip: '222 22' },
      shipping: { street: null },
      synced_at: '2026-06-01T00:00:00.000Z',
      previous: { id: 1 },
      next: { id: 3 },
    });
    expect(detail.transactions.map((txn) => txn.id)).toEqual([8, 7, 8]);
    expect(detail.events.map((event) => [event.id, event.event_specific_data])).toEqual([
      [5, { product_id: 5 }],
      [4, null],
    ]);
    expect(getStatementDetail(db, 9)).toBeNull();
  });

  it('keeps and marks statements that the service no longer lists, until they are listed again', () => {
    const db = openTemporaryStore('cache');
    upsertStatements(db, [createStatement({ id: 1 }), createStatement({ id: 2 })], 1);
    expect(addKnownStatements(db, [1, 2, 3], 10)).toBe(3);
    expect(markVanishedStatements(db, [1], 20)).toEqual([2, 3]);
    const vanished = () =>
      listStatements(db, { filter: {}, sort: { by: 'id', direction: 'asc' }, limit: 9 }).rows.map(
        (row) => row.vanished_at,
      );
    expect(vanished()).toEqual([null, '1970-01-01T00:00:00.020Z']);
    expect(addKnownStatements(db, [2], 30)).toBe(0);
    expect(vanished()).toEqual([null, null]);
    expect(markVanishedStatements(db, [1, 2, 3], 40)).toEqual([]);
  });

  it('shows whether the PDF is stored; identical bytes are the same version', () => {
    const db = openTemporaryStore('cache');
    upsertStatements(db, [createStatement({ id: 1 }), createStatement({ id: 2 })], 1);
    const pdf = { statement_id: 2, sha256: 'a', bytes: 9, fetched_at: 5, statement_updated_at: null };
    expect([
      addStatementPdf(db, pdf),
      addStatementPdf(db, { ...pdf, fetched_at: 6 }),
      addStatementPdf(db, { ...pdf, sha256: 'b' }),
    ]).toEqual([1, 1, 2]);
    const { rows } = listStatements(db, { filter: {}, sort: { by: 'id', direction: 'asc' }, limit: 9 });
    expect(rows.map((row) => row.pdf_stored)).toEqual([false, true]);
    expect(readStatementFacets(db).pdf_stored).toBe(1);
  });
});
