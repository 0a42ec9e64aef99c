import { describe, expect, test } from 'vitest';
import {
  charge,
  failed,
  findingsOf,
  listRulesWithFindings,
  messages,
  payment,
  statement,
  subscription,
} from '../record-builders.ts';

const rule = 'failed-payment-counted';

describe('failed-payment-counted', () => {
  test('reports a failed payment that reduced the balance', () => {
    const lines = [
      charge(4000),
      failed(4000, { starting_balance_in_cents: 4000, ending_balance_in_cents: 0 }),
    ];
    const record = subscription([statement({ id: 3, lines, closes: 0 })]);
    expect(messages(findingsOf(rule, record))).toEqual([
      'Payment 301 of 40.00 on statement 3 failed, but it reduced the balance; the statement closes at 0.00.',
    ]);
    expect(listRulesWithFindings(record)).toEqual([rule]);
  });

  test('detects a counted failed payment by the difference if there are no running balances', () => {
    const lines = [charge(4000), failed(1500), payment(1000)];
    expect(
      listRulesWithFindings(subscription([statement({ id: 3, lines, closes: 1500, settled_at: null })])),
    ).toEqual([rule]);
  });

  test('ignores an unrelated difference', () => {
    const lines = [charge(4000), failed(1500)];
    expect(
      listRulesWithFindings(subscription([statement({ id: 3, lines, closes: 3999, settled_at: null })])),
    ).toEqual(['statement-foots']);
  });

  test('leaves the rest of the difference to statement-foots', () => {
    const lines = [
      charge(4000),
      failed(4000, { starting_balance_in_cents: 4000, ending_balance_in_cents: 0 }),
    ];
    const record = subscription([statement({ id: 3, lines, closes: 77 })]);
    expect(findingsOf('statement-foots', record)).toMatchObject([{ difference_in_cents: 77 }]);
    expect(findingsOf(rule, record)).toHaveLength(1);
  });

  test('accepts a failed payment without effect', () => {
    const lines = [charge(4000), failed(4000), payment(4000)];
    expect(listRulesWithFindings(subscription([statement({ id: 3, lines, closes: 0 })]))).toEqual([]);
  });

  test('leaves the difference to statement-foots if disabled', () => {
    const lines = [charge(4000), failed(4000)];
    const record = subscription([statement({ id: 3, lines, closes: 0, settled_at: null })]);
    expect(listRulesWithFindings(record, { disabled: new Set([rule]) })).toEqual(['statement-foots']);
  });
});
