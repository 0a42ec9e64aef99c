import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseXmlBody, RefusedRequestBodyError } from '../../src/sandbox/http/parse-xml-body.ts';
import { auditSandbox } from './sandbox-audit.ts';
import { basicAuthorization, startTestSandbox } from './sandbox-client.ts';

/** Number of cases per property: 1,000 by default, set by TIEOUT_FUZZ_RUNS. */
const numRuns = Number(process.env['TIEOUT_FUZZ_RUNS'] ?? 1000);

const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '1',
    '0',
    '-1',
    '200',
    'failed',
    '2026-10-01',
    'oldest_first',
    '9'.repeat(30),
    'valueOf',
    '__proto__',
  ),
);
const query = fc.dictionary(
  fc.constantFrom('page', 'per_page', 'status', 'since_date', 'until_date', 'order', 'sort', 'direction'),
  text,
);

describe('random input', () => {
  test('in a query never causes a server error', async () => {
    const { get, sandbox } = await startTestSandbox({ subscriptions: 10, months: 2 });
    const [id] = [...sandbox.truth.subscriptions()];
    const paths = [
      '/webhooks',
      '/statements/ids',
      `/subscriptions/${id}/statements`,
      `/subscriptions/${id}/statements/ids`,
      `/subscriptions/${id}/components/277221/allocations`,
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.constantFrom('json', 'xml'),
        query,
        async (path, format, fields) => {
          const { status } = await get(`${path}.${format}?${new URLSearchParams(fields)}`);
          expect([200, 422]).toContain(status);
        },
      ),
      { numRuns },
    );
  });

  test('in a body is rejected or accepted, and the records stay consistent', async () => {
    const { post, sandbox } = await startTestSandbox({
      subscriptions: 10,
      months: 2,
      settings: { queueDelay: 1 },
    });
    const [id] = [...sandbox.truth.subscriptions()];
    const paths = [
      '/webhooks/replay.json',
      `/subscriptions/${id}/components/277221/allocations.json`,
      `/subscriptions/${id}/allocations.json`,
    ];
    const quantity = fc.oneof(fc.integer({ min: -5, max: 200 }), fc.anything());
    const body = fc.oneof(
      fc.json(),
      fc.record({ ids: fc.array(fc.oneof(fc.integer(), fc.string())) }).map((value) => JSON.stringify(value)),
      fc
        .record({ allocation: fc.record({ quantity, memo: fc.anything() }) })
        .map((value) => JSON.stringify(value)),
      fc
        .record({
          allocations: fc.array(fc.record({ component_id: fc.constantFrom(277221, 277225, 1), quantity }), {
            maxLength: 3,
          }),
        })
        .map((value) => JSON.stringify(value)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), body, async (path, sent) => {
        const { status } = await post(path, sent, { 'content-type': 'application/json' });
        expect([200, 201, 400, 404, 422]).toContain(status);
      }),
      { numRuns },
    );
    await sandbox.idle();
    expect(
      auditSandbox(sandbox).filter(
        (finding) => !finding.startsWith('duplicate payment') && !finding.startsWith('no charge'),
      ),
    ).toEqual([]);
  });

  test('in XML is rejected or parsed quickly', () => {
    const tag = fc.constantFrom('ids', 'id', 'allocation', 'quantity', 'memo', '__proto__', 'constructor');
    const attribute = fc.constantFrom(
      '',
      ' type="array"',
      ' type="integer"',
      ' nil="true"',
      ' type=integer',
      ' type="boolean"',
    );
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc
          .tuple(tag, attribute, fc.array(tie('tree'), { maxLength: 4 }))
          .map(([name, type, inner]) => `<${name}${type}>${inner.join('')}</${name}>`),
      ),
    }));
    fc.assert(
      fc.property(fc.oneof(tree, fc.string()), (xml) => {
        try {
          parseXmlBody(xml);
        } catch (error) {
          expect(error).toBeInstanceOf(RefusedRequestBodyError);
        }
      }),
      { numRuns: numRuns * 3 },
    );
    expect(({} as Record<string, unknown>)['quantity']).toBeUndefined();
  });

  test('from a client that disconnects midway does not affect later requests', async () => {
    const { get, sandbox } = await startTestSandbox({ faults: 'latency=20' });
    const head = `POST /webhooks/replay.json HTTP/1.1\r\nHost: x\r\nAuthorization: ${basicAuthorization(sandbox.apiKey)}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"ids":[`;
    for (const start of [
      head,
      head.replace('POST /webhooks/replay.json', 'POST /sandbox/faults'),
      'GET /webhooks.json HTTP/1.1\r\nHost: x\r\n\r\n',
    ]) {
      const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
      await new Promise((resolve) => socket.write(start, resolve));
      socket.destroy();
    }
    const endpoint = connect(Number(new URL(sandbox.endpointUrl).port), '127.0.0.1');
    await new Promise((resolve) =>
      endpoint.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nid', resolve),
    );
    endpoint.destroy();
    expect((await get('/webhooks.json')).status).toBe(200);
    expect((await get('/webhooks.json')).status).toBe(200);
  });
});
