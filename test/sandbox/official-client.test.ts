/**
 * Tests the sandbox with the service's public client library: every operation that both the library and the interface
 * have.
 */
import { Agent } from 'node:https';
import { connect } from 'node:net';
import {
  ApiError,
  Client,
  CreditType,
  Environment,
  SubscriptionComponentsController,
  WebhookOrder,
  WebhookStatus,
  WebhooksController,
} from '@maxio-com/advanced-billing-sdk';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startTestSandbox } from './sandbox-client.ts';

/**
 * Creates the official client. It supports only the service's own address, so its agent hook redirects connections to the
 * sandbox without TLS.
 */
function createOfficialClient(sandbox: Sandbox, key = sandbox.apiKey): Client {
  const agent = new Agent({ keepAlive: true });
  agent.createConnection = () => connect(Number(new URL(sandbox.url).port), '127.0.0.1');
  onTestFinished(() => agent.destroy());
  return new Client({
    environment: Environment.US,
    site: 'harbor-analytics',
    basicAuthCredentials: { username: key, password: 'x' },
    httpClientOptions: { httpsAgent: agent, timeout: 10_000 },
  });
}

const now = { now: '2026-10-09T12:00:00Z', settings: { queueDelay: 1, timeScale: 0.001 } };

describe('official client library', () => {
  test('lists webhooks, page by page, filtered and ordered', async () => {
    const { sandbox } = await startTestSandbox();
    const webhooks = new WebhooksController(createOfficialClient(sandbox));
    const { result, statusCode } = await webhooks.listWebhooks({
      perPage: 200,
      order: WebhookOrder.OldestFirst,
    });
    expect(statusCode).toBe(200);
    const truth = [...sandbox.truth.webhooks()];
    expect(result.map(({ webhook }) => Number(webhook?.id))).toEqual(truth.slice(0, 200).map(({ id }) => id));
    expect(result[7]?.webhook).toMatchObject({
      event: truth[7]?.['event'],
      body: truth[7]?.['body'],
      signature: truth[7]?.['signature'],
      signatureHmacSha256: truth[7]?.['signature_hmac_sha_256'],
      createdAt: truth[7]?.['created_at'],
      acceptedAt: truth[7]?.['accepted_at'],
      successful: true,
    });
    const failed = await webhooks.listWebhooks({
      status: WebhookStatus.Failed,
      sinceDate: '2026-10-01',
      untilDate: '2026-10-31',
      page: 1,
      perPage: 200,
    });
    expect(failed.result).toHaveLength(
      truth.filter(({ successful, created_at }) => !successful && (created_at as string) >= '2026-10-01')
        .length,
    );
    expect(failed.result.every(({ webhook }) => webhook?.acceptedAt === null && webhook?.lastError)).toBe(
      true,
    );
  });

  test('replays webhooks', async () => {
    const { sandbox } = await startTestSandbox(now);
    const webhooks = new WebhooksController(createOfficialClient(sandbox));
    const failed = await webhooks.listWebhooks({ status: WebhookStatus.Failed, perPage: 200 });
    const ids = failed.result.map(({ webhook }) => webhook?.id as bigint);
    expect((await webhooks.replayWebhooks({ ids })).result).toMatchObject({ status: 'ok' });
    await sandbox.idle();
    expect((await webhooks.listWebhooks({ status: WebhookStatus.Failed })).result).toEqual([]);
  });

  test('creates one or several allocations and lists them', async () => {
    const { sandbox } = await startTestSandbox(now);
    const components = new SubscriptionComponentsController(createOfficialClient(sandbox));
    const [pair] = [...sandbox.truth.components()];
    const { subscription_id: subscription, component_id: component } = pair as NonNullable<typeof pair>;
    const made = await components.allocateComponent(subscription, component, {
      allocation: { quantity: 31, memo: 'more seats', upgradeCharge: CreditType.Prorated },
    });
    expect(made.statusCode).toBe(201);
    expect(made.result.allocation).toMatchObject({
      quantity: 31,
      memo: 'more seats',
      componentId: component,
    });
    expect(made.result.allocation?.payment).toMatchObject({ success: true });
    const batchResult = await components.allocateComponents(subscription, {
      prorationUpgradeScheme: 'prorate-delay-capture',
      allocations: [
        { componentId: component, quantity: 32, memo: 'one more' },
        { componentId: 277222, quantity: 4 },
      ],
    });
    expect(batchResult.statusCode).toBe(201);
    expect(batchResult.result.map(({ allocation }) => allocation?.quantity)).toEqual([32, 4]);
    expect(batchResult.result[0]?.allocation?.prorationUpgradeScheme).toBe('prorate-delay-capture');
    const { result } = await components.listAllocations(subscription, component, 1);
    const truth = sandbox.truth.allocations({ subscription_id: subscription, component_id: component });
    expect(
      result.map(({ allocation }) => [
        allocation?.quantity,
        allocation?.previousQuantity,
        allocation?.timestamp,
      ]),
    ).toEqual(
      truth.map(({ quantity, previous_quantity, timestamp }) => [quantity, previous_quantity, timestamp]),
    );
    expect((await components.listAllocations(subscription, component, 9)).result).toEqual([]);
  });

  test('receives the documented errors', async () => {
    const { sandbox } = await startTestSandbox();
    const components = new SubscriptionComponentsController(createOfficialClient(sandbox));
    const [pair] = [...sandbox.truth.components()];
    const refused = components.allocateComponent(pair?.subscription_id as number, 277225, {
      allocation: { quantity: 5 },
    });
    await expect(refused).rejects.toMatchObject({
      statusCode: 422,
      result: { errors: ['Quantity: must be 1 (on) or 0 (off).'] },
    });
    await expect(components.listAllocations(pair?.subscription_id as number, 1, 1)).rejects.toMatchObject({
      statusCode: 404,
    });
    await expect(
      components.listAllocations(pair?.subscription_id as number, 277221, 0),
    ).rejects.toMatchObject({
      statusCode: 422,
      result: { errors: ['invalid page: 0'] },
    });
    const unauthorizedClient = new WebhooksController(createOfficialClient(sandbox, 'wrong'));
    const denied = await unauthorizedClient.listWebhooks({}).catch((error: unknown) => error);
    expect(denied).toBeInstanceOf(ApiError);
    expect(denied).toMatchObject({ statusCode: 401, body: 'HTTP Basic: Access denied.\n' });
  });
});
