import { describe, expect, test } from 'vitest';
import {
  charge,
  credit,
  found,
  messages,
  on,
  payment,
  rulesFinding,
  statement,
  subscription,
} from '../build.ts';

const rule = 'settled-without-payment';
const unpaid = { id: 3, lines: [charge(4000)], closes: 4000 };
const paidOn = on('2026-04-05');

describe('settled-without-payment', () => {
  test('settled with money due, and nothing came', () => {
    const march = statement({ ...unpaid, settled_at: paidOn });
    const april = statement({ id: 4, opens: 4000, closes: 4000, settled_at: null });
    expect(messages(found(rule, subscription([march, april])))).toEqual([
      'Statement 3 counts as settled on 2026-04-05 12:00 UTC with 40.00 due, but only 0.00 of it was paid or credited: 40.00 is missing.',
    ]);
  });

  test('a late payment on the next statement settles it', () => {
    const march = statement({ ...unpaid, settled_at: paidOn });
    const april = statement({ id: 4, opens: 4000, lines: [payment(4000, { created_at: paidOn })] });
    expect(found(rule, subscription([march, april]))).toEqual([]);
  });

  test('so do credits, and payments listed as future payments', () => {
    const march = statement({ ...unpaid, settled_at: paidOn });
    const credited = statement({ id: 4, opens: 4000, lines: [credit(-4000, { created_at: paidOn })] });
    expect(found(rule, subscription([march, credited]))).toEqual([]);
    const listed = { ...march, future_payments: [{ id: 55, amount_in_cents: 4000, created_at: paidOn }] };
    expect(found(rule, subscription([listed]))).toEqual([]);
  });

  test('a payment after the settlement, or of less, does not', () => {
    const march = statement({ ...unpaid, settled_at: paidOn });
    const later = statement({ id: 4, opens: 4000, lines: [payment(4000, { created_at: on('2026-04-20') })] });
    const less = statement({
      id: 4,
      opens: 4000,
      lines: [payment(1500, { created_at: paidOn })],
      closes: 2500,
      settled_at: null,
    });
    expect(found(rule, subscription([march, later]))).toHaveLength(1);
    expect(found(rule, subscription([march, less]))).toMatchObject([{ difference_in_cents: -2500 }]);
  });

  test('a statement that closes at nothing with no payment on it does not foot for want of one', () => {
    const record = subscription([statement({ id: 3, lines: [charge(4000)], closes: 0 })]);
    expect(rulesFinding(record)).toEqual([rule]);
  });

  test('nothing due, nothing missing: paid statements, those of nothing, and those in credit', () => {
    const paid = statement({ id: 3, lines: [charge(4000), payment(4000)] });
    const inCredit = statement({ id: 4, lines: [credit(-500)], closes: -500 });
    expect(found(rule, subscription([statement({ id: 2 }), paid, inCredit]))).toEqual([]);
  });

  test('nothing is argued from statements that were not read yet', () => {
    const march = statement({ ...unpaid, settled_at: paidOn });
    expect(found(rule, subscription([march], { statements_complete: false }))).toEqual([]);
  });
});
