import { describe, expect, test } from 'vitest';
import {
  charge,
  findingsOf,
  messages,
  payment,
  statement,
  subscription,
  utcTimeOn,
  webhook,
} from '../record-builders.ts';

const rule = 'statement-without-webhook';
const february = statement({ id: 2, lines: [charge(4000), payment(4000)] });
const march = statement({ id: 3, lines: [charge(4000), payment(4000)] });
const late = statement({ id: 4, lines: [charge(4000)], closes: 4000, settled_at: utcTimeOn('2026-05-05') });
const facts = (statement_id: number) => ({
  facts: { statement_id, transaction_id: null, statement: null, transactions: [] },
});
const settled = (id: number, created_at: number) =>
  webhook('statement_settled', { ...facts(id), created_at });
const closed = (id: number, created_at: number) => webhook('statement_closed', { ...facts(id), created_at });
const first = settled(2, utcTimeOn('2026-03-01', 1));

describe('statement-without-webhook', () => {
  test('reports a closed statement without a webhook', () => {
    const record = subscription([february, march], { webhooks: [first] });
    expect(messages(findingsOf(rule, record))).toEqual([
      'Statement 3 closed on 2026-04-01 00:00 UTC with a closing balance of 0.00, but no statement_settled webhook reports it.',
    ]);
  });

  test('expects two webhooks for a statement settled after its close', () => {
    const createWebhook = [
      first,
      settled(3, utcTimeOn('2026-04-01', 1)),
      closed(4, utcTimeOn('2026-05-01', 1)),
      settled(4, utcTimeOn('2026-05-05', 13)),
    ];
    const record = (webhooks: typeof createWebhook) => subscription([february, march, late], { webhooks });
    expect(findingsOf(rule, record(createWebhook))).toEqual([]);
    expect(messages(findingsOf(rule, record(createWebhook.slice(0, 3))))).toEqual([
      'Statement 4 was settled on 2026-05-05 12:00 UTC with a closing balance of 40.00, but no statement_settled webhook reports it.',
    ]);
    expect(
      messages(findingsOf(rule, record(createWebhook.filter(({ event }) => event !== 'statement_closed')))),
    ).toEqual([
      'Statement 4 closed on 2026-05-01 00:00 UTC with a closing balance of 40.00, but no statement_closed webhook reports it.',
    ]);
  });

  test('assigns webhooks without a statement id by time', () => {
    const nameless = { ...settled(3, utcTimeOn('2026-04-01', 0)), facts: webhook('').facts };
    expect(findingsOf(rule, subscription([february, march], { webhooks: [first, nameless] }))).toEqual([]);
  });

  test('reports nothing outside the stored log or if the site has no such habit', () => {
    const record = subscription([february, march], { webhooks: [first] });
    expect(
      findingsOf(rule, record, {
        webhookLog: { from: utcTimeOn('2026-04-02'), to: utcTimeOn('2026-09-01') },
      }),
    ).toEqual([]);
    expect(findingsOf(rule, record, { habits: new Map([['statement_closed', 0]]) })).toEqual([]);
  });

  test('ignores open statements', () => {
    const open = statement({ id: 3, closed_at: null, closes: 0 });
    expect(findingsOf(rule, subscription([february, open], { webhooks: [first] }))).toEqual([]);
  });
});
