import { describe, expect, test } from 'vitest';
import { checkSubscriptionGroups } from '../../../../src/domain/checks/index.ts';
import {
  charge,
  findingsOf,
  listRulesWithFindings,
  messages,
  payment,
  statement,
  subscription,
} from '../record-builders.ts';

const rule = 'transaction-in-two-statements';
const march = statement({ id: 3, lines: [charge(4000)], closes: 4000, settled_at: null });
const late = payment(4000, { id: 55 });

describe('transaction-in-two-statements', () => {
  test('reports a payment on two statements', () => {
    const twice = statement({ id: 3, lines: [charge(4000), late] });
    const april = statement({ id: 4, lines: [late] });
    const record = subscription([twice, april]);
    expect(messages(findingsOf(rule, record))).toEqual([
      'Payment 55 of 40.00 appears on statements 3 and 4.',
    ]);
    expect(listRulesWithFindings(record)).toEqual([rule]);
  });

  test('reports a payment twice on one statement', () => {
    const record = subscription([statement({ id: 3, lines: [charge(4000), late, late] })]);
    expect(messages(findingsOf(rule, record))).toEqual([
      'Payment 55 of 40.00 appears 2 times on statement 3.',
    ]);
  });

  test('accepts a payment listed as a future payment', () => {
    const settled = {
      ...march,
      settled_at: Date.UTC(2026, 3, 2),
      future_payments: [{ id: 55, amount_in_cents: 4000, created_at: Date.UTC(2026, 3, 2) }],
    };
    const april = statement({ id: 4, opens: 4000, lines: [late] });
    expect(listRulesWithFindings(subscription([settled, april]))).toEqual([]);
  });

  test('reports a transaction on statements of two subscriptions', () => {
    const [transaction] = statement({ id: 3, lines: [late] }).transactions;
    if (!transaction) throw new Error('no transaction');
    const members = [
      { subscription_id: 7, statement_id: 3, transaction },
      { subscription_id: 8, statement_id: 9, transaction },
    ];
    expect(messages([...checkSubscriptionGroups([{ by: 'transaction_id', members }])])).toEqual([
      'Payment 55 of 40.00 appears on statements 3 and 9.',
    ]);
    expect([...checkSubscriptionGroups([{ by: 'transaction_id', members: members.slice(0, 1) }])]).toEqual(
      [],
    );
  });
});
