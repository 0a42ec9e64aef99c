import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAllocationDifferences, findStatementDifferences } from '../find-differences.ts';
import {
  type AllocationTestSite,
  CALLS,
  type ComponentRow,
  openAllocationTestSite,
  SEATS,
  SITE,
  STORAGE,
  SUPPORT,
} from './allocation-test-site.ts';

let testSite: AllocationTestSite;
beforeAll(async () => {});
afterAll(() => testSite.close());

test.each(['json', 'xml'] as const)(
  'in %s, a change is previewed, confirmed, applied once and shown everywhere',
  async (format) => {
    testSite = await openAllocationTestSite();
    await testSite.client.sites.update({ site: SITE, format });
    const component = testSite.components(SEATS)[format === 'json' ? 0 : 1] as ComponentRow;
    const from = testSite.quantity(component);
    const change = {
      ...component,
      quantity: from + 3,
      memo: 'Three more <seats> & a half',
      proration_upgrade_scheme: 'prorate-delay-capture' as const,
    };
    testSite.sandbox.requests.reset();
    const draft = await testSite.draft({ changes: [change] });
    expect(testSite.sandbox.requests.total).toBe(0);
    expect(draft).toMatchObject({
      state: 'draft',
      count: 1,
      ready: 1,
      upgrades: 1,
      downgrades: 0,
      checked_at: null,
    });
    expect((await testSite.changes(draft.draft))[0]).toMatchObject({
      current_quantity: from,
      quantity: from + 3,
      direction: 'upgrade',
      scheme: 'prorate-delay-capture',
      outcome: 'waiting',
      problem: null,
    });
    expect((await testSite.recheck(draft.draft)).summary).toBe(
      '1 of 1 can be sent; no quantity has changed since the draft was created.',
    );

    const { draft: sent, job } = await testSite.send(draft.draft);
    expect(job).toMatchObject({ state: 'done', summary: '1 applied.' });
    expect(sent).toMatchObject({ state: 'done', outcomes: { applied: 1 } });
    const [done] = await testSite.changes(draft.draft);
    expect(done).toMatchObject({
      outcome: 'applied',
      resolved_by: 'response',
      applied: { quantity: from + 3, previous_quantity: from, memo: change.memo },
    });
    expect(done?.requests).toMatchObject([{ request: 1, state: 'applied', error: null }]);
    expect(testSite.quantity(component)).toBe(from + 3);
    expect(findAllocationDifferences(testSite.cache(), testSite.sandbox.truth)).toEqual([]);
    expect(findStatementDifferences(testSite.cache(), testSite.sandbox.truth)).toEqual([]);
    const audit = await testSite.client.audit.list({ site: SITE, filter: { action: 'allocations' } });
    expect(audit.rows.slice(0, 3).map(({ action }) => action)).toEqual([
      'allocations.change',
      'allocations.send',
      'allocations.draft',
    ]);
    expect(audit.rows[0]).toMatchObject({
      subject: `component ${component.component_id} on subscription ${component.subscription_id}`,
      detail: { from, to: from + 3, resolved_by: 'response' },
    });

    await testSite.sync({ only: ['webhooks'] });
    const { rows } = await testSite.client.allocations.list({ site: SITE, ...component });
    expect(rows[0]).toMatchObject({
      direction: 'upgrade',
      chained: true,
      webhook: { delivery: expect.any(String) },
    });
    expect(rows[0]?.transactions).toMatchObject([
      { transaction_type: 'charge', kind: 'quantity_based_component' },
    ]);
  },
);

test('several components of a subscription share one request and have their own outcomes', async () => {
  const subscription_id = testSite.components(SEATS)[0]?.subscription_id as number;
  const wanted = [SEATS, STORAGE].map((component_id) => ({ subscription_id, component_id }));
  const changes = wanted.map((component) => ({
    ...component,
    quantity: testSite.quantity(component) + 2,
    memo: 'Both',
  }));
  const draft = await testSite.draft({ changes }, true);
  await testSite.recheck(draft.draft);
  testSite.sandbox.requests.reset();
  const { draft: sent } = await testSite.send(draft.draft);
  expect(sent.outcomes.applied).toBe(2);
  expect(testSite.sandbox.requests.byKind).toMatchObject({ allocate_many: 1 });
  expect(testSite.sandbox.requests.byKind.allocate).toBeUndefined();
  for (const { quantity, ...component } of changes) expect(testSite.quantity(component)).toBe(quantity);
  expect(findAllocationDifferences(testSite.cache(), testSite.sandbox.truth)).toEqual([]);
});

test.each([
  [{ quantity: 2.25 }, 'from.changes.0.quantity: must be a whole number'],
  [{ quantity: '2.25' }, 'from.changes.0.quantity: must be a whole number'],
  [{ quantity: -7 }, 'from.changes.0.quantity: must be a whole number'],
  [{ quantity: 1e19 }, 'from.changes.0.quantity: must be a whole number'],
  [{ quantity: Number.NaN }, 'from.changes.0.quantity: must be a whole number'],
  [{ quantity: '' }, 'from.changes.0.quantity: must be a whole number'],
  [{ quantity: '4e2' }, 'from.changes.0.quantity: must be a whole number'],
  [{ quantity: 4, proration_upgrade_scheme: 'upwards' }, 'from.changes.0.proration_upgrade_scheme: '],
  [{ quantity: 4, proration_downgrade_scheme: 'prorate-delay-capture' }, 'proration_downgrade_scheme: '],
])('no draft is created for %j', async (change, message) => {
  const [component] = testSite.components(SEATS) as [ComponentRow];
  const before = await testSite.client.allocations.drafts({ site: SITE });
  const changes = [{ ...component, ...change }] as never;
  await expect(testSite.draft({ changes })).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringContaining(message),
  });
  expect(await testSite.client.allocations.drafts({ site: SITE })).toEqual(before);
});

test("the service's refusal is shown verbatim, and a 404 names the unknown id", async () => {
  const known = testSite.components(SEATS)[0]?.subscription_id as number;
  const [support] = testSite.components(SUPPORT);
  const on = support ?? { subscription_id: known, component_id: SUPPORT };
  const draft = await testSite.draft({
    changes: [
      { ...on, quantity: 7 },
      { subscription_id: known, component_id: CALLS, quantity: 5 },
      { subscription_id: known, component_id: 99, quantity: 5 },
      { subscription_id: 12, component_id: SEATS, quantity: 5 },
      { subscription_id: known, component_id: SEATS, quantity: 100_001 },
    ],
  });
  await testSite.recheck(draft.draft);
  const before = await testSite.changes(draft.draft);
  expect(before.map(({ problem }) => problem)).toEqual([null, null, 'missing', 'missing', null]);
  expect(before[2]?.problem_text).toBe(`The service has no component 99 on subscription ${known}.`);
  expect(before[3]?.problem_text).toBe('The service has no subscription 12.');
  const { draft: sent } = await testSite.send(draft.draft);
  expect(sent).toMatchObject({ state: 'done', outcomes: { refused: 3 } });
  const changes = await testSite.changes(draft.draft, ['refused']);
  expect(changes.map(({ error }) => error?.errors)).toEqual([
    ['Quantity: must be 1 (on) or 0 (off).'],
    ['Allocations can only be updated for quantity and on/off components.'],
    ['Quantity: must be less than or equal to 100000.'],
  ]);
});
