import { describe, expect, test } from 'vitest';
import { charge, found, messages, on, payment, statement, subscription } from '../build.ts';

const rule = 'paid-but-unsettled';
const unpaid = statement({ id: 3, lines: [charge(4000)], closes: 4000, settled_at: null });
const paidOn = on('2026-04-05');

describe('paid-but-unsettled', () => {
  test('paid in full at its close', () => {
    const march = statement({ id: 3, lines: [charge(4000), payment(4000)], settled_at: null });
    expect(messages(found(rule, subscription([march])))).toEqual([
      'Statement 3 closed at 0.00 and is not settled, although nothing was left to pay.',
    ]);
  });

  test('paid later: the balance came down to nothing', () => {
    const april = statement({ id: 4, opens: 4000, lines: [payment(4000, { created_at: paidOn })] });
    expect(messages(found(rule, subscription([unpaid, april])))).toEqual([
      'Statement 3 closed at 40.00 and is not settled, although transaction 400 on statement 4 brought the balance to nothing on 2026-04-05 12:00 UTC.',
    ]);
  });

  test('paid later by its own account', () => {
    const listed = { ...unpaid, future_payments: [{ id: 55, amount_in_cents: 4000, created_at: paidOn }] };
    expect(messages(found(rule, subscription([listed])))[0]).toMatch(
      /although future payments of 40\.00 cover it\.$/,
    );
  });

  test('one that is still owed is rightly unsettled', () => {
    const april = statement({
      id: 4,
      opens: 4000,
      lines: [charge(4000), payment(4000)],
      closes: 4000,
      settled_at: null,
    });
    expect(found(rule, subscription([unpaid, april]))).toEqual([]);
  });

  test('a statement of nothing, such as a trial’s, and an open one may be so', () => {
    const trial = statement({ id: 1, lines: [charge(0, { kind: 'trial' })], settled_at: null });
    const open = statement({ id: 2, closed_at: null, closes: 0 });
    expect(found(rule, subscription([trial, open]))).toEqual([]);
  });

  test('our copy must be young enough to show the settlement', () => {
    const stale = { ...unpaid, read_at: on('2026-04-02') };
    const april = statement({ id: 4, opens: 4000, lines: [payment(4000, { created_at: paidOn })] });
    expect(found(rule, subscription([stale, april]))).toEqual([]);
  });
});
