import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type BillingClient, type BillingDataFormat, BillingError } from '../../src/billing/index.ts';
import * as sample from './sample-records.ts';
import {
  createTestClient,
  JSON_TYPE,
  replyInOrder,
  replyJson,
  replyWith,
  replyXml,
  type ScriptedReply,
  startScriptedServer,
  XML_TYPE,
} from './scripted-server.ts';

/** Covers every kind of unusable response (section 7 and common failures) and the resulting error. */

async function getFailure(run: Promise<unknown>): Promise<BillingError> {
  const error = await run.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(BillingError);
  return error as BillingError;
}

async function runFailingCall(
  reply: ScriptedReply,
  format: BillingDataFormat = 'json',
  run: (client: BillingClient) => Promise<unknown> = (client) => client.listWebhooks(),
): Promise<{ error: BillingError; requests: number; host: string }> {
  const service = await startScriptedServer(reply);
  const client = createTestClient(service.origin, { format, pacing: { random: () => 0 } });
  const error = await getFailure(run(client));
  const host = new URL(service.origin).host;
  expect(error.message).toContain(host);
  expect(error.message.endsWith('.') || error.errors !== undefined).toBe(true);
  expect(error.hint).toBeTruthy();
  return { error, requests: service.received.length, host };
}

const replayWebhook = (client: BillingClient) => client.replayWebhooks([1]);
const createAllocation = (client: BillingClient) => client.createAllocation(5, 3, { quantity: 1 });

describe('a 401 response', () => {
  it.each([JSON_TYPE, XML_TYPE, 'text/html'])(
    'with plain text and content type %s means that the key was rejected',
    async (type) => {
      const { error, requests, host } = await runFailingCall(
        replyWith(401, type, 'HTTP Basic: Access denied.\n'),
      );
      expect(error).toMatchObject({ code: 'auth', status: 401, retryable: false, outcome_unknown: false });
      expect(error.message).toBe(`${host} rejected the API key while listing webhooks.`);
      expect(requests).toBe(1);
    },
  );
});

describe('a 403 response', () => {
  it('is reported with the name of the call', async () => {
    const { error } = await runFailingCall(
      replyJson({ errors: ['Not for this key.'] }, 403),
      'json',
      (client) => client.readStatement(5),
    );
    expect(error).toMatchObject({ code: 'forbidden', errors: ['Not for this key.'], retryable: false });
    expect(error.message).toContain('reading statement 5');
  });
});

describe('a 404 response', () => {
  it('may have an empty body in either format', async () => {
    for (const [type, format] of [
      [JSON_TYPE, 'json'],
      [XML_TYPE, 'xml'],
    ] as const) {
      const { error, host } = await runFailingCall(replyWith(404, type, ' '), format, (client) =>
        client.listAllocations(5, 3),
      );
      expect(error).toMatchObject({ code: 'not_found', status: 404, retryable: false });
      expect(error.message).toBe(`${host} has no component 3 on a subscription 5.`);
    }
  });

  it('with a web page suggests checking the address', async () => {
    const { error } = await runFailingCall(
      replyWith(404, 'text/html', '<!DOCTYPE html><html>nothing</html>'),
    );
    expect(error.code).toBe('not_found');
    expect(error.hint).toContain('address');
  });
});

describe('a 422 response', () => {
  it.each([
    ['json', JSON_TYPE, '{"errors":["Quantity: cannot be blank."]}', ['Quantity: cannot be blank.']],
    [
      'xml',
      XML_TYPE,
      '<errors><error>Quantity: cannot be blank.</error></errors>',
      ['Quantity: cannot be blank.'],
    ],
    [
      'xml',
      XML_TYPE,
      '<?xml version="1.0"?><errors type="array"><error>A &amp; b.</error><error>C.</error></errors>',
      ['A & b.', 'C.'],
    ],
    ['json', JSON_TYPE, '{"errors":[{"kind":"x","message":"y"}]}', ['{"kind":"x","message":"y"}']],
    ['json', JSON_TYPE, '{"error":"One."}', ['One.']],
    ['json', JSON_TYPE, '{"errors":"One."}', ['One.']],
    ['xml', JSON_TYPE, '{"errors":["In JSON."]}', ['In JSON.']],
    ['json', JSON_TYPE, 'not a list', undefined],
    ['json', JSON_TYPE, '{"errors":[', undefined],
    ['xml', XML_TYPE, '<errors><error>', undefined],
  ] as const)(
    'has its messages read in format %s with content type %s: %s',
    async (format, type, body, errors) => {
      const { error, requests } = await runFailingCall(replyWith(422, type, body), format, createAllocation);
      expect(error).toMatchObject({
        code: 'validation',
        status: 422,
        retryable: false,
        outcome_unknown: false,
      });
      expect(error.errors).toEqual(errors);
      for (const each of errors ?? []) expect(error.message).toContain(each);
      expect(requests).toBe(1);
    },
  );
});

