import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BackendClient } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';

const june = { site: SITE, period: '2026-06' };

let bench: PeriodBench;
let client: BackendClient;

beforeEach(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements({ id: 61, on: '2026-06-09', cents: 4120 });
  await bench.import(standardCsv([['2026-06-10', '41.20', 'CARD', 'ch_x610']]));
  await bench.match();
  await client.periods.open(june);
});
afterEach(() => bench.close());

it('creates a key per person, and signs as the default person', async () => {
  const ivo = await client.people.add({ name: 'Ivo Andrić' });
  const una = await client.people.add({ name: 'Una Troubridge' });
  expect([ivo.is_default, una.is_default, ivo.key === una.key]).toEqual([true, false, false]);
  await expect(client.people.add({ name: 'ANDRIC, Ivo' })).rejects.toMatchObject({ code: 'conflict' });
  const { submitted } = await client.periods.submit({ ...june, comment: 'Ready.' });
  expect(submitted).toMatchObject({ name: 'Ivo Andrić', key: ivo.key });
  await client.people.setDefault({ name: 'Una Troubridge' });
  const { reviewed } = await client.periods.review({ ...june, verdict: 'approve' });
  expect(reviewed).toMatchObject({ name: 'Una Troubridge', key: una.key, self_review: null });
  expect(await client.audit.verify({ site: SITE })).toMatchObject({ ok: true, differences: [] });
});

it('gives a person who is named at a sign-off a key once, in any spelling of the name', async () => {
  await client.periods.submit({ ...june, by: 'Ada Byron', comment: 'Ready.' });
  await client.periods.review({ ...june, by: 'Bo Diddley', verdict: 'reject', comment: 'Not yet.' });
  const { submitted, history } = await client.periods.submit({ ...june, by: 'ada  BYRON', comment: 'Now.' });
  const keys = history.filter(({ action }) => action === 'submitted').map(({ key }) => key);
  expect(submitted?.name).toBe('Ada Byron');
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), keys[0]]);
  expect((await client.people.list({})).map(({ name }) => name)).toEqual(['Ada Byron', 'Bo Diddley']);
  await expect(
    client.periods.review({ ...june, by: 'Byron, Ada', verdict: 'approve' }),
  ).rejects.toMatchObject({ code: 'conflict' });
});

it('continues with another key that the log records', async () => {
  const first = await client.people.add({ name: 'Ada Byron' });
  await client.periods.submit({ ...june, comment: 'Ready.' });
  const second = await client.people.add({ name: 'Ada Byron', replace_key: true });
  await client.periods.review({ ...june, by: 'Bo Diddley', verdict: 'reject', comment: 'Not yet.' });
  await client.periods.submit({ ...june, comment: 'Now.' });
  const { rows } = await client.audit.list({
    site: SITE,
    filter: { action: 'people.add', subject: 'Ada Byron' },
  });
  expect(rows.map(({ detail }) => detail['key'])).toEqual([second.key, first.key]);
  expect(await client.audit.verify({ site: SITE })).toMatchObject({ ok: true });
});
