import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBagText, withOpenBag } from '../../../../src/backend/bagit/bag-reader.ts';
import { closeStore, openStore } from '../../../../src/backend/store/database/open-store.ts';
import { type PeriodReport, periodReportSchema, type Workpaper } from '../../../../src/contract/index.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../../writer-test-site.ts';

const FILES = {
  report: 'data/report/report.json',
  rows: 'data/tables/figure_rows.csv',
  statements: 'data/tables/statements.csv',
  transactions: 'data/tables/transactions.csv',
  payments: 'data/tables/payments.csv',
};

let bench: WriterTestSite;
/** Last complete month of the sandbox. */
const month = '2026-10';
let pack: Record<keyof typeof FILES, string>;
let report: PeriodReport;
let workpaper: Workpaper;

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

async function writePack(name: string): Promise<typeof pack> {
  const path = join(bench.outputs, name);
  await bench.waitForJob((await bench.client.packs.write({ site: SITE, period: month, path })).job);
  return withOpenBag(path, Object.values(FILES), async (bag) => {
    const texts = Object.entries(FILES).map(
      async ([key, file]) => [key, await readBagText(bag, file, 50_000_000)] as const,
    );
    return Object.fromEntries(await Promise.all(texts)) as typeof pack;
  });
}

beforeAll(async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 4, seed: 21 });
  await bench.sync();
  pack = await writePack('pack.zip');
  report = periodReportSchema.parse(JSON.parse(pack.report));
  workpaper = report.workpaper;
});
afterAll(() => bench.close());

test('proves every figure of the workpaper by its rows in the pack', () => {
  const lines = pack.rows.split(/(?<=\r\n)/).slice(1);
  const figures = workpaper.sections.flatMap(({ currency, schedules }) =>
    schedules.flatMap(({ lines: all }) =>
      all.filter(({ opens }) => opens).map((line) => ({ currency, ...line })),
    ),
  );
  expect(report.ipe_figures.map(({ figure }) => figure)).toEqual(figures.map(({ id }) => id));
  for (const [at, proof] of report.ipe_figures.entries()) {
    const { id, currency, amount_in_cents, count } = figures[at]!;
    const own = lines.filter((line) => line.startsWith(`${id},${currency},`));
    const sum = own.reduce((total, line) => total + Number(line.trim().split(',').at(-1)), 0);
    expect(proof, id).toMatchObject({ amount_in_cents, rows: count ?? 0, sha256: sha256(own.join('')) });
    expect([own.length, sum], id).toEqual([count ?? 0, amount_in_cents]);
    expect(proof.accuracy).toContain('add');
    expect(proof.accuracy).not.toContain('do not');
  }
  const charges = report.ipe_figures.find(({ figure }) => figure === 'S1.charges')!;
  expect(charges.rows).toBeGreaterThan(10);
  expect(charges.sources).toEqual(['statement-ids', 'statements', 'transactions']);
});

test('states digests and control totals that the tables of the pack have', () => {
  for (const name of ['statements', 'transactions', 'payments'] as const) {
    const [source] = report.ipe_sources.filter((each) => each.source === name);
    const rows = pack[name].trim().split('\r\n').slice(1);
    expect(source, name).toMatchObject({ sha256: sha256(pack[name]), rows: rows.length });
  }
  const statements = report.ipe_sources.find(({ source }) => source === 'statements')!;
  const columns = pack.statements.split('\r\n')[0]!.split(',');
  const closing = pack.statements
    .trim()
    .split('\r\n')
    .slice(1)
    .reduce((sum, row) => {
      // Names may contain commas, so the columns after them are counted from the end.
      return sum + Number(row.split(',').at(columns.indexOf('ending_balance_in_cents') - columns.length));
    }, 0);
  expect(statements.amount_in_cents).toBe(closing);
});

test('lists requests with the digests of what the service answers', async () => {
  const authorization = `Basic ${Buffer.from(`${bench.sandbox.apiKey}:x`).toString('base64')}`;
  expect(report.ipe_requests.length).toBeGreaterThan(5);
  for (const { request, sha256: stated, rows, bytes, server_date } of report.ipe_requests.slice(0, 8)) {
    const path = request.replace(/^GET /, '');
    const response = await fetch(new URL(path, bench.sandbox.url), { headers: { authorization } });
    const body = Buffer.from(await response.arrayBuffer());
    expect(sha256(body), path).toBe(stated);
    const answer = JSON.parse(body.toString()) as object;
    const list = Array.isArray(answer) ? answer : Object.values(answer).find(Array.isArray);
    expect(rows).toBe(path.includes('/statements') && list !== undefined ? list.length : 1);
    expect(bytes).toBeGreaterThan(0);
    expect(Math.abs(Date.parse(server_date!) - Date.parse(response.headers.get('date')!))).toBeLessThan(
      120_000,
    );
  }
  const ids = report.ipe_requests.filter(({ source }) => source === 'statement-ids');
  expect(ids.map(({ request }) => request)).toEqual(['GET /statements/ids.json?page=1']);
});

test('calls the statements complete only if the list of their ids is recorded to its end', async () => {
  const find = (of: PeriodReport) => of.ipe_sources.find(({ source }) => source === 'statement-ids')!;
  const list = find(report);
  const known = Number(/names ([\d,]+) statements/.exec(list.completeness)?.[1]?.replace(',', ''));
  expect(list).toMatchObject({ complete: true, rows: known, requests: 1 });
  expect(report.ipe_sources.find(({ source }) => source === 'statements')).toMatchObject({ complete: true });
  expect(report.ipe_figures.find(({ figure }) => figure === 'S1.charges')?.completeness).toContain(
    'proved to be',
  );

  const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
  cache
    .prepare(
      "UPDATE service_request SET path = replace(path, 'page=1', 'page=2') WHERE kind = 'statement_ids'",
    )
    .run();
  closeStore(cache);
  const later = periodReportSchema.parse(JSON.parse((await writePack('later.zip')).report));
  expect(find(later)).toMatchObject({
    complete: false,
    continuity: 'The recorded pages do not form a complete list.',
  });
  expect(later.ipe_sources.find(({ source }) => source === 'statements')).toMatchObject({ complete: false });
  expect(later.ipe_figures.find(({ figure }) => figure === 'S1.charges')?.completeness).toBe(
    'Not proved for: List of statement IDs, Statements of the period, Transactions of the statements.',
  );

  // A full sync reads the list again, so that it is proved again.
  await bench.sync({ full: true });
  const again = periodReportSchema.parse(JSON.parse((await writePack('again.zip')).report));
  expect(find(again)).toMatchObject({ complete: true, requests: 1 });
});
