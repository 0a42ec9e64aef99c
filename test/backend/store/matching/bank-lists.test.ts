import { describe, expect, it, onTestFinished } from 'vitest';
import { addBankAccount, toMatchStateNumbers } from '../../../../src/backend/store/bank/bank-account.ts';
import { beginBankImport, endBankImport } from '../../../../src/backend/store/bank/bank-import.ts';
import { saveBankLine } from '../../../../src/backend/store/bank/bank-line.ts';
import {
  listBankLines,
  planBankLineList,
  readBankLinePageCursors,
} from '../../../../src/backend/store/bank/bank-line-list.ts';
import { parseAmountToCents } from '../../../../src/backend/store/lists/money-list.ts';
import {
  addMatch,
  type NewMatchGroup,
  setMatchStatus,
} from '../../../../src/backend/store/matching/match-group.ts';
import { listMatches, readMatchPageCursors } from '../../../../src/backend/store/matching/match-list.ts';
import { planMatchList } from '../../../../src/backend/store/matching/match-list-plan.ts';
import { addMatchPayment } from '../../../../src/backend/store/matching/match-payment.ts';
import {
  listPayments,
  planPaymentList,
  readPaymentPageCursors,
} from '../../../../src/backend/store/matching/match-payment-list.ts';
import { runInTransaction, type WritableDb } from '../../../../src/backend/store/sqlite/connection.ts';
import type {
  BankLineFilter,
  MatchGroup,
  MatchGroupFilter,
  MatchState,
  PaymentFilter,
} from '../../../../src/contract/index.ts';
import { getPagePlans } from '../query-plan.ts';
import { expectCorrectMarks, readAllPages } from '../read-all-pages.ts';
import { openTemporaryStore } from '../temporary-store.ts';

const LINES = 120;
const toDay = (at: number) => `2026-10-${String((at % 28) + 1).padStart(2, '0')}`;
const toCents = (at: number) => (at % 7 === 0 ? -1 : 1) * (1000 + (at % 5) * 450);

const createGroup = (over: Partial<NewMatchGroup>): NewMatchGroup => ({
  status: 'confirmed',
  rule: 'gateway-id',
  rule_version: 1,
  score: 100,
  currency: 'USD',
  dated_on: '2026-10-01',
  lines: [],
  payments: [],
  adjustments: [],
  alternatives: 0,
  reasons: [],
  key: null,
  user_rule: null,
  payout_id: null,
  reverses: null,
  run_id: null,
  at: 1,
  by: null,
  reason: null,
  ...over,
});

/** Creates two accounts with lines, payments of the same amounts, and matches of every status. */
function createBooks(): WritableDb {
  const db = openTemporaryStore('books');
  runInTransaction(db, () => {
    const accounts = ['Main', 'Other'].map((name) =>
      addBankAccount(db, { name, kind: 'bank', currency: null, window_from: null, window_to: null }),
    );
    for (const account_id of accounts) {
      const rows = { total: LINES, new: LINES, duplicate: 0, failed: 0, skipped: 0 };
      const id = beginBankImport(db, {
        account_id,
        file: `file ${account_id}.csv`,
        bytes: 1,
        sha256: `${account_id}`,
        format: 'csv',
        dialect: 'CSV',
        profile: null,
        at: 1,
        user: 'ada',
        job: null,
        digest: '',
        rows,
        first_on: '2026-10-01',
        last_on: '2026-10-28',
      });
      for (let at = 0; at < LINES / 2; at++) {
        saveBankLine(
          db,
          {
            account_id,
            import_id: id,
            row: at + 1,
            booked_on: toDay(at),
            value_on: null,
            amount_in_cents: toCents(at),
            currency: at % 11 === 0 ? 'EUR' : 'USD',
            bank_id: '',
            text_hash: at + 1,
            occurrence: 1,
            kind: at % 4 === 0 ? 'fee' : 'entry',
            description: `CARD ${at} 100%`,
            reference: at % 2 === 0 ? `REF_${at}` : null,
            counterparty: null,
            payout_id: at % 10 === 0 ? 'po_1' : null,
            gateway_transaction_id: null,
            fee_in_cents: null,
            net_in_cents: null,
            location: `line ${at + 2}`,
            extra_fields: null,
          },
          false,
        );
      }
      endBankImport(db, id);
    }
    for (let at = 0; at < LINES; at++) {
      addMatchPayment(db, {
        id: 1000 + at,
        statement_id: 2000 + at,
        subscription_id: at % 9,
        kind: toCents(at) > 0 ? 'payment' : 'refund',
        paid_on: toDay(at),
        amount_in_cents: toCents(at),
        currency: at % 11 === 0 ? 'EUR' : 'USD',
        payment_id: null,
        gateway_transaction_id: null,
        memo: null,
        customer_name: `Customer ${at}`,
        organization: null,
      });
    }
    const statuses = ['confirmed', 'suggested', 'ambiguous'] as const;
    for (let at = 0; at < LINES / 2; at += 2) {
      const share = (id: number) => [{ id, allocated_in_cents: toCents(at) }];
      const currency = at % 11 === 0 ? 'EUR' : 'USD';
      const id = addMatch(
        db,
        createGroup({
          status: statuses[(at / 2) % 3]!,
          rule: at % 4 === 0 ? 'gateway-id' : 'payee',
          dated_on: toDay(at),
          currency,
          key: `k${at}`,
          lines: share(at + 1),
          payments: share(1000 + at),
        }),
      );
      if (at % 10 === 4) setMatchStatus(db, id, 'declined', { at: 2, by: 'ada', reason: 'no' });
    }
  });
  return db;
}

