import { describe, expect, it } from 'vitest';
import { BillingError, parseInstant } from '../../src/billing/index.ts';
import * as sample from './sample-records.ts';
import {
  createTestClient,
  replyJson,
  replyWith,
  replyXml,
  startScriptedServer,
  TEST_API_KEY,
} from './scripted-server.ts';

/** Tests each operation of section 4: its request in both formats, and its result for the documented response. */

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const BASIC = `Basic ${Buffer.from(`${TEST_API_KEY}:x`).toString('base64')}`;

describe('every request (5)', () => {
  it('sends the key as Basic user name with a dummy password, and the format as URL suffix and Accept header', async () => {
    const service = await startScriptedServer(replyJson([]));
    await createTestClient(service.origin).listWebhooks();
    expect(service.received[0]).toMatchObject({
      method: 'GET',
      url: '/webhooks.json',
      headers: { authorization: BASIC, accept: 'application/json', 'accept-encoding': 'gzip' },
      body: '',
    });
    const other = await startScriptedServer(replyXml('<webhooks type="array"/>'));
    await createTestClient(other.origin, { format: 'xml' }).listWebhooks();
    expect(other.received[0]).toMatchObject({
      url: '/webhooks.xml',
      headers: { accept: 'application/xml' },
    });
  });

  it('reads the key from the keychain before each request', async () => {
    let asked = 0;
    const service = await startScriptedServer(replyJson([]));
    const client = createTestClient(service.origin, { getApiKey: async () => `key number ${++asked}` });
    expect(asked).toBe(0);
    await client.listWebhooks();
    await client.listWebhooks();
    expect(service.received.map(({ headers }) => headers.authorization)).toEqual(
      ['key number 1', 'key number 2'].map((key) => `Basic ${Buffer.from(`${key}:x`).toString('base64')}`),
    );
  });

  it('reports a keychain error without sending anything', async () => {
    const locked = new Error('the keychain is locked');
    const service = await startScriptedServer(replyJson([]));
    const client = createTestClient(service.origin, { getApiKey: () => Promise.reject(locked) });
    await expect(client.listWebhooks()).rejects.toBe(locked);
    expect(service.received).toEqual([]);
    expect(client.pacing.state()).toMatchObject({ in_flight: 0, waiting: 0 });
  });

  it('reports a missing key', async () => {
    const service = await startScriptedServer(replyJson([]));
    await expect(
      createTestClient(service.origin, { getApiKey: async () => '' }).listWebhooks(),
    ).rejects.toMatchObject({
      code: 'auth',
    });
    expect(service.received).toEqual([]);
  });

  it('uses the path of the address as a prefix', async () => {
    const service = await startScriptedServer(replyJson([]));
    await createTestClient(`${service.origin}/sites/acme/`).listWebhooks({ page: 2 });
    expect(service.received[0]?.url).toBe('/sites/acme/webhooks.json?page=2');
  });

  it('returns the response metadata', async () => {
    const date = 'Tue, 08 Nov 2016 21:22:26 GMT';
    const service = await startScriptedServer(
      replyWith(200, 'application/json', '[]', { date, 'x-request-id': 'abc' }),
    );
    const { meta } = await createTestClient(service.origin, { now: () => 1234 }).listWebhooks();
    expect(meta).toEqual({
      server_time: parseInstant('2016-11-08T21:22:26Z'),
      started_at: 1234,
      bytes: 2,
      status: 200,
      request_id: 'abc',
    });
  });
});

describe('list webhooks (4.1)', () => {
  it('sends every parameter by name', async () => {
    const service = await startScriptedServer(replyJson([]));
    await createTestClient(service.origin).listWebhooks({
      status: 'failed',
      page: 3,
      per_page: 200,
      since_date: '2016-11-01',
      until_date: '2016-11-30',
      order: 'oldest_first',
    });
    const url = new URL(service.received[0]?.url ?? '', service.origin);
    expect(url.pathname).toBe('/webhooks.json');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      status: 'failed',
      page: '3',
      per_page: '200',
      since_date: '2016-11-01',
      until_date: '2016-11-30',
      order: 'oldest_first',
    });
  });

  const { signature_hmac_sha_256, ...modeled } = sample.webhook;
  const read = { ...modeled, extra: { signature_hmac_sha_256 } };

  it('reads the recorded row, in JSON and in XML', async () => {
    const asJson = await startScriptedServer(replyJson([{ webhook: sample.webhook }]));
    const asXml = await startScriptedServer(replyXml(sample.webhookXml));
    const fromJson = await createTestClient(asJson.origin).listWebhooks();
    const fromXml = await createTestClient(asXml.origin, { format: 'xml' }).listWebhooks();
    expect(fromJson.items).toEqual([read]);
    expect(fromXml.items).toEqual([read]);
    expect([...fromJson.problems, ...fromXml.problems]).toEqual([]);
  });

  it('reads an empty page, in JSON and in every XML notation', async () => {
    for (const list of [
      '<webhooks type="array"/>',
      '<webhooks type="array"></webhooks>',
      '<webhooks type="array">\n</webhooks>',
      '<nil-classes type="array"/>',
      `${DECLARATION}\n<webhooks>\n</webhooks>\n`,
    ]) {
      const service = await startScriptedServer(replyXml(list));
      expect((await createTestClient(service.origin, { format: 'xml' }).listWebhooks()).items).toEqual([]);
    }
    const service = await startScriptedServer(replyJson([]));
    expect((await createTestClient(service.origin).listWebhooks()).items).toEqual([]);
  });
});

