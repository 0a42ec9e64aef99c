import { describe, expect, test } from 'vitest';
import { ruleNamed } from '../../../../src/domain/tieout/index.ts';
import { charge, found, messages, on, payment, statement, subscription, webhook } from '../build.ts';

const rule = 'webhook-not-accepted';
const refused = {
  successful: false,
  accepted_at: null,
  last_error: '503 Service Unavailable (retry 5 of 5)',
  telling: { statement_id: 3, transaction_id: 55, statement: null, transactions: [] },
};
const march = statement({ id: 3, lines: [charge(4000), payment(4000, { id: 55 })] });
const check = (more: Parameters<typeof webhook>[1], event = 'payment_success', context = {}) =>
  found(rule, subscription([march], { webhooks: [webhook(event, more)] }), context);

describe('webhook-not-accepted', () => {
  test('your books have not heard of this payment', () => {
    const [finding] = check(refused);
    expect(finding).toMatchObject({
      severity: 'error',
      subject: { subscription_id: 7, webhook_id: 900, statement_id: 3, transaction_id: 55 },
      difference_in_cents: 4000,
      message:
        'Your books have not heard of payment 55 of 40.00: webhook 900 (payment_success) of 2026-03-02 12:00 UTC ' +
        'was refused (503 Service Unavailable (retry 5 of 5)).',
      key: 'webhook-not-accepted/webhook 900',
    });
    expect(ruleNamed(rule)?.remedy).toBe('replay');
  });

  test('one that tells of no money is a warning', () => {
    const [finding] = check(refused, 'customer_update');
    expect(finding).toMatchObject({ severity: 'warning', difference_in_cents: null });
    expect(finding?.message).toBe(
      'Your books have not heard of webhook 900 (customer_update) of 2026-03-02 12:00 UTC: ' +
        'it was refused (503 Service Unavailable (retry 5 of 5)).',
    );
  });

  test('one that was never sent', () => {
    expect(messages(check({ ...refused, last_error: null, last_sent_at: null }))[0]).toMatch(
      / was never sent\.$/,
    );
  });

  test('accepted ones, tests, and those the service still tries to send are in order', () => {
    expect(check({})).toEqual([]);
    expect(check(refused, 'test')).toEqual([]);
    expect(check(refused, 'payment_success', { now: on('2026-03-02') + 20 * 60_000 })).toEqual([]);
  });

  test('the finding stays the same while it fails again, and goes with its acceptance', () => {
    const [before] = check(refused);
    const [after] = check({
      ...refused,
      last_error: '500 Internal Server Error',
      last_sent_at: on('2026-04-02'),
    });
    expect(after?.key).toBe(before?.key);
    expect(after?.evidence).toBe(before?.evidence);
    expect(check({ ...refused, successful: true, accepted_at: on('2026-04-02') })).toEqual([]);
  });

  test('the webhooks that name no subscription are looked at as well', () => {
    const record = {
      ...subscription([], { webhooks: [webhook('customer_update', refused)] }),
      subscription_id: null,
    };
    expect(found(rule, record)).toMatchObject([{ subject: { subscription_id: null, webhook_id: 900 } }]);
  });
});
