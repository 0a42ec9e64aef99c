import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { BackendClient, Checklist, PeriodReport } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from './period-bench.ts';

const july = { site: SITE, period: '2026-07' };

let bench: PeriodBench;
let client: BackendClient;

beforeEach(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements({ id: 61, on: '2026-06-09', cents: 5300 }, { id: 62, on: '2026-07-09', cents: 8800 });
  await bench.import(
    standardCsv([
      ['2026-06-10', '53.00', 'CARD', 'ch_x610'],
      ['2026-07-10', '88.00', 'CARD', 'ch_x620'],
      ['2026-07-15', '4.20', 'NOBODY'],
    ]),
  );
  await bench.match();
  await client.periods.open(july);
});
afterEach(() => bench.close());

const find = ({ steps }: Checklist, wanted: string) => steps.find(({ step }) => step === wanted);

it('derives its steps from the records and the sign-off', async () => {
  const before = await client.periods.checklist(july);
  expect(before).toMatchObject({ period: '2026-07', changeable: true });
  expect(find(before, 'matching')).toMatchObject({
    state: 'open',
    reason: expect.stringContaining('not explained'),
  });
  expect(find(before, 'reconcile:1-USD')).toMatchObject({
    title: 'Reconcile Main (USD)',
    due_on: '2026-08-06',
  });
  expect(find(before, 'journal')).toMatchObject({ state: 'unknown' });
  const { lines } = await client.workpapers.flux(july);
  const changed = lines
    .filter(({ difference_in_cents }) => difference_in_cents !== 0)
    .map(({ figure }) => figure);
  expect(changed).toContain('S1.charges');
  expect(find(before, 'flux')).toMatchObject({ state: 'open' });
  const count = Number(/\d+(?= figure)/.exec(find(before, 'flux')!.reason)![0]);
  await client.periods.explainFlux({
    ...july,
    currency: 'USD',
    figure: 'S1.charges',
    by: 'Ada',
    text: 'More.',
  });
  expect(find(await client.periods.checklist(july), 'flux')?.reason).toContain(`of ${count - 1} figure`);
  await client.periods.explain({ ...july, items: ['line:3'], explanation: 'The owner paid it in.' });
  await client.periods.submit({ ...july, by: 'Ada', comment: 'As far as is known.' });
  const after = await client.periods.checklist(july);
  expect(find(after, 'matching')?.state).toBe('done');
  expect(find(after, 'submit')).toMatchObject({ state: 'done', reason: expect.stringContaining('Ada') });
});

it('stores owners, due dates and own steps with audit entries, and refuses what it cannot store', async () => {
  await client.periods.addChecklistStep({
    ...july,
    title: 'Accrue the rent',
    owner: 'Cy',
    due_on: '2026-08-03',
  });
  await client.periods.addChecklistStep({ ...july, title: 'Count the stock' });
  await client.periods.changeChecklistStep({ ...july, step: 'sync', owner: 'Di', due_on: '2026-08-20' });
  await client.periods.changeChecklistStep({
    ...july,
    step: 'own:1',
    title: 'Accrue rent',
    done: true,
    by: 'Ed',
  });
  await client.periods.removeChecklistStep({ ...july, step: 'own:2' });
  const added = await client.periods.addChecklistStep({ ...july, title: 'Review the accruals' });
  expect(added.steps.filter(({ kind }) => kind === 'own')).toMatchObject([
    {
      step: 'own:1',
      title: 'Accrue rent',
      state: 'done',
      owner: 'Cy',
      due_on: '2026-08-03',
      done: { name: 'Ed' },
    },
    { step: 'own:3', title: 'Review the accruals', state: 'open', owner: null, done: null },
  ]);
  expect(find(added, 'sync')).toMatchObject({ owner: 'Di', due_on: '2026-08-20' });
  const reset = { owner: null, due_on: null };
  const cleared = await client.periods.changeChecklistStep({ ...july, step: 'sync', ...reset });
  expect(find(cleared, 'sync')).toMatchObject({ owner: null, due_on: '2026-08-03' });
  const reopened = await client.periods.changeChecklistStep({ ...july, step: 'own:1', done: false });
  expect(find(reopened, 'own:1')).toMatchObject({ state: 'open', done: null });
  const refusals: [object, string][] = [
    [{ step: 'own:2', owner: 'Cy' }, 'not_found'],
    [{ step: 'reconcile:9-USD', owner: 'Cy' }, 'not_found'],
    [{ step: 'sync', done: true }, 'validation'],
    [{ step: 'sync', title: 'Mine' }, 'validation'],
  ];
  for (const [input, code] of refusals)
    await expect(client.periods.changeChecklistStep({ ...july, step: '', ...input })).rejects.toMatchObject({
      code,
    });
  await expect(client.periods.removeChecklistStep({ ...july, step: 'sync' })).rejects.toMatchObject({
    code: 'validation',
  });
  await expect(client.periods.checklist({ ...july, period: '2026-09' })).rejects.toMatchObject({
    code: 'not_found',
  });
  const { rows } = await client.audit.list({ site: SITE, limit: 20 });
  expect(
    rows
      .filter(({ action }) => action.endsWith('-step'))
      .map(({ action, subject }) => `${action} ${subject}`),
  ).toEqual([
    'periods.change-step checklist-step:2026-07 own:1',
    'periods.change-step checklist-step:2026-07 sync',
    'periods.add-step checklist-step:2026-07 own:3',
    'periods.remove-step checklist-step:2026-07 own:2',
    'periods.change-step checklist-step:2026-07 own:1',
    'periods.change-step checklist-step:2026-07 sync',
    'periods.add-step checklist-step:2026-07 own:2',
    'periods.add-step checklist-step:2026-07 own:1',
  ]);
  expect(await client.audit.verify({ site: SITE })).toMatchObject({ ok: true, differences: [] });
});

