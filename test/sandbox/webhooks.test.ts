import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encodeForm, RepeatedFormKey } from '../../src/sandbox/deliveries/form-encoding.ts';
import { computeHmacSignature, computeMd5Signature } from '../../src/sandbox/deliveries/post-webhook.ts';
import { type JsonObject, parseFormBody, startTestSandbox } from './sandbox-client.ts';

const toIds = (rows: JsonObject[]): unknown[] => rows.map(({ id }) => id);

describe('list of webhooks (4.1)', () => {
  test('wraps each webhook in its key, with every field of section 2.1', async () => {
    const { get, sandbox } = await startTestSandbox();
    const response = await get('/webhooks.json?per_page=3');
    expect(response.status).toBe(200);
    expect(response.type).toBe('application/json; charset=utf-8');
    for (const item of response.json() as JsonObject[]) {
      expect(Object.keys(item)).toEqual(['webhook']);
      const webhook = item['webhook'] as JsonObject;
      expect(Object.keys(webhook)).toEqual(
        expect.arrayContaining(
          'id successful event body signature created_at accepted_at last_sent_at last_error_at last_sent_url last_error'.split(
            ' ',
          ),
        ),
      );
      expect(webhook['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]:00$/);
      expect(webhook).toEqual(sandbox.truth.webhook(webhook['id'] as number));
    }
  });

  test('has pages of 20 rows by default and at most 200, and empty pages past the end', async () => {
    const { getList, sandbox } = await startTestSandbox();
    const all = [...sandbox.truth.webhooks()];
    expect(await getList('/webhooks.json')).toHaveLength(20);
    expect(await getList('/webhooks.json?per_page=7')).toHaveLength(7);
    expect(await getList('/webhooks.json?per_page=500')).toHaveLength(200);
    expect(await getList('/webhooks.json?per_page=0')).toHaveLength(20);
    expect(toIds(await getList('/webhooks.json?order=oldest_first&per_page=50&page=3'))).toEqual(
      toIds(all.slice(100, 150)),
    );
    const last = Math.ceil(all.length / 200);
    expect(await getList(`/webhooks.json?per_page=200&page=${last}`)).toHaveLength(
      all.length - (last - 1) * 200,
    );
    expect(await getList(`/webhooks.json?per_page=200&page=${last + 1}`)).toEqual([]);
  });

  test('is sorted in either order, newest first by default', async () => {
    const { getList, sandbox } = await startTestSandbox();
    const all = toIds([...sandbox.truth.webhooks()]);
    expect(toIds(await getList('/webhooks.json?order=oldest_first'))).toEqual(all.slice(0, 20));
    expect(toIds(await getList('/webhooks.json?order=newest_first'))).toEqual(all.slice(-20).reverse());
    expect(toIds(await getList('/webhooks.json'))).toEqual(all.slice(-20).reverse());
  });

  test.each(['failed', 'successful'])('returns only %s webhooks for that status', async (status) => {
    const { getList, sandbox } = await startTestSandbox();
    const wanted = [...sandbox.truth.webhooks()].filter(
      ({ successful }) => successful === (status === 'successful'),
    );
    const seenIds: JsonObject[] = [];
    for (let page = 1; ; page++) {
      const rows = await getList(
        `/webhooks.json?status=${status}&order=oldest_first&per_page=30&page=${page}`,
      );
      if (rows.length === 0) break;
      seenIds.push(...rows);
    }
    expect(toIds(seenIds)).toEqual(toIds(wanted));
    expect(toIds(await getList(`/webhooks.json?status=${status}&per_page=5`))).toEqual(
      toIds(wanted.slice(-5).reverse()),
    );
  });

  test('filters by days of the site’s time zone, including the first and the last', async () => {
    const { getList, sandbox } = await startTestSandbox();
    const on = (from: string, to: string): unknown[] =>
      toIds(
        [...sandbox.truth.webhooks()].filter(({ created_at }) => {
          const day = (created_at as string).slice(0, 10);
          return day >= from && day <= to;
        }),
      );
    const getIds = async (query: string): Promise<unknown[]> =>
      toIds(await getList(`/webhooks.json?order=oldest_first&per_page=200&${query}`));
    expect(on('2026-10-01', '2026-10-01').length).toBeGreaterThan(10);
    expect(await getIds('since_date=2026-10-01&until_date=2026-10-01')).toEqual(
      on('2026-10-01', '2026-10-01'),
    );
    expect(await getIds('since_date=2026-10-20')).toEqual(on('2026-10-20', '9999'));
    expect(await getIds('until_date=2026-05-01')).toEqual(on('0000', '2026-05-01'));
    expect(await getIds('since_date=2027-01-01')).toEqual([]);
    const failed = await getList(
      '/webhooks.json?status=failed&since_date=2026-10-01&until_date=2026-10-01&per_page=200',
    );
    expect(
      failed.every(
        ({ created_at, successful }) => (created_at as string).startsWith('2026-10-01') && !successful,
      ),
    ).toBe(true);
  });

  test('ignores invalid filters, or rejects them if configured to', async () => {
    const { getList, get, sandbox } = await startTestSandbox();
    const query = 'status=odd&since_date=yesterday&order=random';
    expect(toIds(await getList(`/webhooks.json?${query}`))).toEqual(
      toIds([...sandbox.truth.webhooks()].slice(-20).reverse()),
    );
    sandbox.setFaults('set.invalidFilter=refuse');
    const refused = await get(`/webhooks.json?${query}`);
    expect(refused.status).toBe(422);
    expect(refused.json()).toEqual({
      errors: [
        'Status: is not included in the list.',
        'Order: is not included in the list.',
        'Since date: is not a date.',
      ],
    });
  });
});

describe('body of a webhook', () => {
  test('is form-encoded in the order id, event, payload, with matching signatures', async () => {
    const { sandbox } = await startTestSandbox();
    for (const webhook of sandbox.truth.webhooks()) {
      const body = webhook['body'] as string;
      const [first, second, ...rest] = parseFormBody(body);
      expect(first).toEqual(['id', String(webhook['id'])]);
      expect(second).toEqual(['event', webhook['event']]);
      expect(rest.every(([key]) => key.startsWith('payload['))).toBe(true);
      for (const pair of body.split('&')) {
        const value = pair.slice(pair.indexOf('=') + 1);
        expect(encodeURIComponent(decodeURIComponent(value))).toBe(value);
      }
      expect(webhook['signature']).toBe(
        createHash('md5')
          .update(sandbox.sharedKey + body)
          .digest('hex'),
      );
      const hmac = createHmac('sha256', sandbox.sharedKey).update(body).digest('hex');
      expect(webhook['signature_hmac_sha_256']).toBe(hmac);
    }
  });

  test('is encoded and signed like the recorded examples', () => {
    const body = encodeForm({
      payload: {
        chargify: 'testing',
        name: "Pookie Test's (18%) & co!",
        none: null,
        list: [{ id: 1 }],
        twice: new RepeatedFormKey([{ id: 1 }, { id: 2 }]),
      },
    });
    expect(body).toBe(
      "payload[chargify]=testing&payload[name]=Pookie%20Test's%20(18%25)%20%26%20co!&payload[none]=&payload[list][0][id]=1&payload[twice][id]=1&payload[twice][id]=2",
    );
    const example = 'payload[chargify]=testing&event=test';
    expect(computeMd5Signature('123', example)).toBe('3df5f2c8d2bfd40d8a8d72cb9e7fe56c');
    expect(computeHmacSignature('123', example)).toBe(
      '19826d51b9f866b26eda1f154de192593360f8d0bcb63df8a28540a5dcf733f1',
    );
  });

  test('contains the ids of its records', async () => {
    const { sandbox } = await startTestSandbox();
    const statements = new Map(
      [...sandbox.truth.statements()].map((statement) => [statement['id'], statement]),
    );
    const events = new Set<unknown>();
    for (const webhook of sandbox.truth.webhooks()) {
      const fields = new Map(parseFormBody(webhook['body'] as string));
      const event = webhook['event'] as string;
      events.add(event);
      if (event.startsWith('statement_')) {
        const statement = statements.get(Number(fields.get('payload[statement][id]'))) as JsonObject;
        expect(fields.get('payload[statement][ending_balance_in_cents]')).toBe(
          String(statement['ending_balance_in_cents']),
        );
        expect(fields.get('payload[statement][settled_at]') === '').toBe(event === 'statement_closed');
        expect(fields.get('payload[statement][transactions][0][memo]')).toBe(
          (statement['transactions'] as JsonObject[])[0]?.['memo'],
        );
      } else if (event.startsWith('payment_')) {
        const statement = statements.get(
          Number(fields.get('payload[transaction][statement_id]')),
        ) as JsonObject;
        const entry = (statement['transactions'] as JsonObject[]).find(
          ({ id }) => String(id) === fields.get('payload[transaction][id]'),
        );
        expect(fields.get('payload[transaction][success]')).toBe(String(event === 'payment_success'));
        expect(fields.get('payload[transaction][amount_in_cents]')).toBe(String(entry?.['amount_in_cents']));
        expect(fields.get('payload[transaction][created_at]')).toMatch(
          /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d -0[45]00$/,
        );
      } else if (event === 'component_allocation_change') {
        expect(fields.get('payload[timestamp]')).toMatch(/Z$/);
        const pair = {
          subscription_id: Number(fields.get('payload[subscription][id]')),
          component_id: Number(fields.get('payload[component][id]')),
        };
        const record = sandbox.truth
          .allocations(pair)
          .find(({ timestamp }) => timestamp === fields.get('payload[timestamp]'));
        expect(String(record?.['quantity'])).toBe(fields.get('payload[new_allocation]'));
      }
    }
    expect([...events]).toEqual(
      expect.arrayContaining([
        'signup_success',
        'payment_success',
        'payment_failure',
        'renewal_success',
        'statement_settled',
        'statement_closed',
        'component_allocation_change',
      ]),
    );
  });

  test('does not change when its records change later', async () => {
    const { sandbox } = await startTestSandbox();
    const before = new Map([...sandbox.truth.webhooks()].map(({ id, body }) => [id, body]));
    sandbox.advance({ months: 2 });
    const after = new Map([...sandbox.truth.webhooks()].map(({ id, body }) => [id, body]));
    for (const [id, body] of before) expect(after.get(id)).toBe(body);
    expect(after.size).toBeGreaterThan(before.size);
  });
});