const directions = ['asc', 'desc'] as const;
const states: MatchState[] = ['open', 'matched', 'suggested'];

const lineFilters: Record<string, BankLineFilter> = {
  none: {},
  account: { account: [1] },
  state: { state: states },
  'no account': { account: [] },
  import: { import: 2 },
  days: { since: '2026-10-05', until: '2026-10-20' },
  amounts: { min_in_cents: 1400, max_in_cents: 1900 },
  out: { flow: 'out' },
  kind: { kind: ['fee'] },
  currency: { currency: 'EUR' },
  payout: { payout_id: 'po_1' },
  words: { search: 'ref_1' },
  'a sign': { search: '2 100%' },
  amount: { search: '14.50' },
  'many at once': { account: [2], state: ['open'], since: '2026-10-03', flow: 'in', search: 'card' },
};

const matchesLineFilter = (
  filter: BankLineFilter,
  row: ReturnType<typeof listBankLines>['rows'][number],
): boolean =>
  (filter.account?.includes(row.account.id) ?? true) &&
  (filter.state?.includes(row.state) ?? true) &&
  (filter.import === undefined || row.import === filter.import) &&
  (filter.since === undefined || row.booked_on >= filter.since) &&
  (filter.until === undefined || row.booked_on <= filter.until) &&
  (filter.min_in_cents === undefined || Math.abs(row.amount_in_cents) >= filter.min_in_cents) &&
  (filter.max_in_cents === undefined || Math.abs(row.amount_in_cents) <= filter.max_in_cents) &&
  (filter.flow === undefined || (filter.flow === 'in') === row.amount_in_cents > 0) &&
  (filter.kind?.includes(row.kind) ?? true) &&
  (filter.currency === undefined || row.currency === filter.currency) &&
  (filter.payout_id === undefined || row.payout_id === filter.payout_id) &&
  (filter.search === undefined ||
    Math.abs(row.amount_in_cents) === parseAmountToCents(filter.search) ||
    [row.description, row.reference].some((text) => text?.toLowerCase().includes(filter.search ?? '')));

const sumByCurrency = (
  rows: readonly { currency: string; amount_in_cents: number; claimed_in_cents: number }[],
) =>
  [...Map.groupBy(rows, ({ currency }) => currency)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, of]) => ({
      currency,
      count: of.length,
      in_cents: of.reduce((sum, { amount_in_cents }) => sum + Math.max(0, amount_in_cents), 0),
      out_cents: of.reduce((sum, { amount_in_cents }) => sum + Math.min(0, amount_in_cents), 0),
      claimed_in_cents: of.reduce((sum, { claimed_in_cents }) => sum + claimed_in_cents, 0),
    }));

const scans = (steps: string[]) =>
  steps.filter((step) => /^SCAN (bank_line|match_payment|match_group)\b/.test(step));

function expectSorted<Row>(
  rows: readonly Row[],
  key: (row: Row) => readonly [string | number, number],
  direction: 'asc' | 'desc',
): Row[] {
  const sign = direction === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [x, m] = key(a);
    const [y, n] = key(b);
    return sign * (x < y ? -1 : x > y ? 1 : m - n);
  });
}

