import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PdfStream } from '../../../src/billing/index.ts';
import {
  createTestClient,
  replyInOrder,
  replyJson,
  replyWith,
  startScriptedServer,
  startSocketServer,
} from '../scripted-server.ts';

/** Tests the download of a statement PDF (4.9) as a stream. */

const PDF = Buffer.concat([
  Buffer.from('%PDF-1.4\n'),
  Buffer.alloc(300_000, 'content '),
  Buffer.from('\n%%EOF\n'),
]);
const TYPE = 'application/pdf';

async function readAllBytes({ body }: PdfStream): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

describe('a statement PDF', () => {
  it.each(['json', 'xml'] as const)(
    'is downloaded unchanged by URL suffix and by Accept header from a %s site',
    async (format) => {
      const service = await startScriptedServer(
        replyWith(200, TYPE, PDF, { 'content-length': String(PDF.length) }),
      );
      const client = createTestClient(service.origin, { format });
      for (const by of ['suffix', 'header'] as const) {
        const stream = await client.readStatementPdf(79_221_381, { requestedBy: by });
        expect(stream.meta).toMatchObject({ status: 200, bytes: PDF.length });
        expect(stream.headers['content-type']).toBe(TYPE);
        expect((await readAllBytes(stream)).equals(PDF)).toBe(true);
      }
      expect(
        service.received.map(({ url, headers }) => [url, headers.accept, headers['content-type']]),
      ).toEqual([
        ['/statements/79221381.pdf', TYPE, undefined],
        ['/statements/79221381', TYPE, TYPE],
      ]);
    },
  );

  it('can be hashed while it streams', async () => {
    const service = await startScriptedServer(replyWith(200, TYPE, PDF));
    const hash = createHash('sha256');
    let pieces = 0;
    for await (const piece of (await createTestClient(service.origin).readStatementPdf(5)).body) {
      hash.update(piece);
      pieces++;
    }
    expect(hash.digest('hex')).toBe(createHash('sha256').update(PDF).digest('hex'));
    expect(pieces).toBeGreaterThan(1);
  });

  it('is recognized by its signature, even if it arrives late and in parts', async () => {
    const origin = await startSocketServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n\r\n%P', () =>
        socket.write('DF-1.4 and on...'),
      );
    });
    expect((await readAllBytes(await createTestClient(origin).readStatementPdf(5))).toString()).toBe(
      '\r\n%PDF-1.4 and on...',
    );
  });

  it('occupies a request slot until it is read, aborted or closed', async () => {
    const told: unknown[] = [];
    const service = await startScriptedServer(replyWith(200, TYPE, PDF));
    const client = createTestClient(service.origin, { onRequest: (event) => told.push(event) });
    const [read, broken, closed] = await Promise.all([5, 6, 7].map((id) => client.readStatementPdf(id)));
    expect(client.pacing.state().in_flight).toBe(3);
    await readAllBytes(read as PdfStream);
    expect(client.pacing.state().in_flight).toBe(2);
    for await (const _ of (broken as PdfStream).body) break;
    expect(client.pacing.state().in_flight).toBe(1);
    closed?.close();
    closed?.close();
    expect(client.pacing.state().in_flight).toBe(0);
    expect(told).toHaveLength(3);
    expect(told[0]).toMatchObject({ kind: 'statement_pdf', status: 200, bytes: PDF.length });
  });
});

describe('a statement PDF that cannot be downloaded', () => {
  it.each([
    ['a web page', replyWith(200, 'text/html', '<html>log in</html>'), 'web page'],
    ['JSON', replyJson({ statement: { id: 5 } }), 'is not a PDF'],
    ['other data with the PDF content type', replyWith(200, TYPE, 'x'.repeat(5000)), 'is not a PDF'],
  ] as const)('is rejected before its first byte because it is %s', async (_what, reply, said) => {
    const service = await startScriptedServer(reply);
    const client = createTestClient(service.origin);
    const call = client.readStatementPdf(5);
    await expect(call).rejects.toMatchObject({ code: 'service', retryable: false });
    await expect(call).rejects.toThrow(said);
    expect(client.pacing.state().in_flight).toBe(0);
    expect(service.received).toHaveLength(1);
  });

  it('is reported as not found or as a rejected key', async () => {
    const missing = await startScriptedServer(replyWith(404, 'application/json', ' '));
    await expect(createTestClient(missing.origin).readStatementPdf(5)).rejects.toThrow('has no statement 5');
    const refused = await startScriptedServer(replyWith(401, 'text/plain', 'HTTP Basic: Access denied.\n'));
    await expect(createTestClient(refused.origin).readStatementPdf(5)).rejects.toMatchObject({
      code: 'auth',
    });
  });

  it('is retried if the first attempt fails before any data', async () => {
    const service = await startScriptedServer(
      replyInOrder(replyWith(500, null, ''), replyWith(200, TYPE, ''), replyWith(200, TYPE, PDF)),
    );
    expect((await readAllBytes(await createTestClient(service.origin).readStatementPdf(5))).equals(PDF)).toBe(
      true,
    );
    expect(service.received).toHaveLength(3);
  });

  it('ends in an error if the connection is lost', async () => {
    for (const end of [
      'Content-Length: 5000\r\n\r\n%PDF-1.4',
      'Transfer-Encoding: chunked\r\n\r\n8\r\n%PDF-1.4\r\n',
    ]) {
      const origin = await startSocketServer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${end}`));
      const client = createTestClient(origin);
      const stream = await client.readStatementPdf(5);
      await expect(readAllBytes(stream)).rejects.toMatchObject({ code: 'network', retryable: true });
      expect(client.pacing.state().in_flight).toBe(0);
    }
  });

  it('ends in an error after a timeout or when the caller aborts', async () => {
    const half = 'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n%PDF-1.4';
    const origin = await startSocketServer((socket) => socket.write(half));
    const silent = await createTestClient(origin, { timeouts: { body: 100 } }).readStatementPdf(5);
    await expect(readAllBytes(silent)).rejects.toMatchObject({ code: 'timeout' });
    const giving = new AbortController();
    const given = await createTestClient(origin).readStatementPdf(5, { signal: giving.signal });
    const reading = readAllBytes(given);
    giving.abort();
    await expect(reading).rejects.toMatchObject({ code: 'canceled' });
  });
});
