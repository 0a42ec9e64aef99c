import { describe, expect, test } from 'vitest';
import {
  allocations,
  charge,
  DAY,
  findingsOf,
  messages,
  statement,
  subscription,
  utcTimeOn,
  webhook,
} from '../record-builders.ts';

const rule = 'dates-in-order';
const check = (...statements: Parameters<typeof subscription>[0]) =>
  messages(findingsOf(rule, subscription(statements)));

describe('dates-in-order', () => {
  test('requires a statement to close and settle after it opens', () => {
    expect(check(statement({ id: 3, closed_at: utcTimeOn('2026-02-20'), settled_at: null }))).toEqual([
      'Statement 3 closed on 2026-02-20 12:00 UTC, before it opened on 2026-03-01 00:00 UTC.',
    ]);
    expect(check(statement({ id: 3, settled_at: utcTimeOn('2026-02-20') }))).toEqual([
      'Statement 3 was settled on 2026-02-20 12:00 UTC, before it opened on 2026-03-01 00:00 UTC.',
    ]);
  });

  test('requires transactions to be within the period', () => {
    const stray = (created_at: number) =>
      statement({ id: 3, lines: [charge(400, { created_at })], closes: 400, settled_at: null });
    expect(check(stray(utcTimeOn('2026-04-15')))).toEqual([
      'Transaction 300 on statement 3 is dated 2026-04-15 12:00 UTC, after the statement closed on 2026-04-01 00:00 UTC.',
    ]);
    expect(check(stray(utcTimeOn('2026-02-15')))[0]).toMatch(/before the statement opened on 2026-03-01/);
    expect(check(stray(Date.UTC(2026, 3, 1) + 60_000))).toEqual([]);
  });

  test('does not check transactions at a gap between periods', () => {
    const late = statement({
      id: 4,
      opened_at: utcTimeOn('2026-04-20'),
      lines: [charge(400, { created_at: utcTimeOn('2026-04-10') })],
      closes: 400,
      settled_at: null,
    });
    expect(check(statement({ id: 3 }), late)).toEqual([]);
  });

  test('reports dates in the future', () => {
    expect(check(statement({ id: 3, settled_at: utcTimeOn('2099-01-01') }))).toEqual([
      'Statement 3 was settled on 2099-01-01 12:00 UTC, which is in the future.',
    ]);
    const soon = allocations([{ timestamp: utcTimeOn('2099-01-01') }]);
    expect(messages(findingsOf(rule, subscription([], { components: [soon] })))).toEqual([
      'An allocation of component 31 is dated 2099-01-01 12:00 UTC, which is in the future.',
    ]);
    const now = utcTimeOn('2026-03-05');
    const open = statement({ id: 3, closed_at: null, closes: 0, opened_at: now + DAY / 2 });
    expect(findingsOf(rule, subscription([open]), { now })).toEqual([]);
  });

  test('requires a webhook to be created before it is sent and accepted', () => {
    const record = (more: Parameters<typeof webhook>[1]) =>
      subscription([], { webhooks: [webhook('payment_success', more)] });
    expect(messages(findingsOf(rule, record({ accepted_at: utcTimeOn('2026-03-01') })))).toEqual([
      'Webhook 900 was accepted on 2026-03-01 12:00 UTC, before it was created on 2026-03-02 12:00 UTC.',
    ]);
    expect(
      messages(findingsOf(rule, record({ accepted_at: null, last_sent_at: utcTimeOn('2026-03-01') })))[0],
    ).toMatch(/was sent on/);
    expect(findingsOf(rule, record({ accepted_at: null, last_sent_at: null }))).toEqual([]);
    expect(messages(findingsOf(rule, record({ created_at: utcTimeOn('2099-01-01') })))[0]).toMatch(
      /is in the future\.$/,
    );
  });

  test('ignores dates that the service did not send', () => {
    const bare = statement({
      id: 3,
      opened_at: null,
      closed_at: null,
      lines: [charge(400, { created_at: null })],
    });
    expect(check(bare)).toEqual([]);
  });
});
