import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackendClient, ErrorValue, PeriodReport } from '../../../src/contract/index.ts';
import { toContractError } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from './period-bench.ts';

let bench: PeriodBench;
let client: BackendClient;
const october = { site: SITE, period: '2026-10' };
const november = { site: SITE, period: '2026-11' };

/** October has two payments, of which one reached the bank, and one unknown bank line. */
beforeEach(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements({ id: 7, on: '2026-10-05', cents: 1900 }, { id: 8, on: '2026-10-30', cents: 4900 });
  await bench.import(
    standardCsv([
      ['2026-10-06', '19.00', 'CARD', 'ch_x70'],
      ['2026-10-09', '3.00', 'NOBODY KNOWS'],
    ]),
  );
  await bench.match();
});
afterEach(() => bench.close());

async function getError(call: Promise<unknown>): Promise<ErrorValue> {
  try {
    await call;
  } catch (error) {
    return toContractError(error);
  }
  throw new Error('It did not fail.');
}

describe('a period', () => {
  it('can be opened, submitted, rejected, approved by another person, closed, and reopened with a reason', async () => {
    expect(await client.periods.list({ site: SITE })).toMatchObject({
      periods: [],
      locked_until: null,
      late_row_period: null,
    });
    await client.periods.open({ ...october, by: 'Ada Byron' });
    expect(await getError(client.periods.open(october))).toMatchObject({
      code: 'conflict',
      message: '2026-10 is already open.',
    });
    expect(await getError(client.periods.close(october))).toMatchObject({
      code: 'conflict',
      message: '2026-10 is open.',
    });
    expect(await getError(client.periods.submit(october))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('without a comment'),
    });
    const submitted = await client.periods.submit({
      ...october,
      by: 'Ada Byron',
      comment: 'The 3.00 is asked about.',
    });
    expect(submitted).toMatchObject({
      state: 'submitted',
      moves: ['approve', 'reject'],
      submitted: {
        name: 'Ada Byron',
        user: 'ada',
        comment: 'The 3.00 is asked about.',
        figures: expect.any(String),
      },
    });
    expect(
      await getError(client.periods.review({ ...october, by: 'byron, ada', verdict: 'approve' })),
    ).toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('self-review'),
    });
    expect(await getError(client.periods.review({ ...october, by: 'Bo', verdict: 'reject' }))).toMatchObject({
      code: 'validation',
    });
    await client.periods.review({ ...october, by: 'Bo', verdict: 'reject', comment: 'What is line 2?' });
    await client.periods.explain({
      ...october,
      items: ['line:2'],
      explanation: 'Asked the bank.',
      owner: 'Ada',
    });
    await client.periods.submit({ ...october, by: 'Ada Byron', comment: 'Explained.' });
    await client.periods.review({ ...october, by: 'Bo', verdict: 'approve', comment: 'Fine.' });
    const job = await bench.waitForJob((await client.periods.close({ ...october, by: 'Bo' })).job);
    expect([job.state, job.summary]).toEqual(['done', expect.stringContaining('2026-10 is closed')]);
    expect(await client.periods.list({ site: SITE })).toMatchObject({
      periods: [{ period: '2026-10', state: 'closed', version: 1 }],
      locked_until: '2026-10-31',
      late_row_period: '2026-11',
    });
    expect(
      await getError(client.periods.explain({ ...october, items: ['line:2'], owner: 'Cy' })),
    ).toMatchObject({
      code: 'period_locked',
    });
    const reopened = await client.periods.reopen({
      ...october,
      by: 'Ada Byron',
      reason: 'A file was missing.',
    });
    expect(reopened.history.map(({ action, name, text }) => [action, name, text])).toEqual([
      ['opened', 'Ada Byron', null],
      ['submitted', 'Ada Byron', 'The 3.00 is asked about.'],
      ['rejected', 'Bo', 'What is line 2?'],
      ['submitted', 'Ada Byron', 'Explained.'],
      ['approved', 'Bo', 'Fine.'],
      ['closed', 'Bo', null],
      ['reopened', 'Ada Byron', 'A file was missing.'],
    ]);
    expect(await client.periods.list({ site: SITE })).toMatchObject({
      periods: [{ state: 'open' }],
      locked_until: null,
    });
    const { rows } = await client.audit.list({ site: SITE, filter: { action: 'periods' } });
    expect(rows.map(({ action }) => action).reverse()).toEqual(
      ['open', 'submit', 'reject', 'explain', 'submit', 'approve', 'close', 'reopen'].map(
        (verb) => `periods.${verb}`,
      ),
    );
    expect(await client.audit.verify({ site: SITE })).toMatchObject({ ok: true });
  });

  it('is reviewed by its preparer only with a recorded reason', async () => {
    await client.periods.open(october);
    await client.periods.submit({ ...october, comment: 'Known.' });
    const reviewed = await client.periods.review({
      ...october,
      verdict: 'approve',
      self_review: 'I work alone.',
    });
    expect(reviewed).toMatchObject({
      state: 'reviewed',
      reviewed: { name: 'ada', self_review: 'I work alone.' },
    });
  });

  it('is not closed if the figures differ from the reviewed ones', async () => {
    await client.periods.open(october);
    await client.periods.submit({ ...october, comment: 'Known.' });
    await client.periods.review({ ...october, by: 'Bo', verdict: 'approve' });
    await client.match.writeOff({
      site: SITE,
      lines: [2],
      category: 'interest',
      reason: 'The bank says so.',
    });
    const { job } = await client.periods.close(october);
    expect(await bench.waitForJob(job)).toMatchObject({
      state: 'failed',
      error: { code: 'conflict', message: expect.stringContaining('have changed since they were submitted') },
    });
    expect(await client.periods.get(october)).toMatchObject({ state: 'reviewed', closing: null });
    await client.match.undo({ site: SITE, ids: [2], reason: 'Not locked.' });
  });

  it('is not submitted before its end, nor closed before an earlier period', async () => {
    await client.periods.open({ site: SITE, period: '2027-01' });
    expect(
      await getError(client.periods.submit({ site: SITE, period: '2027-01', comment: 'Early.' })),
    ).toMatchObject({
      code: 'conflict',
      message: '2027-01 is not over yet.',
    });
    await client.periods.open(october);
    await client.periods.open(november);
    expect(await getError(client.periods.submit({ ...november, comment: 'Early.' }))).toMatchObject({
      message: expect.stringContaining('2026-10 must be closed before'),
    });
    await bench.sign('2026-10');
    expect(await getError(client.periods.open({ site: SITE, period: '2026-09' }))).toMatchObject({
      code: 'conflict',
    });
    await bench.sign('2026-11');
    expect(await getError(client.periods.reopen({ ...october, reason: 'Now.' }))).toMatchObject({
      message: '2026-11 is closed and depends on 2026-10.',
    });
  });
});

