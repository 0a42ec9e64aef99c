import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import {
  type PeriodReport,
  periodReportSchema,
  type ReportFormat,
  type Workpaper,
} from '../../../src/contract/index.ts';
import { ADS_TABLE, parseDelimited, parseIndex } from '../../domain/auditor-exports/parse-delimited.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

/** Last complete month of the sandbox. */
const period = '2026-10';
let bench: WriterTestSite;
let workpaper: Workpaper;

const write = (format: ReportFormat, name: string) =>
  bench.client.reports.write({ site: SITE, period, format, path: join(bench.outputs, name) });

/** Returns the files of a ZIP file without its top folder, and unpacks them beside it. */
async function unpack(name: string): Promise<{ folder: string; files: Map<string, string> }> {
  const path = join(bench.outputs, name);
  const folder = `${path}.unpacked`;
  const files = new Map<string, string>();
  const zip = await yauzl.openPromise(path);
  for await (const entry of zip.eachEntry()) {
    const file = entry.fileName.replace(/^[^/]+\//, '');
    files.set(file, await text(await zip.openReadStreamPromise(entry)));
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), files.get(file)!);
  }
  return { folder, files };
}

/** Returns a figure of the workpaper in cents; 0 if the workpaper does not contain it. */
const figure = (...ids: string[]) =>
  workpaper.sections[0]!.schedules.flatMap(({ lines }) => lines).reduce(
    (sum, { id, amount_in_cents }) => (ids.includes(id) ? sum + amount_in_cents : sum),
    0,
  );

const toCents = (amount: string, decimalSymbol = '.') => {
  expect(amount).toMatch(decimalSymbol === '.' ? /^-?\d+\.\d\d$/ : /^-?\d+,\d\d$/);
  return Number(amount.replace(decimalSymbol, ''));
};

/** Imports the sandbox's bank statement and payout report of the period. */
async function importBankFiles(): Promise<void> {
  const { client, sandbox } = bench;
  const response = await fetch(`${sandbox.url}/sandbox/bank`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${sandbox.apiKey}:x`).toString('base64')}` },
    body: JSON.stringify({ month: period }),
  });
  const { statement, payouts } = (await response.json()) as Record<string, { name: string; text: string }>;
  for (const { name, text: content } of [statement!, payouts!]) {
    const data = Buffer.from(content).toString('base64');
    const { upload } = await client.bank.upload({ site: SITE, name, data });
    const { plan } = await client.bank.plan({ site: SITE, upload, account: { name } });
    await bench.waitForJob((await client.bank.import({ site: SITE, plan })).job);
  }
}

beforeAll(async () => {
  bench = await openWriterTestSite({ subscriptions: 60, months: 3, seed: 12 });
  await bench.sync();
  await importBankFiles();
  await bench.waitForJob((await bench.client.match.run({ site: SITE })).job);
  await write('json', 'report.json');
  const report: PeriodReport = periodReportSchema.parse(
    JSON.parse(readFileSync(join(bench.outputs, 'report.json'), 'utf8')),
  );
  workpaper = report.workpaper;
});
afterAll(() => bench.close());

describe('a GoBD export', () => {
  let folder: string;
  let files: Map<string, string>;
  /** Parses a table as `index.xml` describes it. */
  const parseTable = (path: string) => {
    const { format } = parseIndex(files.get('index.xml')!).find((table) => table.path === path)!;
    return parseDelimited(files.get(path)!, format);
  };
  beforeAll(async () => {
    expect((await write('gobd', 'gobd.zip')).digest).toBe(workpaper.digest);
    ({ folder, files } = await unpack('gobd.zip'));
  });

  it('has an index that is valid by its DTD', () => {
    expect(files.get('index.xml')).toContain('<!DOCTYPE DataSet SYSTEM "gdpdu-01-08-2002.dtd">');
    const run = () =>
      execFileSync('xmllint', ['--nonet', '--noout', '--valid', 'index.xml'], { cwd: folder, stdio: 'pipe' });
    expect(run().toString()).toBe('');
    writeFileSync(join(folder, 'broken.xml'), files.get('index.xml')!.replace('<UTF8/>', '<UTF9/>'));
    expect(() =>
      execFileSync('xmllint', ['--nonet', '--noout', '--valid', 'broken.xml'], {
        cwd: folder,
        stdio: 'pipe',
      }),
    ).toThrow('UTF9');
  });

  it('contains every table of the index, with the columns and types that it describes', () => {
    const tables = parseIndex(files.get('index.xml')!);
    const paths = tables.map(({ path }) => path);
    expect([...files.keys()].toSorted()).toEqual(['gdpdu-01-08-2002.dtd', 'index.xml', ...paths].toSorted());
    expect(paths).toEqual(
      expect.arrayContaining(['schedules.csv', 'statements.csv', 'figure_rows.csv', 'ipe_figures.csv']),
    );
    for (const { path, columns, isKeyed } of tables) {
      const [header, ...rows] = parseTable(path);
      expect(header, path).toEqual(columns.map(({ name }) => name));
      for (const row of rows) {
        expect(row.length, `${path}: ${row.join(';')}`).toBe(columns.length);
        for (const [index, { type, accuracy }] of columns.entries()) {
          const cell = row[index]!;
          if (cell === '' || type === 'AlphaNumeric') continue;
          const format =
            type === 'Date' ? /^\d{4}-\d\d-\d\d$/ : accuracy === '2' ? /^-?\d+,\d\d$/ : /^-?\d+$/;
          expect(cell, `${path} ${columns[index]!.name}`).toMatch(format);
        }
      }
      const keys = rows.map(([key]) => key);
      if (isKeyed) expect(new Set(keys).size, path).toBe(keys.length);
    }
    expect(parseTable('transactions.csv').length).toBeGreaterThan(50);
  });

  it('has rows that add up to every figure of the workpaper', () => {
    const sums = new Map<string, number>();
    for (const [name, currency, , , , , , amount] of parseTable('figure_rows.csv').slice(1))
      sums.set(`${name} ${currency}`, (sums.get(`${name} ${currency}`) ?? 0) + toCents(amount!, ','));
    for (const { currency, schedules } of workpaper.sections)
      for (const line of schedules.flatMap(({ lines }) => lines))
        if (line.opens) expect(sums.get(`${line.id} ${currency}`) ?? 0, line.id).toBe(line.amount_in_cents);
    const [header, ...schedules] = parseTable('schedules.csv');
    const column = (name: string) => header!.indexOf(name);
    const charges = schedules.find((row) => row[column('figure')] === 'S1.charges')!;
    expect(toCents(charges[column('amount')]!, ',')).toBe(figure('S1.charges'));
  });
});

