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
});
