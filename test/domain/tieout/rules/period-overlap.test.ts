import { describe, expect, test } from 'vitest';
import { DAY, found, messages, rulesFinding, statement, subscription } from '../build.ts';

const rule = 'period-overlap';

describe('period-overlap', () => {
  test('two statements share a day', () => {
    const early = statement({ id: 4, opened_at: Date.UTC(2026, 3, 1) - 3 * DAY });
    expect(messages(found(rule, subscription([statement({ id: 3 }), early])))).toEqual([
      'Statement 3 closed on 2026-04-01 00:00 UTC, but statement 4 began on 2026-03-29 00:00 UTC: they share 3 days.',
    ]);
  });

  test('one that opens before the short statement of the signup even began is still the second', () => {
    const signup = statement({ id: 1, closed_at: Date.UTC(2026, 0, 1) + 3000 });
    const early = statement({
      id: 2,
      opened_at: Date.UTC(2026, 0, 1) - DAY,
      closed_at: Date.UTC(2026, 1, 1),
    });
    const next = statement({ id: 3, opened_at: Date.UTC(2026, 1, 1) });
    expect(rulesFinding(subscription([signup, early, next]))).toEqual([rule]);
  });

  test('a statement still open although a later one has begun', () => {
    const open = statement({ id: 3, closed_at: null, closes: null });
    expect(messages(found(rule, subscription([open, statement({ id: 4 })])))).toEqual([
      'Statement 3 is still open although statement 4 began on 2026-04-01 00:00 UTC.',
    ]);
  });

  test('unless our copy of it is merely older', () => {
    const stale = statement({ id: 3, closed_at: null, closes: null, read_at: Date.UTC(2026, 2, 20) });
    expect(found(rule, subscription([stale, statement({ id: 4 })]))).toEqual([]);
  });

  test('a statement opened a minute before the last one closed is no overlap', () => {
    const next = statement({ id: 4, opened_at: Date.UTC(2026, 3, 1) - 60_000 });
    expect(found(rule, subscription([statement({ id: 3 }), next]))).toEqual([]);
  });
});
