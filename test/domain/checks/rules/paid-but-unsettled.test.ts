import { describe, expect, test } from 'vitest';
import {
  charge,
  findingsOf,
  messages,
  payment,
  statement,
  subscription,
  utcTimeOn,
} from '../record-builders.ts';

const rule = 'paid-but-unsettled';
const unpaid = statement({ id: 3, lines: [charge(4000)], closes: 4000, settled_at: null });
const paidOn = utcTimeOn('2026-04-05');

describe('paid-but-unsettled', () => {
  test('reports a statement fully paid at its close', () => {
    const march = statement({ id: 3, lines: [charge(4000), payment(4000)], settled_at: null });
    expect(messages(findingsOf(rule, subscription([march])))).toEqual([
      'Statement 3 closed at 0.00 and is not settled, although nothing was left to pay.',
    ]);
  });

  test('reports a statement paid by a later transaction', () => {
    const april = statement({ id: 4, opens: 4000, lines: [payment(4000, { created_at: paidOn })] });
    expect(messages(findingsOf(rule, subscription([unpaid, april])))).toEqual([
      'Statement 3 closed at 40.00 and is not settled, although transaction 400 on statement 4 reduced the balance to zero on 2026-04-05 12:00 UTC.',
    ]);
  });

  test('reports a statement paid by its future payments', () => {
    const listed = { ...unpaid, future_payments: [{ id: 55, amount_in_cents: 4000, created_at: paidOn }] };
    expect(messages(findingsOf(rule, subscription([listed])))[0]).toMatch(
      /although future payments of 40\.00 cover it\.$/,
    );
  });

  test('accepts an unsettled statement with a balance due', () => {
    const april = statement({
      id: 4,
      opens: 4000,
      lines: [charge(4000), payment(4000)],
      closes: 4000,
      settled_at: null,
    });
    expect(findingsOf(rule, subscription([unpaid, april]))).toEqual([]);
  });

  test('ignores open statements and those without amounts', () => {
    const trial = statement({ id: 1, lines: [charge(0, { kind: 'trial' })], settled_at: null });
    const open = statement({ id: 2, closed_at: null, closes: 0 });
    expect(findingsOf(rule, subscription([trial, open]))).toEqual([]);
  });

  test('requires a copy that is recent enough to show the settlement', () => {
    const stale = { ...unpaid, read_at: utcTimeOn('2026-04-02') };
    const april = statement({ id: 4, opens: 4000, lines: [payment(4000, { created_at: paidOn })] });
    expect(findingsOf(rule, subscription([stale, april]))).toEqual([]);
  });
});
