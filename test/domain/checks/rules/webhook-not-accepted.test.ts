import { describe, expect, test } from 'vitest';
import { findCheckRule } from '../../../../src/domain/checks/index.ts';
import {
  charge,
  findingsOf,
  messages,
  payment,
  statement,
  subscription,
  utcTimeOn,
  webhook,
} from '../record-builders.ts';

const rule = 'webhook-not-accepted';
const refusedWebhook = {
  successful: false,
  accepted_at: null,
  last_error: '503 Service Unavailable (retry 5 of 5)',
  facts: { statement_id: 3, transaction_id: 55, statement: null, transactions: [] },
};
const march = statement({ id: 3, lines: [charge(4000), payment(4000, { id: 55 })] });
const check = (more: Parameters<typeof webhook>[1], event = 'payment_success', context = {}) =>
  findingsOf(rule, subscription([march], { webhooks: [webhook(event, more)] }), context);

describe('webhook-not-accepted', () => {
  test('reports a payment that was not received', () => {
    const [finding] = check(refusedWebhook);
    expect(finding).toMatchObject({
      severity: 'error',
      subject: { subscription_id: 7, webhook_id: 900, statement_id: 3, transaction_id: 55 },
      difference_in_cents: 4000,
      message:
        'Your accounting system did not receive payment 55 of 40.00: webhook 900 (payment_success) of 2026-03-02 12:00 UTC ' +
        'was rejected (503 Service Unavailable (retry 5 of 5)).',
      key: 'webhook-not-accepted/webhook 900',
    });
    expect(findCheckRule(rule)?.remedy).toBe('replay');
  });

  test('reports other events as warnings', () => {
    const [finding] = check(refusedWebhook, 'customer_update');
    expect(finding).toMatchObject({ severity: 'warning', difference_in_cents: null });
    expect(finding?.message).toBe(
      'Your accounting system did not receive webhook 900 (customer_update) of 2026-03-02 12:00 UTC, ' +
        'which was rejected (503 Service Unavailable (retry 5 of 5)).',
    );
  });

  test('reports a webhook that was never sent', () => {
    expect(messages(check({ ...refusedWebhook, last_error: null, last_sent_at: null }))[0]).toMatch(
      / was never sent\.$/,
    );
  });

  test('ignores accepted, test and retrying webhooks', () => {
    expect(check({})).toEqual([]);
    expect(check(refusedWebhook, 'test')).toEqual([]);
    expect(check(refusedWebhook, 'payment_success', { now: utcTimeOn('2026-03-02') + 20 * 60_000 })).toEqual(
      [],
    );
  });

  test('keeps the finding until the webhook is accepted', () => {
    const [before] = check(refusedWebhook);
    const [after] = check({
      ...refusedWebhook,
      last_error: '500 Internal Server Error',
      last_sent_at: utcTimeOn('2026-04-02'),
    });
    expect(after?.key).toBe(before?.key);
    expect(after?.evidence).toBe(before?.evidence);
    expect(check({ ...refusedWebhook, successful: true, accepted_at: utcTimeOn('2026-04-02') })).toEqual([]);
  });

  test('checks webhooks without a subscription', () => {
    const record = {
      ...subscription([], { webhooks: [webhook('customer_update', refusedWebhook)] }),
      subscription_id: null,
    };
    expect(findingsOf(rule, record)).toMatchObject([{ subject: { subscription_id: null, webhook_id: 900 } }]);
  });
});
