import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBagText, withOpenBag } from '../../../src/backend/bagit/bag-reader.ts';
import { addStatementPdf } from '../../../src/backend/store/archive/statement-pdf.ts';
import { addException, addExceptionEntry } from '../../../src/backend/store/checks/exception.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { runInTransaction, type WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import type { BackendClient, PeriodReport } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from './period-bench.ts';

const october = { site: SITE, period: '2026-10' };
const november = { site: SITE, period: '2026-11' };
const atSite = { site: SITE };

let bench: PeriodBench;
let client: BackendClient;

/**
 * October has a match with a difference, a match known at the sign-off that November clears, an outstanding line, two
 * outstanding payments of which one is explained, an open and an accepted exception, and two PDFs of which one is stored.
 */
beforeEach(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements(
    { id: 7, on: '2026-10-05', cents: 1900 },
    { id: 8, on: '2026-10-30', cents: 4900 },
    { id: 9, on: '2026-10-12', cents: 2500 },
    { id: 10, on: '2026-10-28', cents: 3100 },
    { id: 11, on: '2026-10-29', cents: 3300 },
  );
  await bench.import(
    standardCsv([
      ['2026-10-06', '19.00', 'CARD', 'ch_x70'],
      ['2026-10-09', '3.00', 'NOBODY KNOWS'],
      ['2026-10-13', '24.00', 'TRANSFER'],
      ['2026-11-02', '49.00', 'CARD', 'ch_x80'],
    ]),
  );
  await bench.match();
  await client.match.make({
    ...atSite,
    lines: [{ id: 3 }],
    transactions: [{ id: 90 }],
    adjustments: [{ category: 'fee', amount_in_cents: -100, reason: 'The fee.' }],
    reason: 'By phone.',
  });
  withStore('books', (books) => {
    for (const key of ['first', 'second']) insertException(books, key);
  });
  withStore('cache', (cache) => storePdf(cache, 7, '7'.repeat(64)));
  await client.exceptions.accept({ ...atSite, ids: [1], reason: 'Agreed.' });
  await client.exceptions.assign({ ...atSite, ids: [2], assigned: 'Cy' });
  await client.periods.open(october);
  await client.periods.explain({
    ...october,
    items: ['line:2'],
    explanation: 'Asked the bank.',
    owner: 'Ada',
  });
});
afterEach(() => bench.close());

function withStore(kind: 'books' | 'cache', work: (db: WritableDb) => void): void {
  const db = openStore(join(bench.home, 'sites', SITE, `${kind}.db`), kind) as WritableDb;
  runInTransaction(db, () => work(db));
  closeStore(db);
}

function insertException(books: WritableDb, key: string, dated_on = '2026-10-05'): void {
  const links = { subscription: new Set([7]), statement: new Set([7]), webhook: new Set<number>() };
  const id = addException(
    books,
    {
      key,
      rule: 'period-gap',
      severity: 'warning',
      across: false,
      subject: { subscription_id: 7 } as Parameters<typeof addException>[1]['subject'],
      dated_on,
      dated_at: Date.parse(`${dated_on}T12:00:00Z`),
      ...{ expected_in_cents: null, actual_in_cents: null, difference_in_cents: 100 },
      message: `The ${key} one.`,
      ...{ arithmetic: [], rows: [], members: [], links },
      evidence: `evidence of ${key}`,
    },
    Date.UTC(2026, 10, 3),
  );
  addExceptionEntry(books, id, {
    at: Date.UTC(2026, 10, 3),
    user: null,
    action: 'found',
    text: null,
    job: null,
  });
}

function storePdf(cache: WritableDb, statement_id: number, sha256: string): void {
  const at = Date.UTC(2026, 10, 4);
  addStatementPdf(cache, { statement_id, sha256, bytes: 100, fetched_at: at, statement_updated_at: at });
}

