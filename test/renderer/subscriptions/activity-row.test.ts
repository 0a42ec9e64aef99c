import { describe, expect, test } from 'vitest';
import type { ActivityEntry } from '../../../src/contract/index.ts';
import { identifyActivityEntry, toActivityRow } from '../../../src/renderer/subscriptions/activity-row.ts';
import { listActivity } from '../fake/checks.ts';
import { makeRows } from '../fake/rows.ts';

const rows = makeRows(7, Date.UTC(2026, 9, 1), 900, 200);
const subscription = rows.statements[0]?.subscription_id ?? 0;
const activity = listActivity(rows, [], subscription);
const openingEntries = activity.filter((entry) => entry.kind === 'statement' && entry.milestone === 'opened');

describe('activity rows', () => {
  test('every entry has a title, a unique key and a link target', () => {
    expect(activity.length).toBeGreaterThan(5);
    expect(new Set(activity.map((entry) => identifyActivityEntry(entry).key)).size).toBe(activity.length);
    for (const entry of activity) {
      expect(toActivityRow(entry, 'USD').title).not.toBe('');
      expect(identifyActivityEntry(entry).location.item).toMatch(/^\d+(-\d+)?$/);
    }
  });

  test('an opening balance that does not match the previous closing balance shows the difference', () => {
    const second = openingEntries[1] as Extract<ActivityEntry, { kind: 'statement' }>;
    const withStep = (step_in_cents: number): ActivityEntry => ({
      ...second,
      brought_forward: { from_statement_id: 4, closing_balance_in_cents: 1_000, step_in_cents },
    });
    expect(toActivityRow(withStep(0), 'USD')).toMatchObject({ tone: 'balance', amount: null });
    const gap = toActivityRow(withStep(250), 'USD');
    expect(gap).toMatchObject({ tone: 'bad', amount: 250 });
    expect(gap.details).toContain('$10.00');
  });

  test('a failed payment does not change the balance', () => {
    const paid = activity.find((entry) => entry.kind === 'transaction') as Extract<
      ActivityEntry,
      { kind: 'transaction' }
    >;
    const failed: ActivityEntry = {
      ...paid,
      transaction: { ...paid.transaction, success: false },
      effect_in_cents: 0,
    };
    expect(toActivityRow(failed, 'USD')).toMatchObject({ tone: 'bad', amount: 0 });
  });
});
