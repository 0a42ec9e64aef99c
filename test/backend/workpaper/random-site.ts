import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { updatePayments } from '../../../src/backend/matching/update-payments.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import type { WorkpaperSite } from '../../../src/backend/workpaper/workpaper-site.ts';
import type { Statement, Transaction } from '../../../src/billing/index.ts';
import { bankLineKinds } from '../../../src/domain/bankfiles/index.ts';
import { createStatement, createTransaction } from '../store/sample-records.ts';

export const FILE = {
  site: 'random',
  title: 'Random',
  base_url: 'https://random.example.com',
  currency: 'USD',
};

const day = fc.integer({ min: 0, max: 90 }).map((days) => dateAt(days));
const cents = fc.integer({ min: 1, max: 500_000 });

/** Returns the day this number of days after September 1, 2026. */
export const dateAt = (days: number): string =>
  new Date(Date.UTC(2026, 8, 1 + days)).toISOString().slice(0, 10);

const transactions = fc.array(
  fc.record({
    type: fc.constantFrom('charge', 'payment', 'adjustment', 'credit', 'refund', 'mystery'),
    amount: fc.integer({ min: -50_000, max: 50_000 }),
    success: fc.constantFrom(true, true, true, false),
    days: fc.integer({ min: -5, max: 30 }),
    kind: fc.constantFrom(null, 'baseline', 'quantity_based_component', 'one_time', 'tax'),
    /** Days of the service stated in the memo, after the statement's opening. */
    service: fc.option(
      fc.record({ from: fc.integer({ min: -90, max: 40 }), days: fc.constantFrom(0, 1, 30, 31, 365) }),
    ),
  }),
  { maxLength: 5 },
);

