import { describe, expect, test } from 'vitest';
import {
  charge,
  DAY,
  event,
  findingsOf,
  listRulesWithFindings,
  messages,
  payment,
  statement,
  subscription,
} from '../record-builders.ts';

const rule = 'balance-carried-forward';
const march = statement({ id: 3, lines: [charge(4000)], closes: 4000, settled_at: null });

describe('balance-carried-forward', () => {
  test('requires a statement to open at the previous closing balance', () => {
    const april = statement({ id: 4, opens: 3500, lines: [payment(3500)] });
    const [finding] = findingsOf(rule, subscription([march, april]));
    expect(finding).toMatchObject({
      subject: { statement_id: 4 },
      expected_in_cents: 4000,
      actual_in_cents: 3500,
      difference_in_cents: -500,
      message:
        'Statement 3 closes at 40.00, but the next statement, 4, opens at 35.00, a difference of -5.00.',
      key: 'balance-carried-forward/statement 4/after 3',
    });
    expect(finding?.rows).toEqual([
      { kind: 'statement', id: 3 },
      { kind: 'statement', id: 4 },
    ]);
  });

  test('does not depend on the order of statements', () => {
    const april = statement({ id: 4, opens: 4000, lines: [payment(4000)] });
    expect(findingsOf(rule, subscription([april, march]))).toEqual([]);
  });

  test('reports a wrong opening balance only once', () => {
    const april = statement({ id: 4, opens: 4900, lines: [payment(4000)], closes: 0 });
    expect(listRulesWithFindings(subscription([march, april]))).toEqual([rule]);
  });

  test('leaves a wrong closing balance to statement-foots', () => {
    const wrongClosing = statement({
      id: 3,
      lines: [charge(4000)],
      closes: 4100,
      settled_at: Date.UTC(2026, 3, 2),
    });
    const april = statement({ id: 4, opens: 4000, lines: [payment(4000)] });
    expect(listRulesWithFindings(subscription([wrongClosing, april]))).toEqual(['statement-foots']);
    expect(
      listRulesWithFindings(subscription([wrongClosing, april]), { disabled: new Set(['statement-foots']) }),
    ).toEqual([rule]);
  });

  test('ignores open statements', () => {
    const open = statement({ id: 4, opens: 4000, lines: [payment(4000)], closes: 0, closed_at: null });
    expect(findingsOf(rule, subscription([march, open]))).toEqual([]);
  });

  test('allows a balance change across a cancellation and reactivation', () => {
    const canceled = {
      ...march,
      events: [event('subscription_state_change', { new_state: 'canceled' })],
      closed_at: (march.closed_at ?? 0) - 9 * DAY,
    };
    const april = statement({ id: 4, opens: 0 });
    expect(findingsOf(rule, subscription([canceled, april]))).toEqual([]);
  });

  test('leaves a balance change across a gap to period-gap unless that rule is disabled', () => {
    const may = statement({ id: 5, opens: 0 });
    expect(listRulesWithFindings(subscription([march, may]))).toEqual(['period-gap']);
    expect(
      messages(findingsOf(rule, subscription([march, may]), { disabled: new Set(['period-gap']) })),
    ).toHaveLength(1);
  });
});
