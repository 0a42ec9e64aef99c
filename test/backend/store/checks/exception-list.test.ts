import { describe, expect, it } from 'vitest';
import {
  addException,
  type ExceptionContent,
  findException,
  setExceptionAssignee,
  setExceptionStatus,
} from '../../../../src/backend/store/checks/exception.ts';
import { countExceptions, sumExceptionAges } from '../../../../src/backend/store/checks/exception-figures.ts';
import {
  type ExceptionQuery,
  listExceptions,
  planExceptionList,
  readExceptionPageCursors,
} from '../../../../src/backend/store/checks/exception-list.ts';
import { runInTransaction, type WritableDb } from '../../../../src/backend/store/sqlite/connection.ts';
import type { ExceptionFilter, ExceptionRow } from '../../../../src/contract/index.ts';
import { getPagePlans } from '../query-plan.ts';
import { expectCorrectMarks, readAllPages } from '../read-all-pages.ts';
import { openTemporaryStore } from '../temporary-store.ts';

const ROWS = 330;
const rules = ['statement-foots', 'period-gap', 'webhook-not-accepted'] as const;
const severities = ['error', 'warning', 'notice'] as const;
const grades: readonly string[] = ['notice', 'warning', 'error'];

function found(n: number): ExceptionContent {
  const subscription_id = n % 11 === 0 ? null : n % 7;
  const statement_id = 1000 + (n % 13);
  return {
    key: `k${n}`,
    rule: rules[n % 3]!,
    severity: severities[(n * 7) % 3]!,
    across: false,
    subject: { subscription_id, statement_id, ...(n % 5 === 0 && { webhook_id: 5000 + n }) },
    dated_on:
      n % 17 === 0
        ? ''
        : `2026-${String(8 + (n % 3)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`,
    dated_at: 0,
    expected_in_cents: null,
    actual_in_cents: null,
    difference_in_cents: n % 4 === 0 ? null : (n % 9) * 100 - 300,
    message: `What is wrong with ${n % 2 === 0 ? 'even_100%' : 'odd'} number ${n}.`,
    arithmetic: [],
    rows: [{ kind: 'statement', id: statement_id }],
    members: [],
    links: {
      subscription: new Set(subscription_id === null ? [] : [subscription_id]),
      statement: new Set([statement_id]),
      webhook: new Set(n % 5 === 0 ? [5000 + n] : []),
    },
    evidence: `e${n}`,
  };
}

function createStores(): { books: WritableDb; cache: WritableDb } {
  const books = openTemporaryStore('books');
  runInTransaction(books, () => {
    for (let n = 1; n <= ROWS; n++) {
      const id = addException(books, found(n), n);
      const stored = findException(books, id)!;
      if (n % 6 === 1)
        setExceptionStatus(
          books,
          stored,
          { status: 'accepted', accepted_evidence: stored.evidence },
          n + 1000,
        );
      if (n % 6 === 2)
        setExceptionStatus(books, stored, { status: 'closed', accepted_evidence: null }, n + 1000);
      if (n % 4 === 1) setExceptionAssignee(books, id, n % 8 === 1 ? 'Ada' : 'Grace');
    }
  });
  return { books, cache: openTemporaryStore('cache') };
}

const filters: ExceptionFilter[] = [
  {},
  { status: ['open'] },
  { status: ['open', 'accepted'], rule: ['period-gap'] },
  { severity: ['error'] },
  { subscription_id: 3 },
  { statement_id: 1003, status: ['open'] },
  { webhook_id: 5005 },
  { assigned: 'Ada' },
  { assigned: null, status: ['open'] },
  { period: '2026-09' },
  { period: '2026-09', severity: ['warning', 'notice'], status: ['open'] },
  { search: 'even_100%' },
  { search: '5010' },
  { search: 'nothing has this' },
  { rule: ['no-such-rule'] },
];
const sorts = (['severity', 'at_stake_in_cents', 'dated_on', 'id'] as const).flatMap((by) =>
  (['asc', 'desc'] as const).map((direction) => ({ by, direction })),
);

function matchesFilter(row: ExceptionRow, filter: ExceptionFilter): boolean {
  const { subject } = row;
  const words = filter.search;
  return (
    (filter.status?.includes(row.status) ?? true) &&
    (filter.rule?.includes(row.rule) ?? true) &&
    (filter.severity?.includes(row.severity) ?? true) &&
    (filter.subscription_id === undefined || subject.subscription_id === filter.subscription_id) &&
    (filter.statement_id === undefined || subject.statement_id === filter.statement_id) &&
    (filter.webhook_id === undefined || subject.webhook_id === filter.webhook_id) &&
    (filter.assigned === undefined || row.assigned === filter.assigned) &&
    (filter.period === undefined || row.dated_on?.startsWith(filter.period) === true) &&
    (words === undefined ||
      row.message.includes(words) ||
      Object.values(subject).includes(Number(words)) ||
      row.id === Number(words))
  );
}

