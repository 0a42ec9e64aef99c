import { describe, expect, test } from 'vitest';
import { DAY, event, findingsOf, statement, subscription } from '../record-builders.ts';

const rule = 'period-gap';

describe('period-gap', () => {
  test('reports a time range without a statement', () => {
    const [finding] = findingsOf(rule, subscription([statement({ id: 3 }), statement({ id: 5 })]));
    expect(finding).toMatchObject({
      subject: { statement_id: 5 },
      difference_in_cents: 0,
      message:
        'Statement 3 closed on 2026-04-01 00:00 UTC and the next statement, 5, opened on 2026-05-01 00:00 UTC. No statement covers the 30 days in between.',
    });
  });

  test('reports a balance that changes across the gap', () => {
    const [finding] = findingsOf(
      rule,
      subscription([statement({ id: 3 }), statement({ id: 5, opens: 700, closes: 700 })]),
    );
    expect(finding?.message).toMatch(/in between, and the balance changes by 7\.00 across the gap\.$/);
    expect(finding?.difference_in_cents).toBe(700);
  });

  test('accepts a few seconds between closing and opening', () => {
    const later = statement({ id: 4, opened_at: Date.UTC(2026, 3, 1, 0, 0, 30) });
    expect(findingsOf(rule, subscription([statement({ id: 3 }), later]))).toEqual([]);
  });

  test('accepts statements that open and close at the same time, for example at signup', () => {
    const signup = statement({ id: 1, closed_at: Date.UTC(2026, 0, 1) });
    const first = statement({ id: 2, opened_at: Date.UTC(2026, 0, 1), closed_at: Date.UTC(2026, 1, 1) });
    expect(findingsOf(rule, subscription([first, signup]))).toEqual([]);
  });

  test('accepts a gap after a cancellation or before a reactivation', () => {
    const canceled = statement({
      id: 3,
      events: [event('subscription_state_change', { new_state: 'canceled' })],
    });
    expect(findingsOf(rule, subscription([canceled, statement({ id: 5 })]))).toEqual([]);
    const back = statement({ id: 5, events: [event('reactivation_success')] });
    expect(findingsOf(rule, subscription([statement({ id: 3 }), back]))).toEqual([]);
  });

  test('reports a gap of a past-due subscription', () => {
    const pastDue = statement({
      id: 3,
      events: [event('subscription_state_change', { new_state: 'past_due' })],
    });
    expect(findingsOf(rule, subscription([pastDue, statement({ id: 5 })]))).toHaveLength(1);
  });

  test('reports nothing while statements are missing locally', () => {
    const record = subscription([statement({ id: 3 }), statement({ id: 5 })], { statements_complete: false });
    expect(findingsOf(rule, record)).toEqual([]);
  });

  test('leaves wrong dates to their own rule', () => {
    const inverted = statement({ id: 3, closed_at: Date.UTC(2026, 2, 1) - DAY });
    expect(findingsOf(rule, subscription([inverted, statement({ id: 4 })]))).toEqual([]);
  });
});