/** Makes every change that is still allowed after October is closed, by a user, a sync, an import and a check. */
async function makeLaterChanges(): Promise<void> {
  // Imported records are renamed, and the service returns different values.
  await client.match.undo({ ...atSite, ids: [await findMatch(80)], reason: 'Another customer.' });
  bench.addStatements(
    { id: 7, on: '2026-10-05', cents: 1950 },
    { id: 6, on: '2026-10-20', cents: 700 },
    { id: 12, on: '2026-11-09', cents: 500 },
  );
  bench.removeStatements(11);
  withStore('cache', (cache) => {
    cache.exec(`UPDATE statement SET customer_name = 'Renamed', customer_organization = 'Ltd' WHERE id IN (8, 10);
      UPDATE txn SET memo = 'Reworded', payment_id = 4711 WHERE statement_id = 10`);
    storePdf(cache, 7, 'a'.repeat(64));
    storePdf(cache, 9, '9'.repeat(64));
  });
  await bench.import(standardCsv([['2026-11-03', '31.00', 'CARD', 'ch_x100']]), { name: 'november.csv' });
  await bench.import(
    standardCsv([
      ['2026-08-03', '4.00', 'LONG AGO'],
      ['2026-10-21', '7.00', 'CARD', 'ch_x60'],
      ['2026-10-22', '9.00', 'LATE'],
    ]),
    { name: 'late.csv' },
  );
  await bench.match();
  const [main] = await client.bank.accounts(atSite);
  await client.bank.saveAccount({ ...atSite, id: main!.id, name: 'Main, renamed', kind: main!.kind });
  await client.sites.update({ ...atSite, title: 'Acme, renamed' });
  const settings = await client.workpapers.settings(atSite);
  await client.workpapers.saveSettings({
    ...atSite,
    settings: { ...settings, buckets: [0, 3], transit_days: 0 },
  });
  await client.match.saveRule({
    ...atSite,
    title: 'Late',
    conditions: [{ field: 'description', is: 'contains', value: 'late' }],
    action: { do: 'categorize', category: 'interest' },
  });
  await bench.match();
  // Users add notes.
  await client.comments.add({
    ...atSite,
    subjects: [{ kind: 'match', id: String(await findMatch(70)) }],
    text: 'Seen again.',
  });
  await client.comments.add({ ...atSite, subjects: [{ kind: 'line', id: '2' }], text: 'Asked again.' });
  await client.match.writeOff({ ...atSite, lines: [2], category: 'interest', reason: 'The bank says so.' });
  await client.comments.add({
    site: october.site,
    subjects: [{ kind: 'period', id: october.period }],
    text: 'Looked at again.',
  });
  await client.comments.add({
    ...atSite,
    subjects: [
      { kind: 'exception', id: '1' },
      { kind: 'exception', id: '2' },
    ],
    text: 'Still there.',
  });
  await client.exceptions.assign({ ...atSite, ids: [1, 2], assigned: 'Dee' });
  await client.periods.open(november);
  await client.periods.explain({
    ...november,
    items: ['payment:110', 'payment:80'],
    category: 'dispute',
    explanation: 'Charged back.',
  });
  // A check changes one exception, closes one and adds one.
  withStore('books', (books) => {
    books.exec(`UPDATE exception SET message = 'It is worse.', difference_in_cents = 900 WHERE key = 'second';
      UPDATE exception SET status = 'closed' WHERE key = 'first'`);
    insertException(books, 'third');
  });
  await bench.waitForJob((await client.periods.compare(atSite)).job);
}

async function findMatch(payment: number): Promise<number> {
  const { rows } = await client.match.list({
    ...atSite,
    filter: { transaction: payment, status: ['confirmed'] },
  });
  return rows[0]!.id;
}

let writeReport = 0;
async function getReport(): Promise<PeriodReport> {
  const path = join(dirname(bench.home), `${writeReport++}.json`);
  await client.reports.write({ ...october, format: 'json', path });
  return JSON.parse(readFileSync(path, 'utf8')) as PeriodReport;
}

const tables = [
  ...['schedules', 'ledger_imports', 'journal', 'outstanding', 'customers', 'deferred'],
  ...['adjustments', 'exceptions', 'matches', 'ipe_figures', 'ipe_sources', 'ipe_requests'],
  ...['bank_lines', 'payments', 'payouts', 'match_items', 'statements', 'transactions'],
].map((name) => `data/tables/${name}.csv`);