describe('a 409 response', () => {
  it('is reported as a conflict', async () => {
    const body = { errors: ['DuplicatePrevention::DuplicateSubmissionError'] };
    const { error, requests } = await runFailingCall(replyJson(body, 409), 'json', createAllocation);
    expect(error).toMatchObject({ code: 'conflict', errors: body.errors, retryable: false });
    expect(requests).toBe(1);
  });
});

describe('a 429 response', () => {
  it('is reported with its Retry-After in seconds or as a date', async () => {
    const later = new Date(Date.now() + 86_400_000).toUTCString();
    for (const [value, ms] of [
      ['7200', 7_200_000],
      [later, 86_400_000],
    ] as const) {
      const { error, requests } = await runFailingCall(
        replyWith(429, 'text/plain', 'slower', { 'retry-after': value }),
      );
      expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryable: true });
      expect(Math.abs((error.retry_after_ms ?? 0) - ms)).toBeLessThan(5000);
      // A `Retry-After` above the limit is an error and not retried.
      expect(requests).toBe(1);
    }
  });

  it.each([undefined, '1', 'soon'])('with Retry-After %s delays a read', async (value) => {
    const headers: Record<string, string> = value === undefined ? {} : { 'retry-after': value };
    const service = await startScriptedServer(
      replyInOrder(replyWith(429, 'text/plain', 'slower', headers), replyJson([])),
    );
    const client = createTestClient(service.origin);
    expect((await client.listWebhooks()).items).toEqual([]);
    expect(service.received).toHaveLength(2);
    expect(client.pacing.state().limit).toBe(2);
  });

  it('makes a write fail without having been executed', async () => {
    const { error, requests } = await runFailingCall(
      replyWith(429, 'text/plain', 'slower'),
      'json',
      replayWebhook,
    );
    expect(error).toMatchObject({ code: 'rate_limited', outcome_unknown: false });
    expect(requests).toBe(1);
  });
});

describe('a 5xx response', () => {
  it('repeated for every attempt makes a read fail after five attempts', async () => {
    const { error, requests } = await runFailingCall(replyWith(500, 'text/html', '<html>oops</html>'));
    expect(error).toMatchObject({ code: 'service', status: 500, retryable: true, outcome_unknown: false });
    expect(requests).toBe(5);
  });

  it('emits an event for each attempt until one succeeds', async () => {
    const events: unknown[] = [];
    const service = await startScriptedServer(
      replyInOrder(replyWith(502, null, ''), replyWith(503, null, '', { 'retry-after': '1' }), replyJson([])),
    );
    const client = createTestClient(service.origin, { onRequest: (event) => events.push(event) });
    expect((await client.listWebhooks({ page: 4 })).items).toEqual([]);
    expect(events).toMatchObject([
      {
        kind: 'webhooks',
        method: 'GET',
        path: '/webhooks.json?page=4',
        attempt: 1,
        status: 502,
        error: 'service',
      },
      { attempt: 2, status: 503, error: 'service' },
      {
        attempt: 3,
        status: 200,
        bytes: 2,
        answer: { rows: 0, sha256: createHash('sha256').update('[]').digest('hex') },
      },
    ]);
  });

  it('leaves the outcome of a write unknown and never retries it', async () => {
    for (const run of [replayWebhook, createAllocation]) {
      const { error, requests } = await runFailingCall(replyWith(500, JSON_TYPE, '{}'), 'json', run);
      expect(error).toMatchObject({ code: 'service', retryable: false, outcome_unknown: true });
      expect(error.message).toContain('It is not known whether the change was made.');
      expect(requests).toBe(1);
    }
  });

  it('is retried as often as the call allows', async () => {
    const { requests } = await runFailingCall(replyWith(500, null, ''), 'json', (client) =>
      client.listWebhooks({}, { maxAttempts: 1 }),
    );
    expect(requests).toBe(1);
  });
});

describe('other response statuses', () => {
  it.each([400, 402, 405, 406, 410, 415, 418])('such as %i are reported and not retried', async (status) => {
    const { error, requests } = await runFailingCall(replyJson({ errors: ['No.'] }, status));
    expect(error).toMatchObject({ code: 'service', status, errors: ['No.'], retryable: false });
    expect(requests).toBe(1);
  });

  it('of 400 mean that a write was not executed', async () => {
    const { error } = await runFailingCall(replyJson({}, 400), 'json', replayWebhook);
    expect(error.outcome_unknown).toBe(false);
  });
});

