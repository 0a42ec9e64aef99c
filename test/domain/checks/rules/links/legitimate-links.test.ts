import { describe, expect, test } from 'vitest';
import {
  type CrossSubscriptionMember,
  learnSiteHabits,
  type SubscriptionRecord,
} from '../../../../../src/domain/checks/index.ts';
import {
  charge,
  event,
  findingsOf,
  listRulesWithFindings,
  messages,
  payment,
  refund,
  statement,
  subscription,
  utcTimeOn,
} from '../../record-builders.ts';

const paid = (id: number, more = {}) =>
  statement({
    id,
    lines: [charge(3100, { subscription_id: 7, ...more }), payment(3100, { subscription_id: 7 })],
  });
const months = (...ids: number[]) => ids.map((id) => paid(id));
const payerMember: CrossSubscriptionMember = {
  subscription_id: 8,
  statement_id: 80,
  transaction: paid(9).transactions[1] as CrossSubscriptionMember['transaction'],
};

describe('subscriptions that are billed together', () => {
  test('are not reported if several statements name another subscription', () => {
    const together = [1, 2, 3, 4].map((id) => paid(id, { subscription_id: 8 }));
    expect(listRulesWithFindings(subscription(together))).toEqual([]);
  });

  test('are not reported if another subscription regularly pays', () => {
    const member: SubscriptionRecord = {
      ...subscription([1, 2, 3].map((id) => paid(id, { payment_id: 555 }))),
      transactions_elsewhere: new Map([[555, payerMember]]),
    };
    expect(listRulesWithFindings(member)).toEqual([]);
  });

  test('are not reported if too few statements are stored to know', () => {
    expect(listRulesWithFindings(subscription([paid(1), paid(2, { subscription_id: 8 })]))).toEqual([]);
  });

  test('are not reported on a site where several subscriptions are billed together', () => {
    const together = [21, 22, 23].map((subscription_id) => ({
      ...subscription([1, 2, 3].map((id) => paid(id, { subscription_id: 8 }))),
      subscription_id,
    }));
    const habits = learnSiteHabits(together, { now: utcTimeOn('2027-01-01'), webhookLog: null });
    const member = subscription([...months(1, 2, 3), paid(4, { subscription_id: 8 })]);
    expect(findingsOf('other-subscription', member, { habits })).toEqual([]);
    expect(messages(findingsOf('other-subscription', member))).toEqual([
      'Transaction 400 on statement 4 of subscription 7 names subscription 8.',
    ]);
  });
});

describe('refunds', () => {
  const refunded = (more = {}) => [charge(3100), payment(3100), refund(900, more)];

  test('of a payment before the first stored statement are not reported', () => {
    const record = subscription([statement({ id: 3, lines: refunded({ payment_id: 12 }) })]);
    expect(findingsOf('refund-without-payment', record)).toEqual([]);
  });

  test('of an unknown payment are reported if the signup is stored', () => {
    const signup = statement({
      id: 3,
      lines: refunded({ payment_id: 12 }),
      events: [event('signup_success')],
    });
    expect(messages(findingsOf('refund-without-payment', subscription([signup])))).toEqual([
      'Refund 302 of 9.00 on statement 3 names payment 12, which is on no statement.',
    ]);
    const incomplete = subscription([signup], { statements_complete: false });
    expect(findingsOf('refund-without-payment', incomplete)).toEqual([]);
  });

  test('in parts up to the payment are not reported', () => {
    const parts = [refund(2000, { payment_id: 301 }), refund(1100, { payment_id: 301 })];
    const march = statement({ id: 3, lines: [charge(3100), payment(3100), ...parts] });
    expect(findingsOf('refunds-exceed-payment', subscription([march]))).toEqual([]);
  });
});

describe('currencies', () => {
  test('of different subscriptions are not compared', () => {
    for (const currency of ['EUR', 'USD'])
      expect(
        listRulesWithFindings(subscription(months(1, 2).map((each) => ({ ...each, currency })))),
      ).toEqual([]);
  });

  test('written as a code and as a symbol are equal', () => {
    const january = { ...paid(1), currency: 'CAD' };
    const february = { ...paid(2), text_view: 'Ending balance   $0.00' };
    expect(listRulesWithFindings(subscription([january, february]))).toEqual([]);
  });
});

describe('customers', () => {
  const named = (id: number, customer: object) => ({
    ...paid(id),
    customer: { ...paid(id).customer, ...customer },
  });

  test('who marry, move or rename their company are not reported', () => {
    for (const change of [
      { name: 'Ada Holm' },
      { address: 'Nygatan 4 333 33' },
      { organization: 'Holm AB' },
    ]) {
      const record = subscription([paid(1), named(2, change), named(3, change)]);
      expect(listRulesWithFindings(record)).toEqual([]);
    }
  });

  test('without any common detail are reported once, at the first statement', () => {
    const other = { name: 'Li Wei', organization: 'Orient Ltd', address: '5 Quay Rd 9000' };
    const record = subscription([paid(1), named(2, other), paid(3)]);
    expect(findingsOf('changed-customer', record)).toMatchObject([{ subject: { statement_id: 2 } }]);
  });
});

describe('totals', () => {
  test('with another meaning on the whole site are not reported', () => {
    const withTax = months(1, 2, 3).map((each) => ({ ...each, total_in_cents: 9900 }));
    expect(findingsOf('statement-total', subscription(withTax))).toEqual([]);
  });
});