/** Generates the contents of a site: any records that could exist, whether or not they make sense. */
export const randomSite = fc.record({
  statements: fc.array(
    fc.record({
      subscription: fc.integer({ min: 1, max: 4 }),
      opened: fc.integer({ min: 0, max: 80 }),
      length: fc.integer({ min: 1, max: 31 }),
      open: fc.constantFrom(false, false, false, true),
      starting: fc.integer({ min: -10_000, max: 10_000 }),
      ending: fc.integer({ min: -10_000, max: 10_000 }),
      transactions,
    }),
    { maxLength: 14 },
  ),
  payments: fc.array(
    fc.record({ day, cents, refund: fc.boolean(), currency: fc.constantFrom('EUR', 'JPY') }),
    { maxLength: 8, size: 'max' },
  ),
  payouts: fc.array(
    fc.record({
      day,
      account: fc.constantFrom(2, 3),
      currency: fc.constantFrom('USD', 'EUR'),
      stated: fc.option(cents),
    }),
    { maxLength: 5 },
  ),
  lines: fc.array(
    fc.record({
      account: fc.integer({ min: 1, max: 4 }),
      day,
      cents,
      out: fc.boolean(),
      currency: fc.constantFrom('USD', 'USD', 'EUR'),
      kind: fc.constantFrom(...bankLineKinds),
      fee: fc.option(fc.integer({ min: 0, max: 900 })),
      payout: fc.option(fc.integer({ min: 0, max: 4 })),
    }),
    { maxLength: 40, size: 'max' },
  ),
  /** Days on which a bank statement of an account ends, and an error in its balances in cents. */
  bankStatements: fc.uniqueArray(
    fc.record({
      account: fc.integer({ min: 1, max: 3 }),
      currency: fc.constantFrom('USD', 'USD', 'EUR'),
      from: fc.integer({ min: 0, max: 85 }),
      length: fc.integer({ min: 0, max: 40 }),
      opening: fc.boolean(),
      error: fc.constantFrom(0, 0, 0, 0, 700),
    }),
    { maxLength: 6, selector: ({ account, currency, from }) => `${account} ${currency} ${from}` },
  ),
  groups: fc.array(
    fc.record({
      lines: fc.array(fc.integer({ min: 0, max: 39 }), { maxLength: 3, size: 'max' }),
      payments: fc.array(fc.integer({ min: 0, max: 39 }), { maxLength: 3, size: 'max' }),
      part: fc.boolean(),
      ignored: fc.constantFrom(false, false, true),
      payout: fc.option(fc.integer({ min: 0, max: 4 })),
      reverses: fc.constantFrom(false, false, true),
    }),
    { maxLength: 25, size: 'max' },
  ),
  /** Postings of the general ledger, or the closing balances of September and October, by account. */
  ledger: fc.uniqueArray(
    fc.record({
      area: fc.constantFrom('revenue', 'receivables', 'clearing', 'fees', 'cash'),
      natural: fc.boolean(),
      currency: fc.constantFrom('USD', 'USD', 'EUR'),
      postings: fc.array(fc.record({ day, cents: fc.integer({ min: -3000, max: 3000 }) }), { maxLength: 6 }),
      /** Number of September and October postings that repeat amounts of bank lines. */
      copied: fc.integer({ min: 0, max: 8 }),
      balances: fc.boolean(),
    }),
    { maxLength: 5, selector: ({ area, currency }) => `${area} ${currency}` },
  ),
  entries: fc.array(
    fc.record({
      day,
      cents,
      currency: fc.constantFrom('USD', 'EUR'),
      debit: fc.integer({ min: 0, max: 5 }),
      credit: fc.integer({ min: 0, max: 5 }),
      posted: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  /**
   * September is closed before the second half of the lines is imported. Lines dated in September are then late and count
   * in October.
   */
  locked: fc.boolean(),
  said: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }),
});
export type RandomSite = typeof randomSite extends fc.Arbitrary<infer Value> ? Value : never;

export const ACCOUNTS = ['bank', 'processor', 'processor', 'ledger'];

/** Writes a generated site to databases copied from the empty `templates`. */
export async function createStores(
  generated: RandomSite,
  templates: { books: string; cache: string },
  folder: string,
): Promise<WorkpaperSite & { books: WritableDb; cache: WritableDb; close(): void }> {
  const paths = { books: join(folder, 'books.db'), cache: join(folder, 'cache.db') };
  copyFileSync(templates.books, paths.books);
  copyFileSync(templates.cache, paths.cache);
  const books = openStore(paths.books, 'books');
  const cache = openStore(paths.cache, 'cache');
  upsertStatements(cache, createStatements(generated), 1);
  const file = {
    ...FILE,
    format: 'json' as const,
    service_details: null,
    demo: false,
    created_at: '2026-01-01T00:00:00Z',
  };
  const signal = new AbortController().signal;
  await updatePayments({ books, cache, file, folder } as Parameters<typeof updatePayments>[0], {
    now: 1,
    by: 'test',
    cause: { action: 'test', job: null },
    signal,
    progress: () => {},
  });
  fillBooks(books, generated);
  return { file: FILE, books, cache, close: () => [books, cache].forEach(closeStore) };
}

function createStatements({ statements }: RandomSite): Statement[] {
  let id = 1000;
  return statements.map((each, at) => {
    const opened = Date.UTC(2026, 8, 1 + each.opened, 12);
    const moment = (days: number) =>
      new Date(opened + days * 86_400_000).toISOString().replace('.000Z', '+00:00');
    return createStatement({
      id: at + 1,
      subscription_id: each.subscription,
      opened_at: moment(0),
      closed_at: each.open ? null : moment(each.length),
      starting_balance_in_cents: each.starting,
      ending_balance_in_cents: each.ending,
      transactions: each.transactions.map(
        ({ type, amount, success, days, kind, service }): Transaction =>
          createTransaction({
            id: id++,
            transaction_type: type,
            type: `${type[0]?.toUpperCase()}${type.slice(1)}`,
            kind,
            memo: createMemo(each.opened, service),
            amount_in_cents: amount,
            starting_balance_in_cents: null,
            ending_balance_in_cents: null,
            success,
            subscription_id: each.subscription,
            created_at: moment(days),
          }),
      ),
    });
  });
}

/** Returns a memo in the style of the service, for example `Plan (10/24/2026 - 11/24/2026)`. */
function createMemo(
  opened: number,
  service: RandomSite['statements'][number]['transactions'][number]['service'],
): string {
  if (service === null) return 'Onboarding';
  const [from, until] = [0, service.days].map((days) => {
    const [year, month, dayOfMonth] = dateAt(opened + service.from + days).split('-');
    return `${month}/${dayOfMonth}/${year}`;
  });
  return `Plan (${from} - ${until})`;
}

function fillBooks(books: WritableDb, generated: RandomSite): void {
  const run = (sql: string, ...values: (string | number | null)[]) => books.prepare(sql).run(...values);
  for (const [at, kind] of ACCOUNTS.entries())
    run('INSERT INTO bank_account (id, name, kind) VALUES (?, ?, ?)', at + 1, `Account ${at + 1}`, kind);
  for (let at = 1; at <= ACCOUNTS.length; at++)
    run(
      `INSERT INTO bank_import (id, account_id, state, file, bytes, sha256, format, dialect, at, user, digest, rows_total, rows_new,
         rows_duplicate, rows_failed, rows_skipped, first_on, last_on)
       VALUES (?, ?, 'done', 'a.csv', 1, ?, 'csv', 'CSV', 1, 'test', '', 0, 0, 0, 0, 0, '2026-09-01', '2026-11-30')`,
      at,
      at,
      'ab'.repeat(32),
    );
  for (const [at, { day: on, cents: amount, refund, currency }] of generated.payments.entries())
    run(
      `INSERT INTO match_payment (id, statement_id, kind, paid_on, amount_in_cents, currency) VALUES (?, 1, ?, ?, ?, ?)`,
      5000 + at,
      refund ? 'refund' : 'payment',
      on,
      refund ? -amount : amount,
      currency,
    );
  const payouts = generated.payouts.map((payout, at) => {
    run(
      `INSERT INTO bank_payout (id, account_id, import_id, payout_id, currency, paid_on, stated_in_cents) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      at + 1,
      payout.account,
      payout.account,
      `po_${at}`,
      payout.currency,
      payout.day,
      payout.stated,
    );
    return payout;
  });
  for (const [at, line] of generated.lines.entries()) {
    if (generated.locked && at === Math.trunc(generated.lines.length / 2)) lockSeptember(books);
    const of = line.payout === null ? undefined : payouts[line.payout];
    const isIn = of !== undefined && of.account === line.account && of.currency === line.currency;
    run(
      `INSERT INTO bank_line (id, account_id, import_id, row, booked_on, amount_in_cents, currency, bank_id, text_hash, occurrence, kind,
         description, payout_id, fee_in_cents, location)
       VALUES (?, ?, ?, ?, ?, ?, ?, '', 0, ?, ?, 'a line', ?, ?, 'line 1')`,
      at + 1,
      line.account,
      line.account,
      at + 1,
      line.day,
      line.out ? -line.cents : line.cents,
      line.currency,
      at,
      line.kind,
      // A report may name a payout that it does not contain.
      isIn ? `po_${line.payout}` : line.payout === null ? null : 'po_unknown',
      line.fee,
    );
  }
  addBankStatements(books, generated);
  addLedger(books, generated);
  matchRemaining(books, generated);
  for (const id of generated.said)
    run(
      "INSERT INTO item_explanation VALUES (?, 1, 1, 'test', '2026-10', 'known', NULL, NULL, NULL)",
      `line:${id}`,
    );
}

/** Effect of a generated line on the balance of its account, in cents. */
export const getLineEffect = ({
  account,
  cents: amount,
  out,
  kind,
  fee,
}: RandomSite['lines'][number]): number =>
  (out ? -amount : amount) - (ACCOUNTS[account - 1] === 'processor' && kind !== 'payout' ? (fee ?? 0) : 0);

/** Balance of an account at the end of a day, if it was 100,000 cents before its first line. */
export const getTrueBalance = (
  { lines }: RandomSite,
  account: number,
  currency: string,
  on: string,
): number =>
  lines
    .filter((line) => line.account === account && line.currency === currency && line.day <= on)
    .reduce((sum, line) => sum + getLineEffect(line), 100_000);

function addBankStatements(books: WritableDb, generated: RandomSite): void {
  for (const { account, currency, from, length, opening, error } of generated.bankStatements) {
    const balanceAt = (days: number) => getTrueBalance(generated, account, currency, dateAt(days));
    books
      .prepare(
        `INSERT INTO bank_statement (account_id, currency, from_on, to_on, opening_in_cents, closing_in_cents, location, file, sha256, bytes, at, user)
         VALUES (?, ?, ?, ?, ?, ?, 'entered', 'a.pdf', ?, 1, 1, 'test')`,
      )
      .run(
        ...[account, currency, dateAt(from), dateAt(from + length)],
        ...[opening ? balanceAt(from - 1) : null, balanceAt(from + length) + error, 'cd'.repeat(32)],
      );
  }
}

/** Postings of an account of the ledger, with those that copy bank lines. */
export const listPostings = (
  { postings, copied, currency }: RandomSite['ledger'][number],
  { lines }: RandomSite,
): { day: string; cents: number }[] => [
  ...postings,
  ...lines
    .filter((line) => line.currency === currency)
    .slice(0, copied)
    .map((line) => ({ day: line.day, cents: line.out ? -line.cents : line.cents })),
];

function addLedger(books: WritableDb, generated: RandomSite): void {
  const run = (sql: string, ...values: (string | number | null)[]) => books.prepare(sql).run(...values);
  const addImport = (id: number, kind: string, natural: boolean) =>
    run(
      `INSERT INTO ledger_import (id, kind, state, natural, file, bytes, sha256, dialect, currency, first_on, last_on, rows, skipped,
         debit_in_cents, credit_in_cents, at, user)
       VALUES (?, ?, 'done', ?, 'l.csv', 1, ?, 'CSV', 'USD', '2026-11-01', '2026-11-30', 0, 0, 0, 0, 1, 'test')`,
      ...[id, kind, Number(natural), 'ef'.repeat(32)],
    );
  const ids = { activity: [1, 2], balances: [3, 4] };
  for (const [kind, [debit, natural]] of Object.entries(ids)) {
    addImport(debit!, kind, false);
    addImport(natural!, kind, true);
  }
  const addAccount = (account: string, area: string | null) =>
    run("INSERT INTO ledger_account VALUES (?, NULL, ?, 1, 'test')", account, area);
  addAccount('other', null);
  for (const [at, of] of generated.ledger.entries()) {
    addAccount(`A${at}`, of.area);
    const id = ids[of.balances ? 'balances' : 'activity'][of.natural ? 1 : 0]!;
    const postings = listPostings(of, generated);
    // Periods that are locked take no further postings.
    for (const { day: on, cents: amount } of of.balances ? [] : postings)
      if (!generated.locked || on > '2026-09-30')
        run(
          `INSERT INTO ledger_line (import_id, row, account, dated_on, amount_in_cents, currency, text, location) VALUES (?, 1, ?, ?, ?, ?, '', '')`,
          ...[id, `A${at}`, on, amount, of.currency],
        );
    for (const on of of.balances ? ['2026-09-30', '2026-10-31'] : [])
      run(
        `INSERT INTO ledger_balance (import_id, row, account, as_on, currency, closing_in_cents, location) VALUES (?, 1, ?, ?, ?, ?, '')`,
        ...[id, `A${at}`, on, of.currency],
        postings.reduce((sum, each) => (each.day <= on ? sum + each.cents : sum), 0),
      );
  }
  addEntries(books, generated);
}

/** Account of a line of a generated entry. */
export const getEntryAccount = ({ ledger }: RandomSite, at: number): string =>
  at < ledger.length ? `A${at}` : 'other';

function addEntries(books: WritableDb, generated: RandomSite): void {
  for (const [
    at,
    { day: on, cents: amount, currency, debit, credit, posted },
  ] of generated.entries.entries()) {
    if (generated.locked && on <= '2026-09-30') continue;
    books
      .prepare(
        `INSERT INTO journal_entry (id, period, state, template, dated_on, currency, memo, made_at, made_by)
         VALUES (?, ?, 'proposed', 'manual', ?, ?, 'An entry', 1, 'test')`,
      )
      .run(at + 1, on.slice(0, 7), on, currency);
    const addLine = books.prepare('INSERT INTO journal_line VALUES (?, ?, NULL, ?, ?, ?)');
    addLine.run(at + 1, 0, getEntryAccount(generated, debit), amount, 0);
    addLine.run(at + 1, 1, getEntryAccount(generated, credit), 0, amount);
    books
      .prepare(
        "UPDATE journal_entry SET state = ?, number = ?, sequence = id, posted_on = ?, approved_by = 'test' WHERE id = ?",
      )
      .run(posted ? 'posted' : 'approved', `T${at}`, posted ? on : null, at + 1);
  }
}

function lockSeptember(books: WritableDb): void {
  books.exec(`
    INSERT INTO period (period, first_on, last_on, state, opened) VALUES ('2026-09', '2026-09-01', '2026-09-30', 'open', 1);
    UPDATE period SET state = 'closed', submitted = 1, reviewed = 1, closed = 1;
  `);
}

/** Creates confirmed matches of the remaining items, each balanced to the cent by an adjustment. */
function matchRemaining(books: WritableDb, generated: RandomSite): void {
  const readOpenItems = (table: string) =>
    books
      .prepare<[], { id: number; currency: string; open: number; amount: number; day: string }>(
        `SELECT id, currency, amount_in_cents - claimed_in_cents AS open, amount_in_cents AS amount,
           ${table === 'bank_line' ? 'booked_on' : 'paid_on'} AS day FROM ${table} ORDER BY id`,
      )
      .all();
  const taken = new Set<number>();
  for (const [at, wanted] of generated.groups.entries()) {
    const [lines, payments] = [readOpenItems('bank_line'), readOpenItems('match_payment')];
    const pick = <Row extends { id: number; open: number; currency: string }>(
      rows: Row[],
      places: number[],
    ) => [...new Set(places)].flatMap((place) => rows[place] ?? []).filter(({ open }) => open !== 0);
    const chosen = { lines: pick(lines, wanted.lines), payments: pick(payments, wanted.payments) };
    const currency = [...chosen.lines, ...chosen.payments][0]?.currency;
    if (currency === undefined) continue;
    const share = ({ open }: { open: number }) =>
      wanted.part && Math.abs(open) > 1 ? Math.trunc(open / 2) : open;
    const members = [
      ...chosen.lines
        .filter((row) => row.currency === currency)
        .map((row) => ({ line: row.id, payment: null, cents: share(row), day: row.day })),
      ...chosen.payments
        .filter((row) => row.currency === currency)
        .map((row) => ({ line: null, payment: row.id, cents: share(row), day: row.day })),
    ];
    const sum = (of: 'line' | 'payment') =>
      members.reduce((all, each) => (each[of] === null ? all : all + each.cents), 0);
    const rest = sum('line') - sum('payment');
    const payout =
      wanted.payout === null ||
      taken.has(wanted.payout) ||
      generated.payouts[wanted.payout]?.currency !== currency
        ? null
        : wanted.payout + 1;
    if (payout !== null) taken.add(payout - 1);
    books.transaction(() => {
      const { lastInsertRowid } = books
        .prepare(
          `INSERT INTO match_group (status, rule, rule_version, score, currency, dated_on, amount_in_cents, lines_in_cents,
             transactions_in_cents, adjustments_in_cents, line_count, transaction_count, alternatives, reasons, payout_id, reverses, made_at, changed_at)
           VALUES ('confirmed', 'manual', 1, 100, ?, ?, 0, ?, ?, ?, 0, 0, 0, '[]', ?, ?, 1, 1)`,
        )
        .run(
          currency,
          members[0]!.day,
          sum('line'),
          sum('payment'),
          rest,
          payout,
          wanted.reverses ? 1 : null,
        );
      const claimState = wanted.ignored ? 4 : 3;
      const add = books.prepare(
        'INSERT INTO match_item (group_id, ordinal, line_id, transaction_id, allocated_in_cents, claim_state, category) VALUES (?, ?, ?, ?, ?, ?, ?)',
      );
      for (const [ordinal, { line, payment, cents: amount }] of members.entries())
        add.run(lastInsertRowid, ordinal, line, payment, amount, claimState, null);
      if (rest !== 0)
        add.run(
          lastInsertRowid,
          members.length,
          null,
          null,
          rest,
          claimState,
          ['fee', 'fx', 'owner'][at % 3]!,
        );
    })();
  }
}
