import { describe, expect, test } from 'vitest';
import type { SubscriptionComponent } from '../../src/sandbox/index.ts';
import { auditSandbox } from './sandbox-audit.ts';
import { type JsonObject, parseFormBody, type SandboxClient, startTestSandbox } from './sandbox-client.ts';

const SEATS = 277221;
const STORAGE = 277222;
const SUPPORT = 277225;
const CALLS = 277230;

/** Options of a sandbox whose clock is in the middle of a billing period. */
const midPeriod = { now: '2026-10-09T12:00:00Z', settings: { queueDelay: 1 } };

const path = ({ subscription_id, component_id }: SubscriptionComponent): string =>
  `/subscriptions/${subscription_id}/components/${component_id}/allocations`;

/** Finds an active subscription with the component whose last allocation passes `test`. */
async function findSubscriptionComponent(
  { sandbox }: SandboxClient,
  component_id: number,
  test = (_: JsonObject | undefined): boolean => true,
): Promise<SubscriptionComponent> {
  for (const subscription_id of sandbox.truth.subscriptions()) {
    const component = { subscription_id, component_id };
    if (openStatement({ sandbox }, subscription_id) && test(sandbox.truth.allocations(component)[0]))
      return component;
  }
  throw new Error('no such pair');
}

const openStatement = ({ sandbox }: Pick<SandboxClient, 'sandbox'>, id: number): JsonObject | undefined =>
  [...sandbox.truth.statements()].find(
    ({ subscription_id, closed_at }) => subscription_id === id && closed_at === null,
  );

const transactionsOf = (client: SandboxClient, id: number): JsonObject[] =>
  openStatement(client, id)?.['transactions'] as JsonObject[];

describe('list of allocations (4.3)', () => {
  test('returns 50 allocations per page, newest first, then an empty page', async () => {
    const client = await startTestSandbox(midPeriod);
    const component = await findSubscriptionComponent(client, STORAGE);
    const had = client.sandbox.truth.allocations(component).length;
    for (let quantity = 1; quantity <= 120; quantity++) {
      const body = { allocation: { quantity, proration_upgrade_scheme: 'no-prorate' } };
      expect((await client.post(`${path(component)}.json`, body)).status).toBe(201);
    }
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => client.getList(`${path(component)}.json?page=${page}`)),
    );
    expect(pages.map((page) => page.length)).toEqual([50, 50, 20 + had, 0]);
    const quantities = pages.flat().map(({ quantity }) => quantity);
    expect(quantities.slice(0, 120)).toEqual(Array.from({ length: 120 }, (_, i) => 120 - i));
    expect(await client.getList(`${path(component)}.json`)).toEqual(pages[0]);
    expect((await client.get(`${path(component)}.xml?page=4`)).text).toContain('<allocations type="array"/>');
  });

  test('has the fields of section 2.2, with proration schemes only if made within a period', async () => {
    const client = await startTestSandbox();
    let [atSignup, midPeriodAllocation] = [0, 0];
    for (const component of client.sandbox.truth.components()) {
      for (const allocation of client.sandbox.truth.allocations(component)) {
        expect(allocation).toMatchObject(component);
        expect(allocation['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        if (allocation['proration_upgrade_scheme'] === undefined) atSignup++;
        else midPeriodAllocation++;
      }
    }
    expect(atSignup).toBeGreaterThan(20);
    expect(midPeriodAllocation).toBeGreaterThan(20);
    const component = await findSubscriptionComponent(
      client,
      SEATS,
      (allocation) => allocation?.['proration_upgrade_scheme'] !== undefined,
    );
    const [item] = (await client.get(`${path(component)}.json`)).json() as JsonObject[];
    expect(item).toEqual({ allocation: client.sandbox.truth.allocations(component)[0] });
  });

  test('is empty for a component without allocations, and 404 for an unknown component', async () => {
    const client = await startTestSandbox();
    const component = await findSubscriptionComponent(
      client,
      SUPPORT,
      (allocation) => allocation === undefined,
    );
    expect(await client.getList(`${path(component)}.json`)).toEqual([]);
    for (const unknown of [
      { ...component, component_id: 1 },
      { ...component, subscription_id: 1 },
    ]) {
      for (const format of ['json', 'xml']) {
        const response = await client.get(`${path(unknown)}.${format}`);
        expect([response.status, response.text]).toEqual([404, ' ']);
      }
    }
    const refused = await client.get(`${path(component)}.json?page=0`);
    expect([refused.status, refused.json()]).toEqual([422, { errors: ['invalid page: 0'] }]);
  });
});

