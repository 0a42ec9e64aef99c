import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type JsonObject, startTestSandbox } from './sandbox-client.ts';

const fastDelivery = { timeScale: 0.0005, queueDelay: 1 };
const failedIds = (sandbox: { truth: { webhooks(): Iterable<JsonObject> } }): number[] =>
  [...sandbox.truth.webhooks()].filter(({ successful }) => !successful).map(({ id }) => id as number);

describe('request to replay webhooks (4.2)', () => {
  test('returns ok immediately, delivers in the background, and marks the webhooks as accepted', async () => {
    const { post, sandbox } = await startTestSandbox({ settings: fastDelivery });
    const ids = failedIds(sandbox);
    const response = await post('/webhooks/replay.json', { ids });
    expect([response.status, response.json()]).toEqual([200, { status: 'ok' }]);
    await sandbox.idle();
    for (const id of ids) {
      const webhook = sandbox.truth.webhook(id) as JsonObject;
      expect(webhook).toMatchObject({
        successful: true,
        last_error: null,
        last_error_at: null,
        last_sent_url: sandbox.endpointUrl,
      });
      expect(webhook['accepted_at']).toBe(webhook['last_sent_at']);
      expect(sandbox.accepted.get(id)).toBe(1);
    }
    expect(sandbox.truth.counts().failed_webhooks).toBe(0);
  });

  test('delivers the exact form-encoded body with its id and both signatures', async () => {
    const { post, sandbox } = await startTestSandbox({ settings: fastDelivery });
    const [id] = failedIds(sandbox) as [number];
    await post('/webhooks/replay.json', { ids: [id] });
    await sandbox.idle();
    const [received] = sandbox.received;
    const webhook = sandbox.truth.webhook(id) as JsonObject;
    expect(received?.body).toBe(webhook['body']);
    expect(received?.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'x-chargify-webhook-id': String(id),
      'x-chargify-webhook-signature': webhook['signature'],
      'x-chargify-webhook-signature-hmac-sha-256': webhook['signature_hmac_sha_256'],
    });
    const md5 = createHash('md5')
      .update(sandbox.sharedKey + received?.body)
      .digest('hex');
    expect(webhook['signature']).toBe(md5);
  });

  test('clears accepted_at until the webhook is accepted again', async () => {
    const { post, sandbox } = await startTestSandbox({ settings: { ...fastDelivery, queueDelay: 60_000 } });
    const accepted = [...sandbox.truth.webhooks()].find(({ successful }) => successful) as JsonObject;
    expect(accepted['accepted_at']).not.toBeNull();
    await post('/webhooks/replay.json', { ids: [accepted['id']] });
    expect(sandbox.truth.webhook(accepted['id'] as number)).toMatchObject({
      accepted_at: null,
      successful: true,
      last_sent_at: accepted['last_sent_at'],
    });
  });

  test('tries a rejected webhook five times, records it in last_error, and lists it as failed', async () => {
    const { post, sandbox } = await startTestSandbox({ settings: fastDelivery });
    const accepted = [...sandbox.truth.webhooks()].findLast(({ successful }) => successful) as JsonObject;
    sandbox.setEndpoint({ down: true });
    await post('/webhooks/replay.json', { ids: [accepted['id']] });
    await sandbox.idle();
    expect(sandbox.received.map(({ id }) => id)).toEqual(Array(5).fill(accepted['id']));
    const webhook = sandbox.truth.webhook(accepted['id'] as number) as JsonObject;
    expect(webhook).toMatchObject({
      successful: false,
      accepted_at: null,
      last_error: '503 Service Unavailable (retry 5 of 5)',
    });
    expect(webhook['last_error_at']).toBe(webhook['last_sent_at']);
  });

  test('stops retrying after a retry is accepted', async () => {
    const { post, sandbox } = await startTestSandbox({
      settings: { ...fastDelivery, retryAfter: [100, 100, 100, 100] },
    });
    const [id] = failedIds(sandbox) as [number];
    sandbox.setEndpoint({ down: true, status: 404 });
    await post('/webhooks/replay.json', { ids: [id] });
    await expect.poll(() => sandbox.received.length).toBeGreaterThan(0);
    sandbox.setEndpoint({});
    await sandbox.idle();
    expect(sandbox.received.length).toBeLessThan(5);
    expect(sandbox.truth.webhook(id)).toMatchObject({
      successful: true,
      last_error: null,
      last_error_at: null,
    });
  });

  test.each([
    [404, '404 Resource Not Found'],
    [500, '500 Internal Server Error'],
    [201, '201 Created'],
    [302, '302 Found'],
  ])('takes nothing but 200 for accepted, not %i', async (status, text) => {
    const { post, sandbox } = await startTestSandbox({ settings: { ...fastDelivery, retryAfter: [] } });
    const [id] = failedIds(sandbox) as [number];
    sandbox.setEndpoint({ down: true, status });
    await post('/webhooks/replay.json', { ids: [id] });
    await sandbox.idle();
    expect(sandbox.truth.webhook(id)).toMatchObject({
      successful: false,
      last_error: `${text} (retry 1 of 5)`,
    });
  });

  test('treats a late response as a timeout', async () => {
    const { post, sandbox } = await startTestSandbox({
      settings: { ...fastDelivery, acceptWithin: 0.05, retryAfter: [] },
    });
    const [id] = failedIds(sandbox) as [number];
    sandbox.setEndpoint({ delay: 400 });
    await post('/webhooks/replay.json', { ids: [id] });
    await sandbox.idle();
    expect(sandbox.truth.webhook(id)).toMatchObject({
      successful: false,
      last_error: 'execution expired (retry 1 of 5)',
    });
  });

  test('ignores unknown and repeated ids, and accepts at most 1,000 ids', async () => {
    const { post, sandbox } = await startTestSandbox({ settings: fastDelivery });
    const [id] = failedIds(sandbox) as [number];
    expect(
      (await post('/webhooks/replay.json', { ids: [1, 999_999_999_999, id, id, String(id)] })).status,
    ).toBe(200);
    await sandbox.idle();
    expect(sandbox.received.map((one) => one.id)).toEqual([id]);
    const many = Array.from({ length: 1001 }, (_, i) => i + 1);
    expect((await post('/webhooks/replay.json', { ids: many.slice(1) })).status).toBe(200);
    expect((await post('/webhooks/replay.json', { ids: many })).json()).toEqual({
      errors: ['Ids: cannot be more than 1000.'],
    });
  });

  test.each([{}, { ids: [] }, { ids: 'all' }, { ids: null }, [1]])('refuses %j with 422', async (body) => {
    const { post } = await startTestSandbox();
    const response = await post('/webhooks/replay.json', body);
    expect([response.status, response.json()]).toEqual([422, { errors: ['Ids: cannot be blank.'] }]);
  });

  test('rejects ids that are not integers', async () => {
    const { post } = await startTestSandbox();
    expect((await post('/webhooks/replay.json', { ids: [1.5] })).json()).toEqual({
      errors: ['Ids: must be integers.'],
    });
  });

  test('pauses an endpoint after 26 failures in a row, and delivers nothing until the merchant resumes it', async () => {
    const once = { settings: { ...fastDelivery, retryAfter: [], sendersAtOnce: 1 } };
    const faults = { endpoint_down: ['2026-10-01T04:00:00Z', '2026-10-20T04:00:00Z'] as const };
    const { post, sandbox } = await startTestSandbox({ ...once, faults });
    const ids = failedIds(sandbox).slice(0, 40);
    expect(ids.length).toBe(40);
    sandbox.setEndpoint({ down: true });
    await post('/webhooks/replay.json', { ids: ids.slice(0, 25) });
    await sandbox.idle();
    expect(sandbox.deliveries()).toMatchObject({ failures_in_row: 25, paused: false, withheld: 0 });
    await post('/webhooks/replay.json', { ids });
    await sandbox.idle();
    expect(sandbox.deliveries()).toEqual({
      max_queued: 40,
      failures_in_row: 26,
      most_failures_in_row: 26,
      paused: true,
      withheld: 39,
    });
    expect(sandbox.received.length).toBe(26);
    sandbox.setEndpoint({});
    expect(sandbox.deliveries()).toMatchObject({ failures_in_row: 0, paused: false });
    await post('/webhooks/replay.json', { ids });
    await sandbox.idle();
    expect(ids.every((id) => sandbox.accepted.get(id) === 1)).toBe(true);
  });
});