describe('replay webhooks (4.2)', () => {
  it('posts the ids and reads the confirmation, in JSON', async () => {
    const service = await startScriptedServer(replyJson({ status: 'ok' }));
    expect((await createTestClient(service.origin).replayWebhooks([3, 1, 2])).status).toBe('ok');
    expect(service.received[0]).toMatchObject({
      method: 'POST',
      url: '/webhooks/replay.json',
      headers: { 'content-type': 'application/json' },
      body: '{"ids":[3,1,2]}',
    });
  });

  it('posts the ids and reads the confirmation, in XML', async () => {
    const service = await startScriptedServer(replyXml(`${DECLARATION}<status>ok</status>`));
    expect((await createTestClient(service.origin, { format: 'xml' }).replayWebhooks([3, 1])).status).toBe(
      'ok',
    );
    expect(service.received[0]).toMatchObject({
      method: 'POST',
      url: '/webhooks/replay.xml',
      headers: { 'content-type': 'application/xml' },
      body: `${DECLARATION}<ids type="array"><id type="integer">3</id><id type="integer">1</id></ids>`,
    });
  });

  it('sends nothing without ids or with an invalid id', async () => {
    const service = await startScriptedServer(replyJson({ status: 'ok' }));
    const client = createTestClient(service.origin);
    for (const ids of [[], [1.5], [-1], [Number.NaN], ['1/../2' as unknown as number]]) {
      await expect(client.replayWebhooks(ids)).rejects.toMatchObject({ code: 'validation' });
    }
    expect(service.received).toEqual([]);
  });
});

describe('list allocations (4.3)', () => {
  it('reads a page in JSON, with the proration schemes', async () => {
    const service = await startScriptedServer(replyJson([{ allocation: sample.allocation }]));
    const { items } = await createTestClient(service.origin).listAllocations(15_540_611, 193_159);
    expect(service.received[0]?.url).toBe('/subscriptions/15540611/components/193159/allocations.json');
    expect(items).toEqual([{ ...sample.allocation, extra: {} }]);
  });

  it('reads a page in XML, without the proration schemes and with a nil memo', async () => {
    const service = await startScriptedServer(replyXml(sample.allocationsXml));
    const client = createTestClient(service.origin, { format: 'xml' });
    const { items } = await client.listAllocations(15_540_611, 193_159, 2);
    expect(service.received[0]?.url).toBe('/subscriptions/15540611/components/193159/allocations.xml?page=2');
    expect(items).toEqual([
      {
        ...sample.allocation,
        memo: null,
        proration_upgrade_scheme: null,
        proration_downgrade_scheme: null,
        extra: {},
      },
    ]);
  });

  it('reads the empty page past the end, in both formats', async () => {
    const asJson = await startScriptedServer(replyJson([]));
    const asXml = await startScriptedServer(replyXml('<allocations type="array"/>'));
    expect((await createTestClient(asJson.origin).listAllocations(1, 2, 9)).items).toEqual([]);
    expect((await createTestClient(asXml.origin, { format: 'xml' }).listAllocations(1, 2, 9)).items).toEqual(
      [],
    );
  });
});

