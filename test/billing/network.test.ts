import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { toNetworkError } from '../../src/billing/errors/network-errors.ts';
import type { BillingClient, BillingClientOptions, BillingError } from '../../src/billing/index.ts';
import {
  closeAfterTest,
  createTestClient,
  JSON_TYPE,
  replyInOrder,
  replyJson,
  replyWith,
  type ScriptedReply,
  startScriptedServer,
  startSocketServer,
} from './scripted-server.ts';
import { createSelfSignedCertificate } from './self-signed-certificate.ts';

/** Tests incomplete exchanges with real sockets on the loopback interface. */

async function getFailure(
  origin: string,
  options: Partial<BillingClientOptions> = {},
  run: (client: BillingClient) => Promise<unknown> = (client) => client.listWebhooks({}, { maxAttempts: 1 }),
): Promise<BillingError> {
  const error = await run(createTestClient(origin, options)).then(
    () => {
      throw new Error('the call succeeded');
    },
    (reason: BillingError) => reason,
  );
  expect(error.name).toBe('BillingError');
  expect(error.hint).toBeTruthy();
  return error;
}

const replayWebhook = (client: BillingClient) => client.replayWebhooks([1]);

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

describe('failed connections', () => {
  it('report a refused connection as not sent, even for a write', async () => {
    const origin = 'http://127.0.0.1:1';
    for (const run of [undefined, replayWebhook]) {
      const error = await getFailure(origin, {}, run);
      expect(error).toMatchObject({ code: 'network', outcome_unknown: false, retryable: true });
      expect(error.message).toBe(
        `${new URL(origin).host} refused the connection while ${run ? 'replaying webhook 1' : 'listing webhooks'}. Nothing was sent.`,
      );
    }
  });

  it('report a connection timeout as not sent', async () => {
    const origin = (await startSocketServer(() => {})).replace('http:', 'https:');
    const error = await getFailure(origin, { timeouts: { connect: 100 } }, replayWebhook);
    expect(error).toMatchObject({ code: 'timeout', outcome_unknown: false, retryable: true });
  });

  it('suggest checking the address if the host name cannot be resolved', () => {
    for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
      const error = toNetworkError(Object.assign(new Error('getaddrinfo'), { code }), {
        host: 'acme.example',
        activity: 'listing webhooks',
        isWrite: false,
      });
      expect(error).toMatchObject({ code: 'network', retryable: true, detail: { reason: code } });
      expect(error.message).toBe(
        'No server named acme.example was found while listing webhooks. Nothing was sent.',
      );
    }
  });

  it.each(['EHOSTUNREACH', 'ENETUNREACH'])('report an unreachable network (%s)', (code) => {
    const cause = Object.assign(new Error('connect'), { code });
    const error = toNetworkError(new AggregateError([cause], 'all', { cause }), {
      host: 'acme.example',
      activity: 'replaying 2 webhooks',
      isWrite: true,
    });
    expect(error).toMatchObject({ code: 'network', retryable: true, outcome_unknown: false });
  });
});