describe('request to create an allocation (4.4)', () => {
  test('returns 201 with the new record, adds it to the history and sends a webhook', async () => {
    const client = await startTestSandbox(midPeriod);
    const component = await findSubscriptionComponent(
      client,
      SEATS,
      (allocation) => (allocation?.['quantity'] as number) > 2,
    );
    const [before] = client.sandbox.truth.allocations(component);
    const response = await client.post(`${path(component)}.json`, {
      allocation: { quantity: 41, memo: 'Größe & <Maß>' },
    });
    expect(response.status).toBe(201);
    const { allocation } = response.json() as { allocation: JsonObject };
    expect(allocation).toMatchObject({
      ...component,
      quantity: 41,
      previous_quantity: before?.['quantity'],
      memo: 'Größe & <Maß>',
    });
    expect(allocation).toMatchObject({
      proration_upgrade_scheme: 'prorate-attempt-capture',
      proration_downgrade_scheme: 'no-prorate',
    });
    expect((await client.getList(`${path(component)}.json`))[0]).toEqual(allocation);
    await client.sandbox.idle();
    const webhook = client.sandbox.received.find(({ event }) => event === 'component_allocation_change');
    const fields = new Map(parseFormBody(webhook?.body ?? ''));
    expect(fields.get('payload[new_allocation]')).toBe('41');
    expect(fields.get('payload[memo]')).toBe('Größe & <Maß>');
    expect(client.sandbox.received.map(({ event }) => event)).toContain('payment_success');
    expect(auditSandbox(client.sandbox)).toEqual([]);
  });

  test.each([
    [{}, 'Quantity: cannot be blank.'],
    [{ quantity: null }, 'Quantity: cannot be blank.'],
    [{ quantity: '' }, 'Quantity: cannot be blank.'],
    [{ quantity: 1.5 }, 'Quantity: must be an integer.'],
    [{ quantity: 'many' }, 'Quantity: must be an integer.'],
    [{ quantity: true }, 'Quantity: must be an integer.'],
    [{ quantity: -1 }, 'Quantity: must be greater than or equal to 0.'],
    [{ quantity: 1e9 }, 'Quantity: must be less than or equal to 100000.'],
    [{ quantity: 2, memo: 7 }, 'Memo: must be text.'],
    [
      { quantity: 2, proration_upgrade_scheme: 'prorate' },
      'Proration upgrade scheme: is not included in the list.',
    ],
    [
      { quantity: 2, proration_downgrade_scheme: 'all' },
      'Proration downgrade scheme: is not included in the list.',
    ],
  ])('refuses %j with 422', async (allocation, error) => {
    const client = await startTestSandbox();
    const component = await findSubscriptionComponent(client, SEATS);
    const response = await client.post(`${path(component)}.json`, { allocation });
    expect([response.status, response.json()]).toEqual([422, { errors: [error] }]);
  });

  test('rejects a missing allocation, a metered component, and on/off quantities other than 0 and 1', async () => {
    const client = await startTestSandbox();
    const { subscription_id } = await findSubscriptionComponent(client, SEATS);
    const errors = async (component_id: number, body: unknown): Promise<unknown> =>
      (await client.post(`${path({ subscription_id, component_id })}.json`, body)).json();
    expect(await errors(SEATS, {})).toEqual({ errors: ['Quantity: cannot be blank.'] });
    expect(await errors(CALLS, { allocation: { quantity: 1 } })).toEqual({
      errors: ['Allocations can only be updated for quantity and on/off components.'],
    });
    expect(await errors(SUPPORT, { allocation: { quantity: 2 } })).toEqual({
      errors: ['Quantity: must be 1 (on) or 0 (off).'],
    });
    expect(
      (
        await client.post(`${path({ subscription_id: 1, component_id: SEATS })}.json`, {
          allocation: { quantity: 1 },
        })
      ).status,
    ).toBe(404);
    expect(
      (
        await client.post(`${path({ subscription_id, component_id: 1 })}.json`, {
          allocation: { quantity: 1 },
        })
      ).status,
    ).toBe(404);
  });

  test('accepts an integer quantity as text', async () => {
    const client = await startTestSandbox(midPeriod);
    const component = await findSubscriptionComponent(
      client,
      SUPPORT,
      (allocation) => allocation === undefined,
    );
    const response = await client.post(`${path(component)}.json`, { allocation: { quantity: '1' } });
    expect(response.json()).toMatchObject({ allocation: { quantity: 1, previous_quantity: 0 } });
  });

  test('records an allocation of an ended subscription without proration or charges', async () => {
    const client = await startTestSandbox({ subscriptions: 200, settings: { queueDelay: 1 } });
    const ended = [...client.sandbox.truth.subscriptions()].find(
      (id) => !openStatement(client, id),
    ) as number;
    const before = [...client.sandbox.truth.statements()].filter(
      ({ subscription_id }) => subscription_id === ended,
    );
    const response = await client.post(`${path({ subscription_id: ended, component_id: STORAGE })}.json`, {
      allocation: { quantity: 77 },
    });
    expect(response.status).toBe(201);
    expect((response.json() as Record<string, JsonObject>)['allocation']).not.toHaveProperty(
      'proration_upgrade_scheme',
    );
    const after = [...client.sandbox.truth.statements()].filter(
      ({ subscription_id }) => subscription_id === ended,
    );
    expect(after).toEqual(before);
  });

  test('creates only one allocation per uniqueness token', async () => {
    const client = await startTestSandbox(midPeriod);
    const component = await findSubscriptionComponent(client, SEATS);
    const body = { uniqueness_token: 'abc', allocation: { quantity: 9 } };
    expect((await client.post(`${path(component)}.json`, body)).status).toBe(201);
    const second = await client.post(`${path(component)}.json`, body);
    expect([second.status, second.json()]).toEqual([
      409,
      { errors: ['DuplicatePrevention::DuplicateSubmissionError'] },
    ]);
  });
});

