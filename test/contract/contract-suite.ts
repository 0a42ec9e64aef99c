import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BackendClient,
  type BackendLink,
  type BackendThread,
  type backendContract,
  type ContractInputs,
  createBackendClient,
  type ErrorValue,
  toContractError,
} from '../../src/contract/index.ts';
import { jobIds, rejectionError, SECRET, webhookIds } from './misbehaving-backend.ts';

/** A transport of the contract that is connected to the backend of `misbehaving-backend.ts`. */
export interface Transport {
  /** Opens a new connection to both threads. */
  connect(): Promise<Connection> | Connection;
  /** Returns the complete log as text. */
  readLog(): string;
  /** Closes the backend. */
  close(): Promise<void> | void;
}

export interface Connection {
  readonly links: Record<BackendThread, BackendLink>;
  /** Ends the connection, like a closed window or a lost socket. */
  end(): void;
}

const site = 'acme';

/** Returns the error of a call that must fail. */
async function catchError(call: Promise<unknown>): Promise<ErrorValue> {
  try {
    await call;
  } catch (error) {
    return toContractError(error);
  }
  throw new Error('The call did not fail.');
}

/** Returns all values of a stream. */
async function collectValues<Value>(stream: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const value of stream) values.push(value);
  return values;
}

/**
 * Defines the tests that every transport of the contract must pass. `open` starts the backend of
 * `misbehaving-backend.ts`.
 */
