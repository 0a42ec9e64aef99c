import { describe, expect, test } from 'vitest';
import { found, messages, subscription, webhook } from '../build.ts';

const rule = 'duplicate-webhook';
const telling = {
  statement_id: 3,
  transaction_id: 55,
  statement: null,
  transactions: [{ id: 55, transaction_type: 'payment', amount_in_cents: 4000, success: true }],
};
const check = (...webhooks: ReturnType<typeof webhook>[]) => found(rule, subscription([], { webhooks }));

describe('duplicate-webhook', () => {
  test('one payment told under two numbers', () => {
    const findings = check(
      webhook('payment_success', { telling }),
      webhook('payment_success', { telling, id: 901 }),
    );
    expect(messages(findings)).toEqual([
      'Webhooks 900 and 901 each tell of payment 55 of 40.00: 1 time too often.',
    ]);
    expect(findings).toMatchObject([{ difference_in_cents: 4000 }]);
  });

  test('to two addresses each is told once', () => {
    const other = { telling, id: 901, last_sent_url: 'https://archive.example/webhooks' };
    expect(check(webhook('payment_success', { telling }), webhook('payment_success', other))).toEqual([]);
  });

  test('a failure and then a success of one payment are two things', () => {
    expect(
      check(webhook('payment_failure', { telling }), webhook('payment_success', { telling, id: 901 })),
    ).toEqual([]);
  });

  test('webhooks that name no payment cannot be told apart, and are not', () => {
    expect(check(webhook('payment_success'), webhook('payment_success', { id: 901 }))).toEqual([]);
  });
});