describe('an export by the Audit Data Standards', () => {
  let tables: Map<string, Record<string, string>[]>;
  let files: Map<string, string>;
  beforeAll(async () => {
    expect((await write('ads', 'ads')).path).toMatch(/ads\.zip$/);
    ({ files } = await unpack('ads.zip'));
    tables = new Map(
      [...files].map(([name, content]) => {
        const [fields = [], ...rows] = name === 'README.txt' ? [] : parseDelimited(content, ADS_TABLE);
        const records = rows.map((cells) => {
          expect(cells.length, cells.join('|')).toBe(fields.length);
          return Object.fromEntries(fields.map((field, at) => [field, cells[at] ?? '']));
        });
        return [name.replace(/(_\d{8})+\.txt$/, ''), records];
      }),
    );
  });
  const sum = (table: string, field: string) =>
    tables.get(table)!.reduce((total, record) => total + toCents(record[field]!), 0);

  it('names its files by table and days', () => {
    expect([...files.keys()]).toEqual([
      'Invoices_Generated_20261001_20261031.txt',
      'Invoices_Generated_Lines_20261001_20261031.txt',
      'Cash_Received_20261001_20261031.txt',
      'Open_Accounts_Receivable_20261031.txt',
      'Customer_Master_20261031.txt',
      'README.txt',
    ]);
  });

  it('adds up to the figures of the workpaper', () => {
    const billed = figure('S1.charges', 'S1.adjusted', 'S1.credits');
    expect(billed).toBeGreaterThan(0);
    expect(sum('Invoices_Generated', 'Invoice_Amount')).toBe(billed);
    expect(sum('Invoices_Generated_Lines', 'Invoice_Line_Amount')).toBe(billed);
    expect(sum('Cash_Received', 'Receipt_Amount')).toBe(figure('S1.matched', 'S2.refunds'));
    expect(sum('Open_Accounts_Receivable', 'Balance_Amount')).toBe(figure('S5.composed'));
    expect(tables.get('Cash_Received')!.length).toBeGreaterThan(5);
  });

  it('refers from each record to an invoice and a customer that it contains', () => {
    const customers = new Set(tables.get('Customer_Master')!.map((record) => record['Customer_Account_ID']));
    expect(customers.size).toBe(tables.get('Customer_Master')!.length);
    for (const table of ['Invoices_Generated', 'Cash_Received', 'Open_Accounts_Receivable'])
      for (const { Customer_Account_ID: id } of tables.get(table)!) expect(customers, table).toContain(id);
    const invoices = new Set(tables.get('Invoices_Generated')!.map((record) => record['Invoice_ID']));
    const lines = tables.get('Invoices_Generated_Lines')!;
    for (const { Invoice_ID: id } of lines) expect(invoices).toContain(id);
    const keys = lines.map((line) => `${line['Invoice_ID']} ${line['Invoice_Line_ID']}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

it('is refused in the app’s own folder, and replaces a file only if requested', async () => {
  const target = { site: SITE, period, format: 'gobd' as const };
  await expect(
    bench.client.reports.write({ ...target, path: join(bench.home, 'x.zip') }),
  ).rejects.toMatchObject({
    code: 'storage',
  });
  const path = join(bench.outputs, 'gobd.zip');
  await expect(bench.client.reports.write({ ...target, path })).rejects.toMatchObject({ code: 'conflict' });
  expect(await bench.client.reports.write({ ...target, path, replace: true })).toMatchObject({ path });
});
