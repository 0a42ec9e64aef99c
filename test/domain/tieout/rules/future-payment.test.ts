import { describe, expect, test } from 'vitest';
import { charge, failed, found, messages, on, payment, statement, subscription } from '../build.ts';

const rule = 'future-payment';
const paidOn = on('2026-04-05');
const listing = (amount_in_cents: number | null, id: number | null = 55) =>
  statement({
    id: 3,
    lines: [charge(4000)],
    closes: 4000,
    settled_at: paidOn,
    future_payments: [{ id, amount_in_cents, created_at: paidOn }],
  });
const april = statement({ id: 4, opens: 4000, lines: [payment(4000, { id: 55, created_at: paidOn })] });

describe('future-payment', () => {
  test('what is listed stands on a later statement with its amount', () => {
    expect(found(rule, subscription([listing(4000), april]))).toEqual([]);
    expect(messages(found(rule, subscription([listing(4500), april])))).toEqual([
      'Statement 3 lists payment 55 of 45.00 as a future payment, but on statement 4 its amount is 40.00.',
    ]);
  });

  test('it is there at all', () => {
    expect(messages(found(rule, subscription([listing(4000, 77), april])))).toEqual([
      'Statement 3 lists payment 77 of 40.00 as a future payment, but no later statement holds it.',
    ]);
  });

  test('it is a payment that succeeded, and a later one', () => {
    const refused = statement({
      id: 4,
      opens: 4000,
      lines: [failed(4000, { id: 55, created_at: paidOn })],
      closes: 4000,
      settled_at: null,
    });
    expect(messages(found(rule, subscription([listing(4000), refused])))[0]).toMatch(
      /on statement 4 it is no successful payment\.$/,
    );
    const before = statement({ id: 2, lines: [charge(4000), payment(4000, { id: 55 })] });
    expect(messages(found(rule, subscription([before, listing(4000)])))[0]).toMatch(
      /it stands on statement 2, which is not later\.$/,
    );
  });

  test('fields the service leaves out are not missed', () => {
    expect(found(rule, subscription([listing(null), april]))).toEqual([]);
    expect(found(rule, subscription([listing(4000, null), april]))).toEqual([]);
  });

  test('while the later statement is not read yet, nothing is missed', () => {
    const record = subscription([listing(4000, 77), { ...april, read_at: on('2026-04-02') }]);
    expect(found(rule, record)).toEqual([]);
  });

  test('where the site lists them, one that is not listed is missed', () => {
    const bare = { ...listing(4000), future_payments: [] };
    expect(messages(found(rule, subscription([bare, april])))).toEqual([
      'Statement 3 was settled by payment 55 of 40.00 on statement 4, but does not list it under future payments.',
    ]);
    expect(found(rule, subscription([bare, april]), { habits: new Map() })).toEqual([]);
  });
});
