import { describe, expect, test } from 'vitest';
import { auditSandbox } from './sandbox-audit.ts';
import { type JsonObject, type SandboxClient, startTestSandbox } from './sandbox-client.ts';

const FIELDS =
  `id subscription_id opened_at closed_at settled_at text_view basic_html_view html_view future_payments
  starting_balance_in_cents ending_balance_in_cents memo customer_first_name customer_last_name customer_organization
  customer_shipping_address customer_shipping_address_2 customer_shipping_city customer_shipping_state customer_shipping_country
  customer_shipping_zip customer_billing_address customer_billing_address_2 customer_billing_city customer_billing_state
  customer_billing_country customer_billing_zip transactions events created_at updated_at`.split(/\s+/);
const TRANSACTION_FIELDS =
  `transaction_type created_at product_id starting_balance_in_cents ending_balance_in_cents memo id type
  amount_in_cents success subscription_id payment_id kind gateway_transaction_id`.split(/\s+/);

const statementsOf = ({ sandbox }: SandboxClient, id: number): JsonObject[] =>
  [...sandbox.truth.statements()].filter(({ subscription_id }) => subscription_id === id);
const toIds = (rows: readonly JsonObject[]): unknown[] => rows.map(({ id }) => id);

async function startWithLongStatement(): Promise<{
  client: SandboxClient;
  id: number;
  statements: JsonObject[];
}> {
  const client = await startTestSandbox();
  const [id] = [...client.sandbox.truth.subscriptions()] as [number];
  return { client: client, id, statements: statementsOf(client, id) };
}

describe('list of statement ids (4.6, 4.7)', () => {
  test('of the site is one object with 10,000 ids per page, oldest first', async () => {
    const { get, sandbox } = await startTestSandbox();
    const all = toIds([...sandbox.truth.statements()]);
    expect((await get('/statements/ids.json')).json()).toEqual({ statement_ids: all });
    expect((await get('/statements/ids.json?per_page=100&page=2')).json()).toEqual({
      statement_ids: all.slice(100, 200),
    });
    expect((await get('/statements/ids.json?page=2')).json()).toEqual({ statement_ids: [] });
    const largeStatement = await startTestSandbox({ subscriptions: 2500 });
    expect(
      ((await largeStatement.get('/statements/ids.json')).json() as JsonObject)['statement_ids'],
    ).toHaveLength(10_000);
    expect(
      ((await largeStatement.get('/statements/ids.json?per_page=50000')).json() as JsonObject)[
        'statement_ids'
      ],
    ).toHaveLength(10_000);
  });

  test('of a subscription has the same format and is sorted by creation by default', async () => {
    const { client, id, statements } = await startWithLongStatement();
    const getIds = async (query: string): Promise<unknown> =>
      ((await client.get(`/subscriptions/${id}/statements/ids.json${query}`)).json() as JsonObject)[
        'statement_ids'
      ];
    const ascending = toIds(statements);
    const descending = [...ascending].reverse();
    expect(ascending.length).toBeGreaterThan(5);
    expect(await getIds('')).toEqual(ascending);
    expect(await getIds('?direction=desc')).toEqual(descending);
    expect(await getIds('?sort=created_at&direction=desc&per_page=3')).toEqual(descending.slice(0, 3));
    expect(await getIds('?sort=opened_at&direction=asc&per_page=2&page=2')).toEqual(ascending.slice(2, 4));
    const [open] = descending;
    expect(await getIds('?sort=closed_at')).toEqual([open, ...ascending.slice(0, -1)]);
    expect(await getIds('?sort=closed_at&direction=desc')).toEqual([...descending.slice(1), open]);
    expect((await client.get('/subscriptions/1/statements/ids.json')).status).toBe(404);
  });
});