describe('create an allocation (4.4)', () => {
  it('posts wrapped JSON with only the given fields', async () => {
    const service = await startScriptedServer(replyJson({ allocation: sample.allocation }, 201));
    const client = createTestClient(service.origin);
    const { item, problems, meta } = await client.createAllocation(15_540_611, 193_159, { quantity: 10 });
    expect(item).toEqual({ ...sample.allocation, extra: {} });
    expect(problems).toEqual([]);
    expect(meta.status).toBe(201);
    expect(service.received[0]).toMatchObject({
      method: 'POST',
      url: '/subscriptions/15540611/components/193159/allocations.json',
      headers: { 'content-type': 'application/json' },
      body: '{"allocation":{"quantity":10}}',
    });
  });

  it('posts all optional fields', async () => {
    const service = await startScriptedServer(replyJson({ allocation: sample.allocation }, 201));
    const input = {
      quantity: '2.50',
      memo: 'a & b',
      proration_upgrade_scheme: 'prorate-delay-capture',
      proration_downgrade_scheme: 'no-prorate',
    };
    await createTestClient(service.origin).createAllocation(1, 2, input);
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({
      allocation: { ...input, quantity: '2.5' },
    });
  });

  it('posts XML with a typed quantity and escaped text', async () => {
    const answered = sample.allocationsXml
      .replace('<allocations type="array">', '')
      .replace('</allocations>', '');
    const service = await startScriptedServer(replyXml(answered, 201));
    const { item } = await createTestClient(service.origin, { format: 'xml' }).createAllocation(1, 2, {
      quantity: 10,
      memo: 'a < b & c\r\n"d"',
    });
    expect(item).toMatchObject({ quantity: 10, previous_quantity: 0, memo: null });
    expect(service.received[0]).toMatchObject({
      url: '/subscriptions/1/components/2/allocations.xml',
      headers: { 'content-type': 'application/xml' },
      body: `${DECLARATION}<allocation><quantity type="integer">10</quantity><memo>a &lt; b &amp; c&#13;\n&quot;d&quot;</memo></allocation>`,
    });
  });

  it('rejects an inexact quantity before sending anything', async () => {
    const service = await startScriptedServer(replyJson({}, 201));
    const asJson = createTestClient(service.origin);
    const asXml = createTestClient(service.origin, { format: 'xml' });
    for (const quantity of [0.1, Number.NaN, 2 ** 53, 'ten', '']) {
      await expect(asJson.createAllocation(1, 2, { quantity })).rejects.toMatchObject({ code: 'validation' });
    }
    await expect(asXml.createAllocation(1, 2, { quantity: 1, memo: 'a\0b' })).rejects.toMatchObject({
      code: 'validation',
    });
    expect(service.received).toEqual([]);
  });

  it('reports the creation if the response to a 201 is unreadable', async () => {
    for (const body of ['{"allocation": {"quan', '<html>', '[]', '{"allocation":{"quantity":1}}']) {
      const broken = await startScriptedServer(replyWith(201, 'application/json', body));
      const { item, problems } = await createTestClient(broken.origin).createAllocation(1, 2, {
        quantity: 1,
      });
      expect(item).toBeNull();
      expect(problems).toHaveLength(1);
    }
  });
});

describe('create multiple allocations (4.5)', () => {
  const input = {
    allocations: [
      { component_id: 193_159, quantity: 10, memo: 'foo' },
      { component_id: 193_160, quantity: '0.5' },
    ],
    proration_upgrade_scheme: 'prorate-attempt-capture',
  };

  it.each(['json', 'xml'] as const)('uses JSON for a site in %s', async (format) => {
    const roll = { id: 165_473_487, amount_in_cents: 1451, success: true, memo: 'Payment for: …' };
    const sent = [
      { allocation: { ...sample.allocation, payment: roll } },
      { allocation: { ...sample.allocation, component_id: '193160', quantity: '0.50', payment: roll } },
    ];
    const service = await startScriptedServer(replyJson(sent, 201));
    const { items } = await createTestClient(service.origin, { format }).createAllocations(15_540_611, input);
    expect(service.received[0]).toMatchObject({
      method: 'POST',
      url: '/subscriptions/15540611/allocations.json',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
    });
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual(input);
    expect(items).toEqual([
      { ...sample.allocation, extra: { payment: roll } },
      { ...sample.allocation, component_id: 193_160, quantity: '0.5', extra: { payment: roll } },
    ]);
  });

  it('sends nothing without allocations', async () => {
    const service = await startScriptedServer(replyJson([], 201));
    await expect(
      createTestClient(service.origin).createAllocations(1, { allocations: [] }),
    ).rejects.toBeInstanceOf(BillingError);
    expect(service.received).toEqual([]);
  });
});

describe('list statement ids (4.6, 4.7)', () => {
  const ids = [79_221_109, 79_221_381];
  const asXml = `${DECLARATION}<statement_ids><id>79221109</id><id>79221381</id></statement_ids>`;

  it('requests those of a subscription with sort, direction and per_page', async () => {
    const query = { sort: 'created_at', direction: 'desc', per_page: 10, page: 2 } as const;
    for (const format of ['json', 'xml'] as const) {
      const service = await startScriptedServer(
        format === 'json' ? replyJson({ statement_ids: ids }) : replyXml(asXml),
      );
      const client = createTestClient(service.origin, { format });
      expect((await client.listStatementIdsOfSubscription(14_900_541, query)).items).toEqual(ids);
      expect(service.received[0]?.url).toBe(
        `/subscriptions/14900541/statements/ids.${format}?sort=created_at&direction=desc&per_page=10&page=2`,
      );
    }
  });

  it('requests those of the site', async () => {
    for (const format of ['json', 'xml'] as const) {
      const service = await startScriptedServer(
        format === 'json' ? replyJson({ statement_ids: ids }) : replyXml(asXml),
      );
      expect(
        (await createTestClient(service.origin, { format }).listStatementIds({ page: 1 })).items,
      ).toEqual(ids);
      expect(service.received[0]?.url).toBe(`/statements/ids.${format}?page=1`);
    }
  });

  it('reads an empty list and a single id in XML', async () => {
    for (const [text, expected] of [
      ['<statement_ids/>', []],
      ['<statement_ids></statement_ids>', []],
      ['<statement_ids>\n</statement_ids>', []],
      ['<statement_ids type="array"/>', []],
      ['<statement_ids><id>7</id></statement_ids>', [7]],
    ] as const) {
      const service = await startScriptedServer(replyXml(text));
      expect((await createTestClient(service.origin, { format: 'xml' }).listStatementIds()).items).toEqual(
        expected,
      );
    }
  });
});

