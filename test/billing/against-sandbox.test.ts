import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/billing/formats/json-value.ts';
import {
  type BillingClient,
  type BillingDataFormat,
  createBillingClient,
  findSignatureAlgorithm,
  parseInstant,
  parseWebhookBody,
  type Webhook,
} from '../../src/billing/index.ts';
import { type Sandbox, type SubscriptionComponent, startSandbox } from '../../src/sandbox/index.ts';
import { encodeAllocation, encodeStatement, encodeWebhook } from './record-encoders.ts';

/**
 * Compares every operation in both formats with the sandbox’s own data. Client and sandbox were written independently
 * from the same interface document.
 */

/** Expects that every stored field was read and that all other fields are null. */
function expectSame(read: JsonObject, stored: object): void {
  const fields = stored as JsonObject;
  for (const [field, value] of Object.entries(fields)) {
    const plain = field === 'events' ? (value as JsonObject[]).map((each) => each['event'] ?? each) : value;
    if (!isSameValue(read[field], plain as JsonValue))
      expect({ [field]: read[field] }).toEqual({ [field]: plain });
  }
  for (const [field, value] of Object.entries(read))
    if (!(field in fields)) expect([field, value]).toEqual([field, null]);
}

type Entity = Record<string, unknown>;

function isSameValue(read: JsonValue | undefined, stored: JsonValue): boolean {
  if (Array.isArray(stored) && Array.isArray(read) && stored.length === read.length) {
    return stored.every((item, at) => isSameValue(read[at], item));
  }
  if (isJsonObject(stored) && isJsonObject(read)) {
    const known = read;
    return (
      Object.entries(stored).every(([field, value]) => isSameValue(known[field], value)) &&
      Object.entries(known).every(([field, value]) => field in stored || value === null)
    );
  }
  return isDeepStrictEqual(read, stored);
}

