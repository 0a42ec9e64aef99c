import { describe, expect, test } from 'vitest';
import { charge, found, messages, on, payment, statement, subscription, webhook } from '../build.ts';

const rule = 'statement-without-webhook';
const february = statement({ id: 2, lines: [charge(4000), payment(4000)] });
const march = statement({ id: 3, lines: [charge(4000), payment(4000)] });
const late = statement({ id: 4, lines: [charge(4000)], closes: 4000, settled_at: on('2026-05-05') });
const telling = (statement_id: number) => ({
  telling: { statement_id, transaction_id: null, statement: null, transactions: [] },
});
const settled = (id: number, created_at: number) =>
  webhook('statement_settled', { ...telling(id), created_at });
const closed = (id: number, created_at: number) =>
  webhook('statement_closed', { ...telling(id), created_at });
const first = settled(2, on('2026-03-01', 1));

describe('statement-without-webhook', () => {
  test('a statement closed and no webhook tells of it', () => {
    const record = subscription([february, march], { webhooks: [first] });
    expect(messages(found(rule, record))).toEqual([
      'Statement 3 closed on 2026-04-01 00:00 UTC with a closing balance of 0.00, but no statement_settled webhook tells of it.',
    ]);
  });

  test('an unpaid one is told of twice: when it closes, and when it is settled', () => {
    const told = [
      first,
      settled(3, on('2026-04-01', 1)),
      closed(4, on('2026-05-01', 1)),
      settled(4, on('2026-05-05', 13)),
    ];
    const record = (webhooks: typeof told) => subscription([february, march, late], { webhooks });
    expect(found(rule, record(told))).toEqual([]);
    expect(messages(found(rule, record(told.slice(0, 3))))).toEqual([
      'Statement 4 was settled on 2026-05-05 12:00 UTC with a closing balance of 40.00, but no statement_settled webhook tells of it.',
    ]);
    expect(messages(found(rule, record(told.filter(({ event }) => event !== 'statement_closed'))))).toEqual([
      'Statement 4 closed on 2026-05-01 00:00 UTC with a closing balance of 40.00, but no statement_closed webhook tells of it.',
    ]);
  });

  test('webhooks that name no statement are counted by the hour', () => {
    const nameless = { ...settled(3, on('2026-04-01', 0)), telling: webhook('').telling };
    expect(found(rule, subscription([february, march], { webhooks: [first, nameless] }))).toEqual([]);
  });

  test('outside the log, or where it is no habit, nothing is missed', () => {
    const record = subscription([february, march], { webhooks: [first] });
    expect(found(rule, record, { log: { from: on('2026-04-02'), to: on('2026-09-01') } })).toEqual([]);
    expect(found(rule, record, { habits: new Map([['statement_closed', 0]]) })).toEqual([]);
  });

  test('a statement still open is not told of yet', () => {
    const open = statement({ id: 3, closed_at: null, closes: 0 });
    expect(found(rule, subscription([february, open], { webhooks: [first] }))).toEqual([]);
  });
});
