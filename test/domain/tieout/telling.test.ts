import { describe, expect, test } from 'vitest';
import { parseWebhookBody } from '../../../src/billing/webhook-body.ts';
import { tellingOf } from '../../../src/domain/tieout/index.ts';

const telling = (body: string) =>
  tellingOf(parseWebhookBody(body).pairs.map(([key, value]) => ({ key, value })));

describe('what a webhook tells', () => {
  test('of a payment: its transaction and statement', () => {
    const body =
      'id=141765008&event=payment_success&payload[subscription][id]=15100141&payload[transaction][id]=161537369' +
      '&payload[transaction][transaction_type]=payment&payload[transaction][success]=true' +
      '&payload[transaction][amount_in_cents]=6400&payload[transaction][statement_id]=80168049';
    expect(telling(body)).toEqual({
      statement_id: 80168049,
      transaction_id: 161537369,
      statement: null,
      transactions: [{ id: 161537369, transaction_type: 'payment', amount_in_cents: 6400, success: true }],
    });
  });

  test('of a statement: its balances and transactions', () => {
    const body =
      'event=statement_settled&payload[statement][id]=80168049&payload[statement][closed_at]=2016-11-08%2016%3A22%3A20%20-0500' +
      '&payload[statement][starting_balance_in_cents]=0&payload[statement][ending_balance_in_cents]=-50' +
      '&payload[statement][transactions][0][id]=1&payload[statement][transactions][0][amount_in_cents]=6400' +
      '&payload[statement][transactions][1][id]=2&payload[statement][transactions][1][success]=false' +
      '&payload[statement][transactions][1][taxations][0][rate]=7';
    expect(telling(body)).toEqual({
      statement_id: 80168049,
      transaction_id: null,
      statement: { id: 80168049, closed: true, starting_balance_in_cents: 0, ending_balance_in_cents: -50 },
      transactions: [
        { id: 1, transaction_type: null, amount_in_cents: 6400, success: null },
        { id: 2, transaction_type: null, amount_in_cents: null, success: false },
      ],
    });
  });

  test('in JSON, with or without its payload, and in dotted keys', () => {
    const json = JSON.stringify({
      event: 'payment_success',
      transaction: { id: 5, amount_in_cents: 100, success: true },
    });
    expect(telling(json).transactions).toHaveLength(1);
    expect(tellingOf([{ key: 'payload.transaction.id', value: '5' }]).transaction_id).toBe(5);
    expect(
      tellingOf([
        { key: 'transaction_id', value: '5' },
        { key: 'statement_id', value: '6' },
      ]),
    ).toMatchObject({
      transaction_id: 5,
      statement_id: 6,
    });
  });

  test('what is no id or no amount is not told', () => {
    const odd = telling(
      'payload[transaction][id]=abc&payload[statement][id]=&payload[statement][transactions][0][id]=9e9',
    );
    expect(odd).toEqual({ statement_id: null, transaction_id: null, statement: null, transactions: [] });
    expect(telling('payload[chargify]=testing')).toEqual(odd);
    expect(
      telling('payload[transaction][id]=5&payload[transaction][amount_in_cents]=12.50').transactions,
    ).toEqual([{ id: 5, transaction_type: null, amount_in_cents: null, success: null }]);
  });
});
