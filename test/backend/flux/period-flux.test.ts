import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BackendClient, PeriodReport } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';

const on = (period: string) => ({ site: SITE, period });
const charges = { currency: 'USD', figure: 'S1.charges' };

let bench: PeriodBench;
let client: BackendClient;

/** Subscription 61 is billed in June only, 62 in July only. */
beforeEach(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements(
    { id: 61, on: '2026-06-09', cents: 5300 },
    { id: 62, on: '2026-07-09', cents: 8800 },
    { id: 63, on: '2026-08-09', cents: 8800 },
  );
  await bench.import(standardCsv([['2026-06-10', '53.00', 'CARD', 'ch_x610']]));
  await bench.match();
});
afterEach(() => bench.close());

let reports = 0;
async function readReport(period: string): Promise<PeriodReport> {
  const path = join(bench.outputs, `${reports++}.json`);
  await client.reports.write({ ...on(period), format: 'json', path });
  return JSON.parse(readFileSync(path, 'utf8')) as PeriodReport;
}

const findLine = async (period: string, figure: string) =>
  (await client.workpapers.flux(on(period))).lines.find((line) => line.figure === figure);

it('splits figures and their sums by subscription, and states an unknown month as unknown', async () => {
  expect(await findLine('2026-07', 'S1.charges')).toMatchObject({
    ...{ previous_in_cents: 5300, current_in_cents: 8800, difference_in_cents: 3500 },
    parts: { new: 8800, lost: -5300, other: 0 },
  });
  // The total consists of charges and payments, which offset each other.
  expect(await findLine('2026-07', 'S1.computed')).toMatchObject({
    ...{ difference_in_cents: 0, parts: { new: 0, lost: 0, other: 0 } },
  });
  const { rows, total } = await client.workpapers.fluxRows({ ...on('2026-07'), ...charges, limit: 1 });
  expect(total).toEqual({ count: 2, exact: true });
  expect(rows).toMatchObject([{ subscription: 62, previous_in_cents: 0, current_in_cents: 8800 }]);
  expect(await findLine('2026-06', 'S1.charges')).toMatchObject({
    ...{ previous_in_cents: null, current_in_cents: 5300, difference_in_cents: null, parts: null },
  });
});

it('attributes charges of one month to timing while the subscription is served or has an open statement', async () => {
  bench.addStatements(
    // Annual: paid until June 2027.
    { id: 71, on: '2026-06-11', cents: 90_000, memo: 'Annual Plan (06/11/2026 - 06/11/2027)' },
    // Its next statement is open, or closed after July.
    { id: 72, on: '2026-06-12', cents: 700 },
    { id: 73, on: '2026-07-02', cents: 700, subscription: 72, open: true },
    { id: 74, on: '2026-06-13', cents: 400 },
    // Ended: served until the first day of July, and billed again in August only.
    { id: 76, on: '2026-06-14', cents: 2000, memo: 'Plan (06/01/2026 - 07/01/2026)' },
    { id: 77, on: '2026-08-14', cents: 2000, subscription: 76 },
  );
  expect(await findLine('2026-07', 'S1.charges')).toMatchObject({
    ...{ previous_in_cents: 5300 + 90_000 + 700 + 400 + 2000, current_in_cents: 8800 },
    parts: { new: 8800, timing: -90_700, lost: -5300 - 400 - 2000, other: 0 },
  });
  // The earlier payment of a subscription whose first statement is open is not its beginning.
  bench.addStatements({ id: 78, on: '2026-06-20', cents: 6000, open: true });
  await bench.match();
  const { rows } = await client.workpapers.fluxRows({
    ...on('2026-07'),
    ...{ currency: 'USD', figure: 'S2.payments' },
  });
  expect(rows.find(({ subscription }) => subscription === 78)).toMatchObject({
    parts: { timing: -6000, new: 0 },
  });
});

it('keeps the explanation, carries it, and puts it into the report', async () => {
  await client.periods.open(on('2026-07'));
  const explain = (period: string, text: string) =>
    client.periods.explainFlux({ ...on(period), ...charges, by: 'Ada Byron', text });
  await explain('2026-07', 'One left, one came.');
  await explain('2026-07', 'Six-one left, six-two came.');
  const expected = { text: 'Six-one left, six-two came.', name: 'Ada Byron', period: '2026-07' };
  expect((await findLine('2026-07', 'S1.charges'))?.explanation).toMatchObject(expected);
  expect((await findLine('2026-08', 'S1.charges'))?.explanation).toMatchObject(expected);
  await client.periods.open(on('2026-08'));
  await explain('2026-08', 'The same again.');
  expect((await findLine('2026-08', 'S1.charges'))?.explanation?.period).toBe('2026-08');
  const { flux } = await readReport('2026-07');
  expect(flux.find(({ figure }) => figure === 'S1.charges')).toMatchObject({ explanation: expected });
  await bench.sign('2026-07');
  await expect(explain('2026-07', 'Too late.')).rejects.toMatchObject({ code: 'conflict' });
  expect(await client.audit.verify({ site: SITE })).toMatchObject({ ok: true, differences: [] });
});

it('keeps the explanation that was submitted and approved, until the period is sent back', async () => {
  const july = on('2026-07');
  const explain = (text: string) =>
    client.periods.explainFlux({ ...july, ...charges, by: 'Ada Byron', text });
  const refused = { code: 'conflict', data: { hint: expect.stringContaining('Send the period back') } };
  await client.periods.open(july);
  await explain('Price rise in July.');
  await client.periods.submit({ ...july, by: 'Ada Byron', comment: 'Ready.' });
  await expect(explain('Something else.')).rejects.toMatchObject(refused);
  await client.periods.review({ ...july, by: 'Bo Diddley', verdict: 'approve' });
  await expect(explain('Something else.')).rejects.toMatchObject(refused);
  expect((await findLine('2026-07', 'S1.charges'))?.explanation?.text).toBe('Price rise in July.');
  await client.periods.review({ ...july, by: 'Bo Diddley', verdict: 'reject', comment: 'Explain again.' });
  await explain('Two new customers.');
  expect((await findLine('2026-07', 'S1.charges'))?.explanation?.text).toBe('Two new customers.');
});

it('reports the flux of a closed period as signed', async () => {
  await client.periods.open(on('2026-07'));
  await client.periods.explainFlux({ ...on('2026-07'), ...charges, by: 'Ada Byron', text: 'One left.' });
  const signed = (await client.workpapers.flux(on('2026-07'))).lines;
  expect(signed.find(({ figure }) => figure === 'S1.charges')?.parts).toMatchObject({ lost: -5300 });
  await bench.sign('2026-07');
  // A later sync finds a statement that was open in July, and one that was closed in June.
  bench.addStatements(
    { id: 65, on: '2026-07-03', cents: 5300, subscription: 61, open: true },
    { id: 66, on: '2026-06-21', cents: 1200, subscription: 62 },
  );
  expect((await client.workpapers.flux(on('2026-07'))).lines).toEqual(signed);
  const report = await readReport('2026-07');
  expect(report.flux).toEqual(signed);
  expect(report.workpaper.qualifications.map(({ kind }) => kind)).not.toContain('damaged');
  expect(await client.audit.verify({ site: SITE })).toMatchObject({ ok: true, differences: [] });
  // A reopened period has current figures again.
  await client.periods.reopen({ ...on('2026-07'), reason: 'A statement was missing.' });
  expect((await findLine('2026-07', 'S1.charges'))?.parts).toMatchObject({ lost: 0, timing: -5300 });
});
