import { describe, expect, test } from 'vitest';
import {
  type CrossSubscriptionMember,
  checkSubscriptionGroups,
} from '../../../../src/domain/checks/index.ts';
import {
  charge,
  findingsOf,
  listRulesWithFindings,
  messages,
  payment,
  statement,
  subscription,
} from '../record-builders.ts';

const rule = 'duplicate-payment';
const paid = { gateway_transaction_id: 'ch_1' };

describe('duplicate-payment', () => {
  test('reports two payments with one gateway identifier', () => {
    const lines = [charge(4000), payment(4000, paid), payment(4000, paid)];
    const record = subscription([statement({ id: 3, lines, closes: -4000 })]);
    expect(messages(findingsOf(rule, record))).toEqual([
      'Payments 301 and 302 have the same gateway identifier, ch_1, so 40.00 was recorded but not received.',
    ]);
    expect(findingsOf(rule, record)).toMatchObject([
      { difference_in_cents: 4000, key: 'duplicate-payment/gateway ch_1/subscription 7' },
    ]);
    expect(listRulesWithFindings(record)).toEqual([rule]);
  });

  test('reports one finding if the second is listed but not counted', () => {
    const lines = [charge(4000), payment(4000, paid), payment(4000, paid)];
    expect(listRulesWithFindings(subscription([statement({ id: 3, lines, closes: 0 })]))).toEqual([rule]);
  });

  test('reports payments on different statements', () => {
    const march = statement({ id: 3, lines: [charge(4000), payment(4000, paid)] });
    const april = statement({ id: 4, lines: [charge(4000), payment(4000, paid)] });
    expect(findingsOf(rule, subscription([march, april]))).toHaveLength(1);
  });

  test('accepts a payment retried after a failure', () => {
    const lines = [charge(4000), payment(4000, { ...paid, success: false }), payment(4000, paid)];
    expect(findingsOf(rule, subscription([statement({ id: 3, lines })]))).toEqual([]);
  });

  test('ignores meaningless identifiers', () => {
    const lines = (id: string | null) => [
      charge(8000),
      payment(4000, { gateway_transaction_id: id }),
      payment(4000, { gateway_transaction_id: id }),
    ];
    for (const id of [null, '', '53433']) {
      expect(findingsOf(rule, subscription([statement({ id: 3, lines: lines(id) })]))).toEqual([]);
    }
    const same = [1, 2, 3, 4].map((id) => statement({ id, lines: [charge(4000), payment(4000, paid)] }));
    expect(findingsOf(rule, subscription(same))).toEqual([]);
  });

  describe('duplicate-payment across subscriptions', () => {
    const member = (subscription_id: number, id: number, more = {}): CrossSubscriptionMember => {
      const { transactions } = statement({ id, lines: [payment(4000, { ...paid, ...more })] });
      return {
        subscription_id,
        statement_id: id,
        transaction: transactions[0] as CrossSubscriptionMember['transaction'],
      };
    };
    const across = (...members: CrossSubscriptionMember[]) => [
      ...checkSubscriptionGroups([{ by: 'gateway_transaction_id', members }]),
    ];

    test('reports one payment credited to two customers', () => {
      expect(messages(across(member(7, 3), member(8, 4)))).toEqual([
        'Payments 300 and 400 of subscriptions 7 and 8 have the same gateway identifier, ch_1, so 40.00 was recorded but not received.',
      ]);
    });

    test('leaves duplicates within one subscription to that subscription’s check', () => {
      expect(across(member(7, 3), member(7, 4))).toEqual([]);
    });

    test('ignores failed payments and common identifiers', () => {
      expect(across(member(7, 3), member(8, 4, { success: false }))).toEqual([]);
      expect(across(...Array.from({ length: 12 }, (_, n) => member(n, n + 1)))).toEqual([]);
    });

    test('reports nothing if disabled', () => {
      const group = { by: 'gateway_transaction_id' as const, members: [member(7, 3), member(8, 4)] };
      expect([...checkSubscriptionGroups([group], { disabled: new Set([rule]) })]).toEqual([]);
    });
  });
});
