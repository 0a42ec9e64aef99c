import { describe, expect, test } from 'vitest';
import type { WebhookBodyFacts } from '../../../../src/domain/checks/index.ts';
import {
  charge,
  findingsOf,
  listRulesWithFindings,
  messages,
  payment,
  statement,
  subscription,
  webhook,
} from '../record-builders.ts';

const rule = 'webhook-disagrees';
const march = statement({ id: 3, lines: [charge(4000), payment(4000, { id: 55 })] });
const emptyFacts: WebhookBodyFacts = {
  statement_id: 3,
  transaction_id: null,
  statement: null,
  transactions: [],
};
const ofPayment = (more = {}): WebhookBodyFacts => ({
  ...emptyFacts,
  transaction_id: 55,
  transactions: [{ id: 55, transaction_type: 'payment', amount_in_cents: 4000, success: true, ...more }],
});
const ofStatement = (more = {}): WebhookBodyFacts => ({
  ...emptyFacts,
  statement: { id: 3, closed: true, starting_balance_in_cents: 0, ending_balance_in_cents: 0, ...more },
});
const check = (facts: WebhookBodyFacts, statements = [march]) =>
  findingsOf(rule, subscription(statements, { webhooks: [webhook('payment_success', { facts })] }));

describe('webhook-disagrees', () => {
  test('reports a different amount', () => {
    const [finding] = check(ofPayment({ amount_in_cents: 4500 }));
    expect(finding).toMatchObject({
      expected_in_cents: 4000,
      actual_in_cents: 4500,
      message:
        'Webhook 900 (payment_success) says that transaction 55 is 45.00, but the statement shows 40.00.',
      rows: [
        { kind: 'webhook', id: 900 },
        { kind: 'transaction', id: 55, statement_id: 3 },
      ],
    });
  });

  test('reports a different outcome or type', () => {
    expect(messages(check(ofPayment({ success: false })))[0]).toMatch(
      /says that transaction 55 failed, but the statement says it succeeded\.$/,
    );
    expect(messages(check(ofPayment({ transaction_type: 'refund' })))[0]).toMatch(
      /is a refund, but on the statement it is a payment\.$/,
    );
  });

  test('reports a different balance', () => {
    expect(messages(check(ofStatement({ ending_balance_in_cents: 100 })))[0]).toMatch(
      /says that statement 3 closed at 1\.00, but the statement shows 0\.00\.$/,
    );
    expect(
      messages(check(ofStatement({ starting_balance_in_cents: 5, ending_balance_in_cents: 5 })))[0],
    ).toMatch(/opens at 0\.05, but the statement shows 0\.00\. 1 more figure of the webhook differs\.$/);
  });

  test('reports a payment that is on no statement', () => {
    const missing = { ...ofPayment(), transactions: ofPayment({ id: 56 }).transactions };
    expect(messages(check(missing))[0]).toMatch(
      /says that there is a transaction 56 of 40\.00, but no statement contains it\.$/,
    );
  });

  test('accepts equal, missing and earlier figures', () => {
    expect(check(ofPayment())).toEqual([]);
    expect(check(ofStatement())).toEqual([]);
    expect(check(emptyFacts)).toEqual([]);
    expect(check(ofStatement({ closed: false, ending_balance_in_cents: 4000 }))).toEqual([]);
    expect(check(ofPayment({ amount_in_cents: null, success: null, transaction_type: null }))).toEqual([]);
  });

  test('ignores statements that are missing or older locally', () => {
    expect(check({ ...ofStatement({ id: 99 }), statement_id: 99 })).toEqual([]);
    const missing = { ...ofPayment(), transactions: ofPayment({ id: 56 }).transactions };
    expect(check(missing, [{ ...march, read_at: Date.UTC(2026, 2, 2) }])).toEqual([]);
  });

  test('ignores statements that another rule reports', () => {
    const wrong = statement({ id: 3, lines: [charge(4000), payment(4000, { id: 55 })], closes: 100 });
    const webhooks = [webhook('statement_settled', { facts: ofStatement() })];
    expect(listRulesWithFindings(subscription([wrong], { webhooks }))).toEqual(['statement-foots']);
  });
});
