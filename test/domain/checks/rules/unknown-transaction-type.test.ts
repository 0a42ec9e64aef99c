import { describe, expect, test } from 'vitest';
import {
  charge,
  findingsOf,
  listRulesWithFindings,
  messages,
  statement,
  subscription,
} from '../record-builders.ts';

const rule = 'unknown-transaction-type';
const voucher = charge(500, { transaction_type: 'voucher', type: 'Voucher', kind: 'gift' });

describe('unknown-transaction-type', () => {
  test('reports an unknown type', () => {
    const record = subscription([statement({ id: 3, lines: [voucher], closes: -500 })]);
    expect(messages(findingsOf(rule, record))).toEqual([
      'Transaction 300 of 5.00 on statement 3 is of type “voucher” and “Voucher”, kind “gift”, whose effect on the balance is unknown.',
    ]);
    expect(listRulesWithFindings(record)).toEqual([rule]);
  });

  test('reports missing and contradictory types', () => {
    const nameless = charge(500, { transaction_type: null, type: null });
    const contradictory = charge(500, { type: 'Payment' });
    const record = subscription([statement({ id: 3, lines: [nameless, contradictory], closes: 0 })]);
    expect(messages(findingsOf(rule, record))).toEqual([
      'Transaction 300 of 5.00 on statement 3 has no type, whose effect on the balance is unknown.',
      'Transaction 301 of 5.00 on statement 3 is of type “charge” and “Payment”, whose effect on the balance is unknown.',
    ]);
  });

  test('accepts an unknown kind of a known type', () => {
    const lines = [charge(500, { kind: 'surcharge' })];
    expect(findingsOf(rule, subscription([statement({ id: 3, lines, closes: 500 })]))).toEqual([]);
  });
});
