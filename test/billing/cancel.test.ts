import { describe, expect, it } from 'vitest';
import { bareSockets, clientOf, json, type Reply, scripted } from './scripted.ts';

/** Giving up: one call, or the whole client; while waiting, underway, between tries, and while a PDF streams. */

const never: Reply = () => {};

describe('one call', () => {
  it('given up before it begins is not sent', async () => {
    const service = await scripted(json([]));
    const call = clientOf(service.origin).listWebhooks({}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'cancelled', outcome_unknown: false, retryable: false });
    expect(service.received).toEqual([]);
  });

  it.each([
    ['a read', false],
    ['a write', true],
  ])('given up while %s is underway ends at once', async (_what, write) => {
    const giving = new AbortController();
    const service = await scripted((_response, _request, nth) => {
      if (nth === 1) giving.abort();
    });
    const client = clientOf(service.origin);
    const options = { signal: giving.signal };
    const call = write ? client.replayWebhooks([1], options) : client.listWebhooks({}, options);
    await expect(call).rejects.toMatchObject({ code: 'cancelled', outcome_unknown: write });
    expect(client.pacing.state().in_flight).toBe(0);
  });

  it('given up inside the body ends at once', async () => {
    const giving = new AbortController();
    const origin = await bareSockets((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[', () => giving.abort());
    });
    const call = clientOf(origin).listWebhooks({}, { signal: giving.signal });
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('given up between two tries is not repeated', async () => {
    const giving = new AbortController();
    let sent = 0;
    const service = await scripted((response) => {
      sent++;
      response.writeHead(500).end();
    });
    const client = clientOf(service.origin, {
      pacing: { scale: 1, random: () => 1 },
      onRequest: () => setImmediate(() => giving.abort()),
    });
    await expect(client.listWebhooks({}, { signal: giving.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(sent).toBe(1);
  });

  it('leaves the others alone', async () => {
    const giving = new AbortController();
    const service = await scripted((response, { url }) => {
      if (url.includes('page=2')) giving.abort();
      else giving.signal.addEventListener('abort', () => response.end('[]'), { once: true });
    });
    const client = clientOf(service.origin);
    const staying = client.listWebhooks({ page: 1 });
    const going = client.listWebhooks({ page: 2 }, { signal: giving.signal });
    await expect(going).rejects.toMatchObject({ code: 'cancelled' });
    expect((await staying).items).toEqual([]);
  });
});

describe('the whole client', () => {
  it('closed ends what is underway and what waits, and takes nothing more', async () => {
    const service = await scripted(never);
    const client = clientOf(service.origin, { pacing: { max: 2 } });
    const calls = Promise.allSettled([1, 2, 3, 4].map((page) => client.listWebhooks({ page })));
    await expect.poll(() => service.received.length).toBe(2);
    await client.close();
    const ends = await calls;
    expect(ends.map((end) => end.status === 'rejected' && end.reason.code)).toEqual(
      Array(4).fill('cancelled'),
    );
    await expect(client.listWebhooks()).rejects.toMatchObject({ code: 'cancelled' });
    expect(service.received).toHaveLength(2);
  });

  it('ends with the signal it was made with', async () => {
    const ending = new AbortController();
    const service = await scripted(() => ending.abort());
    const client = clientOf(service.origin, { signal: ending.signal });
    await expect(client.listWebhooks()).rejects.toMatchObject({ code: 'cancelled' });
    await expect(client.listWebhooks()).rejects.toMatchObject({ code: 'cancelled' });
    expect(service.received).toHaveLength(1);
  });
});
