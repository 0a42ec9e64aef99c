import { expect, it } from 'vitest';
import type { StoredImportPlan } from '../../../src/backend/bank/import-plan.ts';
import { ImportSession } from '../../../src/backend/bank/import-session.ts';
import { openPlanStore } from '../../../src/backend/store/bank/import-plan-store.ts';

const site = 'acme';
const planned = (id: string, upload = id) =>
  ({
    ...{ id, site, rows: openPlanStore() },
    upload: { id: upload, site, name: 'bank.csv', path: '', bytes: 0 },
  }) as StoredImportPlan;

it('the session stores the last three plans, one per file, and closes the others', () => {
  const desk = new ImportSession();
  const plans = ['a', 'b', 'c', 'd'].map((id) => planned(id));
  for (const plan of plans) desk.addPlan(plan);
  expect(plans.map(({ rows }) => rows.open)).toEqual([false, true, true, true]);
  expect(() => desk.getPlan(site, 'a')).toThrow('expired');
  expect(() => desk.getPlan('other', 'b')).toThrow('expired');
  desk.addPlan(planned('e', 'c'));
  expect(plans.map(({ rows }) => rows.open)).toEqual([false, true, false, true]);
  desk.removePlan('b');
  desk.close();
  expect(plans.some(({ rows }) => rows.open)).toBe(false);
});

it('a plan that is being applied is not evicted by new previews', () => {
  const desk = new ImportSession();
  const applied = planned('a');
  desk.addPlan(applied);
  desk.protectPlan('a');
  const others = ['b', 'c', 'd', 'e'].map((id) => planned(id));
  for (const plan of others) desk.addPlan(plan);
  desk.addPlan(planned('f', 'a'));
  expect(desk.getPlan(site, 'a')).toBe(applied);
  expect(applied.rows.open).toBe(true);
  expect(others.map(({ rows }) => rows.open)).toEqual([false, false, true, true]);
  desk.removePlan('a');
  expect(applied.rows.open).toBe(false);
  desk.close();
});