describe('list of a subscription’s statements (4.8)', () => {
  test('wraps each statement in its key, with 20 per page', async () => {
    const { get, getList, sandbox } = await startTestSandbox({ subscriptions: 3, months: 40 });
    const [id] = [...sandbox.truth.subscriptions()] as [number];
    const all = [...sandbox.truth.statements()].filter(({ subscription_id }) => subscription_id === id);
    const path = `/subscriptions/${id}/statements.json`;
    expect(all.length).toBeGreaterThan(20);
    expect((await get(path)).json()).toEqual(all.slice(0, 20).map((statement) => ({ statement })));
    expect(await getList(`${path}?page=2`)).toEqual(all.slice(20, 40));
    expect(await getList(`${path}?page=9`)).toEqual([]);
    expect(await getList(`${path}?per_page=200&direction=desc`)).toEqual([...all].reverse());
    expect((await get('/subscriptions/1/statements.json')).status).toBe(404);
    sandbox.setFaults('set.wrapStatements=false');
    expect((await get(path)).json()).toEqual(all.slice(0, 20));
  });
});

describe('single statement (4.9, 2.3)', () => {
  test('has all fields, unwrapped transactions and wrapped events', async () => {
    const { client, statements } = await startWithLongStatement();
    for (const { id } of statements) {
      const body = (await client.get(`/statements/${id}.json`)).json() as JsonObject;
      expect(Object.keys(body)).toEqual(['statement']);
      const statement = body['statement'] as JsonObject;
      expect(Object.keys(statement)).toEqual(expect.arrayContaining(FIELDS));
      for (const entry of statement['transactions'] as JsonObject[]) {
        expect(Object.keys(entry)).toEqual(expect.arrayContaining(TRANSACTION_FIELDS));
      }
      for (const item of statement['events'] as JsonObject[]) {
        expect(Object.keys(item)).toEqual(['event']);
        const event = item['event'] as JsonObject;
        expect(Object.keys(event).sort()).toEqual([
          'created_at',
          'event_specific_data',
          'id',
          'key',
          'message',
          'subscription_id',
        ]);
        expect(event['event_specific_data']).toHaveProperty('product_id');
        expect(event['event_specific_data']).toHaveProperty('account_transaction_id');
      }
    }
  });

  test('has an event with the transaction id of each payment', async () => {
    const { sandbox } = await startTestSandbox();
    for (const statement of sandbox.truth.statements()) {
      const events = (statement['events'] as { event: JsonObject }[]).map(({ event }) => event);
      const payments = (statement['transactions'] as JsonObject[]).filter(({ type }) => type === 'Payment');
      const named = events
        .filter(({ key }) => (key as string).startsWith('payment_'))
        .map(({ key, event_specific_data }) => [
          key,
          (event_specific_data as JsonObject)['account_transaction_id'],
        ]);
      expect(named).toEqual(
        payments.map(({ id, success }) => [success ? 'payment_success' : 'payment_failure', id]),
      );
      for (const { success, gateway_transaction_id } of payments)
        expect(gateway_transaction_id !== null).toBe(success);
    }
  });

  test('returns 404 with a body of one space for an invalid id', async () => {
    const { get } = await startTestSandbox();
    for (const path of [
      '/statements/1.json',
      '/statements/1.xml',
      '/statements/1.pdf',
      '/statements/99999999999.json',
      '/statements/x.json',
    ]) {
      const response = await get(path);
      expect([response.status, response.text]).toEqual([404, ' ']);
    }
  });

  test('is returned as PDF by suffix, or by header if there is no suffix', async () => {
    const { client, statements } = await startWithLongStatement();
    const id = statements[2]?.['id'];
    const bySuffix = await client.get(`/statements/${id}.pdf`);
    expect([bySuffix.status, bySuffix.type]).toEqual([200, 'application/pdf']);
    expect(bySuffix.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bySuffix.bytes.subarray(-6).toString()).toContain('%%EOF');
    const byHeader = await client.get(`/statements/${id}`, {
      accept: 'application/pdf',
      'content-type': 'application/pdf',
    });
    expect(byHeader.bytes.equals(bySuffix.bytes)).toBe(true);
    expect((await client.get(`/statements/${id}.json`, { accept: 'application/pdf' })).type).toContain(
      'application/json',
    );
    expect((await client.get(`/statements/${id}.pdf`, { accept: 'application/xml' })).type).toBe(
      'application/pdf',
    );
  });

  test('has figures that add up in text and HTML, and hostile content in the full rendering', async () => {
    const { statements } = await startWithLongStatement();
    for (const statement of statements) {
      const text = statement['text_view'] as string;
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
      const table = text.slice(0, text.search(/^Paid on/m) >>> 0);
      const amounts = [...table.matchAll(/ (-?)\$([\d,]+)\.(\d\d)$/gm)].map(
        ([, sign, whole, part]) => (sign ? -1 : 1) * Number(`${whole?.replaceAll(',', '')}${part}`),
      );
      const endingBalance = amounts.pop();
      expect(endingBalance).toBe(statement['ending_balance_in_cents']);
      expect(amounts.reduce((a, b) => a + b, 0)).toBe(endingBalance);
      expect(statement['basic_html_view']).toMatch(/^<table id="billing_statement"/);
      expect(statement['html_view']).toMatch(/^<div id="billing_statement">/);
      for (const hostileText of [
        '<img src="https://',
        '<link rel="stylesheet"',
        '<style>',
        '<script src=',
        '<a href=',
        '<iframe',
        '<form',
      ]) {
        expect(statement['html_view']).toContain(hostileText);
      }
    }
    const { sandbox } = await startTestSandbox({ settings: { hostileHtml: false } });
    for (const { html_view } of sandbox.truth.statements()) expect(html_view).not.toMatch(/https?:/);
  });
});