export function defineContractSuite(name: string, open: () => Promise<Transport> | Transport): void {
  describe(`the contract ${name}`, () => {
    let transport: Transport;
    let connection: Connection;
    let client: BackendClient;
    beforeAll(async () => {
      transport = await open();
      connection = await transport.connect();
      client = createBackendClient(connection.links);
    });
    afterAll(async () => {
      connection?.end();
      await transport?.close();
    });

    const get = (id: number) => client.webhooks.get({ site, id });
    const countCalls = async () => (await client.settings.all({})) as { waiting: number; stopped: number };
    const countStreams = async () =>
      (await client.settings.set({ key: 'counts', value: true })) as { streaming: number; ended: number };

    it('delivers values unchanged to the thread that handles the procedure', async () => {
      expect(await get(webhookIds.valid)).toMatchObject({
        id: 1,
        body: 'é=1',
        extra: { list: [1, { deep: null }] },
      });
      expect(await client.settings.set({ key: 'theme', value: { dark: [true, null, 'ü'] } })).toMatchObject({
        theme: { dark: [true, null, 'ü'] },
      });
    });

    it('rejects invalid input with one error per field', async () => {
      const error = await catchError(client.webhooks.get({ site: 'No Such Name!', id: -1 }));
      expect(error).toMatchObject({ code: 'validation', retryable: false });
      expect(error.errors?.map((each) => each.split(':')[0])).toEqual(['site', 'id']);
      const missing = await catchError(client.jobs.cancel({} as ContractInputs['jobs']['cancel']));
      expect(missing.code).not.toBe('validation');
    });

    it('removes fields that the schema does not contain', async () => {
      const received = await get(webhookIds.leaking);
      expect(received.fields).toEqual([{ key: 'a', value: 'b' }]);
      expect(JSON.stringify(received)).not.toContain(SECRET);
      const jobs = await collectValues(await client.jobs.watch({ site, job: jobIds.leaking }));
      expect(jobs.length).toBe(2);
      expect(JSON.stringify(jobs)).not.toContain(SECRET);
    });

    it('returns errors as data, with the service’s errors unchanged', async () => {
      expect(await catchError(get(webhookIds.refused))).toEqual(rejectionError);
    });

    it.each([
      ['throws an unexpected error', webhookIds.throwing],
      ['returns an invalid result', webhookIds.invalid],
    ])('returns only a reference to the log entry if a procedure %s', async (_, id) => {
      const thrown = await get(id).catch((error: unknown) => error);
      const error = toContractError(thrown);
      expect(error).toMatchObject({
        code: 'internal',
        hint: expect.stringMatching(/^See log entry [0-9a-f]{12}\.$/),
      });
      expect(JSON.stringify([error, thrown])).not.toContain(SECRET);
      expect(JSON.stringify([error, thrown])).not.toMatch(/\.ts\b|node_modules/);
      await expect.poll(() => transport.readLog()).toContain(String(error.detail?.['log']));
    });

    it('returns only a reference to the log entry if a stream fails', async () => {
      const received: number[] = [];
      const error = await catchError(
        (async () => {
          for await (const { progress } of await client.jobs.watch({ site, job: jobIds.throwing }))
            received.push(progress[0]!.done);
        })(),
      );
      expect(received).toEqual([1]);
      expect(error).toMatchObject({ code: 'internal', hint: expect.stringContaining('log') });
      expect(JSON.stringify(error)).not.toContain(SECRET);
    });

    it('also stops an aborted call in the backend', async () => {
      const { stopped } = await countCalls();
      const controller = new AbortController();
      const call = client.webhooks.get({ site, id: webhookIds.waiting }, { signal: controller.signal });
      await expect.poll(async () => (await countCalls()).waiting).toBe(1);
      controller.abort();
      expect((await catchError(call)).code).toBe('canceled');
      await expect.poll(countCalls).toEqual({ waiting: 0, stopped: stopped + 1 });
    });

    it('delivers the values of a stream until it ends', async () => {
      const jobs = await collectValues(await client.jobs.watch({ site, job: jobIds.ending }));
      expect(jobs.map((each) => each.progress[0]?.done)).toEqual([1]);
    });

    it('ends a stream that is no longer read or whose signal is aborted', async () => {
      const { ended } = await countStreams();
      for await (const { progress } of await client.jobs.watch({ site, job: jobIds.endless })) {
        if (progress[0]!.done >= 3) break;
      }
      await expect.poll(countStreams).toMatchObject({ streaming: 0, ended: ended + 1 });

      const controller = new AbortController();
      const stream = await client.jobs.watch({ site, job: jobIds.endless }, { signal: controller.signal });
      await stream.next();
      controller.abort();
      await catchError(collectValues(stream));
      await expect.poll(countStreams).toMatchObject({ streaming: 0, ended: ended + 2 });
    });

    it('rejects running and later calls after the link ends, and stops them in the backend', async () => {
      const { stopped } = await countCalls();
      const { ended } = await countStreams();
      const other = await transport.connect();
      const disconnectedClient = createBackendClient(other.links);
      const call = catchError(disconnectedClient.webhooks.get({ site, id: webhookIds.waiting }));
      const stream = await disconnectedClient.jobs.watch({ site, job: jobIds.endless });
      await stream.next();
      await expect.poll(async () => (await countCalls()).waiting).toBe(1);
      other.end();
      expect((await call).code).toBe('disconnected');
      expect((await catchError(collectValues(stream))).code).toBe('disconnected');
      expect((await catchError(disconnectedClient.webhooks.get({ site, id: webhookIds.valid }))).code).toBe(
        'disconnected',
      );
      expect((await catchError(disconnectedClient.jobs.watch({ site, job: jobIds.ending }))).code).toBe(
        'disconnected',
      );
      await expect.poll(countCalls).toEqual({ waiting: 0, stopped: stopped + 1 });
      await expect.poll(countStreams).toMatchObject({ streaming: 0, ended: ended + 1 });
      expect(await get(webhookIds.valid)).toMatchObject({ id: 1 });
    });

    it('serves a procedure only on its own thread', async () => {
      const wrongThread = createORPCClient<ContractRouterClient<typeof backendContract>>(
        connection.links.writer,
      );
      expect((await catchError(wrongThread.webhooks.get({ site, id: webhookIds.valid }))).code).toBe(
        'internal',
      );
      expect(await get(webhookIds.valid)).toMatchObject({ id: 1 });
    });
  });
}
