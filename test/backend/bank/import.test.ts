import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContractInputs } from '../../../src/contract/index.ts';
import { type BankBench, openBankBench, SITE, standardCsv } from './bank-bench.ts';

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
});
afterEach(() => bench.close());

const week = standardCsv([
  ['2026-10-01', '19.00', 'CARD PAYMENT', 'INV 1'],
  ['2026-10-01', '19.00', 'CARD PAYMENT', 'INV 2'],
  ['2026-10-02', '-3.50', 'ACCOUNT FEE'],
  ['2026-10-02', '49.00', 'TRANSFER', 'A B'],
  ['2026-10-02', '49.00', 'TRANSFER', 'A B'],
]);

describe('import', () => {
  it('adds the lines of its plan and stores the file unchanged', async () => {
    const { job, plan, id } = await bench.import(week);
    expect(job).toMatchObject({ state: 'done', kind: 'import' });
    expect(plan).toMatchObject({
      rows: { total: 5, new: 5, duplicate: 0, failed: 0, skipped: 0 },
      sums: [{ currency: 'USD', count: 5, in_cents: 13_600, out_cents: -350 }],
      first_on: '2026-10-01',
      last_on: '2026-10-02',
      format: 'csv',
      blocker: null,
    });
    const sha256 = createHash('sha256').update(week).digest('hex');
    expect(await bench.client.bank.getImport({ site: SITE, id })).toMatchObject({
      state: 'done',
      sha256,
      digest: plan.digest,
      user: 'ada',
      profile: 'standard',
      rows: { new: 5 },
    });
    const kept = join(bench.home, 'sites', SITE, 'sources', sha256.slice(0, 2), sha256);
    expect(readFileSync(kept, 'utf8')).toBe(week);
    const { rows, total, sums } = await bench.client.bank.lines({ site: SITE, sort: { direction: 'asc' } });
    expect(total).toEqual({ count: 5, exact: true });
    expect(sums).toEqual([
      { currency: 'USD', count: 5, in_cents: 13_600, out_cents: -350, claimed_in_cents: 0 },
    ]);
    expect(rows.map((line) => [line.row, line.booked_on, line.amount_in_cents, line.state])).toEqual([
      [1, '2026-10-01', 1900, 'open'],
      [2, '2026-10-01', 1900, 'open'],
      [3, '2026-10-02', -350, 'open'],
      [4, '2026-10-02', 4900, 'open'],
      [5, '2026-10-02', 4900, 'open'],
    ]);
    expect((await bench.client.audit.verify({ site: SITE })).ok).toBe(true);
  });

  it('changes nothing if repeated, also under another name and with equal lines', async () => {
    await bench.import(week);
    const again = await bench.plan(week, { name: 'again.csv' });
    expect(again).toMatchObject({
      rows: { new: 0, duplicate: 5 },
      imported_before: 1,
      blocker: 'Every line of the file is already imported.',
    });
    const rows = await bench.client.bank.planRows({ site: SITE, plan: again.plan, verdict: ['duplicate'] });
    expect(rows.rows.map(({ row, stored }) => [row, stored])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
    expect(rows.rows[0]?.reason).toBe('The same line is stored as 1.');
  });

  it('of a longer export adds only the new lines, including a third equal line', async () => {
    await bench.import(week);
    const { plan } = await bench.import(
      `${week}2026-10-02,49.00,USD,TRANSFER,A B\n2026-10-03,5.00,USD,NEW,\n`,
    );
    expect(plan.rows).toMatchObject({ new: 2, duplicate: 5 });
    const { total } = await bench.client.bank.lines({ site: SITE });
    expect(total?.count).toBe(7);
  });

  it('continues a day on which the previous file ended, including equal lines', async () => {
    const first = standardCsv([
      ['2026-10-01', '19.00', 'CARD PAYMENT', 'INV 10001'],
      ['2026-10-01', '19.00', 'CARD PAYMENT'],
      ['2026-10-01', '19.00', 'ADA BYRON'],
      ['2026-10-01', '49.00', 'CARD PAYMENT'],
    ]);
    const second = standardCsv([
      ['2026-10-01', '19.00', 'CARD PAYMENT'],
      ['2026-10-01', '19.00', 'ADA BYRON'],
      ['2026-10-01', '19.00', 'CARD PAYMENT', 'INV 10002'],
      ['2026-10-02', '49.00', 'CARD PAYMENT'],
    ]);
    for (const files of [
      [first, second],
      [second, first],
    ]) {
      const other = await openBankBench();
      for (const file of files) await other.import(file);
      expect((await other.client.bank.lines({ site: SITE })).total?.count).toBe(8);
      for (const file of files) expect((await other.plan(file)).rows.new).toBe(0);
      expect((await other.plan(first + second.slice(second.indexOf('\n') + 1))).rows.new).toBe(0);
      await other.close();
    }
  });

  it('lists every row that is not a line, with its location and the reason', async () => {
    const file = `${week}yesterday,1.00,USD,BAD DATE,\n2026-10-09,lots,USD,BAD AMOUNT,\n`;
    const { plan, id } = await bench.import(file);
    expect(plan.rows).toMatchObject({ total: 7, new: 5, failed: 2 });
    const { rows } = await bench.client.bank.importRows({ site: SITE, id, verdict: ['failed'] });
    expect(rows.map(({ row, location, raw }) => [row, location, raw])).toEqual([
      [6, 'line 7', expect.stringContaining('yesterday')],
      [7, 'line 8', expect.stringContaining('lots')],
    ]);
    for (const { reason } of rows) expect(reason).toMatch(/\w+/);
  });

  it('can be removed as a unit, and its lines return with their ids when imported again', async () => {
    const { id } = await bench.import(week);
    const { job } = await bench.client.bank.removeImport({ site: SITE, id, reason: 'wrong account' });
    expect(await bench.waitForJob(job)).toMatchObject({ state: 'done' });
    expect((await bench.client.bank.lines({ site: SITE })).total?.count).toBe(0);
    expect(await bench.client.bank.getImport({ site: SITE, id })).toMatchObject({
      state: 'removed',
      removed: { user: 'ada', reason: 'wrong account' },
    });
    const again = await bench.import(week);
    expect(again.plan.rows.new).toBe(5);
    const { rows } = await bench.client.bank.lines({ site: SITE, sort: { direction: 'asc' } });
    expect(rows.map((line) => [line.id, line.import])).toEqual(
      [1, 2, 3, 4, 5].map((line) => [line, again.id]),
    );
    expect((await bench.client.audit.verify({ site: SITE })).ok).toBe(true);
  });

  it('is rejected if the account has changed since the preview and the plan would differ', async () => {
    const plan = await bench.plan(week);
    await bench.import(week);
    const { job } = await bench.client.bank.import({ site: SITE, plan: plan.plan });
    expect(await bench.waitForJob(job)).toMatchObject({ state: 'failed', error: { code: 'conflict' } });
    expect((await bench.client.bank.lines({ site: SITE })).total?.count).toBe(5);
  });

  it('is rejected if its lines were added and removed since the preview', async () => {
    await bench.import(standardCsv([['2026-10-01', '1.00', 'ANOTHER']]));
    const plan = await bench.plan(week);
    const { id } = await bench.import(week);
    await bench.waitForJob((await bench.client.bank.removeImport({ site: SITE, id, reason: 'x' })).job);
    const { job } = await bench.client.bank.import({ site: SITE, plan: plan.plan });
    expect(await bench.waitForJob(job)).toMatchObject({ state: 'failed', error: { code: 'conflict' } });
  });

  it('adds a duplicate line if the user requests it', async () => {
    await bench.import(week);
    const { plan } = await bench.import(week, { keep_rows: [4] });
    expect(plan.rows).toMatchObject({ new: 1, duplicate: 4 });
    expect((await bench.client.bank.lines({ site: SITE })).total?.count).toBe(6);
  });

  it('asks about ambiguous dates and can be applied only after the answer', async () => {
    const file = 'Date,Amount (USD),Text\n03/04/2026,10.00,A\n05/06/2026,11.00,B\n';
    const plan = await bench.plan(file, { profile: undefined });
    expect(plan.questions.length).toBe(1);
    expect(plan.blocker).toMatch(/more than one way/);
    await expect(bench.client.bank.import({ site: SITE, plan: plan.plan })).rejects.toMatchObject({
      code: 'validation',
    });
    const { key, readings } = plan.questions[0]!;
    const days = [];
    for (const { value } of readings) {
      const answered = await bench.plan(file, { profile: undefined, answers: { [key]: value } });
      expect(answered.blocker).toBeNull();
      days.push(answered.first_on);
    }
    expect(days.toSorted()).toEqual(['2026-03-04', '2026-04-03']);
  });

  it('leaves no lines if it is canceled', async () => {
    const many = standardCsv(
      Array.from({ length: 9000 }, (_, at) => ['2026-10-01', `${at}.00`, `LINE ${at}`] as const),
    );
    const plan = await bench.plan(many);
    const { job } = await bench.client.bank.import({ site: SITE, plan: plan.plan });
    const canceled = await bench.client.jobs.cancel({ site: SITE, job });
    expect(canceled.state).toBe('canceled');
    expect((await bench.client.bank.lines({ site: SITE })).total?.count).toBe(0);
    expect((await bench.import(many)).plan.rows.new).toBe(9000);
  });

  it('lists the rows of a plan page by page and by verdict', async () => {
    await bench.import(week);
    const file = `${week}yesterday,1.00,USD,BAD DATE,\n2026-10-09,5.00,USD,"a"b,\n2026-10-09,6.00,USD,C,\n`;
    const { plan, rows: counts, needs_review } = await bench.plan(file);
    expect([counts, needs_review]).toEqual([{ total: 8, new: 2, duplicate: 5, failed: 1, skipped: 0 }, 1]);
    const read = async (input: Omit<ContractInputs['bank']['planRows'], 'site' | 'plan' | 'limit'>) => {
      const rows: (number | null)[] = [];
      let after: string | undefined;
      do {
        const place = after === undefined ? {} : { after };
        const page = await bench.client.bank.planRows({ site: SITE, plan, limit: 2, ...input, ...place });
        rows.push(...page.rows.map(({ row }) => row));
        expect(page.total === null).toBe(after !== undefined);
        after = page.next ?? undefined;
      } while (after !== undefined);
      return rows;
    };
    expect(await read({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await read({ verdict: ['new'] })).toEqual([7, 8]);
    expect(await read({ verdict: ['duplicate', 'failed'] })).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await read({ remarked: true })).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await read({ remarked: true, verdict: ['new'] })).toEqual([7]);
    expect(await read({ verdict: [] })).toEqual([]);
    await expect(bench.client.bank.planRows({ site: SITE, plan, after: 'nowhere' })).rejects.toMatchObject({
      code: 'validation',
    });
  });

  it('stores the rows of a preview in no file that a crash could leave behind', async () => {
    const files = () => readdirSync(join(bench.home, 'sites', SITE), { recursive: true }).sort();
    const { upload } = await bench.client.bank.upload({
      ...{ site: SITE, name: 'many.csv' },
      data: Buffer.from(
        standardCsv(
          Array.from({ length: 9000 }, (_, at) => ['2026-10-01', `${at}.00`, `LINE ${at}`] as const),
        ),
      ).toString('base64'),
    });
    const before = files();
    const { plan } = await bench.client.bank.plan({ site: SITE, upload, account: { name: 'Main' } });
    expect(files()).toEqual(before);
    const { rows } = await bench.client.bank.planRows({ site: SITE, plan, limit: 1 });
    expect(rows).toMatchObject([{ row: 1, description: 'LINE 0' }]);
  });

  it('rejects a path instead of the id of an upload', async () => {
    await expect(
      bench.client.bank.plan({ site: SITE, upload: '../../site.json', account: { name: 'Main' } }),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect(existsSync(join(bench.home, 'sites', SITE, 'sources', 'incoming', 'x'))).toBe(false);
  });
});