describe.each(['json', 'xml'] as const)(
  'the client against the sandbox, in %s',
  (format: BillingDataFormat) => {
    let sandbox: Sandbox;
    let client: BillingClient;
    let pair: SubscriptionComponent;

    beforeAll(async () => {
      sandbox = await startSandbox({ seed: 7, subscriptions: 12, months: 6 });
      client = createBillingClient({ baseUrl: sandbox.url, format, getApiKey: async () => sandbox.apiKey });
      pair = [...sandbox.truth.components()].sort(
        (a, b) => sandbox.truth.allocations(b).length - sandbox.truth.allocations(a).length,
      )[0] as SubscriptionComponent;
    });

    afterAll(async () => {
      await client.close();
      await sandbox.close();
    });

    it('lists all pages of webhooks with every filter (4.1)', async () => {
      const stored = [...sandbox.truth.webhooks()] as unknown as Webhook[];
      const read: Webhook[] = [];
      for (let page = 1; ; page++) {
        const { items, problems, meta } = await client.listWebhooks({
          page,
          per_page: 50,
          order: 'oldest_first',
        });
        expect(problems).toEqual([]);
        expect(meta.server_time).not.toBeNull();
        read.push(...items);
        if (items.length === 0) break;
      }
      expect(read.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
      for (const [at, item] of read.entries()) expectSame(encodeWebhook(item), stored[at] as Webhook);
      for (const { created_at } of read) expect(parseInstant(created_at ?? '')).not.toBeNull();

      const newest = await client.listWebhooks({ order: 'newest_first' });
      expect(newest.items.map(({ id }) => id)).toEqual(
        stored
          .slice(-20)
          .map(({ id }) => id)
          .reverse(),
      );
      const failed = await client.listWebhooks({ status: 'failed', per_page: 200, order: 'oldest_first' });
      expect(failed.items.length).toBeGreaterThan(0);
      expect(failed.items.map(({ id }) => id)).toEqual(
        stored
          .filter((each) => !each.successful)
          .slice(0, 200)
          .map(({ id }) => id),
      );
      const successful = await client.listWebhooks({ status: 'successful' });
      expect(successful.items.every((each) => each.successful)).toBe(true);

      const day = (read[Math.floor(read.length / 2)]?.created_at ?? '').slice(0, 10);
      const ofDay = await client.listWebhooks({
        since_date: day,
        until_date: day,
        per_page: 200,
        order: 'oldest_first',
      });
      expect(ofDay.items.map(({ id }) => id)).toEqual(
        stored
          .filter(({ created_at }) => created_at?.startsWith(day))
          .slice(0, 200)
          .map(({ id }) => id),
      );
    });

    it('receives webhook bodies with valid signatures (6)', async () => {
      const { items } = await client.listWebhooks({ per_page: 200 });
      for (const { id, event, body, signature } of items) {
        const { form, hints } = parseWebhookBody(body);
        expect([form, hints.webhook_id, hints.event]).toEqual(['form', id, event]);
        expect(findSignatureAlgorithm(sandbox.sharedKey, body as string, signature ?? '')).toBe('md5');
      }
    });

    it('replays a failed webhook (4.2)', async () => {
      sandbox.setEndpoint({});
      const { items } = await client.listWebhooks({ status: 'failed', per_page: 2 });
      const ids = items.map(({ id }) => id);
      expect((await client.replayWebhooks(ids)).status).toBe('ok');
      await sandbox.idle();
      for (const id of ids)
        expect(sandbox.truth.webhook(id)).toMatchObject({ successful: true, last_error: null });
    });

    it('lists allocations, newest first, up to the empty last page (4.3)', async () => {
      const stored = sandbox.truth.allocations(pair);
      const { items, problems } = await client.listAllocations(pair.subscription_id, pair.component_id);
      expect(problems).toEqual([]);
      expect(items).toHaveLength(Math.min(50, stored.length));
      for (const [at, item] of items.entries()) {
        const { proration_upgrade_scheme, proration_downgrade_scheme, payment, ...always } = stored[
          at
        ] as Entity;
        // The XML list omits the proration schemes.
        expectSame(encodeAllocation(item), format === 'json' ? (stored[at] as Entity) : always);
      }
      expect((await client.listAllocations(pair.subscription_id, pair.component_id, 99)).items).toEqual([]);
    });

    it('creates one allocation (4.4)', async () => {
      const input = {
        quantity: 1,
        memo: `from a ${format} client: <&>`,
        proration_upgrade_scheme: 'no-prorate',
      };
      const { item, problems, meta } = await client.createAllocation(
        pair.subscription_id,
        pair.component_id,
        input,
      );
      expect([problems, meta.status]).toEqual([[], 201]);
      expect(item).toMatchObject({ ...pair, quantity: 1, memo: input.memo });
      expect(sandbox.truth.allocations(pair)[0]).toMatchObject({ quantity: 1, memo: input.memo });
    });

    it('creates several allocations (4.5)', async () => {
      const allocations = [
        { component_id: pair.component_id, quantity: 2, memo: 'first' },
        { component_id: pair.component_id, quantity: 3 },
      ];
      const { items, meta } = await client.createAllocations(pair.subscription_id, { allocations });
      expect(meta.status).toBe(201);
      expect(items.map(({ quantity, previous_quantity }) => [quantity, previous_quantity])).toEqual([
        [2, 1],
        [3, 2],
      ]);
    });

    it('lists statement ids of the site and of a subscription, sorted (4.6, 4.7)', async () => {
      const stored = [...sandbox.truth.statements()] as unknown as { id: number; subscription_id: number }[];
      const all = await client.listStatementIds();
      expect(new Set(all.items)).toEqual(new Set(stored.map(({ id }) => id)));
      expect((await client.listStatementIds({ page: 2 })).items).toEqual([]);
      const subscription = stored[0]?.subscription_id ?? 0;
      const own = stored.filter((each) => each.subscription_id === subscription).map(({ id }) => id);
      const query = { sort: 'created_at', direction: 'desc', per_page: 3 } as const;
      const latest = await client.listStatementIdsOfSubscription(subscription, query);
      expect(latest.items).toEqual(own.slice(-3).reverse());
    });

    it('lists and reads statements with every field (4.8, 4.9)', async () => {
      const stored = [...sandbox.truth.statements()] as unknown as { id: number; subscription_id: number }[];
      const subscription = stored[0]?.subscription_id ?? 0;
      const { items, problems } = await client.listStatements(subscription);
      expect(problems).toEqual([]);
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) {
        const truth = sandbox.truth.statement(item.id);
        expect(truth).not.toBeNull();
        expectSame(encodeStatement(item), truth as object);
        const read = await client.readStatement(item.id);
        expect(read.problems).toEqual([]);
        expect(read.item).toEqual(item);
      }
    });

    it('downloads the PDF by URL suffix and by Accept header (4.9)', async () => {
      const { items } = await client.listStatementIds();
      for (const by of ['suffix', 'header'] as const) {
        const { body, headers } = await client.readStatementPdf(items[0] as number, { requestedBy: by });
        const parts: Uint8Array[] = [];
        for await (const part of body) parts.push(part);
        const pdf = Buffer.concat(parts);
        expect(headers['content-type']).toBe('application/pdf');
        expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
        expect(pdf.subarray(-10).toString()).toContain('%%EOF');
      }
    });

    it('reports 401, 404 and 422 as documented (5, 7)', async () => {
      const stranger = createBillingClient({
        baseUrl: sandbox.url,
        format,
        getApiKey: async () => 'not the key',
      });
      await expect(stranger.listAllocations(pair.subscription_id, pair.component_id)).rejects.toMatchObject({
        code: 'auth',
        status: 401,
      });
      await stranger.close();
      for (const missing of [
        client.listAllocations(pair.subscription_id, 1),
        client.listAllocations(1, pair.component_id),
        client.createAllocation(pair.subscription_id, 1, { quantity: 1 }),
        client.readStatement(1),
        client.readStatementPdf(1),
      ]) {
        await expect(missing).rejects.toMatchObject({ code: 'not_found', status: 404 });
      }
      const blank = client.createAllocation(pair.subscription_id, pair.component_id, { quantity: -1 });
      await expect(blank).rejects.toMatchObject({ code: 'validation', status: 422 });
      const { errors } = await blank.catch((error) => error);
      expect(errors[0]).toMatch(/^Quantity: .+\.$/);
      const unknown = { allocations: [{ component_id: pair.component_id, quantity: -1 }] };
      await expect(client.createAllocations(pair.subscription_id, unknown)).rejects.toMatchObject({
        code: 'validation',
        errors: [expect.stringMatching(/.+\.$/)],
      });
    });
  },
);
