import { describe, expect, test } from 'vitest';
import { charge, failed, found, messages, payment, rulesFinding, statement, subscription } from '../build.ts';

const rule = 'failed-payment-counted';

describe('failed-payment-counted', () => {
  test('the balance was lowered by a payment that failed', () => {
    const lines = [
      charge(4000),
      failed(4000, { starting_balance_in_cents: 4000, ending_balance_in_cents: 0 }),
    ];
    const record = subscription([statement({ id: 3, lines, closes: 0 })]);
    expect(messages(found(rule, record))).toEqual([
      'Payment 301 of 40.00 on statement 3 failed, yet the balance was lowered by it; the statement closes at 0.00.',
    ]);
    expect(rulesFinding(record)).toEqual([rule]);
  });

  test('without running balances it is seen by the statement being short by just that', () => {
    const lines = [charge(4000), failed(1500), payment(1000)];
    expect(rulesFinding(subscription([statement({ id: 3, lines, closes: 1500, settled_at: null })]))).toEqual(
      [rule],
    );
  });

  test('a statement short by something else is not laid to it', () => {
    const lines = [charge(4000), failed(1500)];
    expect(rulesFinding(subscription([statement({ id: 3, lines, closes: 3999, settled_at: null })]))).toEqual(
      ['statement-foots'],
    );
  });

  test('what is left after the failed payment is the statement’s own difference', () => {
    const lines = [
      charge(4000),
      failed(4000, { starting_balance_in_cents: 4000, ending_balance_in_cents: 0 }),
    ];
    const record = subscription([statement({ id: 3, lines, closes: 77 })]);
    expect(found('statement-foots', record)).toMatchObject([{ difference_in_cents: 77 }]);
    expect(found(rule, record)).toHaveLength(1);
  });

  test('a failed payment that changed nothing is in order', () => {
    const lines = [charge(4000), failed(4000), payment(4000)];
    expect(rulesFinding(subscription([statement({ id: 3, lines, closes: 0 })]))).toEqual([]);
  });

  test('with the rule off, the statement does not foot', () => {
    const lines = [charge(4000), failed(4000)];
    const record = subscription([statement({ id: 3, lines, closes: 0, settled_at: null })]);
    expect(rulesFinding(record, { disabled: new Set([rule]) })).toEqual(['statement-foots']);
  });
});
