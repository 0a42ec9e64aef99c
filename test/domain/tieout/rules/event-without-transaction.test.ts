import { describe, expect, test } from 'vitest';
import {
  charge,
  DAY,
  event,
  found,
  messages,
  payment,
  rulesFinding,
  statement,
  subscription,
} from '../build.ts';

const rule = 'event-without-transaction';
const lines = [charge(4000), payment(4000, { id: 55 })];
const told = (transaction_id: number | null, key = 'payment_success') =>
  event(key, { id: 9, transaction_id, created_at: Date.UTC(2026, 2, 3) });

describe('event-without-transaction', () => {
  test('an event of a payment that no statement holds', () => {
    const march = statement({ id: 3, lines, events: [told(56)] });
    expect(messages(found(rule, subscription([march])))).toEqual([
      'Event 9 (payment_success) on statement 3 names transaction 56, which no statement holds.',
    ]);
  });

  test('the payment may stand on another statement of the subscription', () => {
    const march = statement({ id: 3, events: [told(55)] });
    const april = statement({ id: 4, lines });
    expect(found(rule, subscription([march, april]))).toEqual([]);
  });

  test('a payment taken off is one finding, with what the statement lacks without it', () => {
    const march = statement({ id: 3, lines: [charge(4000)], events: [told(55)], closes: 0 });
    const record = subscription([march]);
    expect(rulesFinding(record)).toEqual([rule]);
    expect(messages(found(rule, record))[0]).toMatch(/without it the statement is 40\.00 from footing\.$/);
  });

  test('events of other things name other transactions', () => {
    const march = statement({
      id: 3,
      lines,
      events: [told(99, 'renewal_success'), told(98, 'payment_failure')],
    });
    expect(found(rule, subscription([march]))).toEqual([]);
  });

  test('events that name none are counted against the payments of their hour', () => {
    const near = { ...told(null), created_at: Date.UTC(2026, 2, 3, 0, 20) };
    const far = { ...told(null), id: 10, created_at: Date.UTC(2026, 2, 20) };
    const march = statement({ id: 3, lines, events: [near, far] });
    expect(messages(found(rule, subscription([march])))).toEqual([
      'Event 10 (payment_success) on statement 3 tells of a payment, which no statement holds.',
    ]);
  });

  test('while a statement that may hold it is not read again, nothing is missed', () => {
    const march = statement({ id: 3, lines, events: [told(56)], read_at: Date.UTC(2026, 2, 3) - DAY });
    expect(found(rule, subscription([march]))).toEqual([]);
    expect(found(rule, subscription([{ ...march, read_at: null }], { statements_complete: false }))).toEqual(
      [],
    );
  });
});
