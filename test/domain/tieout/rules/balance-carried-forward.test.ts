import { describe, expect, test } from 'vitest';
import {
  charge,
  DAY,
  event,
  found,
  messages,
  payment,
  rulesFinding,
  statement,
  subscription,
} from '../build.ts';

const rule = 'balance-carried-forward';
const march = statement({ id: 3, lines: [charge(4000)], closes: 4000, settled_at: null });

describe('balance-carried-forward', () => {
  test('a statement opens with what the one before it closed with', () => {
    const april = statement({ id: 4, opens: 3500, lines: [payment(3500)] });
    const [finding] = found(rule, subscription([march, april]));
    expect(finding).toMatchObject({
      subject: { statement_id: 4 },
      expected_in_cents: 4000,
      actual_in_cents: 3500,
      difference_in_cents: -500,
      message: 'Statement 3 closes at 40.00, but the next, 4, opens at 35.00: a difference of -5.00.',
      key: 'balance-carried-forward/statement 4/after 3',
    });
    expect(finding?.rows).toEqual([
      { kind: 'statement', id: 3 },
      { kind: 'statement', id: 4 },
    ]);
  });

  test('the order in which statements are given does not matter', () => {
    const april = statement({ id: 4, opens: 4000, lines: [payment(4000)] });
    expect(found(rule, subscription([april, march]))).toEqual([]);
  });

  test('an opening balance that alone is wrong is one finding, not two', () => {
    const april = statement({ id: 4, opens: 4900, lines: [payment(4000)], closes: 0 });
    expect(rulesFinding(subscription([march, april]))).toEqual([rule]);
  });

  test('a closing balance that alone is wrong is the statement’s, not the chain’s', () => {
    const wrong = statement({ id: 3, lines: [charge(4000)], closes: 4100, settled_at: Date.UTC(2026, 3, 2) });
    const april = statement({ id: 4, opens: 4000, lines: [payment(4000)] });
    expect(rulesFinding(subscription([wrong, april]))).toEqual(['statement-foots']);
    expect(rulesFinding(subscription([wrong, april]), { disabled: new Set(['statement-foots']) })).toEqual([
      rule,
    ]);
  });

  test('an open statement carries nothing forward yet', () => {
    const open = statement({ id: 4, opens: 4000, lines: [payment(4000)], closes: 0, closed_at: null });
    expect(found(rule, subscription([march, open]))).toEqual([]);
  });

  test('across a pause the balance may change: the subscription was cancelled and came back', () => {
    const cancelled = {
      ...march,
      events: [event('subscription_state_change', { new_state: 'canceled' })],
      closed_at: (march.closed_at ?? 0) - 9 * DAY,
    };
    const april = statement({ id: 4, opens: 0 });
    expect(found(rule, subscription([cancelled, april]))).toEqual([]);
  });

  test('across a gap the gap tells of it; with that rule off, this one does', () => {
    const may = statement({ id: 5, opens: 0 });
    expect(rulesFinding(subscription([march, may]))).toEqual(['period-gap']);
    expect(
      messages(found(rule, subscription([march, may]), { disabled: new Set(['period-gap']) })),
    ).toHaveLength(1);
  });
});