/** Writes an evidence pack. Returns its tables by name, and its index without the report's files. */
async function getPack() {
  const path = join(dirname(bench.home), `${writeReport++}.zip`);
  expect((await bench.waitForJob((await client.packs.write({ ...october, path })).job)).error).toBeNull();
  return await withOpenBag(path, [...tables, 'data/index.csv'], async (bag) => {
    const read = async (name: string) => (await readBagText(bag, name, 10_000_000)).split('\r\n');
    const entries = await Promise.all(tables.map(async (name) => [name, await read(name)] as const));
    const index = (await read('data/index.csv')).filter((line) => !line.startsWith('report'));
    return { tables: Object.fromEntries(entries), index };
  });
}

async function getItems(now?: boolean) {
  const { rows, total } = await client.workpapers.items({ ...october, ...(now ? { now } : {}) });
  expect(total?.count).toBe(rows.length);
  return rows;
}

/** Returns the rows behind every figure and asserts that they add up to it. Row labels are the current ones. */
async function getFigureRows(now?: boolean) {
  const asked = { ...october, ...(now ? { now } : {}) };
  const { sections } = await client.workpapers.get(asked);
  const rowsByFigure: Record<string, unknown> = {};
  for (const { currency, schedules } of sections) {
    for (const { id: figure, opens, amount_in_cents } of schedules.flatMap(({ lines }) => lines)) {
      if (!opens) continue;
      const { rows, sum } = await client.workpapers.rows({ ...asked, currency, figure, limit: 1000 });
      expect([figure, sum?.amount_in_cents]).toEqual([figure, amount_in_cents]);
      rowsByFigure[`${figure} ${currency}`] = rows.map(({ text: _text, ...row }) => row);
    }
  }
  return rowsByFigure;
}

const getLists = ({ outstanding, adjustments, exceptions, matches }: PeriodReport) => ({
  outstanding,
  adjustments,
  exceptions,
  matches,
});

it('is reported exactly as signed, with later changes listed separately', async () => {
  const before = await getReport();
  const itemsBefore = await getItems();
  const partsBefore = await getFigureRows();
  expect(before.outstanding.map(({ key, category, cleared_on }) => [key, category, cleared_on])).toEqual([
    ['line:2', null, null],
    ['payment:100', 'in transit', null],
    ['payment:110', 'in transit', null],
    ['payment:80', 'cleared later', '2026-11-02'],
  ]);
  expect(before.exceptions.map(({ id, status, assigned }) => [id, status, assigned])).toEqual([
    [1, 'accepted', null],
    [2, 'open', 'Cy'],
  ]);
  expect([before.adjustments.length, before.matches.length]).toEqual([1, 2]);
  expect((await bench.sign('2026-10')).error).toBeNull();
  const signed = await getReport();
  const packSigned = await getPack();
  expect(getLists(signed)).toEqual(getLists(before));
  expect(signed.changes).toEqual([]);

  await makeLaterChanges();
  const after = await getReport();
  expect(getLists(after)).toEqual(getLists(signed));
  const packAfter = await getPack();
  expect(packAfter.tables).toEqual(packSigned.tables);
  expect(await getItems()).toEqual(itemsBefore);
  expect(await getFigureRows()).toEqual(partsBefore);
  const { sections, exceptions, digest, legend } = await client.workpapers.get(october);
  expect({ sections, exceptions, digest, legend }).toEqual({
    sections: signed.workpaper.sections,
    exceptions: signed.workpaper.exceptions,
    digest: signed.workpaper.digest,
    legend: signed.workpaper.legend,
  });
  // A PDF that was stored is unchanged. One that was missing is stored now and is listed as added later.
  const statement = (index: string[], id: number) =>
    index.find((line) => line.startsWith(`statement,${id},`));
  expect(statement(packAfter.index, 7)).toBe(statement(packSigned.index, 7));
  expect(statement(packSigned.index, 9)).toContain('no PDF in the archive');
  expect(statement(packAfter.index, 9)).toContain('9'.repeat(64));

  // Changes are listed separately and equal the changes since sign-off. The audit log has more entries.
  expect(after.changes.map(({ kind, row, change }) => `${kind} ${row} ${change}`).sort()).toEqual(
    (await client.periods.signOffChanges({ ...october, limit: 1000 })).rows
      .map(({ kind, row, change }) => `${kind} ${row} ${change}`)
      .sort(),
  );
  expect(after.changes.map(({ kind, change }) => `${kind} ${change}`)).toEqual(
    expect.arrayContaining([
      'statement changed',
      'statement removed',
      'statement added',
      'line added',
      'exception changed',
      'exception added',
    ]),
  );
  const kinds = after.workpaper.qualifications.map(({ kind }) => kind);
  expect(kinds.slice(0, 2)).toEqual(['suspended', 'changes']);
  expect(after.audit.slice(0, signed.audit.length)).toEqual(signed.audit);
  expect(after.audit.length).toBeGreaterThan(signed.audit.length);

  // The current records can be requested and are different.
  expect(await getItems(true)).not.toEqual(itemsBefore);
  expect(await getFigureRows(true)).not.toEqual(partsBefore);
  expect((await client.workpapers.get({ ...october, now: true })).digest).not.toBe(digest);

  // The next period can be closed, and the first one does not change.
  expect((await bench.sign('2026-11')).error).toBeNull();
  expect(getLists(await getReport())).toEqual(getLists(signed));
});