describe('list of lines', () => {
  it('has the same rows, totals and marks as filtering and sorting all lines, and uses an index', () => {
    const db = createBooks();
    const everything = readAllPages(
      (page) => listBankLines(db, { filter: {}, sort: { by: 'booked_on', direction: 'asc' }, ...page }),
      50,
    ).rows;
    expect(everything.length).toBe(LINES);
    for (const filter of Object.values(lineFilters)) {
      for (const by of ['booked_on', 'amount_in_cents'] as const) {
        for (const direction of directions) {
          const query = { filter, sort: { by, direction } };
          const wanted = expectSorted(
            everything.filter((row) => matchesLineFilter(filter, row)),
            (row) => [row[by], row.id],
            direction,
          );
          const { rows, total } = readAllPages((page) => listBankLines(db, { ...query, ...page }), 7);
          expect([query, rows.map(({ id }) => id)]).toEqual([query, wanted.map(({ id }) => id)]);
          expect(total).toEqual({ count: wanted.length, exact: true });
          expect(listBankLines(db, { ...query, limit: 1 }).sums).toEqual(sumByCurrency(wanted));
          expect(scans(getPagePlans(db, planBankLineList(db, query)))).toEqual([]);
        }
      }
      const query = { filter, sort: { by: 'booked_on' as const, direction: 'desc' as const } };
      const { rows } = readAllPages((page) => listBankLines(db, { ...query, ...page }), 50);
      expectCorrectMarks(readBankLinePageCursors(db, { ...query, every: 50 }), rows, (page) =>
        listBankLines(db, { ...query, ...page }),
      );
    }
  });
});

const paymentFilters: Record<string, PaymentFilter> = {
  none: {},
  state: { state: states },
  kind: { kind: ['refund'] },
  subscription: { subscription_id: 4 },
  statement: { statement_id: 2007 },
  days: { since: '2026-10-05', until: '2026-10-20' },
  words: { search: 'customer 11' },
  id: { search: '1011' },
  'of a subscription in days': { subscription_id: 4, since: '2026-10-09', state: ['open'] },
};

describe('list of payments', () => {
  it('has the same rows and totals as filtering and sorting all payments', () => {
    const db = createBooks();
    const all = readAllPages(
      (page) => listPayments(db, { filter: {}, sort: { by: 'paid_on', direction: 'asc' }, ...page }),
      50,
    ).rows;
    expect(all.length).toBe(LINES);
    for (const filter of Object.values(paymentFilters)) {
      const { state, kind, subscription_id, statement_id, since, until, search } = filter;
      const fits = all.filter(
        (row) =>
          (state?.includes(row.state) ?? true) &&
          (kind?.includes(row.kind) ?? true) &&
          (subscription_id === undefined || row.subscription_id === subscription_id) &&
          (statement_id === undefined || row.statement_id === statement_id) &&
          (since === undefined || row.paid_on >= since) &&
          (until === undefined || row.paid_on <= until) &&
          (search === undefined ||
            `${row.customer_name}`.toLowerCase().includes(search) ||
            String(row.id) === search),
      );
      for (const by of ['paid_on', 'amount_in_cents'] as const) {
        for (const direction of directions) {
          const query = { filter, sort: { by, direction } };
          const { rows } = readAllPages((page) => listPayments(db, { ...query, ...page }), 9);
          expect([query, rows.map(({ id }) => id)]).toEqual([
            query,
            expectSorted(fits, (row) => [row[by], row.id], direction).map(({ id }) => id),
          ]);
          expect(listPayments(db, { ...query, limit: 1 }).sums).toEqual(sumByCurrency(fits));
          expect(scans(getPagePlans(db, planPaymentList(db, query)))).toEqual([]);
          expectCorrectMarks(readPaymentPageCursors(db, { ...query, every: 50 }), rows, (page) =>
            listPayments(db, { ...query, ...page }),
          );
        }
      }
    }
  });
});

