import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  type contract,
  createClient,
  type ErrorValue,
  errorOf,
  type Inputs,
  type Link,
  type Thread,
} from '../../src/contract/index.ts';
import { asked, refusal, SECRET, watched } from './backend.ts';

/** One way to carry the contract, to the backend of `backend.ts`. */
export interface Carrier {
  /** A new connection to both threads. */
  connect(): Promise<Connection> | Connection;
  /** Everything that was logged so far, as text. */
  logged(): string;
  /** Ends the backend itself. */
  close(): Promise<void> | void;
}

export interface Connection {
  readonly links: Record<Thread, Link>;
  /** Breaks the connection, as a closed window or a lost socket would. */
  end(): void;
}

const site = 'acme';

/** What a call fails with, as an error of the contract; fails itself where the call does not. */
async function failure(call: Promise<unknown>): Promise<ErrorValue> {
  try {
    await call;
  } catch (error) {
    return errorOf(error);
  }
  throw new Error('The call did not fail.');
}

/** All that a stream gives, to its end. */
async function collected<Value>(stream: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const value of stream) values.push(value);
  return values;
}

/**
 * The behaviors of the contract that hold over every link. `carry` is called once: it starts the backend of
 * `backend.ts` (its threads: `reader.ts` and `writer.ts`) and carries it in its own way.
 */
export function contractSuite(name: string, carry: () => Promise<Carrier> | Carrier): void {
  describe(`the contract, ${name}`, () => {
    let carrier: Carrier;
    let connection: Connection;
    let client: Client;
    beforeAll(async () => {
      carrier = await carry();
      connection = await carrier.connect();
      client = createClient(connection.links);
    });
    afterAll(async () => {
      connection?.end();
      await carrier?.close();
    });

    const get = (id: number) => client.webhooks.get({ site, id });
    const reading = async () => (await client.settings.all({})) as { waiting: number; stopped: number };
    const writing = async () =>
      (await client.settings.set({ key: 'asked', value: true })) as { streaming: number; ended: number };

    it('carries values whole, to the thread that serves them', async () => {
      expect(await get(asked.plain)).toMatchObject({
        id: 1,
        body: 'é=1',
        extra: { kept: [1, { deep: null }] },
      });
      expect(await client.settings.set({ key: 'theme', value: { dark: [true, null, 'ü'] } })).toMatchObject({
        theme: { dark: [true, null, 'ü'] },
      });
    });

    it('refuses an input that is not of the contract, field by field', async () => {
      const error = await failure(client.webhooks.get({ site: 'No Such Name!', id: -1 }));
      expect(error).toMatchObject({ code: 'validation', retryable: false });
      expect(error.errors?.map((each) => each.split(':')[0])).toEqual(['site', 'id']);
      const missing = await failure(client.jobs.cancel({} as Inputs['jobs']['cancel']));
      expect(missing.code).not.toBe('validation');
    });

    it('lets nothing cross that is not in the schema', async () => {
      const told = await get(asked.tellsTooMuch);
      expect(told.fields).toEqual([{ key: 'a', value: 'b' }]);
      expect(JSON.stringify(told)).not.toContain(SECRET);
      const jobs = await collected(await client.jobs.watch({ site, job: watched.tellsTooMuch }));
      expect(jobs.length).toBe(2);
      expect(JSON.stringify(jobs)).not.toContain(SECRET);
    });

    it('carries an error as data: code, message, hint and what the service said, word for word', async () => {
      expect(await failure(get(asked.refuses))).toEqual(refusal);
    });

    it.each([
      ['throws what nobody expects', asked.breaks],
      ['answers what the contract does not know', asked.answersNonsense],
    ])('tells nothing of a procedure that %s but where the log has it', async (_, id) => {
      const thrown = await get(id).catch((error: unknown) => error);
      const error = errorOf(thrown);
      expect(error).toMatchObject({ code: 'internal', hint: expect.stringMatching(/under [0-9a-f]{12}\.$/) });
      expect(JSON.stringify([error, thrown])).not.toContain(SECRET);
      expect(JSON.stringify([error, thrown])).not.toMatch(/\.ts\b|node_modules/);
      await expect.poll(() => carrier.logged()).toContain(String(error.detail?.['log']));
    });

    it('tells nothing of a stream that breaks either', async () => {
      const seen: number[] = [];
      const error = await failure(
        (async () => {
          for await (const { progress } of await client.jobs.watch({ site, job: watched.breaks }))
            seen.push(progress[0]!.done);
        })(),
      );
      expect(seen).toEqual([1]);
      expect(error).toMatchObject({ code: 'internal', hint: expect.stringContaining('log') });
      expect(JSON.stringify(error)).not.toContain(SECRET);
    });

    it('stops a call whose signal is aborted, on the other side too', async () => {
      const { stopped } = await reading();
      const control = new AbortController();
      const call = client.webhooks.get({ site, id: asked.waits }, { signal: control.signal });
      await expect.poll(async () => (await reading()).waiting).toBe(1);
      control.abort();
      expect((await failure(call)).code).toBe('canceled');
      await expect.poll(reading).toEqual({ waiting: 0, stopped: stopped + 1 });
    });

    it('streams values as they come, and ends with the stream', async () => {
      const jobs = await collected(await client.jobs.watch({ site, job: watched.ends }));
      expect(jobs.map((each) => each.progress[0]?.done)).toEqual([1]);
    });

    it('ends a stream that nobody reads any more, or whose signal is aborted', async () => {
      const { ended } = await writing();
      for await (const { progress } of await client.jobs.watch({ site, job: watched.goesOn })) {
        if (progress[0]!.done >= 3) break;
      }
      await expect.poll(writing).toMatchObject({ streaming: 0, ended: ended + 1 });

      const control = new AbortController();
      const stream = await client.jobs.watch({ site, job: watched.goesOn }, { signal: control.signal });
      await stream.next();
      control.abort();
      await failure(collected(stream));
      await expect.poll(writing).toMatchObject({ streaming: 0, ended: ended + 2 });
    });

    it('rejects what is under way and what comes after when the link ends, and stops it on the other side', async () => {
      const { stopped } = await reading();
      const { ended } = await writing();
      const other = await carrier.connect();
      const lost = createClient(other.links);
      const call = failure(lost.webhooks.get({ site, id: asked.waits }));
      const stream = await lost.jobs.watch({ site, job: watched.goesOn });
      await stream.next();
      await expect.poll(async () => (await reading()).waiting).toBe(1);
      other.end();
      expect((await call).code).toBe('disconnected');
      expect((await failure(collected(stream))).code).toBe('disconnected');
      expect((await failure(lost.webhooks.get({ site, id: asked.plain }))).code).toBe('disconnected');
      expect((await failure(lost.jobs.watch({ site, job: watched.ends }))).code).toBe('disconnected');
      await expect.poll(reading).toEqual({ waiting: 0, stopped: stopped + 1 });
      await expect.poll(writing).toMatchObject({ streaming: 0, ended: ended + 1 });
      expect(await get(asked.plain)).toMatchObject({ id: 1 });
    });

    it('serves a procedure on its own thread alone', async () => {
      const wrong = createORPCClient<ContractRouterClient<typeof contract>>(connection.links.writer);
      expect((await failure(wrong.webhooks.get({ site, id: asked.plain }))).code).toBe('internal');
      expect(await get(asked.plain)).toMatchObject({ id: 1 });
    });
  });
}
