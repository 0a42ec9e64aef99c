import { describe, expect, test } from 'vitest';
import {
  charge,
  DAY,
  event,
  findingsOf,
  listRulesWithFindings,
  messages,
  payment,
  statement,
  subscription,
} from '../record-builders.ts';

const rule = 'event-without-transaction';
const lines = [charge(4000), payment(4000, { id: 55 })];
const createEvent = (transaction_id: number | null, key = 'payment_success') =>
  event(key, { id: 9, transaction_id, created_at: Date.UTC(2026, 2, 3) });

describe('event-without-transaction', () => {
  test('reports an event whose payment is on no statement', () => {
    const march = statement({ id: 3, lines, events: [createEvent(56)] });
    expect(messages(findingsOf(rule, subscription([march])))).toEqual([
      'Event 9 (payment_success) on statement 3 names transaction 56, which no statement contains.',
    ]);
  });

  test('accepts a payment on another statement', () => {
    const march = statement({ id: 3, events: [createEvent(55)] });
    const april = statement({ id: 4, lines });
    expect(findingsOf(rule, subscription([march, april]))).toEqual([]);
  });

  test('reports a removed payment once, with the difference', () => {
    const march = statement({ id: 3, lines: [charge(4000)], events: [createEvent(55)], closes: 0 });
    const record = subscription([march]);
    expect(listRulesWithFindings(record)).toEqual([rule]);
    expect(messages(findingsOf(rule, record))[0]).toMatch(
      /without it, the statement does not foot by 40\.00\.$/,
    );
  });

  test('ignores events of other kinds', () => {
    const march = statement({
      id: 3,
      lines,
      events: [createEvent(99, 'renewal_success'), createEvent(98, 'payment_failure')],
    });
    expect(findingsOf(rule, subscription([march]))).toEqual([]);
  });

  test('assigns events without a transaction id by time', () => {
    const closeEvent = { ...createEvent(null), created_at: Date.UTC(2026, 2, 3, 0, 20) };
    const laterEvent = { ...createEvent(null), id: 10, created_at: Date.UTC(2026, 2, 20) };
    const march = statement({ id: 3, lines, events: [closeEvent, laterEvent] });
    expect(messages(findingsOf(rule, subscription([march])))).toEqual([
      'Event 10 (payment_success) on statement 3 reports a payment, which no statement contains.',
    ]);
  });

  test('reports nothing while a statement is outdated locally', () => {
    const march = statement({ id: 3, lines, events: [createEvent(56)], read_at: Date.UTC(2026, 2, 3) - DAY });
    expect(findingsOf(rule, subscription([march]))).toEqual([]);
    expect(
      findingsOf(rule, subscription([{ ...march, read_at: null }], { statements_complete: false })),
    ).toEqual([]);
  });
});