describe('closed figures', () => {
  beforeEach(async () => {
    await client.periods.open(october);
    await bench.sign('2026-10');
  });

  it('consist of canonical lines whose digests can be recomputed', async () => {
    const closedFigures = await client.periods.closedFigures(october);
    expect(closedFigures.rows.map(({ kind, count }) => [kind, count])).toEqual([
      ['file', 1],
      ['statement', 2],
      ['payment', 2],
      ['line', 2],
      ['payout', 0],
      ['match', 1],
      ['exception', 0],
    ]);
    const books = bench.books();
    for (const { kind, sha256 } of closedFigures.rows) {
      const chunks = books
        .prepare<[string], Buffer>(
          'SELECT content FROM closed_figures_chunk WHERE kind = ? ORDER BY first_row',
        )
        .pluck()
        .all(kind);
      const text = Buffer.concat(chunks.map((chunk) => inflateRawSync(chunk)));
      expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
    }
    expect(closedFigures).toMatchObject({
      version: 1,
      from: null,
      until: '2026-10-31',
      app_version: '0.0.0',
      reopened_at: null,
    });
    expect(closedFigures.files).toMatchObject([{ import: 1, name: 'bank.csv' }]);
    expect(closedFigures.rules.length).toBeGreaterThan(20);
    const signed = await client.periods.signed(october);
    expect(JSON.parse(signed.json)).toMatchObject({
      digest: closedFigures.figures,
      head: { as_at: '2026-10-31' },
    });
    expect(() => books.prepare('DELETE FROM closed_figures_chunk').run()).toThrow();
  });

  it('stay valid while later statements are closed and open ones are settled', async () => {
    bench.addStatements({ id: 9, on: '2026-11-03', cents: 500 });
    await bench.import(standardCsv([['2026-11-02', '49.00', 'CARD', 'ch_x80']]), { name: 'november.csv' });
    await bench.match();
    expect(await bench.waitForJob((await client.periods.compare({ site: SITE })).job)).toMatchObject({
      state: 'done',
      summary: expect.stringContaining('nothing new differs'),
    });
    expect((await client.periods.signOffChanges({ site: SITE })).rows).toEqual([]);
    const { rows } = await client.periods.broughtForward(november);
    expect(rows.map(({ key, cleared, amount_in_cents }) => [key, cleared, amount_in_cents])).toEqual([
      ['line:2', null, 300],
      ['payment:80', { on: '2026-11-02', matches: [2] }, 4900],
    ]);
    expect((await client.periods.broughtForward({ ...november, filter: { cleared: true } })).sums).toEqual([
      { currency: 'USD', count: 1, amount_in_cents: 4900 },
    ]);
  });

  it('show a change by a sync with its values before and after, and its reversal', async () => {
    bench.addStatements({ id: 7, on: '2026-10-05', cents: 1950 });
    await bench.match();
    const signOffChanges = await client.periods.signOffChanges({ site: SITE, period: '2026-10' });
    expect(
      signOffChanges.rows.map(({ kind, row, change, amount_in_cents, posted_in }) => [
        kind,
        row,
        change,
        amount_in_cents,
        posted_in,
      ]),
    ).toEqual([
      ['statement', 7, 'changed', 0, '2026-11'],
      ['payment', 70, 'changed', 50, '2026-11'],
    ]);
    expect(signOffChanges.rows[1]).toMatchObject({
      text: 'Payment 70 changed: amount_in_cents 19.00 → 19.50.',
      fields: [{ field: 'amount_in_cents', before: 1900, after: 1950 }],
      detected_by: { action: 'match' },
    });
    expect(signOffChanges.rows[0]!.fields.map(({ field }) => field)).toContain(
      'transactions 70 amount_in_cents',
    );
    // The report shows the signed figures and the changes since then.
    const path = join(bench.outputs, 'report.json');
    await client.reports.write({ ...october, format: 'json', path });
    const report = JSON.parse(readFileSync(path, 'utf8')) as PeriodReport;
    expect(report.workpaper).toMatchObject({
      digest: (await client.periods.closedFigures(october)).figures,
      head: { state: 'closed', signatures: [{ role: 'prepared' }, { role: 'reviewed' }, { role: 'closed' }] },
    });
    const [suspended, changes] = report.workpaper.qualifications;
    // The statement and the payment changed by 0.50 each, and the site has no threshold.
    expect(suspended).toEqual({
      kind: 'suspended',
      message: expect.stringContaining(
        '2 changes since sign-off (absolute amounts: 1.00 USD, threshold 0.00)',
      ),
    });
    expect(changes).toEqual({
      kind: 'changes',
      message: expect.stringContaining(
        'figures and lists as signed. Since then 2 rows have changed, by 0.50 USD',
      ),
    });
    expect((await client.workpapers.get({ ...october, now: true })).digest).not.toBe(report.workpaper.digest);
    // The match and the payment are as they were signed.
    expect(await client.match.get({ site: SITE, id: 1 })).toMatchObject({
      status: 'confirmed',
      transactions_in_cents: 1900,
    });
    bench.addStatements({ id: 7, on: '2026-10-05', cents: 1900 });
    await bench.match();
    expect((await client.periods.signOffChanges({ site: SITE })).rows).toEqual([]);
    const ended = await client.periods.signOffChanges({ site: SITE, filter: { ended: true } });
    expect(ended.rows.map(({ ended: end }) => end?.reason)).toEqual(['reverted', 'reverted']);
  });

  it('end the change of a late statement that is removed again', async () => {
    bench.addStatements({ id: 6, on: '2026-10-20', cents: 700 });
    await bench.match();
    const currentRows = async () =>
      (await client.periods.signOffChanges({ site: SITE })).rows.map(({ text }) => text);
    expect(await currentRows()).toContainEqual(expect.stringContaining('Statement 6 '));
    bench.removeStatements(6);
    await bench.match();
    expect(await currentRows()).toEqual([]);
  });

  it('show removed and late rows until the period is reopened', async () => {
    bench.removeStatements(8);
    bench.addStatements({ id: 6, on: '2026-10-20', cents: 700 });
    await bench.import(standardCsv([['2026-10-21', '7.00', 'CARD', 'ch_x60']]), { name: 'late.csv' });
    await bench.match();
    const { rows, sums } = await client.periods.signOffChanges({ site: SITE, period: '2026-10' });
    expect(new Set(rows.map(({ kind, row, change }) => `${kind} ${row} ${change}`))).toEqual(
      new Set([
        'statement 8 removed',
        'payment 80 removed',
        'statement 6 added',
        'payment 60 added',
        'line 3 added',
      ]),
    );
    expect(sums).toContainEqual({ kind: 'line', currency: 'USD', count: 1, amount_in_cents: 700 });
    // Both statements were paid in full, so that their balances alone would hide what is gone and what is late.
    expect(rows.find(({ kind, row }) => kind === 'statement' && row === 8)).toMatchObject({
      text: 'Statement 8 with charges of 49.00, payments and credits of 49.00 and a balance of 0.00 no longer exists.',
      amount_in_cents: -4900,
    });
    expect(rows.find(({ kind, row }) => kind === 'statement' && row === 6)?.amount_in_cents).toBe(700);
    const books = bench.books();
    const cleared = () =>
      books
        .prepare('SELECT group_id, original_on, cleared_on FROM match_cleared ORDER BY group_id')
        .raw()
        .all();
    expect(cleared()).toEqual([
      [1, '2026-10-06', '2026-10-06'],
      [2, '2026-10-21', '2026-11-01'],
    ]);
    await client.periods.reopen({ ...october, reason: 'Much is late.' });
    expect(cleared()).toEqual([
      [1, '2026-10-06', '2026-10-06'],
      [2, '2026-10-21', '2026-10-21'],
    ]);
    expect(
      (await client.periods.signOffChanges({ site: SITE, filter: { ended: true } })).rows.map(
        ({ ended }) => ended?.reason,
      ),
    ).toEqual(Array(5).fill('reopened'));
    expect((await client.match.payments({ site: SITE })).rows.map(({ id }) => id).sort()).toEqual([60, 70]);
    await bench.sign('2026-10');
    expect(await client.periods.closedFigures(october)).toMatchObject({ version: 2 });
    expect(await client.periods.closedFigures({ ...october, version: 1 })).toMatchObject({
      reopened_at: expect.any(String),
    });
  });
});
