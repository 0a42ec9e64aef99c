import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuditFilter } from '../../../../src/contract/index.ts';
import { type BankBench, openBankBench, SITE, standardCsv } from '../../bank/bank-bench.ts';

const on = { site: SITE };
let now: number;
let bench: BankBench;

beforeEach(async () => {
  now = Date.UTC(2026, 9, 30, 9);
  bench = await openBankBench({ now: () => now });
  await bench.import(standardCsv([['2026-10-05', '-700.00', 'LANDLORD 50% UP']]), { name: 'oct.csv' });
  now = Date.UTC(2026, 10, 2, 23, 59);
  await bench.client.match.addCategory({ ...on, category: 'rent' });
  const lines = [(await bench.client.bank.lines(on)).rows[0]!.id];
  await bench.client.match.writeOff({ ...on, lines, category: 'rent', reason: 'Office, 50% up.' });
});
afterEach(() => bench.close());

const list = async (filter: AuditFilter) =>
  (await bench.client.audit.list({ ...on, filter })).rows.map(({ action }) => action);

it('filters by area, user, day and text, including the words of actions', async () => {
  const all = await list({});
  expect(all[0]).toBe('match.write-off');
  expect(await list({ area: ['bank'] })).toEqual(all.filter((action) => action.startsWith('bank.')));
  expect(await list({ user: ['ada'] })).toEqual(all);
  expect(await list({ user: ['eve'] })).toEqual([]);
  expect(await list({ since: '2026-11-02', until: '2026-11-02' })).toEqual([
    'match.write-off',
    'match.add-category',
  ]);
  expect(await list({ until: '2026-10-30' })).not.toContain('match.write-off');
  expect(await list({ search: 'written OFF' })).toEqual(['match.write-off']);
  expect(await list({ search: '50% up' })).toEqual(['match.write-off']);
  expect(await list({ search: '5_% up' })).toEqual([]);
  expect(await list({ search: 'oct.csv' })).toEqual(['bank.import']);
  const { rows } = await bench.client.audit.list({ ...on, sort: { by: 'seq', direction: 'asc' } });
  expect(rows.map(({ action }) => action)).toEqual(all.toReversed());
});

it('returns one entry, and the areas and users that occur', async () => {
  expect(await bench.client.audit.get({ ...on, seq: 1 })).toMatchObject({ seq: 1, user: 'ada' });
  await expect(bench.client.audit.get({ ...on, seq: 999 })).rejects.toMatchObject({ code: 'not_found' });
  const { areas, users } = await bench.client.audit.facets(on);
  expect(areas.map(({ area }) => area).toSorted()).toContain('match');
  expect(users).toEqual([{ user: 'ada', entries: expect.any(Number) }]);
});

it('adds and removes categories, except standard ones and those in use', async () => {
  const { client } = bench;
  const added = async () =>
    (await client.match.categories(on)).filter((each) => each.added).map(({ category }) => category);
  expect(await added()).toEqual(['rent']);
  await expect(client.match.addCategory({ ...on, category: 'rent' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(client.match.addCategory({ ...on, category: 'fee' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await client.match.removeCategory({ ...on, category: 'rent' });
  expect(await client.match.categories(on)).toContainEqual({ category: 'rent', groups: 1, added: false });
  await expect(client.match.removeCategory({ ...on, category: 'tax' })).rejects.toMatchObject({
    code: 'not_found',
  });
});