test('a refused POST does not use up its uniqueness token', async () => {
  const client = await startTestSandbox(midPeriod);
  const component = await findSubscriptionComponent(client, SEATS);
  const post = (quantity: unknown, at = path(component)) =>
    client.post(`${at}.json`, { uniqueness_token: 'order-17', allocation: { quantity } });
  expect((await post(-3)).status).toBe(422);
  expect((await post(4, '/subscriptions/1/components/2/allocations')).status).toBe(404);
  expect((await post(12)).status).toBe(201);
  expect((await post(12)).status).toBe(409);
});

describe('proration (2.2)', () => {
  const changeQuantity = async (
    scheme: JsonObject,
    up: boolean,
    failures = 0,
  ): Promise<{
    before: JsonObject[];
    added: JsonObject[];
    client: SandboxClient;
    component: SubscriptionComponent;
  }> => {
    const client = await startTestSandbox({
      ...midPeriod,
      settings: { ...midPeriod.settings, captureFailures: failures },
    });
    const component = await findSubscriptionComponent(
      client,
      SEATS,
      (allocation) => (allocation?.['quantity'] as number) >= 4,
    );
    const [held] = client.sandbox.truth.allocations(component);
    const before = transactionsOf(client, component.subscription_id);
    const quantity = (held?.['quantity'] as number) + (up ? 10 : -3);
    const response = await client.post(`${path(component)}.json`, { allocation: { quantity, ...scheme } });
    expect(response.status).toBe(201);
    await client.sandbox.idle();
    expect(auditSandbox(client.sandbox)).toEqual([]);
    return {
      before,
      added: transactionsOf(client, component.subscription_id).slice(before.length),
      client: client,
      component,
    };
  };
  const sum = (rows: JsonObject[], type: string): number =>
    rows
      .filter((row) => row['type'] === type)
      .reduce((total, row) => total + (row['amount_in_cents'] as number), 0);

  test('prorate-attempt-capture charges the rest of the period and collects the payment', async () => {
    const { added, client, component } = await changeQuantity(
      { proration_upgrade_scheme: 'prorate-attempt-capture' },
      true,
    );
    expect(added[0]).toMatchObject({ type: 'Charge', kind: 'quantity_based_component', component_id: SEATS });
    const renewed = [...client.sandbox.truth.statements()].filter(
      ({ subscription_id }) => subscription_id === component.subscription_id,
    );
    const opened = Date.parse(renewed.at(-1)?.['opened_at'] as string);
    const part = 1 - (Date.parse(midPeriod.now) - opened) / (30.5 * 86_400_000);
    expect(added[0]?.['amount_in_cents']).toBeGreaterThan(9000 * part * 0.93);
    expect(added[0]?.['amount_in_cents']).toBeLessThan(9000 * part * 1.07);
    expect(added.at(-1)).toMatchObject({
      type: 'Payment',
      kind: 'component_proration',
      success: true,
      amount_in_cents: sum(added, 'Charge'),
    });
    expect(added[0]?.['payment_id']).toBe(added.at(-1)?.['id']);
  });

  test('prorate-attempt-capture accrues the charge until the next renewal if the card is declined', async () => {
    const { added, client, component } = await changeQuantity(
      { proration_upgrade_scheme: 'prorate-attempt-capture' },
      true,
      1,
    );
    expect(added.at(-1)).toMatchObject({
      type: 'Payment',
      success: false,
      amount_in_cents: sum(added, 'Charge'),
    });
    expect(openStatement(client, component.subscription_id)?.['ending_balance_in_cents']).toBe(
      sum(added, 'Charge'),
    );
    client.sandbox.advance({ months: 1 });
    expect(auditSandbox(client.sandbox)).toEqual([]);
    const statement = await client.getEntity(`/statements/${added[0]?.['statement_id']}.json`);
    const charged =
      sum(statement['transactions'] as JsonObject[], 'Charge') +
      sum(statement['transactions'] as JsonObject[], 'Adjustment');
    const renewal = (statement['transactions'] as JsonObject[]).findLast(({ type }) => type === 'Payment');
    expect(renewal?.['amount_in_cents']).toBe(charged);
  });

  test('prorate-delay-capture adds the charge and collects no payment', async () => {
    const { added } = await changeQuantity({ proration_upgrade_scheme: 'prorate-delay-capture' }, true);
    expect(added.every(({ type }) => type === 'Charge')).toBe(true);
    expect(added.length).toBeGreaterThan(0);
  });

  test('no-prorate adds no charge for an upgrade and no credit for a downgrade', async () => {
    expect((await changeQuantity({ proration_upgrade_scheme: 'no-prorate' }, true)).added).toEqual([]);
    expect((await changeQuantity({ proration_downgrade_scheme: 'no-prorate' }, false)).added).toEqual([]);
  });

  test('prorate adds a credit for a downgrade', async () => {
    const { added } = await changeQuantity({ proration_downgrade_scheme: 'prorate' }, false);
    expect(added[0]).toMatchObject({ type: 'Credit', kind: 'quantity_based_component' });
    expect(added[0]?.['amount_in_cents']).toBeLessThan(0);
  });
});