describe('life cycle of a statement (3)', () => {
  test('ends at renewal: paid and settled, or closed unpaid and settled by a later payment', async () => {
    const { sandbox } = await startTestSandbox({ subscriptions: 150 });
    const open = [...sandbox.truth.statements()].filter(({ closed_at }) => closed_at === null);
    sandbox.advance({ months: 1 });
    const after = open.map(({ id }) => sandbox.truth.statement(id as number) as JsonObject);
    expect(after.every(({ closed_at }) => closed_at !== null)).toBe(true);
    const latePaid = after.filter(({ future_payments }) => (future_payments as JsonObject[]).length > 0);
    const unpaid = after.filter(({ settled_at }) => settled_at === null);
    expect(latePaid.length).toBeGreaterThan(2);
    expect(unpaid.length).toBeGreaterThan(0);
    for (const statement of latePaid) {
      const [payment] = statement['future_payments'] as JsonObject[];
      expect(payment).toMatchObject({
        type: 'Payment',
        success: true,
        amount_in_cents: statement['ending_balance_in_cents'],
      });
      expect(payment?.['statement_id']).not.toBe(statement['id']);
      expect(statement['settled_at']).toBe(payment?.['created_at']);
      const next = sandbox.truth.statement(payment?.['statement_id'] as number) as JsonObject;
      expect((next['transactions'] as JsonObject[]).map(({ id }) => id)).toContain(payment?.['id']);
    }
    expect(auditSandbox(sandbox)).toEqual([]);
  });

  test('sends exactly one webhook when it closes, and another if it is settled later', async () => {
    const { sandbox } = await startTestSandbox({ subscriptions: 150 });
    const eventsByStatement = new Map<string, string[]>();
    for (const { event, body } of sandbox.truth.webhooks() as Iterable<{ event: string; body: string }>) {
      const id = /payload\[statement\]\[id\]=(\d+)/.exec(body)?.[1];
      if (id && event.startsWith('statement_'))
        eventsByStatement.set(id, [...(eventsByStatement.get(id) ?? []), event]);
    }
    for (const statement of sandbox.truth.statements()) {
      const { id, closed_at, settled_at } = statement;
      const expected =
        closed_at === null
          ? undefined
          : settled_at === closed_at
            ? ['statement_settled']
            : settled_at === null
              ? ['statement_closed']
              : ['statement_closed', 'statement_settled'];
      expect(eventsByStatement.get(String(id))).toEqual(expected);
    }
  });
});
