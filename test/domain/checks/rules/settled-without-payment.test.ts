import { describe, expect, test } from 'vitest';
import {
  charge,
  credit,
  findingsOf,
  listRulesWithFindings,
  messages,
  payment,
  statement,
  subscription,
  utcTimeOn,
} from '../record-builders.ts';

const rule = 'settled-without-payment';
const unpaid = { id: 3, lines: [charge(4000)], closes: 4000 };
const paidOn = utcTimeOn('2026-04-05');

describe('settled-without-payment', () => {
  test('reports a settled statement without payment', () => {
    const march = statement({ ...unpaid, settled_at: paidOn });
    const april = statement({ id: 4, opens: 4000, closes: 4000, settled_at: null });
    expect(messages(findingsOf(rule, subscription([march, april])))).toEqual([
      'Statement 3 is marked as settled on 2026-04-05 12:00 UTC with 40.00 due, but only 0.00 was paid or credited. 40.00 is missing.',
    ]);
  });

  test('accepts a late payment on the next statement', () => {
    const march = statement({ ...unpaid, settled_at: paidOn });
    const april = statement({ id: 4, opens: 4000, lines: [payment(4000, { created_at: paidOn })] });
    expect(findingsOf(rule, subscription([march, april]))).toEqual([]);
  });

  test('accepts credits and listed future payments', () => {
    const march = statement({ ...unpaid, settled_at: paidOn });
    const credited = statement({ id: 4, opens: 4000, lines: [credit(-4000, { created_at: paidOn })] });
    expect(findingsOf(rule, subscription([march, credited]))).toEqual([]);
    const listed = { ...march, future_payments: [{ id: 55, amount_in_cents: 4000, created_at: paidOn }] };
    expect(findingsOf(rule, subscription([listed]))).toEqual([]);
  });

  test('reports payments that are too late or too small', () => {
    const march = statement({ ...unpaid, settled_at: paidOn });
    const later = statement({
      id: 4,
      opens: 4000,
      lines: [payment(4000, { created_at: utcTimeOn('2026-04-20') })],
    });
    const less = statement({
      id: 4,
      opens: 4000,
      lines: [payment(1500, { created_at: paidOn })],
      closes: 2500,
      settled_at: null,
    });
    expect(findingsOf(rule, subscription([march, later]))).toHaveLength(1);
    expect(findingsOf(rule, subscription([march, less]))).toMatchObject([{ difference_in_cents: -2500 }]);
  });

  test('reports a statement closed at zero without a payment', () => {
    const record = subscription([statement({ id: 3, lines: [charge(4000)], closes: 0 })]);
    expect(listRulesWithFindings(record)).toEqual([rule]);
  });

  test('accepts paid, empty and credit statements', () => {
    const paid = statement({ id: 3, lines: [charge(4000), payment(4000)] });
    const inCredit = statement({ id: 4, lines: [credit(-500)], closes: -500 });
    expect(findingsOf(rule, subscription([statement({ id: 2 }), paid, inCredit]))).toEqual([]);
  });

  test('reports nothing while statements are missing locally', () => {
    const march = statement({ ...unpaid, settled_at: paidOn });
    expect(findingsOf(rule, subscription([march], { statements_complete: false }))).toEqual([]);
  });
});
