import { describe, expect, it, onTestFinished } from 'vitest';
import type { LogRecord } from '../../src/backend/shared/start-options.ts';
import { createClient, errorOf } from '../../src/contract/index.ts';
import { asked, openTestReader, openTestWriter, SECRET, watched } from './backend.ts';

const site = 'acme';

function opened() {
  const records: LogRecord[] = [];
  const log = (record: LogRecord) => void records.push(record);
  const [reader, writer] = [openTestReader({ log }), openTestWriter({ log })];
  const close = async () => {
    await reader.close();
    await writer.close();
  };
  onTestFinished(close);
  return { client: createClient({ reader: reader.link, writer: writer.link }), records, close };
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: unknown) => errorOf(error).code,
  );

describe('a backend in the caller’s own process', () => {
  it('answers as one behind a port does: nothing but what the contract knows, errors as data', async () => {
    const { client, records } = opened();
    expect(await client.webhooks.get({ site, id: asked.plain })).toMatchObject({ id: 1, body: 'é=1' });
    expect(JSON.stringify(await client.webhooks.get({ site, id: asked.tellsTooMuch }))).not.toContain(SECRET);
    expect(await codeOf(client.webhooks.get({ site, id: asked.breaks }))).toBe('internal');
    expect(await codeOf(client.webhooks.get({ site, id: asked.refuses }))).toBe('validation');
    expect(records.map((record) => record.msg)).toEqual(['webhooks.get failed.']);
  });

  it('rejects what is under way and what comes after once it is closed', async () => {
    const { client, close } = opened();
    const call = codeOf(client.webhooks.get({ site, id: asked.waits }));
    const stream = await client.jobs.watch({ site, job: watched.goesOn });
    await stream.next();
    await expect.poll(() => client.settings.all({})).toMatchObject({ waiting: 1 });
    await close();
    expect(await call).toBe('disconnected');
    expect(await codeOf(stream.next())).toBe('disconnected');
    expect(await codeOf(client.webhooks.get({ site, id: asked.plain }))).toBe('disconnected');
  });
});
