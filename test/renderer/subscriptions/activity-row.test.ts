import { describe, expect, test } from 'vitest';
import type { ActivityEntry } from '../../../src/contract/index.ts';
import {
  activityEntryKey,
  locateActivityEntry,
  toActivityRow,
} from '../../../src/renderer/subscriptions/activity-row.ts';
import { activityOf } from '../fake/checks.ts';
import { makeRows } from '../fake/rows.ts';

const rows = makeRows(7, Date.UTC(2026, 9, 1), 900, 200);
const subscription = rows.statements[0]?.subscription_id ?? 0;
const activity = activityOf(rows, [], subscription);
const openings = activity.filter((entry) => entry.kind === 'statement' && entry.milestone === 'opened');

describe('a story as a ledger', () => {
  test('every entry has words, a name of its own and a home', () => {
    expect(activity.length).toBeGreaterThan(5);
    expect(new Set(activity.map(activityEntryKey)).size).toBe(activity.length);
    for (const entry of activity) {
      expect(toActivityRow(entry, 'USD').title).not.toBe('');
      expect(locateActivityEntry(entry).item).toMatch(/^\d+(-\d+)?$/);
    }
  });

  test('a balance carried on is calm; one that is not says by how much', () => {
    const second = openings[1] as Extract<ActivityEntry, { kind: 'statement' }>;
    const carried = (step_in_cents: number): ActivityEntry => ({
      ...second,
      brought_forward: { from_statement_id: 4, closing_balance_in_cents: 1_000, step_in_cents },
    });
    expect(toActivityRow(carried(0), 'USD')).toMatchObject({ tone: 'balance', amount: null });
    const broken = toActivityRow(carried(250), 'USD');
    expect(broken).toMatchObject({ tone: 'bad', amount: 250 });
    expect(broken.details).toContain('$10.00');
  });

  test('a payment that failed is told as one, with no balance moved', () => {
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
