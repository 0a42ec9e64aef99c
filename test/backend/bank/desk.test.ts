import { expect, it } from 'vitest';
import { createImportSession } from '../../../src/backend/bank/desk.ts';
import type { StoredImportPlan } from '../../../src/backend/bank/plan.ts';
import { openPlanStore } from '../../../src/backend/store/bank/plan-store.ts';

const site = 'acme';
const planned = (id: string, upload = id) =>
  ({
    ...{ id, site, rows: openPlanStore() },
    upload: { id: upload, site, name: 'bank.csv', path: '', bytes: 0 },
  }) as StoredImportPlan;

it('of plans the last three are kept, one of each file; what is kept no more is closed', () => {
  const desk = createImportSession();
  const plans = ['a', 'b', 'c', 'd'].map((id) => planned(id));
  for (const plan of plans) desk.keep(plan);
  expect(plans.map(({ rows }) => rows.open)).toEqual([false, true, true, true]);
  expect(() => desk.plan(site, 'a')).toThrow('not kept');
  expect(() => desk.plan('other', 'b')).toThrow('not kept');
  desk.keep(planned('e', 'c'));
  expect(plans.map(({ rows }) => rows.open)).toEqual([false, true, false, true]);
  desk.forget('b');
  desk.close();
  expect(plans.some(({ rows }) => rows.open)).toBe(false);
});

it('a plan that is applied stays until its end, whatever is previewed meanwhile', () => {
  const desk = createImportSession();
  const applied = planned('a');
  desk.keep(applied);
  desk.hold('a');
  const others = ['b', 'c', 'd', 'e'].map((id) => planned(id));
  for (const plan of others) desk.keep(plan);
  desk.keep(planned('f', 'a'));
  expect(desk.plan(site, 'a')).toBe(applied);
  expect(applied.rows.open).toBe(true);
  expect(others.map(({ rows }) => rows.open)).toEqual([false, false, true, true]);
  desk.forget('a');
  expect(applied.rows.open).toBe(false);
  desk.close();
});
