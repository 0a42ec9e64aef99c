import { describe, expect, test } from 'vitest';
import {
  charge,
  findingsOf,
  listRulesWithFindings,
  messages,
  payment,
  statement,
  subscription,
  utcTimeOn,
} from '../record-builders.ts';

const rule = 'repeated-payment';
const utcHour = (hour: number) => ({ created_at: utcTimeOn('2026-03-09', hour) });

describe('repeated-payment', () => {
  test('reports an equal payment on the same day with nothing left to pay', () => {
    const lines = [charge(4000), payment(4000, utcHour(9)), payment(4000, utcHour(10))];
    const record = subscription([statement({ id: 3, lines, closes: -4000 })]);
    expect(messages(findingsOf(rule, record))).toEqual([
      'Payments 301 and 302 are each for 40.00 and dated 2026-03-09, and the later one had nothing left to pay.',
    ]);
    expect(listRulesWithFindings(record)).toEqual([rule]);
  });

  test('accepts two equal payments that each paid a balance', () => {
    const seats = [
      charge(900, utcHour(9)),
      payment(900, utcHour(9)),
      charge(900, utcHour(15)),
      payment(900, utcHour(15)),
    ];
    expect(findingsOf(rule, subscription([statement({ id: 3, lines: seats })]))).toEqual([]);
    const owed = statement({
      id: 3,
      opens: 8000,
      lines: [payment(4000, utcHour(9)), payment(4000, utcHour(10))],
    });
    expect(findingsOf(rule, subscription([owed]))).toEqual([]);
  });

  test('accepts a payment before its charge of the same day', () => {
    const lines = [payment(4000, utcHour(8)), payment(4000, utcHour(9)), charge(8000, utcHour(10))];
    expect(findingsOf(rule, subscription([statement({ id: 3, lines })]))).toEqual([]);
  });

  test('compares days in the service’s time zone', () => {
    const lines = [
      charge(4000),
      payment(4000, { ...utcHour(9), created_on: '2026-03-09' }),
      payment(4000, { ...utcHour(10), created_on: '2026-03-10' }),
    ];
    expect(findingsOf(rule, subscription([statement({ id: 3, lines, closes: -4000 })]))).toEqual([]);
  });

  test('leaves equal gateway identifiers to duplicate-payment', () => {
    const id = { gateway_transaction_id: 'ch_1' };
    const lines = [
      charge(4000),
      payment(4000, { ...utcHour(9), ...id }),
      payment(4000, { ...utcHour(10), ...id }),
    ];
    expect(listRulesWithFindings(subscription([statement({ id: 3, lines, closes: -4000 })]))).toEqual([
      'duplicate-payment',
    ]);
  });
});
