import { describe, expect, test } from 'vitest';
import {
  DAY,
  findingsOf,
  listRulesWithFindings,
  messages,
  statement,
  subscription,
} from '../record-builders.ts';

const rule = 'period-overlap';

describe('period-overlap', () => {
  test('reports two statements that share days', () => {
    const early = statement({ id: 4, opened_at: Date.UTC(2026, 3, 1) - 3 * DAY });
    expect(messages(findingsOf(rule, subscription([statement({ id: 3 }), early])))).toEqual([
      'Statement 3 closed on 2026-04-01 00:00 UTC, but statement 4 opened on 2026-03-29 00:00 UTC: they overlap by 3 days.',
    ]);
  });

  test('orders a statement opened too early after the signup statement', () => {
    const signup = statement({ id: 1, closed_at: Date.UTC(2026, 0, 1) + 3000 });
    const early = statement({
      id: 2,
      opened_at: Date.UTC(2026, 0, 1) - DAY,
      closed_at: Date.UTC(2026, 1, 1),
    });
    const next = statement({ id: 3, opened_at: Date.UTC(2026, 1, 1) });
    expect(listRulesWithFindings(subscription([signup, early, next]))).toEqual([rule]);
  });

  test('reports a statement that is open after a later one opened', () => {
    const open = statement({ id: 3, closed_at: null, closes: null });
    expect(messages(findingsOf(rule, subscription([open, statement({ id: 4 })])))).toEqual([
      'Statement 3 is still open although statement 4 opened on 2026-04-01 00:00 UTC.',
    ]);
  });

  test('accepts an open statement whose copy is older', () => {
    const stale = statement({ id: 3, closed_at: null, closes: null, read_at: Date.UTC(2026, 2, 20) });
    expect(findingsOf(rule, subscription([stale, statement({ id: 4 })]))).toEqual([]);
  });

  test('accepts an overlap of one minute', () => {
    const next = statement({ id: 4, opened_at: Date.UTC(2026, 3, 1) - 60_000 });
    expect(findingsOf(rule, subscription([statement({ id: 3 }), next]))).toEqual([]);
  });
});
