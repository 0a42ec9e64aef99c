import { describe, expect, test } from 'vitest';
import { parseWebhookBody } from '../../../../src/billing/records/webhook-body.ts';
import { readWebhookFacts } from '../../../../src/domain/checks/index.ts';

const facts = (body: string) =>
  readWebhookFacts(parseWebhookBody(body).pairs.map(([key, value]) => ({ key, value })));

describe('webhook facts', () => {
  test('of a payment are its transaction and statement', () => {
    const body =
      'id=141765008&event=payment_success&payload[subscription][id]=15100141&payload[transaction][id]=161537369' +
      '&payload[transaction][transaction_type]=payment&payload[transaction][success]=true' +
      '&payload[transaction][amount_in_cents]=6400&payload[transaction][statement_id]=80168049';
    expect(facts(body)).toEqual({
      statement_id: 80168049,
      transaction_id: 161537369,
      statement: null,
      transactions: [{ id: 161537369, transaction_type: 'payment', amount_in_cents: 6400, success: true }],
    });
  });

  test('of a statement are its balances and transactions', () => {
    const body =
      'event=statement_settled&payload[statement][id]=80168049&payload[statement][closed_at]=2016-11-08%2016%3A22%3A20%20-0500' +
      '&payload[statement][starting_balance_in_cents]=0&payload[statement][ending_balance_in_cents]=-50' +
      '&payload[statement][transactions][0][id]=1&payload[statement][transactions][0][amount_in_cents]=6400' +
      '&payload[statement][transactions][1][id]=2&payload[statement][transactions][1][success]=false' +
      '&payload[statement][transactions][1][taxations][0][rate]=7';
    expect(facts(body)).toEqual({
      statement_id: 80168049,
      transaction_id: null,
      statement: { id: 80168049, closed: true, starting_balance_in_cents: 0, ending_balance_in_cents: -50 },
      transactions: [
        { id: 1, transaction_type: null, amount_in_cents: 6400, success: null },
        { id: 2, transaction_type: null, amount_in_cents: null, success: false },
      ],
    });
  });

  test('are read from JSON, with or without payload, and from dotted keys', () => {
    const json = JSON.stringify({
      event: 'payment_success',
      transaction: { id: 5, amount_in_cents: 100, success: true },
    });
    expect(facts(json).transactions).toHaveLength(1);
    expect(readWebhookFacts([{ key: 'payload.transaction.id', value: '5' }]).transaction_id).toBe(5);
    expect(
      readWebhookFacts([
        { key: 'transaction_id', value: '5' },
        { key: 'statement_id', value: '6' },
      ]),
    ).toMatchObject({
      transaction_id: 5,
      statement_id: 6,
    });
  });

  test('exclude invalid ids and amounts', () => {
    const odd = facts(
      'payload[transaction][id]=abc&payload[statement][id]=&payload[statement][transactions][0][id]=9e9',
    );
    expect(odd).toEqual({ statement_id: null, transaction_id: null, statement: null, transactions: [] });
    expect(facts('payload[chargify]=testing')).toEqual(odd);
    expect(
      facts('payload[transaction][id]=5&payload[transaction][amount_in_cents]=12.50').transactions,
    ).toEqual([{ id: 5, transaction_type: null, amount_in_cents: null, success: null }]);
  });
});