describe('TLS', () => {
  it('rejects an untrusted certificate before sending anything', async () => {
    let requests = 0;
    const server = createServer(createSelfSignedCertificate(), (_request, response) => {
      requests++;
      response.end('[]');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closeAfterTest(async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    });
    const error = await getFailure(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(error).toMatchObject({
      code: 'network',
      retryable: false,
      detail: { reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    expect(error.message).toContain('No secure connection');
    expect(requests).toBe(0);
  });

  it('reports a server without TLS', async () => {
    const service = await startScriptedServer(replyJson([]));
    const error = await getFailure(service.origin.replace('http:', 'https:'));
    expect(error).toMatchObject({ code: 'network', retryable: false });
    expect(service.received).toEqual([]);
  });
});

describe('lost connections', () => {
  const lostConnections: [string, (socket: Socket) => void][] = [
    ['lost before the response', (socket) => socket.destroy()],
    ['reset by the server', (socket) => socket.resetAndDestroy()],
    ['lost in the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty')],
    [
      'lost in a body of known length',
      (socket) => socket.end(`${HEAD}Content-Length: 100\r\n\r\n[{"webhook"`),
    ],
    [
      'lost in a chunked body',
      (socket) => socket.end(`${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n[{"we\r\n`),
    ],
    ['response that is not HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n')],
  ];

  it.each(lostConnections)('are reported as a network error: %s', async (_when, cut) => {
    const read = await getFailure(await startSocketServer(cut));
    expect(read).toMatchObject({ code: 'network', retryable: true, outcome_unknown: false });
    const write = await getFailure(await startSocketServer(cut), {}, replayWebhook);
    expect(write).toMatchObject({ code: 'network', retryable: false, outcome_unknown: true });
    expect(write.message).toContain('It is not known whether the change was made.');
  });

  it('are reported with the error status if an error body is truncated', async () => {
    for (const [status, code] of [
      ['401 Unauthorized', 'auth'],
      ['404 Not Found', 'not_found'],
      ['422 Unprocessable Entity', 'service'],
      ['500 Internal Server Error', 'service'],
    ] as const) {
      const origin = await startSocketServer((socket) =>
        socket.end(`${HEAD.replace('200 OK', status)}Content-Length: 100\r\n\r\n{"errors":["Qu`),
      );
      expect(await getFailure(origin)).toMatchObject({ code, status: Number(status.slice(0, 3)) });
    }
  });

  it('make the client retry a read, but never a write', async () => {
    let requests = 0;
    const origin = await startSocketServer((socket, nth) => {
      requests = nth;
      if (nth < 3) socket.destroy();
      else socket.end(`${HEAD}Content-Length: 2\r\n\r\n[]`);
    });
    expect((await createTestClient(origin).listWebhooks()).items).toEqual([]);
    expect(requests).toBe(3);
    let writes = 0;
    const other = await startSocketServer((socket, nth) => {
      writes = nth;
      socket.destroy();
    });
    await getFailure(other, {}, replayWebhook);
    expect(writes).toBe(1);
  });

  it('do not hide a created record if the body after a 201 is truncated', async () => {
    const origin = await startSocketServer((socket) =>
      socket.end(`${HEAD.replace('200 OK', '201 Created')}Content-Length: 100\r\n\r\n{"alloc`),
    );
    const { item, problems } = await createTestClient(origin).createAllocation(1, 2, { quantity: 1 });
    expect(item).toBeNull();
    expect(problems).toMatchObject([{ outcome: 'rejected' }]);
  });

  it('are detected in a body of unknown length', async () => {
    const error = await getFailure(
      await startSocketServer((socket) => socket.end(`${HEAD}\r\n[{"webhook":{"id":1}}`)),
    );
    expect(error).toMatchObject({ code: 'service', retryable: true });
  });
});

describe('timeouts', () => {
  const before = { headers: 100 };

  it.each([
    ['a stall before the response', () => {}, 'did not start to respond', before],
    [
      'a stall during the response',
      (socket: Socket) => socket.write(`${HEAD}Content-Length: 100\r\n\r\n[`),
      'stopped responding in the middle',
      { body: 100 },
    ],
  ] as const)('are reported for %s', async (_when, act, said, timeouts) => {
    const read = await getFailure(await startSocketServer(act), { timeouts });
    expect(read).toMatchObject({ code: 'timeout', retryable: true, outcome_unknown: false });
    expect(read.message).toContain(said);
    const write = await getFailure(await startSocketServer(act), { timeouts }, replayWebhook);
    expect(write).toMatchObject({ code: 'timeout', retryable: false, outcome_unknown: true });
  });

  it('halve the number of concurrent requests', async () => {
    const client = createTestClient(await startSocketServer(() => {}), { timeouts: before });
    await expect(client.listWebhooks({}, { maxAttempts: 1 })).rejects.toMatchObject({ code: 'timeout' });
    expect(client.pacing.state()).toMatchObject({ limit: 2, in_flight: 0 });
  });

  it('limit the complete exchange, even if the body arrives slowly', async () => {
    const origin = await startSocketServer((socket) => {
      socket.write(`${HEAD}Content-Length: 1000000\r\n\r\n`);
      const drip = setInterval(() => socket.write(' '), 5);
      socket.on('close', () => clearInterval(drip));
    });
    const error = await getFailure(origin, { timeouts: { total: 1000 } });
    expect(error).toMatchObject({ code: 'timeout', retryable: true });
    expect(error.message).toContain('did not complete the response in time');
  });
});

describe('response size', () => {
  it('is limited to 64 MB while downloading', async () => {
    const block = Buffer.alloc(2 ** 20, '%PDF-1.4 ');
    const endlessPdf = async (client: BillingClient) => {
      for await (const _ of (await client.readStatementPdf(5)).body);
    };
    let sent = 0;
    const origin = await startSocketServer((socket) => {
      socket.write(`${HEAD}Content-Length: ${10 * 2 ** 30}\r\n\r\n`);
      const pump = () => {
        while (!socket.destroyed && socket.write(block)) sent++;
        sent++;
      };
      socket.on('drain', pump);
      pump();
    });
    for (const run of [undefined, endlessPdf]) {
      sent = 0;
      const error = await getFailure(origin, {}, run);
      expect(error).toMatchObject({ code: 'service', retryable: false });
      expect(error.message).toContain('larger than 64 MB');
      expect(sent).toBeLessThan(128);
    }
  });
});

describe('redirects', () => {
  const to = (location: string, status = 302): ScriptedReply => replyWith(status, null, '', { location });

  it('of a read within the origin are followed with the key', async () => {
    const service = await startScriptedServer(
      replyInOrder(to('/v2/webhooks.json?page=1', 301), replyJson([])),
    );
    expect((await createTestClient(service.origin).listWebhooks({ page: 1 })).items).toEqual([]);
    expect(service.received.map(({ url, headers }) => [url, headers.authorization !== undefined])).toEqual([
      ['/webhooks.json?page=1', true],
      ['/v2/webhooks.json?page=1', true],
    ]);
  });

  it('in a loop are detected', async () => {
    const service = await startScriptedServer(to('/webhooks.json'));
    const error = await getFailure(service.origin);
    expect(error).toMatchObject({ code: 'service', retryable: false });
    expect(service.received).toHaveLength(4);
  });

  it('of a write are never followed', async () => {
    const service = await startScriptedServer(to('/other-path', 307));
    const error = await getFailure(service.origin, {}, replayWebhook);
    expect(error).toMatchObject({ code: 'service', outcome_unknown: false, status: 307 });
    expect(service.received).toHaveLength(1);
  });

  it('to an invalid address are reported', async () => {
    for (const location of ['http://', 'javascript:alert(1)', 'file:///etc/passwd']) {
      const service = await startScriptedServer(to(location));
      expect(await getFailure(service.origin)).toMatchObject({ code: 'service', status: 302 });
      expect(service.received).toHaveLength(1);
    }
    const service = await startScriptedServer(replyWith(304, JSON_TYPE, ''));
    expect(await getFailure(service.origin)).toMatchObject({ code: 'service', status: 304 });
  });
});
