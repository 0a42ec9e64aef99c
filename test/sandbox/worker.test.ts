import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { SandboxDescription, SandboxOptions } from '../../src/sandbox/index.ts';
import { basicAuthorization } from './sandbox-client.ts';

const startWorker = (workerData: SandboxOptions): Worker =>
  new Worker(new URL('../../src/sandbox/worker.ts', import.meta.url), { workerData });

test('a worker thread runs a sandbox, reports its address, and closes it on request', async () => {
  const worker = startWorker({ seed: 5, subscriptions: 12, months: 2 });
  const [ready] = (await once(worker, 'message')) as [SandboxDescription & { type: string }];
  expect(ready).toMatchObject({
    type: 'ready',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    endpoint_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/webhooks$/),
    control_url: `${ready.url}/sandbox`,
    shared_key: expect.any(String),
    seed: 5,
    now: expect.stringMatching(/^2026-11-01T06:00/),
    counts: {
      subscriptions: 12,
      webhooks: expect.any(Number),
      failed_webhooks: expect.any(Number),
      statements: expect.any(Number),
    },
  });
  const response = await fetch(`${ready.url}/webhooks.json`, {
    headers: { authorization: basicAuthorization(ready.api_key) },
  });
  expect(response.status).toBe(200);
  worker.postMessage('close');
  expect(await once(worker, 'exit')).toEqual([0]);
});

test('a worker thread with invalid options ends with the reason', async () => {
  const [error] = await once(startWorker({ subscriptions: -1 }), 'error');
  expect((error as Error).message).toContain('subscriptions must be an integer');
});
