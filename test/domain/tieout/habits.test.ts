import { describe, expect, test } from 'vitest';
import { habitsOf, type SubscriptionRecord } from '../../../src/domain/tieout/index.ts';
import { charge, event, found, on, payment, statement, subscription, webhook } from './build.ts';

const context = { now: on('2027-01-01'), log: { from: on('2025-01-01'), to: on('2027-01-01') } };

/** Subscriptions with two payments each, of which the second may or may not be told of. */
function site(toldOf: readonly boolean[], log = context.log as typeof context.log | null) {
  const records = toldOf.map((told, n) => {
    const lines = [charge(4000), payment(4000, { id: 1000 + n })];
    const telling = { statement_id: null, transaction_id: 1000 + n, statement: null, transactions: [] };
    return subscription([statement({ id: 2 }), statement({ id: 3, lines })], {
      webhooks: told ? [webhook('payment_success', { telling })] : [],
    });
  });
  return habitsOf(records, { ...context, log });
}

const HABIT = 'payment_success of kind generic';

describe('the habits of a site', () => {
  test('are what happens as a rule', () => {
    expect(site([true, true, true, true]).has(HABIT)).toBe(true);
    expect(site([true, true, true, false]).has(HABIT)).toBe(true);
    expect(site([true, true, false, false]).has(HABIT)).toBe(false);
  });

  test('are not learned from too little', () => {
    expect(site([true, true]).has(HABIT)).toBe(false);
    expect(site([])).toEqual(new Map());
  });

  test('without a log, nothing of webhooks is expected', () => {
    expect(site([true, true, true, true], null).has(HABIT)).toBe(false);
  });

  test('differ by kind of payment', () => {
    const kinds = ['manual', null, 'manual', null, 'manual', null];
    const records = kinds.map((kind, n) =>
      subscription([
        statement({ id: 2 }),
        statement({
          id: 3,
          lines: [charge(4000), payment(4000, { id: n, kind })],
          events: kind === null ? [event('payment_success', { transaction_id: n })] : [],
        }),
      ]),
    );
    expect([...habitsOf(records, { ...context, log: null }).keys()]).toEqual([
      'events of payments kind generic',
    ]);
  });

  test('begin when they were first kept: what was switched on one day is not missed before', () => {
    const months = [2, 3, 4, 5, 6, 7, 8, 9, 10];
    const statements = months.map((id) => statement({ id, lines: [charge(4000), payment(4000)] }));
    const told = (month: number) => {
      const transaction_id = month * 100 + 1;
      const created_at = on(`2026-${String(month).padStart(2, '0')}-03`, 0);
      const telling = { statement_id: null, transaction_id, statement: null, transactions: [] };
      return webhook('payment_success', { id: month, created_at, telling });
    };
    const tellingFrom = (first: number, but: number[] = []) =>
      subscription(statements, {
        webhooks: months.filter((month) => month >= first && !but.includes(month)).map(told),
      });
    const habits = habitsOf([tellingFrom(6)], context);
    expect(habits.get(HABIT)).toBe(on('2026-06-03', 0));
    const missed = (record: SubscriptionRecord) =>
      found('payment-without-webhook', record, { ...context, habits }).map(
        ({ subject }) => subject.transaction_id,
      );
    expect(missed(tellingFrom(6))).toEqual([]);
    expect(missed(tellingFrom(6, [8]))).toEqual([801]);
  });
});