function compareBy({ by, direction }: ExceptionQuery['sort']) {
  const keys: Record<typeof by, (row: ExceptionRow) => (string | number)[]> = {
    severity: (row) => [grades.indexOf(row.severity), row.at_stake_in_cents, row.id],
    at_stake_in_cents: (row) => [row.at_stake_in_cents, row.id],
    dated_on: (row) => [row.dated_on ?? '', row.id],
    id: (row) => [row.id],
  };
  return (a: ExceptionRow, b: ExceptionRow): number => {
    const [x, y] = [keys[by](a), keys[by](b)];
    const at = x.findIndex((value, n) => value !== y[n]);
    const ascending = at >= 0 && x[at]! < y[at]! ? -1 : 1;
    return direction === 'asc' ? ascending : -ascending;
  };
}

describe('exception list', () => {
  it('has the same rows, totals and scrollbar marks as filtering and sorting all exceptions', () => {
    const { books, cache } = createStores();
    const stores = { books, cache };
    const every = listExceptions(stores, {
      filter: {},
      sort: { by: 'id', direction: 'asc' },
      limit: 1000,
      refs: false,
    }).rows;
    expect(every).toHaveLength(ROWS);
    for (const filter of filters) {
      for (const sort of sorts) {
        const expected = every.filter((row) => matchesFilter(row, filter)).sort(compareBy(sort));
        const list = (page: { after?: string; limit: number }) =>
          listExceptions(stores, { filter, sort, refs: false, ...page });
        const { rows, total } = readAllPages(list, 40);
        expect(rows, JSON.stringify({ filter, sort })).toEqual(expected);
        expect(total).toEqual({ count: expected.length, exact: true });
        expectCorrectMarks(readExceptionPageCursors(books, { filter, sort, every: 50 }), rows, list);
        const { sums } = list({ limit: 1 });
        expect(sums?.at_stake_in_cents).toBe(expected.reduce((sum, row) => sum + row.at_stake_in_cents, 0));
        for (const { severity, count } of sums?.by_severity ?? []) {
          expect(count).toBe(expected.filter((row) => row.severity === severity).length);
        }
        expect(sums?.by_rule.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
      }
    }
  });

  it('has stored totals that agree with a recount, in total and for a range of days', () => {
    const { books, cache } = createStores();
    const rows = listExceptions(
      { books, cache },
      { filter: {}, sort: { by: 'id', direction: 'asc' }, limit: 1000, refs: false },
    ).rows;
    for (const days of [null, { first: '2026-09-01', last: '2026-09-30' }]) {
      const of = rows.filter(({ dated_on }) => days === null || dated_on?.startsWith('2026-09'));
      const figures = countExceptions(books, days);
      expect(figures.reduce((sum, { count }) => sum + count, 0)).toBe(of.length);
      for (const { rule, severity, status, count, unassigned, at_stake_in_cents } of figures) {
        const same = of.filter(
          (row) => row.rule === rule && row.severity === severity && row.status === status,
        );
        expect(count).toBe(same.length);
        expect(unassigned).toBe(same.filter(({ assigned }) => assigned === null).length);
        expect(at_stake_in_cents).toBe(same.reduce((sum, row) => sum + row.at_stake_in_cents, 0));
      }
      const open = of.filter(({ status }) => status === 'open');
      const ages = sumExceptionAges(books, '2026-10-31', days);
      expect(ages.map(({ from_days }) => from_days)).toEqual([0, 8, 31, 61, 91]);
      expect(ages.reduce((sum, each) => sum + each.open, 0)).toBe(open.length);
      const recent = open.filter(({ dated_on }) => dated_on === null || dated_on >= '2026-10-24');
      expect(ages[0]?.open).toBe(recent.length);
    }
  });

  it('reads an index in every order, and sorts only a few rows', () => {
    const { books } = createStores();
    for (const filter of filters) {
      for (const sort of sorts) {
        const steps = getPagePlans(books, planExceptionList(books, { filter, sort }));
        const scans = steps.filter(
          (step) => /^SCAN exception\b/.test(step) && !step.includes('COVERING INDEX'),
        );
        expect(scans, JSON.stringify({ filter, sort })).toEqual([]);
        const selective = filter.subscription_id ?? filter.statement_id ?? filter.webhook_id;
        if (selective === undefined) expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
      }
    }
  });
});