it('shows the current records after it is reopened and signed again', async () => {
  await bench.sign('2026-10');
  const signed = await getReport();
  await makeLaterChanges();
  const now = await getItems(true);
  await client.periods.reopen({ ...october, reason: 'Much came late.' });
  const reopened = await getReport();
  expect(getLists(reopened)).not.toEqual(getLists(signed));
  expect(reopened.outstanding).toEqual(await getItems());
  expect(reopened.outstanding).not.toEqual(now);
  expect(reopened.changes).toEqual([]);
  expect((await bench.sign('2026-10')).error).toBeNull();
  expect(getLists(await getReport())).toEqual(getLists(reopened));
});

it('pages through the signed outstanding items with the same filters as the current ones', async () => {
  const all = { explained: [true, false], figure: ['S2.open', 'S3.open', 'S2.later'], bucket: [0, 1, 2, 9] };
  const asked = [
    {},
    ...all.explained.map((explained) => ({ explained })),
    ...all.figure.map((figure) => ({ figure, schedule: figure.slice(0, 2) as 'S2' })),
    ...all.bucket.map((bucket) => ({ bucket, currency: 'USD' })),
  ];
  const paged = async () => {
    const found = [];
    for (const filter of asked) {
      const keys: string[] = [];
      const sums = new Map<string, { currency: string; count: number; amount_in_cents: number }>();
      for (let after: string | null | undefined; after !== null; ) {
        const page = await client.workpapers.items({
          ...october,
          filter,
          limit: 2,
          ...(after === undefined ? {} : { after }),
        });
        if (after === undefined) keys.push(String(page.total?.count), JSON.stringify(page.sums));
        else expect(page.sums).toBeNull();
        for (const row of page.rows) {
          keys.push(row.key);
          const sum = sums.get(row.currency) ?? { currency: row.currency, count: 0, amount_in_cents: 0 };
          sum.count += 1;
          sum.amount_in_cents += row.amount_in_cents;
          sums.set(row.currency, sum);
        }
        after = page.next;
      }
      const byCurrency = [...sums.values()].toSorted((a, b) => a.currency.localeCompare(b.currency));
      expect(keys[1]).toBe(JSON.stringify(byCurrency));
      found.push(keys);
    }
    return found;
  };
  const before = await paged();
  expect(before.filter(({ length }) => length > 4).length).toBeGreaterThan(1);
  await bench.sign('2026-10');
  await makeLaterChanges();
  expect(await paged()).toEqual(before);
});
