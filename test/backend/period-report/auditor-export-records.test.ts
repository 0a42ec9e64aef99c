import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { runInTransaction, type WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import {
  addKnownStatements,
  markVanishedStatements,
} from '../../../src/backend/store/statements/known-statements.ts';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import { type PeriodReport, periodReportSchema, type ReportFormat } from '../../../src/contract/index.ts';
import { ADS_TABLE, parseDelimited, parseIndex } from '../../domain/auditor-exports/parse-delimited.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { createPeriodStatement, openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';

const period = '2026-10';
/** Texts of the service that a spreadsheet would run, and that contain the symbols of the formats. */
const TEXTS = [
  '-10% loyalty',
  '=SUM(A1:A9)',
  '+49 30 1234|56',
  'Plan; "gold"',
  'two\r\nlines',
  '@ "quoted',
  "'apostrophe'",
];
const FIRST = 21;
/** Statement that the service no longer lists. Its transactions are still stored. */
const VANISHED = FIRST + 2;

let bench: PeriodBench;
let report: PeriodReport;
let gobd: Map<string, Record<string, string>[]>;
let ads: Map<string, Record<string, string>[]>;
let index: ReturnType<typeof parseIndex>;

const writeToStore = (kind: 'cache' | 'books', work: (db: WritableDb) => void) => {
  const db = openStore(join(bench.home, 'sites', SITE, `${kind}.db`), kind) as WritableDb;
  runInTransaction(db, () => work(db));
  closeStore(db);
};

async function writeFiles(format: ReportFormat): Promise<Map<string, string>> {
  const path = join(bench.outputs, `${format}.zip`);
  await bench.client.reports.write({ site: SITE, period, format, path, replace: true });
  const files = new Map<string, string>();
  const zip = await yauzl.openPromise(path);
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName.replace(/^[^/]+\//, ''), await text(await zip.openReadStreamPromise(entry)));
  return files;
}

function toRecords([header = [], ...rows]: string[][]): Record<string, string>[] {
  return rows.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])));
}

/** Adds a processor account with a payout whose report does not state the amount sent. Returns the net sum of its lines. */
function addPayoutWithoutAmount(books: WritableDb): number {
  books.exec(`
    INSERT INTO bank_account (id, name, kind) VALUES (50, 'Stripe', 'processor');
    INSERT INTO bank_import (id, account_id, state, file, bytes, sha256, format, dialect, at, user, digest, rows_total, rows_new,
        rows_duplicate, rows_failed, rows_skipped, first_on, last_on)
      VALUES (50, 50, 'done', 'p.csv', 1, '${'cd'.repeat(32)}', 'csv', 'CSV', 1, 'test', '', 2, 2, 0, 0, 0, '2026-10-03', '2026-10-20');
    INSERT INTO bank_line (account_id, import_id, row, booked_on, amount_in_cents, fee_in_cents, currency, bank_id, text_hash,
        occurrence, kind, description, location, payout_id)
      VALUES (50, 50, 1, '2026-10-03', 5000, 175, 'USD', 'x1', 0, 0, 'payment', 'Charge', 'line 1', 'po_1'),
        (50, 50, 2, '2026-10-04', 2600, 99, 'USD', 'x2', 0, 0, 'payment', 'Charge', 'line 2', 'po_1');
    INSERT INTO bank_payout (account_id, import_id, payout_id, currency, paid_on, stated_in_cents)
      VALUES (50, 50, 'po_1', 'USD', '2026-10-20', NULL), (50, 50, 'po_2', 'USD', '2026-10-21', 1234);`);
  return 5000 - 175 + 2600 - 99;
}
let unstatedPayout: number;

beforeAll(async () => {
  bench = await openPeriodBench();
  const ids = TEXTS.map((_, at) => FIRST + at);
  writeToStore('cache', (cache) => {
    const statements = TEXTS.map((memo, at) => {
      const day = `2026-10-${String(5 + ((at * 5) % 17)).padStart(2, '0')}`;
      const statement = createPeriodStatement({ id: FIRST + at, on: day, cents: 1900 + at * 1000 });
      return {
        ...statement,
        customer_first_name: memo,
        transactions: statement.transactions.map((each) => ({ ...each, memo })),
      };
    });
    upsertStatements(cache, statements, 1);
    addKnownStatements(cache, ids, 1);
    markVanishedStatements(
      cache,
      ids.filter((id) => id !== VANISHED),
      2,
    );
  });
  await bench.import(
    standardCsv([
      ['2026-10-06', '19.00', 'CARD', `ch_x${FIRST * 10}`],
      ['2026-10-12', '29.00', 'CARD', `ch_x${(FIRST + 1) * 10}`],
    ]),
  );
  await bench.match();
  writeToStore('books', (books) => {
    unstatedPayout = addPayoutWithoutAmount(books);
  });

  const path = join(bench.outputs, 'report.json');
  await bench.client.reports.write({ site: SITE, period, format: 'json', path });
  report = periodReportSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const files = await writeFiles('gobd');
  index = parseIndex(files.get('index.xml')!);
  gobd = new Map(
    index.map((table) => [table.name, toRecords(parseDelimited(files.get(table.path)!, table.format))]),
  );
  ads = new Map(
    [...(await writeFiles('ads'))]
      .filter(([name]) => name !== 'README.txt')
      .map(([name, content]) => [
        name.replace(/(_\d{8})+\.txt$/, ''),
        toRecords(parseDelimited(content, ADS_TABLE)),
      ]),
  );
});
afterAll(() => bench.close());