const groupFilters: Record<string, MatchGroupFilter> = {
  none: {},
  status: { status: ['suggested', 'ambiguous'] },
  rule: { rule: ['payee'] },
  line: { line: 5 },
  transaction: { transaction: 1008 },
  days: { since: '2026-10-05', until: '2026-10-20' },
  amounts: { min_in_cents: 1400 },
  'no rule of that name': { rule: ['constructor'] },
  'words of its line': { search: 'card 2' },
  'words of its payment': { search: ' customer 1' },
  'a sign': { search: '2 100%' },
  'a line, a payment or its own number': { search: '12' },
  'a statement': { search: '2008' },
  amount: { search: '14.50' },
  'words of nothing': { search: 'nobody' },
  'many at once': { search: 'card', status: ['suggested', 'declined'], rule: ['payee'], since: '2026-10-03' },
};

const digits = /^\d+$/;

/** Returns true if the match or one of its lines or payments contains the search text. */
function containsText(search: string | undefined, row: MatchGroup): boolean {
  if (search === undefined) return true;
  const words = search.trim();
  const texts = [
    ...row.bank_lines.flatMap(({ description, reference }) => [description, reference]),
    ...row.transactions.map(({ customer_name }) => customer_name),
  ];
  const numbers = [
    row.id,
    ...row.bank_lines.map(({ id }) => id),
    ...row.transactions.flatMap(({ id, statement_id, subscription_id }) => [
      id,
      statement_id,
      subscription_id,
    ]),
  ];
  return (
    texts.some((text) => text?.toLowerCase().includes(words)) ||
    (digits.test(words) && numbers.includes(Number(words))) ||
    Math.abs(row.lines_in_cents) === parseAmountToCents(words)
  );
}

describe('list of match groups', () => {
  it('has the same rows as filtering all match groups, including a text search in their members', () => {
    const db = createBooks();
    const list =
      (filter: MatchGroupFilter, by: 'dated_on' | 'amount_in_cents', direction: 'asc' | 'desc') =>
      (page: { after?: string; limit: number }) =>
        listMatches(db, { filter, sort: { by, direction }, members: 5, ...page });
    const all = readAllPages(list({}, 'dated_on', 'asc'), 50).rows;
    expect(all.length).toBe(LINES / 4);
    expect(new Set(all.map(({ status }) => status))).toEqual(
      new Set(['confirmed', 'suggested', 'ambiguous', 'declined']),
    );
    for (const filter of Object.values(groupFilters)) {
      const { status, rule, line, transaction, since, until, min_in_cents: least, search } = filter;
      const fits = all.filter(
        (row) =>
          (status?.includes(row.status) ?? true) &&
          (rule?.includes(row.rule) ?? true) &&
          (line === undefined || row.bank_lines.some(({ id }) => id === line)) &&
          (transaction === undefined || row.transactions.some(({ id }) => id === transaction)) &&
          (since === undefined || row.dated_on >= since) &&
          (until === undefined || row.dated_on <= until) &&
          (least === undefined || Math.abs(row.lines_in_cents) >= least) &&
          containsText(search, row),
      );
      const sums = [...Map.groupBy(fits, (row) => `${row.status} ${row.rule}`)].map(([of, rows]) => [
        of,
        rows.length,
      ]);
      const given = list(filter, 'dated_on', 'asc')({ limit: 1 }).sums ?? [];
      expect(given.map((each) => [`${each.status} ${each.rule}`, each.count]).toSorted()).toEqual(
        sums.toSorted(),
      );
      for (const by of ['dated_on', 'amount_in_cents'] as const) {
        for (const direction of directions) {
          const { rows } = readAllPages(list(filter, by, direction), 4);
          const key = (row: (typeof rows)[number]) =>
            by === 'dated_on' ? row.dated_on : Math.abs(row.lines_in_cents);
          expect([filter, rows.map(({ id }) => id)]).toEqual([
            filter,
            expectSorted(fits, (row) => [key(row), row.id], direction).map(({ id }) => id),
          ]);
          const query = { filter, sort: { by, direction } };
          const plans = getPagePlans(db, planMatchList(db, query));
          expect(scans(plans)).toEqual([]);
          if (search !== undefined) {
            expect(plans).toContain('SEARCH match_group USING INTEGER PRIMARY KEY (rowid=?)');
          }
          expectCorrectMarks(
            readMatchPageCursors(db, { ...query, every: 50 }),
            rows,
            list(filter, by, direction),
          );
        }
      }
    }
  });
});

