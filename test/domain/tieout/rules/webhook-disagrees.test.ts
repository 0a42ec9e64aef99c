import { describe, expect, test } from 'vitest';
import type { Telling } from '../../../../src/domain/tieout/index.ts';
import {
  charge,
  found,
  messages,
  payment,
  rulesFinding,
  statement,
  subscription,
  webhook,
} from '../build.ts';

const rule = 'webhook-disagrees';
const march = statement({ id: 3, lines: [charge(4000), payment(4000, { id: 55 })] });
const nothing: Telling = { statement_id: 3, transaction_id: null, statement: null, transactions: [] };
const ofPayment = (more = {}): Telling => ({
  ...nothing,
  transaction_id: 55,
  transactions: [{ id: 55, transaction_type: 'payment', amount_in_cents: 4000, success: true, ...more }],
});
const ofStatement = (more = {}): Telling => ({
  ...nothing,
  statement: { id: 3, closed: true, starting_balance_in_cents: 0, ending_balance_in_cents: 0, ...more },
});
const check = (telling: Telling, statements = [march]) =>
  found(rule, subscription(statements, { webhooks: [webhook('payment_success', { telling })] }));

describe('webhook-disagrees', () => {
  test('it says another amount than the statement', () => {
    const [finding] = check(ofPayment({ amount_in_cents: 4500 }));
    expect(finding).toMatchObject({
      expected_in_cents: 4000,
      actual_in_cents: 4500,
      message: 'Webhook 900 (payment_success) says transaction 55 is of 45.00, but it is of 40.00.',
      rows: [
        { kind: 'webhook', id: 900 },
        { kind: 'transaction', id: 55, statement_id: 3 },
      ],
    });
  });

  test('or that it failed, or was something else', () => {
    expect(messages(check(ofPayment({ success: false })))[0]).toMatch(
      /says transaction 55 failed, but the statement says it succeeded\.$/,
    );
    expect(messages(check(ofPayment({ transaction_type: 'refund' })))[0]).toMatch(
      /is a refund, but on the statement it is a payment\.$/,
    );
  });

  test('or another balance', () => {
    expect(messages(check(ofStatement({ ending_balance_in_cents: 100 })))[0]).toMatch(
      /says statement 3 closed at 1\.00, but it closed at 0\.00\.$/,
    );
    expect(
      messages(check(ofStatement({ starting_balance_in_cents: 5, ending_balance_in_cents: 5 })))[0],
    ).toMatch(/opens at 0\.05, but it opens at 0\.00, and 1 more of its figures differ\.$/);
  });

  test('or tells of a payment that no statement holds', () => {
    const missing = { ...ofPayment(), transactions: ofPayment({ id: 56 }).transactions };
    expect(messages(check(missing))[0]).toMatch(
      /says there is a transaction 56 of 40\.00, but no statement holds it\.$/,
    );
  });

  test('what agrees, is not told, or was told before the close is in order', () => {
    expect(check(ofPayment())).toEqual([]);
    expect(check(ofStatement())).toEqual([]);
    expect(check(nothing)).toEqual([]);
    expect(check(ofStatement({ closed: false, ending_balance_in_cents: 4000 }))).toEqual([]);
    expect(check(ofPayment({ amount_in_cents: null, success: null, transaction_type: null }))).toEqual([]);
  });

  test('a statement we do not hold, or hold in an older copy, proves nothing', () => {
    expect(check({ ...ofStatement({ id: 99 }), statement_id: 99 })).toEqual([]);
    const missing = { ...ofPayment(), transactions: ofPayment({ id: 56 }).transactions };
    expect(check(missing, [{ ...march, read_at: Date.UTC(2026, 2, 2) }])).toEqual([]);
  });

  test('where the statement itself is wrong, the webhook is a witness and no second finding', () => {
    const wrong = statement({ id: 3, lines: [charge(4000), payment(4000, { id: 55 })], closes: 100 });
    const webhooks = [webhook('statement_settled', { telling: ofStatement() })];
    expect(rulesFinding(subscription([wrong], { webhooks }))).toEqual(['statement-foots']);
  });
});