it('contains for every foreign key of the index the row that it refers to', () => {
  const keys = index.flatMap((table) => table.foreignKeys.map((key) => ({ table, ...key })));
  expect(keys.map(({ table, column }) => `${table.name}.${column}`)).toEqual(
    expect.arrayContaining(['transactions.statement', 'match_items.line', 'match_items.transaction']),
  );
  for (const { table, column, references } of keys) {
    const target = index.find(({ name }) => name === references)!;
    expect(target.isKeyed, references).toBe(true);
    const stored = new Set(gobd.get(references)!.map((row) => row[target.columns[0]!.name]));
    const referring = gobd.get(table.name)!.map((row) => row[column]!);
    expect(referring.filter((value) => value !== '').length, `${table.name}.${column}`).toBeGreaterThan(0);
    for (const value of referring)
      if (value !== '') expect(stored, `${table.name}.${column}`).toContain(value);
  }
});

it('leaves out a statement that the service no longer lists, with its transactions, as the figures do', () => {
  const listed = TEXTS.map((_, at) => FIRST + at).filter((id) => id !== VANISHED);
  const statements = gobd.get('statements')!.map(({ id }) => Number(id));
  expect(statements.toSorted((a, b) => a - b)).toEqual(listed);
  const statementsWithTransactions = new Set(
    gobd.get('transactions')!.map(({ statement }) => Number(statement)),
  );
  expect([...statementsWithTransactions].toSorted((a, b) => a - b)).toEqual(listed);
  const figureRows = gobd.get('figure_rows')!.filter(({ figure }) => figure === 'S1.charges');
  expect(new Set(figureRows.map(({ statement }) => Number(statement)))).toEqual(new Set(listed));
  const find = (name: string) => report.ipe_sources.find(({ source }) => source === name)!;
  expect(find('statements')).toMatchObject({ rows: listed.length });
  expect(find('statements').completeness).toContain('exclude 1 statement that the service no longer lists');
  const total = gobd
    .get('transactions')!
    .reduce((sum, row) => sum + Number(row['amount']!.replace(',', '')), 0);
  expect(find('transactions')).toMatchObject({ rows: 2 * listed.length, amount_in_cents: total });
  expect(
    ads
      .get('Invoices_Generated')!
      .map(({ Invoice_ID: id }) => Number(id))
      .toSorted(),
  ).toEqual(listed);
});

it('contains the texts of the records unchanged', () => {
  const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache', { readonly: true });
  const stored = cache
    .prepare<[], { id: number; memo: string; customer: string }>(
      `SELECT txn.id, txn.memo, customer_name AS customer FROM txn JOIN statement ON statement.id = statement_id
        WHERE vanished_at IS NULL`,
    )
    .all();
  closeStore(cache);
  const memos = new Map(gobd.get('transactions')!.map(({ id, memo }) => [Number(id), memo]));
  for (const { id, memo } of stored) expect(memos.get(id), memo).toBe(memo);
  expect(new Set(memos.values())).toEqual(new Set(TEXTS.filter((_, at) => FIRST + at !== VANISHED)));
  expect(new Set(gobd.get('statements')!.map((row) => row['customer_name']))).toEqual(
    new Set(stored.map(({ customer }) => customer)),
  );
  const products = ads.get('Invoices_Generated_Lines')!.map((row) => row['Invoice_Product_Description']);
  expect(new Set(products)).toEqual(new Set(memos.values()));
  const names = ads.get('Customer_Master')!.map((row) => row['Customer_Account_Name']);
  const payers = gobd.get('payments')!.map((row) => row['customer_name']);
  expect(new Set(names)).toEqual(new Set([...stored.map(({ customer }) => customer), ...payers]));
});

it('totals the payouts by the amounts that the workpaper uses', () => {
  const sent = report.workpaper.sections
    .flatMap(({ schedules }) => schedules.flatMap(({ lines }) => lines))
    .find(({ id }) => id === 'S2.sent')!;
  const [source] = report.ipe_sources.filter((each) => each.source === 'payouts');
  expect(sent.amount_in_cents).toBe(unstatedPayout + 1234);
  expect(source).toMatchObject({ rows: 2, amount_in_cents: sent.amount_in_cents });
  const amounts = gobd.get('payouts')!.map(({ stated, amount }) => [stated, amount]);
  expect(amounts).toEqual([
    ['', '73,26'],
    ['12,34', '12,34'],
  ]);
});
