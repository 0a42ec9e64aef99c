import { expect, it } from 'vitest';
import type { StoredImportPlan } from '../../../src/backend/bank/import-plan.ts';
import { ImportSession } from '../../../src/backend/bank/import-session.ts';
import { openImportPlanStore } from '../../../src/backend/store/bank/import-plan-store.ts';

const site = 'acme';
const createPlan = (id: string, upload = id) =>
  ({
    ...{ id, site, rows: openImportPlanStore() },
    upload: { id: upload, site, name: 'bank.csv', path: '', bytes: 0 },
  }) as StoredImportPlan;

it('the session stores the last three plans, one per file, and closes the others', () => {
  const session = new ImportSession();
  const plans = ['a', 'b', 'c', 'd'].map((id) => createPlan(id));
  for (const plan of plans) session.addPlan(plan);
  expect(plans.map(({ rows }) => rows.open)).toEqual([false, true, true, true]);
  expect(() => session.getPlan(site, 'a')).toThrow('expired');
  expect(() => session.getPlan('other', 'b')).toThrow('expired');
  session.addPlan(createPlan('e', 'c'));
  expect(plans.map(({ rows }) => rows.open)).toEqual([false, true, false, true]);
  session.removePlan('b');
  session.close();
  expect(plans.some(({ rows }) => rows.open)).toBe(false);
});

it('a plan that is being applied is not evicted by new previews', () => {
  const session = new ImportSession();
  const applied = createPlan('a');
  session.addPlan(applied);
  session.protectPlan('a');
  const others = ['b', 'c', 'd', 'e'].map((id) => createPlan(id));
  for (const plan of others) session.addPlan(plan);
  session.addPlan(createPlan('f', 'a'));
  expect(session.getPlan(site, 'a')).toBe(applied);
  expect(applied.rows.open).toBe(true);
  expect(others.map(({ rows }) => rows.open)).toEqual([false, false, true, true]);
  session.removePlan('a');
  expect(applied.rows.open).toBe(false);
  session.close();
});
