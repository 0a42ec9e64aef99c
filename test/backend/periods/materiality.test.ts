import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { BackendClient, Workpaper, WorkpaperSettings } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from './period-bench.ts';

const july = { site: SITE, period: '2026-07' };

let bench: PeriodBench;
let client: BackendClient;

/** July has a matched payment of 42.00, and two unknown receipts of 0.90 and 1.35. */
beforeEach(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements({ id: 51, on: '2026-07-07', cents: 4200 });
  await bench.import(
    standardCsv([
      ['2026-07-08', '42.00', 'CARD', 'ch_x510'],
      ['2026-07-20', '0.90', 'INTEREST?'],
      ['2026-07-21', '1.35', 'INTEREST??'],
    ]),
  );
  await bench.match();
  await client.periods.open(july);
});
afterEach(() => bench.close());

const setThreshold = (amount_in_cents: number, schedule = 'S3') =>
  client.workpapers.saveSettings({
    site: SITE,
    settings: { thresholds: [{ schedule, currency: 'USD', amount_in_cents }] },
  });
const findLine = ({ sections }: Workpaper, id: string) =>
  sections[0]!.schedules.flatMap(({ lines }) => lines).find((line) => line.id === id)!;
const findSchedule = ({ sections }: Workpaper, id: string) =>
  sections[0]!.schedules.find((schedule) => schedule.id === id)!;
const listKinds = ({ qualifications }: Workpaper) => qualifications.map(({ kind }) => kind);

describe('a materiality threshold', () => {
  it.each([
    [224, false],
    [225, true],
  ])('of %i cents passes the unexplained 2.25: %s', async (cents, passed) => {
    const before = await client.workpapers.get(july);
    expect(findSchedule(before, 'S3').materiality).toBeNull();
    await setThreshold(cents);
    const workpaper = await client.workpapers.get(july);
    expect(findSchedule(workpaper, 'S3').materiality).toEqual({
      ...{ threshold_in_cents: cents, tested_in_cents: 225, tested_count: 2, passed },
    });
    expect(findLine(workpaper, 'S3.open')).toMatchObject({
      amount_in_cents: 225,
      unexplained: { count: 2, amount_in_cents: 225 },
      ticks: passed ? ['R', 'imm'] : ['R', 'E'],
    });
    expect(workpaper.explained).toBe(passed);
    expect(listKinds(workpaper).includes('immaterial')).toBe(passed);
    expect(listKinds(workpaper).includes('unexplained')).toBe(!passed);
    expect(workpaper.digest).not.toBe(before.digest);
    const { progress, remarks } = await client.periods.get(july);
    expect(progress).toMatchObject({ explained: passed, immaterial: Number(passed), unexplained: 2 });
    expect(remarks.find(({ kind }) => kind === 'immaterial')?.requires).toBe(passed ? 'nothing' : undefined);
    const { rows } = await client.workpapers.items({ ...july, filter: { explained: false } });
    expect(rows).toHaveLength(2);
  });

  it('passes unexplained items brought forward, and marks their lines', async () => {
    await setThreshold(300);
    await bench.sign('2026-07');
    const august = { site: SITE, period: '2026-08' };
    bench.addStatements({ id: 52, on: '2026-08-04', cents: 6100 });
    await bench.import(standardCsv([['2026-08-05', '61.00', 'CARD', 'ch_x520']]), { name: 'august.csv' });
    await bench.match();
    await client.periods.open(august);
    const workpaper = await client.workpapers.get(august);
    expect(findLine(workpaper, 'S3.open')).toMatchObject({
      ...{ amount_in_cents: 0, unexplained: { count: 0 }, ticks: ['R', 'imm'] },
    });
    expect(findSchedule(workpaper, 'S3').materiality).toMatchObject({ tested_count: 2, passed: true });
    expect(workpaper.explained).toBe(true);
    expect(listKinds(workpaper)).toContain('immaterial');
    expect(listKinds(workpaper)).not.toContain('unexplained');
    await setThreshold(200);
    const above = await client.workpapers.get(august);
    expect(listKinds(above)).not.toContain('immaterial');
    expect(above.qualifications.find(({ kind }) => kind === 'unexplained')?.message).toContain('2 items');
  });

  it('of another schedule passes nothing', async () => {
    await setThreshold(99_999, 'S2');
    const workpaper = await client.workpapers.get(july);
    expect(findSchedule(workpaper, 'S2').materiality).toMatchObject({ passed: false, tested_in_cents: 0 });
    expect(findLine(workpaper, 'S3.open').ticks).toContain('E');
    expect(workpaper.explained).toBe(false);
  });

  it('is stated on the cover and in the tables of the report, and suspends an open submission', async () => {
    const submitted = await client.periods.submit({ ...july, by: 'Ada', comment: 'Two receipts are open.' });
    expect(submitted.remarks.map(({ kind }) => kind)).not.toContain('changed');
    await setThreshold(300);
    const changed = (await client.periods.get(july)).remarks.find(({ kind }) => kind === 'changed');
    expect(changed).toMatchObject({ requires: 'fix', message: expect.stringContaining('2026-07') });
    const path = join(bench.outputs, 'july.csv');
    await client.reports.write({ ...july, format: 'csv', path });
    expect(readFileSync(path, 'utf8')).toMatch(/S3\.open,[^\n]*,225,2,R imm,/);
  });
});

