import { describe, expect, test } from 'vitest';
import { charge, event, failed, found, messages, payment, statement, subscription } from '../build.ts';

const rule = 'payment-without-event';
const march = statement({ id: 3, lines: [charge(4000), failed(4000), payment(4000, { id: 55 })] });
const at = march.transactions[2]?.created_at ?? 0;

describe('payment-without-event', () => {
  test('where payments have events, one has none', () => {
    expect(messages(found(rule, subscription([march])))).toEqual([
      'Payment 55 of 40.00 on statement 3 has no payment_success among the events, as the other payments have.',
    ]);
  });

  test('its event names it, or stands in its hour', () => {
    const named = { ...march, events: [event('payment_success', { transaction_id: 55 })] };
    const near = { ...march, events: [event('payment_success', { created_at: at + 1000 })] };
    expect(found(rule, subscription([named]))).toEqual([]);
    expect(found(rule, subscription([near]))).toEqual([]);
  });

  test('an event of another payment is not its own', () => {
    const other = { ...march, events: [event('payment_success', { transaction_id: 56, created_at: at })] };
    expect(found(rule, subscription([other]))).toHaveLength(1);
  });

  test('where the site keeps no such events, none is missed', () => {
    expect(found(rule, subscription([march]), { habits: new Map() })).toEqual([]);
    expect(
      found(rule, subscription([march]), { habits: new Map([['events of payments kind manual', 0]]) }),
    ).toEqual([]);
  });
});