it('keeps the full amount of a deposit that is matched with its payout', () => {
  const db = createBooks();
  const [line] = listBankLines(db, {
    filter: { state: ['open'], flow: 'in' },
    sort: { by: 'amount_in_cents', direction: 'desc' },
    limit: 1,
  }).rows;
  const [payout_id, report] = runInTransaction(db, () => {
    const { lastInsertRowid } = db
      .prepare(
        `INSERT INTO bank_payout (account_id, import_id, payout_id, currency, paid_on) VALUES (2, 2, 'po_9', ?, '2026-10-05')`,
      )
      .run(line!.currency);
    const of = db
      .prepare(
        `INSERT INTO bank_line (account_id, import_id, row, booked_on, amount_in_cents, currency, bank_id, text_hash, occurrence, kind, description, location)
         VALUES (2, 2, 99, '2026-10-05', ?, ?, '', 99, 1, 'payout', 'PAYOUT', 'line 99')`,
      )
      .run(-line!.amount_in_cents, line!.currency);
    return [Number(lastInsertRowid), Number(of.lastInsertRowid)];
  });
  const cents = line!.amount_in_cents;
  const shares = [
    { id: line!.id, allocated_in_cents: cents },
    { id: report!, allocated_in_cents: -cents },
  ];
  const id = runInTransaction(db, () =>
    addMatch(db, createGroup({ payout_id: payout_id!, currency: line!.currency, lines: shares })),
  );
  const amount = db
    .prepare<[number], number>('SELECT amount_in_cents FROM match_group WHERE id = ?')
    .pluck()
    .get(id);
  expect(amount).toBe(cents);
});

describe('table constraints', () => {
  const insertClaim = (db: WritableDb, over: Partial<NewMatchGroup>) => () =>
    runInTransaction(db, () => addMatch(db, createGroup(over)));

  it('reject claims above the amount, with another sign or currency, or that do not add up to 0', () => {
    const db = createBooks();
    const line = db
      .prepare<[], { id: number; amount_in_cents: number }>(
        "SELECT id, amount_in_cents FROM bank_line WHERE state = 0 AND currency = 'USD' AND amount_in_cents > 0 LIMIT 1",
      )
      .get()!;
    const euroLine = db
      .prepare<[], number>("SELECT id FROM bank_line WHERE state = 0 AND currency = 'EUR' LIMIT 1")
      .pluck()
      .get()!;
    const fee = (amount_in_cents: number) => [{ category: 'fee', amount_in_cents, reason: null }];
    const share = (id: number, allocated_in_cents: number) => [{ id, allocated_in_cents }];
    const { id, amount_in_cents: amount } = line;
    expect(insertClaim(db, { lines: share(id, amount + 1), adjustments: fee(amount + 1) })).toThrow(/CHECK/);
    expect(insertClaim(db, { lines: share(id, -1), adjustments: fee(-1) })).toThrow(/CHECK/);
    expect(insertClaim(db, { lines: share(euroLine, 1), adjustments: fee(1) })).toThrow(/same currency/);
    expect(insertClaim(db, { lines: share(id, amount), adjustments: fee(1) })).toThrow(/CHECK/);
    insertClaim(db, { lines: share(id, amount - 1), adjustments: fee(amount - 1) })();
    expect(insertClaim(db, { lines: share(id, 2), adjustments: fee(2) })).toThrow(/CHECK/);
    expect(insertClaim(db, { payments: share(999, 5), adjustments: fee(-5) })).toThrow(
      /same currency|FOREIGN KEY/,
    );
    expect(() => db.exec("DELETE FROM match_group WHERE status = 'confirmed'")).toThrow(
      /cannot be deleted, only undone/,
    );
    expect(() => db.exec('UPDATE match_item SET allocated_in_cents = 1')).toThrow(/cannot be changed/);
    expect(() => db.exec('DELETE FROM bank_import')).toThrow(/cannot be deleted|FOREIGN KEY/);
    expect(() => db.exec(`UPDATE bank_line SET removed = 1 WHERE id = ${id}`)).toThrow(/CHECK/);
    onTestFinished(() => expect(db.pragma('integrity_check', { simple: true })).toBe('ok'));
  });
});

it('parses amounts as people type them', () => {
  expect(['19.90', '1,234.50', '1.234,50', '-5.00', "1'000.00", '19', 'x'].map(parseAmountToCents)).toEqual([
    1990,
    123_450,
    123_450,
    500,
    100_000,
    null,
    null,
  ]);
  expect(toMatchStateNumbers(['matched', 'open'])).toEqual([0, 4]);
});
