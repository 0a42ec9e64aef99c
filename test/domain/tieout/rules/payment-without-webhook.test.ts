import { describe, expect, test } from 'vitest';
import { charge, found, messages, on, payment, refund, statement, subscription, webhook } from '../build.ts';

const rule = 'payment-without-webhook';
const march = statement({ id: 3, lines: [charge(4000), payment(4000, { id: 55 })] });
const paidAt = march.transactions[1]?.created_at ?? 0;
const telling = (transaction_id: number | null) => ({
  telling: { statement_id: 3, transaction_id, statement: null, transactions: [] },
});
const check = (webhooks: ReturnType<typeof webhook>[], context = {}) =>
  found(rule, subscription([march], { webhooks }), context);

describe('payment-without-webhook', () => {
  test('the log reaches back that far, and tells nothing of a payment', () => {
    expect(messages(check([]))).toEqual([
      'Payment 55 of 40.00 on 2026-03-03 00:00 UTC was told by no webhook: your books have not heard of it.',
    ]);
  });

  test('a webhook names it, or was made in its hour', () => {
    expect(check([webhook('payment_success', telling(55))])).toEqual([]);
    expect(check([webhook('payment_success', { created_at: paidAt + 60_000 })])).toEqual([]);
  });

  test('one that failed to arrive tells of it too: that is another finding', () => {
    expect(check([webhook('payment_success', { ...telling(55), successful: false })])).toEqual([]);
  });

  test('one of another event, or another payment, does not', () => {
    expect(check([webhook('payment_failure', telling(55))])).toHaveLength(1);
    expect(check([webhook('payment_success', { ...telling(56), created_at: paidAt })])).toHaveLength(1);
  });

  test('before the log begins, and after it was last read, nothing is missed', () => {
    expect(check([], { log: { from: on('2026-03-10'), to: on('2026-06-01') } })).toEqual([]);
    expect(check([], { log: { from: on('2025-01-01'), to: on('2026-03-02') } })).toEqual([]);
    expect(check([], { log: null })).toEqual([]);
  });

  test('refunds too', () => {
    const back = statement({
      id: 3,
      lines: [charge(4000), refund(900, { id: 60 })],
      closes: 4000,
      settled_at: null,
    });
    expect(messages(found(rule, subscription([back])))).toEqual([
      'Refund 60 of 9.00 on 2026-03-03 00:00 UTC was told by no webhook: your books have not heard of it.',
    ]);
  });

  test('where the site is not told of payments, none is missed', () => {
    expect(check([], { habits: new Map() })).toEqual([]);
  });
});
