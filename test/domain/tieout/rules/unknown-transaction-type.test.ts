import { describe, expect, test } from 'vitest';
import { charge, found, messages, rulesFinding, statement, subscription } from '../build.ts';

const rule = 'unknown-transaction-type';
const voucher = charge(500, { transaction_type: 'voucher', type: 'Voucher', kind: 'gift' });

describe('unknown-transaction-type', () => {
  test('a type we do not know is reported, not guessed', () => {
    const record = subscription([statement({ id: 3, lines: [voucher], closes: -500 })]);
    expect(messages(found(rule, record))).toEqual([
      'Transaction 300 of 5.00 on statement 3 is of type “voucher” and “Voucher”, kind “gift”, whose effect on the balance is not known.',
    ]);
    expect(rulesFinding(record)).toEqual([rule]);
  });

  test('so is one without a type, and one that names two', () => {
    const nameless = charge(500, { transaction_type: null, type: null });
    const both = charge(500, { type: 'Payment' });
    const record = subscription([statement({ id: 3, lines: [nameless, both], closes: 0 })]);
    expect(messages(found(rule, record))).toEqual([
      'Transaction 300 of 5.00 on statement 3 says no type, whose effect on the balance is not known.',
      'Transaction 301 of 5.00 on statement 3 is of type “charge” and “Payment”, whose effect on the balance is not known.',
    ]);
  });

  test('an unknown kind of a known type is not: the type decides', () => {
    const lines = [charge(500, { kind: 'surcharge' })];
    expect(found(rule, subscription([statement({ id: 3, lines, closes: 500 })]))).toEqual([]);
  });
});