describe('statements (4.8, 4.9)', () => {
  const { total_in_cents, ...fields } = sample.statement;
  const read = {
    ...fields,
    transactions: [
      { ...sample.charge, extra: {} },
      { ...sample.payment, extra: {} },
    ],
    events: [{ ...sample.event, extra: {} }],
    extra: { total_in_cents },
  };

  it('are listed, wrapped or plain', async () => {
    for (const sent of [[{ statement: sample.statement }], [sample.statement]]) {
      const service = await startScriptedServer(replyJson(sent));
      const { items, problems } = await createTestClient(service.origin).listStatements(14_900_541, {
        page: 2,
      });
      expect(service.received[0]?.url).toBe('/subscriptions/14900541/statements.json?page=2');
      expect(items).toEqual([read]);
      expect(problems).toEqual([]);
    }
  });

  it('are read singly, with records and transactions wrapped or plain', async () => {
    const wrapped = {
      ...sample.statement,
      transactions: sample.statement.transactions.map((transaction) => ({ transaction })),
      events: [sample.event],
    };
    for (const sent of [{ statement: sample.statement }, sample.statement, { statement: wrapped }]) {
      const service = await startScriptedServer(replyJson(sent));
      const { item, problems } = await createTestClient(service.origin).readStatement(79_221_381);
      expect(service.received[0]?.url).toBe('/statements/79221381.json');
      expect(item).toEqual(read);
      expect(problems).toEqual([]);
    }
  });

  it('are read in XML as documented, with nested transactions and untyped event data', async () => {
    const service = await startScriptedServer(
      replyXml(`${DECLARATION}
<statement>
  <id type="integer">79221381</id>
  <subscription_id type="integer">14900541</subscription_id>
  <opened_at type="datetime">2016-10-24T16:20:14-04:00</opened_at>
  <settled_at type="datetime" nil="true"/>
  <text_view>Basic Plan      $40.00
</text_view>
  <html_view><![CDATA[<div id="billing_statement"></div>]]></html_view>
  <future_payments type="array"></future_payments>
  <starting_balance_in_cents type="integer">0</starting_balance_in_cents>
  <memo></memo>
  <customer_billing_address_2 nil="true"/>
  <transactions type="array">
    <transaction>
      <id type="integer">159424439</id>
      <amount_in_cents type="integer">4000</amount_in_cents>
      <success type="boolean">true</success>
      <kind></kind>
    </transaction>
  </transactions>
  <events type="array">
    <event>
      <id type="integer">342037380</id>
      <key>payment_success</key>
      <created_at>2016-10-24T16:21:11-04:00</created_at>
      <subscription_id>14900541</subscription_id>
      <event_specific_data>
        <product_id>3792003</product_id>
        <account_transaction_id>159424449</account_transaction_id>
      </event_specific_data>
    </event>
  </events>
</statement>`),
    );
    const { item, problems } = await createTestClient(service.origin, { format: 'xml' }).readStatement(
      79_221_381,
    );
    expect(problems).toEqual([]);
    expect(item).toMatchObject({
      id: 79_221_381,
      subscription_id: 14_900_541,
      opened_at: '2016-10-24T16:20:14-04:00',
      settled_at: null,
      text_view: 'Basic Plan      $40.00\n',
      html_view: '<div id="billing_statement"></div>',
      future_payments: [],
      starting_balance_in_cents: 0,
      ending_balance_in_cents: null,
      memo: '',
      customer_billing_address_2: null,
      transactions: [{ id: 159_424_439, amount_in_cents: 4000, success: true, kind: null }],
      events: [
        {
          key: 'payment_success',
          created_at: '2016-10-24T16:21:11-04:00',
          subscription_id: 14_900_541,
          event_specific_data: { product_id: 3_792_003, account_transaction_id: 159_424_449 },
        },
      ],
      extra: {},
    });
  });
});
