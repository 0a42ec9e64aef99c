import { describe, expect, it, onTestFinished } from 'vitest';
import type { LogRecord } from '../../src/backend/shared/backend-start-options.ts';
import { createBackendClient, toContractError } from '../../src/contract/index.ts';
import { jobIds, openTestReader, openTestWriter, SECRET, webhookIds } from './misbehaving-backend.ts';

const site = 'acme';

function openBackend() {
  const records: LogRecord[] = [];
  const log = (record: LogRecord) => void records.push(record);
  const [reader, writer] = [openTestReader({ log }), openTestWriter({ log })];
  const close = async () => {
    await reader.close();
    await writer.close();
  };
  onTestFinished(close);
  return { client: createBackendClient({ reader: reader.link, writer: writer.link }), records, close };
}

const getErrorCode = (call: Promise<unknown>) =>
  call.then(
    () => 'completed',
    (error: unknown) => toContractError(error).code,
  );

describe('a backend in the caller’s process', () => {
  it('returns only fields of the contract and errors as data, like a backend behind a port', async () => {
    const { client, records } = openBackend();
    expect(await client.webhooks.get({ site, id: webhookIds.valid })).toMatchObject({ id: 1, body: 'é=1' });
    expect(JSON.stringify(await client.webhooks.get({ site, id: webhookIds.leaking }))).not.toContain(SECRET);
    expect(await getErrorCode(client.webhooks.get({ site, id: webhookIds.throwing }))).toBe('internal');
    expect(await getErrorCode(client.webhooks.get({ site, id: webhookIds.refused }))).toBe('validation');
    expect(records.map((record) => record.msg)).toEqual(['webhooks.get failed.']);
  });

  it('rejects running and later calls after it is closed', async () => {
    const { client, close } = openBackend();
    const call = getErrorCode(client.webhooks.get({ site, id: webhookIds.waiting }));
    const stream = await client.jobs.watch({ site, job: jobIds.endless });
    await stream.next();
    await expect.poll(() => client.settings.all({})).toMatchObject({ waiting: 1 });
    await close();
    expect(await call).toBe('disconnected');
    expect(await getErrorCode(stream.next())).toBe('disconnected');
    expect(await getErrorCode(client.webhooks.get({ site, id: webhookIds.valid }))).toBe('disconnected');
  });

  it('lets other work of the process run during a series of calls', async () => {
    const { client } = openBackend();
    let hasRun = false;
    setTimeout(() => {
      hasRun = true;
    });
    for (let call = 0; call < 500 && !hasRun; call++) await client.settings.all({});
    expect(hasRun).toBe(true);
  });

  it('stops the handler of an aborted call, and of a stream that is no longer read', async () => {
    const { client } = openBackend();
    const call = new AbortController();
    const code = getErrorCode(client.webhooks.get({ site, id: webhookIds.waiting }, { signal: call.signal }));
    await expect.poll(() => client.settings.all({})).toMatchObject({ waiting: 1 });
    call.abort();
    expect(await code).toBe('canceled');
    await expect.poll(() => client.settings.all({})).toEqual({ waiting: 0, stopped: 1 });

    const countStreams = () => client.settings.set({ key: 'counts', value: true });
    for await (const { progress } of await client.jobs.watch({ site, job: jobIds.endless })) {
      if (progress[0]!.done >= 3) break;
    }
    await expect.poll(countStreams).toMatchObject({ streaming: 0, ended: 1 });

    // Between two values nothing is pending, so the abort itself must end the handler.
    const reading = new AbortController();
    const stream = await client.jobs.watch({ site, job: jobIds.endless }, { signal: reading.signal });
    await stream.next();
    reading.abort();
    expect(await getErrorCode(stream.next())).toBe('canceled');
    await expect.poll(countStreams).toMatchObject({ streaming: 0, ended: 2 });
  });

  it('delivers the values of a stream before its end or its error', async () => {
    const { client, records } = openBackend();
    const read = async (job: string) => {
      const received: number[] = [];
      const code = await getErrorCode(
        (async () => {
          for await (const { progress } of await client.jobs.watch({ site, job }))
            received.push(progress[0]!.done);
        })(),
      );
      return { received, code };
    };
    expect(await read(jobIds.ending)).toEqual({ received: [1], code: 'completed' });
    expect(await read(jobIds.throwing)).toEqual({ received: [1], code: 'internal' });
    expect(records.map((record) => record.msg)).toEqual(['jobs.watch failed.']);
  });

  it('shares no object between the caller and the handler', async () => {
    const { client } = openBackend();
    const value = { dark: [true, null] };
    const stored = (await client.settings.set({ key: 'theme', value })) as { theme: typeof value };
    expect(stored.theme).toEqual(value);
    expect(stored.theme).not.toBe(value);
    expect(stored.theme.dark).not.toBe(value.dark);
  });

  it('rejects a procedure of the other thread', async () => {
    const reader = openTestReader({ log: () => undefined });
    onTestFinished(() => reader.close());
    const call = reader.link.call(['jobs', 'watch'], { site, job: jobIds.ending }, { context: {} });
    expect(await getErrorCode(call)).toBe('internal');
  });
});