it('is stored at closing, refuses changes, and continues after reopening', async () => {
  await client.periods.addChecklistStep({ ...july, title: 'Accrue the rent', owner: 'Cy' });
  expect(await bench.sign('2026-07')).toMatchObject({ state: 'done' });
  const closed = await client.periods.checklist(july);
  expect(closed.changeable).toBe(false);
  expect(find(closed, 'close')).toMatchObject({
    state: 'done',
    reason: expect.stringMatching(/^Closed by /),
  });
  expect(find(closed, 'own:1')).toMatchObject({ state: 'open', owner: 'Cy' });
  const locked = { code: 'period_locked', message: expect.stringContaining('2026-07') };
  const change = { ...july, step: 'own:1', done: true };
  await expect(client.periods.changeChecklistStep(change)).rejects.toMatchObject(locked);
  await expect(client.periods.addChecklistStep({ ...july, title: 'Late' })).rejects.toMatchObject(locked);
  await expect(client.periods.removeChecklistStep({ ...july, step: 'own:1' })).rejects.toMatchObject(locked);
  const db = openStore(join(bench.home, 'sites', SITE, 'books.db'), 'books');
  for (const sql of ["UPDATE checklist_step SET owner = 'Eve'", 'DELETE FROM checklist_step'])
    expect(() => db.exec(sql)).toThrow();
  closeStore(db);
  // Later records do not change the stored checklist.
  await bench.import(standardCsv([['2026-07-20', '9.90', 'LATE']]));
  expect(await client.periods.checklist(july)).toEqual(closed);
  const path = join(bench.outputs, 'july.json');
  await client.reports.write({ ...july, format: 'json', path });
  const { checklist } = JSON.parse(readFileSync(path, 'utf8')) as PeriodReport;
  expect(checklist).toEqual(closed.steps);
  expect(await client.periods.trend({ site: SITE })).toMatchObject([
    { period: '2026-07', state: 'closed', days_to_close: 173, steps: { total: closed.steps.length } },
  ]);
  await client.periods.reopen({ ...july, reason: 'A line is missing.' });
  const marked = await client.periods.changeChecklistStep(change);
  expect(find(marked, 'own:1')).toMatchObject({ state: 'done', owner: 'Cy' });
  expect(find(marked, 'close')).toMatchObject({ state: 'open' });
  expect(await client.periods.trend({ site: SITE })).toMatchObject([{ state: 'open', days_to_close: null }]);
});

it('shows the progress of the last months, oldest first', async () => {
  await client.periods.open({ ...july, period: '2026-08' });
  const trend = await client.periods.trend({ site: SITE });
  const { progress } = await client.periods.get(july);
  expect(trend).toMatchObject([
    { period: '2026-07', state: 'open', outstanding: progress.outstanding, days_to_close: null },
    { period: '2026-08', state: 'open' },
  ]);
  expect(trend[0]!.overdue).toBeGreaterThan(0);
  expect(await client.periods.trend({ site: SITE, months: 1 })).toMatchObject([{ period: '2026-08' }]);
});
