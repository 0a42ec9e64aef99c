import { describe, expect, test } from 'vitest';
import {
  charge,
  failed,
  findingsOf,
  messages,
  payment,
  statement,
  subscription,
  utcTimeOn,
} from '../record-builders.ts';

const rule = 'future-payment';
const paidOn = utcTimeOn('2026-04-05');
const withListedPayment = (amount_in_cents: number | null, id: number | null = 55) =>
  statement({
    id: 3,
    lines: [charge(4000)],
    closes: 4000,
    settled_at: paidOn,
    future_payments: [{ id, amount_in_cents, created_at: paidOn }],
  });
const april = statement({ id: 4, opens: 4000, lines: [payment(4000, { id: 55, created_at: paidOn })] });

describe('future-payment', () => {
  test('accepts a listed payment on a later statement with the same amount', () => {
    expect(findingsOf(rule, subscription([withListedPayment(4000), april]))).toEqual([]);
    expect(messages(findingsOf(rule, subscription([withListedPayment(4500), april])))).toEqual([
      'Statement 3 lists payment 55 of 45.00 as a future payment, but on statement 4 its amount is 40.00.',
    ]);
  });

  test('reports a listed payment that does not exist', () => {
    expect(messages(findingsOf(rule, subscription([withListedPayment(4000, 77), april])))).toEqual([
      'Statement 3 lists payment 77 of 40.00 as a future payment, but no later statement contains it.',
    ]);
  });

  test('reports a listed payment that failed or is not later', () => {
    const refused = statement({
      id: 4,
      opens: 4000,
      lines: [failed(4000, { id: 55, created_at: paidOn })],
      closes: 4000,
      settled_at: null,
    });
    expect(messages(findingsOf(rule, subscription([withListedPayment(4000), refused])))[0]).toMatch(
      /on statement 4 it is not a successful payment\.$/,
    );
    const before = statement({ id: 2, lines: [charge(4000), payment(4000, { id: 55 })] });
    expect(messages(findingsOf(rule, subscription([before, withListedPayment(4000)])))[0]).toMatch(
      /it is on statement 2, which is not later\.$/,
    );
  });

  test('ignores missing fields', () => {
    expect(findingsOf(rule, subscription([withListedPayment(null), april]))).toEqual([]);
    expect(findingsOf(rule, subscription([withListedPayment(4000, null), april]))).toEqual([]);
  });

  test('reports nothing while the later statement is missing locally', () => {
    const record = subscription([
      withListedPayment(4000, 77),
      { ...april, read_at: utcTimeOn('2026-04-02') },
    ]);
    expect(findingsOf(rule, record)).toEqual([]);
  });

  test('reports an unlisted payment if the site lists them', () => {
    const bare = { ...withListedPayment(4000), future_payments: [] };
    expect(messages(findingsOf(rule, subscription([bare, april])))).toEqual([
      'Statement 3 was settled by payment 55 of 40.00 on statement 4, but does not list it under future payments.',
    ]);
    expect(findingsOf(rule, subscription([bare, april]), { habits: new Map() })).toEqual([]);
  });
});
