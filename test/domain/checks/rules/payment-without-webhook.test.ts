import { describe, expect, test } from 'vitest';
import {
  charge,
  findingsOf,
  messages,
  payment,
  refund,
  statement,
  subscription,
  utcTimeOn,
  webhook,
} from '../record-builders.ts';

const rule = 'payment-without-webhook';
const march = statement({ id: 3, lines: [charge(4000), payment(4000, { id: 55 })] });
const paidAt = march.transactions[1]?.created_at ?? 0;
const facts = (transaction_id: number | null) => ({
  facts: { statement_id: 3, transaction_id, statement: null, transactions: [] },
});
const check = (webhooks: ReturnType<typeof webhook>[], context = {}) =>
  findingsOf(rule, subscription([march], { webhooks }), context);

describe('payment-without-webhook', () => {
  test('reports a payment without a webhook in the log', () => {
    expect(messages(check([]))).toEqual([
      'Payment 55 of 40.00 on 2026-03-03 00:00 UTC was reported by no webhook, so your accounting system does not know of it.',
    ]);
  });

  test('accepts a webhook with the payment’s id or within an hour', () => {
    expect(check([webhook('payment_success', facts(55))])).toEqual([]);
    expect(check([webhook('payment_success', { created_at: paidAt + 60_000 })])).toEqual([]);
  });

  test('accepts a failed webhook, which another rule reports', () => {
    expect(check([webhook('payment_success', { ...facts(55), successful: false })])).toEqual([]);
  });

  test('rejects webhooks of another event or payment', () => {
    expect(check([webhook('payment_failure', facts(55))])).toHaveLength(1);
    expect(check([webhook('payment_success', { ...facts(56), created_at: paidAt })])).toHaveLength(1);
  });

  test('reports nothing for dates that the stored log does not cover', () => {
    expect(check([], { webhookLog: { from: utcTimeOn('2026-03-10'), to: utcTimeOn('2026-06-01') } })).toEqual(
      [],
    );
    expect(check([], { webhookLog: { from: utcTimeOn('2025-01-01'), to: utcTimeOn('2026-03-02') } })).toEqual(
      [],
    );
    expect(check([], { webhookLog: null })).toEqual([]);
  });

  test('reports refunds', () => {
    const back = statement({
      id: 3,
      lines: [charge(4000), refund(900, { id: 60 })],
      closes: 4000,
      settled_at: null,
    });
    expect(messages(findingsOf(rule, subscription([back])))).toEqual([
      'Refund 60 of 9.00 on 2026-03-03 00:00 UTC was reported by no webhook, so your accounting system does not know of it.',
    ]);
  });

  test('reports nothing if the site has no such webhooks', () => {
    expect(check([], { habits: new Map() })).toEqual([]);
  });
});
