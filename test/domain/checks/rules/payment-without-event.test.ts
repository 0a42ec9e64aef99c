import { describe, expect, test } from 'vitest';
import {
  charge,
  event,
  failed,
  findingsOf,
  messages,
  payment,
  statement,
  subscription,
} from '../record-builders.ts';

const rule = 'payment-without-event';
const march = statement({ id: 3, lines: [charge(4000), failed(4000), payment(4000, { id: 55 })] });
const eventAt = march.transactions[2]?.created_at ?? 0;

describe('payment-without-event', () => {
  test('reports a payment without its usual event', () => {
    expect(messages(findingsOf(rule, subscription([march])))).toEqual([
      'Payment 55 of 40.00 on statement 3 has no payment_success event, unlike the other payments.',
    ]);
  });

  test('accepts an event with the payment’s id or within an hour', () => {
    const named = { ...march, events: [event('payment_success', { transaction_id: 55 })] };
    const near = { ...march, events: [event('payment_success', { created_at: eventAt + 1000 })] };
    expect(findingsOf(rule, subscription([named]))).toEqual([]);
    expect(findingsOf(rule, subscription([near]))).toEqual([]);
  });

  test('rejects an event of another payment', () => {
    const other = {
      ...march,
      events: [event('payment_success', { transaction_id: 56, created_at: eventAt })],
    };
    expect(findingsOf(rule, subscription([other]))).toHaveLength(1);
  });

  test('reports nothing if the site has no such events', () => {
    expect(findingsOf(rule, subscription([march]), { habits: new Map() })).toEqual([]);
    expect(
      findingsOf(rule, subscription([march]), { habits: new Map([['events of payments kind manual', 0]]) }),
    ).toEqual([]);
  });
});
