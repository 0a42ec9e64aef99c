import { describe, expect, test } from 'vitest';
import { findingsOf, messages, subscription, webhook } from '../record-builders.ts';

const rule = 'duplicate-webhook';
const facts = {
  statement_id: 3,
  transaction_id: 55,
  statement: null,
  transactions: [{ id: 55, transaction_type: 'payment', amount_in_cents: 4000, success: true }],
};
const check = (...webhooks: ReturnType<typeof webhook>[]) => findingsOf(rule, subscription([], { webhooks }));

describe('duplicate-webhook', () => {
  test('reports one payment under two webhook ids', () => {
    const findings = check(
      webhook('payment_success', { facts }),
      webhook('payment_success', { facts, id: 901 }),
    );
    expect(messages(findings)).toEqual([
      'Webhooks 900 and 901 each report payment 55 of 40.00, which is 1 time too often.',
    ]);
    expect(findings).toMatchObject([{ difference_in_cents: 4000 }]);
  });

  test('accepts one webhook per address', () => {
    const other = { facts, id: 901, last_sent_url: 'https://archive.example/webhooks' };
    expect(check(webhook('payment_success', { facts }), webhook('payment_success', other))).toEqual([]);
  });

  test('accepts a failure and a success of one payment', () => {
    expect(
      check(webhook('payment_failure', { facts }), webhook('payment_success', { facts, id: 901 })),
    ).toEqual([]);
  });

  test('ignores webhooks without a payment id', () => {
    expect(check(webhook('payment_success'), webhook('payment_success', { id: 901 }))).toEqual([]);
  });
});
