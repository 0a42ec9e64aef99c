import { describe, expect, test } from 'vitest';
import { DAY, event, found, statement, subscription } from '../build.ts';

const rule = 'period-gap';

describe('period-gap', () => {
  test('time between two statements that is on none', () => {
    const [finding] = found(rule, subscription([statement({ id: 3 }), statement({ id: 5 })]));
    expect(finding).toMatchObject({
      subject: { statement_id: 5 },
      difference_in_cents: 0,
      message:
        'Statement 3 closed on 2026-04-01 00:00 UTC and the next, 5, opened on 2026-05-01 00:00 UTC: 30 days are on no statement.',
    });
  });

  test('it tells of a balance that changed across the gap', () => {
    const [finding] = found(
      rule,
      subscription([statement({ id: 3 }), statement({ id: 5, opens: 700, closes: 700 })]),
    );
    expect(finding?.message).toMatch(/are on no statement, and the balance is 7\.00 off across the gap\.$/);
    expect(finding?.difference_in_cents).toBe(700);
  });

  test('a moment between closing and opening is no gap', () => {
    const later = statement({ id: 4, opened_at: Date.UTC(2026, 3, 1, 0, 0, 30) });
    expect(found(rule, subscription([statement({ id: 3 }), later]))).toEqual([]);
  });

  test('statements closed at one instant, as that of the signup, leave none', () => {
    const signup = statement({ id: 1, closed_at: Date.UTC(2026, 0, 1) });
    const first = statement({ id: 2, opened_at: Date.UTC(2026, 0, 1), closed_at: Date.UTC(2026, 1, 1) });
    expect(found(rule, subscription([first, signup]))).toEqual([]);
  });

  test('a subscription that was cancelled, or came back, stood still', () => {
    const cancelled = statement({
      id: 3,
      events: [event('subscription_state_change', { new_state: 'canceled' })],
    });
    expect(found(rule, subscription([cancelled, statement({ id: 5 })]))).toEqual([]);
    const back = statement({ id: 5, events: [event('reactivation_success')] });
    expect(found(rule, subscription([statement({ id: 3 }), back]))).toEqual([]);
  });

  test('one that was only past due did not', () => {
    const pastDue = statement({
      id: 3,
      events: [event('subscription_state_change', { new_state: 'past_due' })],
    });
    expect(found(rule, subscription([pastDue, statement({ id: 5 })]))).toHaveLength(1);
  });

  test('nothing is argued from statements that were not read yet', () => {
    const record = subscription([statement({ id: 3 }), statement({ id: 5 })], { statements_complete: false });
    expect(found(rule, record)).toEqual([]);
  });

  test('dates that are wrong in themselves have a rule of their own', () => {
    const inverted = statement({ id: 3, closed_at: Date.UTC(2026, 2, 1) - DAY });
    expect(found(rule, subscription([inverted, statement({ id: 4 })]))).toEqual([]);
  });
});