describe('changes since sign-off', () => {
  const changePayment = async (cents: number) => {
    bench.addStatements({ id: 51, on: '2026-07-07', cents });
    await bench.waitForJob((await client.periods.compare({ site: SITE })).job);
  };
  const findSuspended = async () => (await client.periods.get(july)).suspended;

  it('suspend a sign-off above the threshold, which stays visible until a new one', async () => {
    await setThreshold(500);
    await bench.sign('2026-07');
    const signed = await client.workpapers.get(july);
    await changePayment(4300);
    const { sign_off_changes, suspended } = await client.periods.get(july);
    expect(sign_off_changes.count).toBeGreaterThan(0);
    expect(suspended).toBeNull();
    await changePayment(9000);
    expect(await findSuspended()).toContain('suspended');
    const { periods } = await client.periods.list({ site: SITE });
    expect(periods[0]).toMatchObject({ state: 'closed', suspended: expect.any(String) });
    const shown = await client.workpapers.get(july);
    expect(shown.sections).toEqual(signed.sections);
    expect(shown.head.signatures).toEqual(signed.head.signatures);
    expect(listKinds(shown)).toContain('suspended');
    await client.periods.reopen({ ...july, reason: 'The payment was changed.' });
    await bench.match();
    await bench.sign('2026-07');
    const again = await client.periods.get(july);
    expect(again).toMatchObject({ state: 'closed', suspended: null, version: 2 });
    expect(again.history.filter(({ action }) => action === 'closed')).toHaveLength(2);
  });

  const saveSettings = (settings: Partial<WorkpaperSettings>) =>
    client.workpapers.saveSettings({ site: SITE, settings });
  /** Adds statement 51 again, like a sync, and compares the closed periods. */
  const changeStatement = async (on: string, sql?: string) => {
    bench.addStatements({ id: 51, on, cents: 4200 });
    if (sql !== undefined) {
      const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
      cache.exec(sql);
      closeStore(cache);
    }
    await bench.waitForJob((await client.periods.compare({ site: SITE })).job);
  };

  it.each([
    ['any', true],
    ['never', false],
  ] as const)('suspend under the policy %s: %s', async (suspend_on, suspends) => {
    await saveSettings({ suspend_on });
    await setThreshold(99_999);
    await bench.sign('2026-07');
    await changePayment(4201);
    expect((await findSuspended()) !== null).toBe(suspends);
  });

  it('suspend by the policy and the thresholds of the closing, not by later ones', async () => {
    await setThreshold(500);
    await bench.sign('2026-07');
    const sealed = { suspend_on: 'material', thresholds: [{ schedule: 'S3', amount_in_cents: 500 }] };
    expect((await client.periods.closedFigures(july)).suspension).toMatchObject(sealed);
    await changePayment(4300);
    await saveSettings({ suspend_on: 'any', thresholds: [] });
    expect(await findSuspended()).toBeNull();
    await changePayment(9000);
    await saveSettings({ suspend_on: 'never' });
    expect(await findSuspended()).toContain('threshold 5.00');
    expect((await client.periods.closedFigures(july)).suspension).toMatchObject(sealed);
    await client.periods.reopen({ ...july, reason: 'The payment was changed.' });
    await bench.match();
    await bench.sign('2026-07');
    expect((await client.periods.closedFigures(july)).suspension.suspend_on).toBe('never');
  });

  it('suspend by any amount in a currency without a threshold', async () => {
    await saveSettings({ thresholds: [{ schedule: 'S3', currency: 'EUR', amount_in_cents: 70_000 }] });
    await bench.sign('2026-07');
    expect(await findSuspended()).toBeNull();
    await changePayment(4199);
    expect(await findSuspended()).toContain('USD, threshold 0.00');
  });

  it.each([
    [4199, true],
    [50_000, false],
  ])('count a row that moved to another day in full: above %i cents: %s', async (threshold, suspends) => {
    await setThreshold(threshold);
    await bench.sign('2026-07');
    await changeStatement('2026-07-19');
    expect((await client.periods.get(july)).sign_off_changes.count).toBeGreaterThan(0);
    expect((await findSuspended()) !== null).toBe(suspends);
  });

  it('suspend if the size of a change is unknown', async () => {
    await setThreshold(99_999);
    await bench.sign('2026-07');
    await changeStatement('2026-07-07', 'UPDATE txn SET ending_balance_in_cents = NULL WHERE id = 511');
    expect(await findSuspended()).toContain('1 change of unknown size');
  });
});
