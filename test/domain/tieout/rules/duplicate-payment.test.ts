import { describe, expect, test } from 'vitest';
import { type AcrossMember, checkAcross } from '../../../../src/domain/tieout/index.ts';
import { charge, found, messages, payment, rulesFinding, statement, subscription } from '../build.ts';

const rule = 'duplicate-payment';
const paid = { gateway_transaction_id: 'ch_1' };

describe('duplicate-payment', () => {
  test('two payments under one identifier of the gateway', () => {
    const lines = [charge(4000), payment(4000, paid), payment(4000, paid)];
    const record = subscription([statement({ id: 3, lines, closes: -4000 })]);
    expect(messages(found(rule, record))).toEqual([
      'Payments 301 and 302 carry the same gateway identifier, ch_1, so 40.00 of them was received only once.',
    ]);
    expect(found(rule, record)).toMatchObject([
      { difference_in_cents: 4000, key: 'duplicate-payment/gateway ch_1/subscription 7' },
    ]);
    expect(rulesFinding(record)).toEqual([rule]);
  });

  test('also where the second is listed but was not counted: one finding', () => {
    const lines = [charge(4000), payment(4000, paid), payment(4000, paid)];
    expect(rulesFinding(subscription([statement({ id: 3, lines, closes: 0 })]))).toEqual([rule]);
  });

  test('also on different statements', () => {
    const march = statement({ id: 3, lines: [charge(4000), payment(4000, paid)] });
    const april = statement({ id: 4, lines: [charge(4000), payment(4000, paid)] });
    expect(found(rule, subscription([march, april]))).toHaveLength(1);
  });

  test('a payment tried again after it failed is one payment', () => {
    const lines = [charge(4000), payment(4000, { ...paid, success: false }), payment(4000, paid)];
    expect(found(rule, subscription([statement({ id: 3, lines })]))).toEqual([]);
  });

  test('an identifier that identifies nothing proves nothing', () => {
    const lines = (id: string | null) => [
      charge(8000),
      payment(4000, { gateway_transaction_id: id }),
      payment(4000, { gateway_transaction_id: id }),
    ];
    for (const id of [null, '', '53433']) {
      expect(found(rule, subscription([statement({ id: 3, lines: lines(id) })]))).toEqual([]);
    }
    const same = [1, 2, 3, 4].map((id) => statement({ id, lines: [charge(4000), payment(4000, paid)] }));
    expect(found(rule, subscription(same))).toEqual([]);
  });

  describe('across subscriptions', () => {
    const member = (subscription_id: number, id: number, more = {}): AcrossMember => {
      const { transactions } = statement({ id, lines: [payment(4000, { ...paid, ...more })] });
      return {
        subscription_id,
        statement_id: id,
        transaction: transactions[0] as AcrossMember['transaction'],
      };
    };
    const across = (...members: AcrossMember[]) => [
      ...checkAcross([{ by: 'gateway_transaction_id', members }]),
    ];

    test('one payment credited to two customers', () => {
      expect(messages(across(member(7, 3), member(8, 4)))).toEqual([
        'Payments 300 and 400 of subscriptions 7 and 8 carry the same gateway identifier, ch_1, so 40.00 of them was received only once.',
      ]);
    });

    test('within one subscription the subscription’s own check tells of it', () => {
      expect(across(member(7, 3), member(7, 4))).toEqual([]);
    });

    test('failed payments and common identifiers are nothing', () => {
      expect(across(member(7, 3), member(8, 4, { success: false }))).toEqual([]);
      expect(across(...Array.from({ length: 12 }, (_, n) => member(n, n + 1)))).toEqual([]);
    });

    test('switched off, it is silent', () => {
      const group = { by: 'gateway_transaction_id' as const, members: [member(7, 3), member(8, 4)] };
      expect([...checkAcross([group], { disabled: new Set([rule]) })]).toEqual([]);
    });
  });
});