describe('request to create several allocations (4.5)', () => {
  test('collects all charges in one payment', async () => {
    const client = await startTestSandbox(midPeriod);
    const { subscription_id } = await findSubscriptionComponent(
      client,
      SEATS,
      (allocation) => (allocation?.['quantity'] as number) > 2,
    );
    const before = transactionsOf(client, subscription_id).length;
    const allocations = [
      { component_id: SEATS, quantity: 60, memo: 'more' },
      { component_id: String(STORAGE), quantity: '30' },
      { component_id: SEATS, quantity: 61 },
    ];
    const response = await client.post(`/subscriptions/${subscription_id}/allocations.json`, {
      allocations,
      proration_upgrade_scheme: 'prorate-attempt-capture',
    });
    expect(response.status).toBe(201);
    const made = (response.json() as Record<string, JsonObject>[]).map(
      ({ allocation }) => allocation as JsonObject,
    );
    expect(made.map(({ component_id, quantity, memo }) => [component_id, quantity, memo])).toEqual([
      [SEATS, 60, 'more'],
      [STORAGE, 30, null],
      [SEATS, 61, null],
    ]);
    expect(made[2]?.['previous_quantity']).toBe(60);
    const added = transactionsOf(client, subscription_id).slice(before);
    const payments = added.filter(({ type }) => type === 'Payment');
    const charges = added.filter(({ type }) => type === 'Charge');
    expect(payments).toHaveLength(1);
    expect(payments[0]?.['amount_in_cents']).toBe(
      charges.reduce((sum, row) => sum + (row['amount_in_cents'] as number), 0),
    );
    expect(new Set(made.map(({ payment }) => (payment as JsonObject)['id']))).toEqual(
      new Set([payments[0]?.['id']]),
    );
    await client.sandbox.idle();
    expect(auditSandbox(client.sandbox)).toEqual([]);
  });

  test('creates all allocations or none', async () => {
    const client = await startTestSandbox(midPeriod);
    const component = await findSubscriptionComponent(client, SEATS);
    const before = client.sandbox.truth.allocations(component);
    const batch = (body: unknown) =>
      client.post(`/subscriptions/${component.subscription_id}/allocations.json`, body);
    const successful = { component_id: SEATS, quantity: 3 };
    expect((await batch({ allocations: [successful, { component_id: STORAGE }] })).json()).toEqual({
      errors: ['Quantity: cannot be blank.'],
    });
    expect((await batch({ allocations: [successful, { component_id: 1, quantity: 1 }] })).status).toBe(404);
    for (const body of [{}, { allocations: [] }, { allocations: 'x' }]) {
      expect((await batch(body)).json()).toEqual({
        errors: ['One or more allocation changes are required.'],
      });
    }
    expect((await batch({ allocations: [successful], proration_upgrade_scheme: 'x' })).status).toBe(422);
    expect(
      (await client.post('/subscriptions/1/allocations.json', { allocations: [successful] })).status,
    ).toBe(404);
    expect(
      (
        await client.post(`/subscriptions/${component.subscription_id}/allocations.xml`, '<allocations/>', {
          'content-type': 'application/xml',
        })
      ).status,
    ).toBe(404);
    expect(client.sandbox.truth.allocations(component)).toEqual(before);
  });
});
