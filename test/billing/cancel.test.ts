import { describe, expect, it } from 'vitest';
import {
  createTestClient,
  replyJson,
  type ScriptedReply,
  startScriptedServer,
  startSocketServer,
} from './scripted-server.ts';

/** Aborts one call or the whole client: while waiting, in progress, between attempts and during a PDF download. */

const neverReply: ScriptedReply = () => {};

describe('a call', () => {
  it('aborted before it starts is not sent', async () => {
    const service = await startScriptedServer(replyJson([]));
    const call = createTestClient(service.origin).listWebhooks({}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'canceled', outcome_unknown: false, retryable: false });
    expect(service.received).toEqual([]);
  });

  it.each([
    ['a read', false],
    ['a write', true],
  ])('aborted while %s is in progress ends immediately', async (_what, write) => {
    const giving = new AbortController();
    const service = await startScriptedServer((_response, _request, nth) => {
      if (nth === 1) giving.abort();
    });
    const client = createTestClient(service.origin);
    const options = { signal: giving.signal };
    const call = write ? client.replayWebhooks([1], options) : client.listWebhooks({}, options);
    await expect(call).rejects.toMatchObject({ code: 'canceled', outcome_unknown: write });
    expect(client.pacing.state().in_flight).toBe(0);
  });

  it('aborted during the response body ends immediately', async () => {
    const giving = new AbortController();
    const origin = await startSocketServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[', () => giving.abort());
    });
    const call = createTestClient(origin).listWebhooks({}, { signal: giving.signal });
    await expect(call).rejects.toMatchObject({ code: 'canceled' });
  });

  it('aborted between two attempts is not retried', async () => {
    const giving = new AbortController();
    let sent = 0;
    const service = await startScriptedServer((response) => {
      sent++;
      response.writeHead(500).end();
    });
    const client = createTestClient(service.origin, {
      pacing: { delayScale: 1, random: () => 1 },
      onRequest: () => setImmediate(() => giving.abort()),
    });
    await expect(client.listWebhooks({}, { signal: giving.signal })).rejects.toMatchObject({
      code: 'canceled',
    });
    expect(sent).toBe(1);
  });

  it('does not affect other calls', async () => {
    const giving = new AbortController();
    const service = await startScriptedServer((response, { url }) => {
      if (url.includes('page=2')) giving.abort();
      else giving.signal.addEventListener('abort', () => response.end('[]'), { once: true });
    });
    const client = createTestClient(service.origin);
    const staying = client.listWebhooks({ page: 1 });
    const going = client.listWebhooks({ page: 2 }, { signal: giving.signal });
    await expect(going).rejects.toMatchObject({ code: 'canceled' });
    expect((await staying).items).toEqual([]);
  });
});

describe('the billing client', () => {
  it('ends running and waiting calls when it is closed, and accepts no more', async () => {
    const service = await startScriptedServer(neverReply);
    const client = createTestClient(service.origin, { pacing: { maxConcurrent: 2 } });
    const calls = Promise.allSettled([1, 2, 3, 4].map((page) => client.listWebhooks({ page })));
    await expect.poll(() => service.received.length).toBe(2);
    await client.close();
    const ends = await calls;
    expect(ends.map((end) => end.status === 'rejected' && end.reason.code)).toEqual(
      Array(4).fill('canceled'),
    );
    await expect(client.listWebhooks()).rejects.toMatchObject({ code: 'canceled' });
    expect(service.received).toHaveLength(2);
  });

  it('ends all calls when its own signal is aborted', async () => {
    const ending = new AbortController();
    const service = await startScriptedServer(() => ending.abort());
    const client = createTestClient(service.origin, { signal: ending.signal });
    await expect(client.listWebhooks()).rejects.toMatchObject({ code: 'canceled' });
    await expect(client.listWebhooks()).rejects.toMatchObject({ code: 'canceled' });
    expect(service.received).toHaveLength(1);
  });
});
