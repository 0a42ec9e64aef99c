import { describe, expect, test } from 'vitest';
import { learnSiteHabits, type SubscriptionRecord } from '../../../../src/domain/checks/index.ts';
import {
  charge,
  event,
  findingsOf,
  payment,
  statement,
  subscription,
  utcTimeOn,
  webhook,
} from '../record-builders.ts';

const context = {
  now: utcTimeOn('2027-01-01'),
  webhookLog: { from: utcTimeOn('2025-01-01'), to: utcTimeOn('2027-01-01') },
};

/** Creates subscriptions with two payments each. The second payment has a webhook if requested. */
function createSiteRecords(
  hasSecondWebhook: readonly boolean[],
  log = context.webhookLog as typeof context.webhookLog | null,
) {
  const records = hasSecondWebhook.map((hasWebhook, n) => {
    const lines = [charge(4000), payment(4000, { id: 1000 + n })];
    const facts = { statement_id: null, transaction_id: 1000 + n, statement: null, transactions: [] };
    return subscription([statement({ id: 2 }), statement({ id: 3, lines })], {
      webhooks: hasWebhook ? [webhook('payment_success', { facts })] : [],
    });
  });
  return learnSiteHabits(records, { ...context, webhookLog: log });
}

const HABIT = 'payment_success of kind generic';

describe('the habits of a site', () => {
  test('are events that usually occur', () => {
    expect(createSiteRecords([true, true, true, true]).has(HABIT)).toBe(true);
    expect(createSiteRecords([true, true, true, false]).has(HABIT)).toBe(true);
    expect(createSiteRecords([true, true, false, false]).has(HABIT)).toBe(false);
  });

  test('are not learned from too few cases', () => {
    expect(createSiteRecords([true, true]).has(HABIT)).toBe(false);
    expect(createSiteRecords([])).toEqual(new Map());
  });

  test('exclude webhooks if no log is stored', () => {
    expect(createSiteRecords([true, true, true, true], null).has(HABIT)).toBe(false);
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
    expect([...learnSiteHabits(records, { ...context, webhookLog: null }).keys()]).toEqual([
      'events of payments kind generic',
    ]);
  });

  test('start when they first occurred', () => {
    const months = [2, 3, 4, 5, 6, 7, 8, 9, 10];
    const statements = months.map((id) => statement({ id, lines: [charge(4000), payment(4000)] }));
    const createWebhook = (month: number) => {
      const transaction_id = month * 100 + 1;
      const created_at = utcTimeOn(`2026-${String(month).padStart(2, '0')}-03`, 0);
      const facts = { statement_id: null, transaction_id, statement: null, transactions: [] };
      return webhook('payment_success', { id: month, created_at, facts });
    };
    const recordFrom = (first: number, but: number[] = []) =>
      subscription(statements, {
        webhooks: months.filter((month) => month >= first && !but.includes(month)).map(createWebhook),
      });
    const habits = learnSiteHabits([recordFrom(6)], context);
    expect(habits.get(HABIT)).toBe(utcTimeOn('2026-06-03', 0));
    const missed = (record: SubscriptionRecord) =>
      findingsOf('payment-without-webhook', record, { ...context, habits }).map(
        ({ subject }) => subject.transaction_id,
      );
    expect(missed(recordFrom(6))).toEqual([]);
    expect(missed(recordFrom(6, [8]))).toEqual([801]);
  });
});