describe('unreadable success responses', () => {
  it.each([
    '<!DOCTYPE html><title>Log in</title>',
    '<html><body>Welcome</body></html>',
    '\n<!-- hi --><html>',
  ])('are reported if they are a web page: %s', async (page) => {
    for (const format of ['json', 'xml'] as const) {
      const { error, requests, host } = await runFailingCall(replyWith(200, 'text/html', page), format);
      expect(error).toMatchObject({ code: 'service', retryable: false, detail: { reason: 'web_page' } });
      expect(error.message).toBe(
        `${host} returned a web page instead of billing data while listing webhooks.`,
      );
      expect(error.hint).toContain('address');
      expect(requests).toBe(1);
    }
  });

  it('are reported if their JSON has another structure', async () => {
    const { error, requests } = await runFailingCall(replyJson({ name: 'some other API', version: 3 }));
    expect(error).toMatchObject({ code: 'service', retryable: false });
    expect(error.hint).toContain('address');
    expect(requests).toBe(1);
  });

  it.each([
    [JSON_TYPE, '[{"webhook":{"id":1,', 'json'],
    [XML_TYPE, '<webhooks type="array"><webhook><id', 'xml'],
    [JSON_TYPE, '', 'json'],
  ] as const)('are retried if truncated: %s %s', async (type, body, format) => {
    const { error, requests } = await runFailingCall(replyWith(200, type, body), format);
    expect(error).toMatchObject({ code: 'service', retryable: true });
    expect(requests).toBe(5);
  });

  it('are reported if they are in the other format', async () => {
    expect((await runFailingCall(replyXml(sample.webhookXml), 'json')).error.message).toContain('is XML');
    expect((await runFailingCall(replyJson([]), 'xml')).error.message).toContain('is not XML');
  });

  it('are accepted despite a wrong content type if they can be parsed', async () => {
    for (const type of ['text/plain', 'application/octet-stream', 'text/html', null]) {
      const service = await startScriptedServer(replyWith(200, type, '[{"webhook":{"id":7}}]'));
      expect((await createTestClient(service.origin).listWebhooks()).items).toMatchObject([{ id: 7 }]);
    }
    const { error } = await runFailingCall(replyWith(200, 'application/pdf', '%PDF-1.4'));
    expect(error).toMatchObject({ code: 'service', detail: { content_type: 'application/pdf' } });
  });

  it('leave the outcome of a webhook replay unknown', async () => {
    for (const reply of [
      replyJson({ status: 'queued' }),
      replyJson([]),
      replyWith(200, 'text/html', '<html>'),
      replyJson(null),
    ]) {
      const { error, requests } = await runFailingCall(reply, 'json', replayWebhook);
      expect(error).toMatchObject({ code: 'service', outcome_unknown: true, retryable: false });
      expect(requests).toBe(1);
    }
  });
});

describe('compressed responses', () => {
  const gzip = { 'content-encoding': 'gzip' };
  it('are decompressed', async () => {
    const packed = gzipSync('[{"webhook":{"id":7}}]');
    const service = await startScriptedServer(replyWith(200, JSON_TYPE, packed, gzip));
    const { items, meta } = await createTestClient(service.origin).listWebhooks();
    expect(items).toMatchObject([{ id: 7 }]);
    expect(meta.bytes).toBe(packed.length);
  });

  it('are decompressed if they are error responses', async () => {
    const body = gzipSync('{"errors":["Packed."]}');
    const { error } = await runFailingCall(replyWith(422, JSON_TYPE, body, gzip), 'json', createAllocation);
    expect(error.errors).toEqual(['Packed.']);
  });

  it('are reported if truncated, not gzip or in another encoding', async () => {
    const packed = gzipSync(JSON.stringify(Array(1000).fill({ webhook: sample.webhook })));
    for (const [body, encoding, retryable] of [
      [packed.subarray(0, 100), 'gzip', true],
      [Buffer.from('[]'), 'gzip', true],
      [packed, 'br', false],
    ] as const) {
      const { error } = await runFailingCall(
        replyWith(200, JSON_TYPE, body, { 'content-encoding': encoding }),
      );
      expect(error).toMatchObject({ code: 'service', retryable });
    }
  });

  it('are rejected if they decompress to too much data', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 2 ** 20, 32));
    const { error, requests } = await runFailingCall(replyWith(200, JSON_TYPE, bomb, gzip));
    expect(error).toMatchObject({ code: 'service', retryable: false });
    expect(requests).toBe(1);
  });
});

describe('error details', () => {
  it('contain the start of the response and its request id', async () => {
    const reply = replyWith(500, 'text/plain', 'x'.repeat(100_000), { 'x-request-id': 'r-1' });
    const { error } = await runFailingCall(reply);
    expect(error.detail).toMatchObject({ request_id: 'r-1', content_type: 'text/plain' });
    expect(String(error.detail['excerpt'])).toHaveLength(300);
  });
});
