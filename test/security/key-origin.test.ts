import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { BillingError, createBillingClient } from '../../src/billing/index.ts';
import {
  createTestClient,
  replyJson,
  replyWith,
  type ScriptedReply,
  startScriptedServer,
  startSocketServer,
} from '../billing/scripted-server.ts';

/**
 * Attack: a server that answers in place of the service, or a user who was tricked into entering an address. The API key
 * is sent only to its site's origin, encrypted unless the origin is this computer, and no error contains it.
 */

const KEY = 'sup3r-s3cret/key+with=signs';
const FORMS = [
  KEY,
  Buffer.from(KEY).toString('base64'),
  Buffer.from(KEY).toString('base64url'),
  Buffer.from(`${KEY}:x`).toString('base64'),
  encodeURIComponent(KEY),
];
const getApiKey = async () => KEY;

const calls = (origin: string, format: 'json' | 'xml' = 'json') => {
  const client = createTestClient(origin, {
    getApiKey,
    format,
    pacing: { maxAttempts: 1, delayScale: 0.00001 },
  });
  return [
    client.listWebhooks(),
    client.replayWebhooks([1]),
    client.listAllocations(1, 2),
    client.createAllocation(1, 2, { quantity: 3 }),
    client.createAllocations(1, { allocations: [{ component_id: 2, quantity: 3 }] }),
    client.listStatementIds(),
    client.listStatementIdsOfSubscription(1),
    client.listStatements(1),
    client.readStatement(1),
    client.readStatementPdf(1),
    client.readStatementPdf(1, { requestedBy: 'header' }),
  ];
};

function holdsNoKey(thing: unknown): void {
  const shown = inspect(thing, { depth: 20, maxStringLength: null, maxArrayLength: null, showHidden: true });
  for (const form of FORMS) {
    expect(shown).not.toContain(form);
    expect(JSON.stringify(thing)).not.toContain(form);
  }
}

describe('a redirect to another origin', () => {
  it.each([301, 302, 303, 307, 308])('with %i is not followed, by any operation', async (status) => {
    const thief = await startScriptedServer(replyJson([]));
    const other = thief.origin.replace('127.0.0.1', 'localhost');
    for (const target of [thief.origin, other, `//${new URL(thief.origin).host}`]) {
      const service = await startScriptedServer(
        replyWith(status, null, '', { location: `${target}/webhooks.json` }),
      );
      for (const end of await Promise.allSettled(calls(service.origin))) {
        expect(end).toMatchObject({ status: 'rejected', reason: { code: 'service', status } });
        holdsNoKey(end);
      }
      expect(service.received).toHaveLength(11);
    }
    expect(thief.received).toEqual([]);
  });

  it('names the target without credentials or query', async () => {
    const reply = replyWith(302, null, '', { location: 'https://user:pw@evil.test/in?token=abc#frag' });
    const service = await startScriptedServer(reply);
    const error = await createTestClient(service.origin, { getApiKey })
      .listWebhooks()
      .catch((reason: BillingError) => reason);
    expect((error as BillingError).message).toContain('https://evil.test/in,');
    expect(inspect(error)).not.toMatch(/user:pw|token=abc|frag/);
  });
});

describe('an address', () => {
  it.each([
    'http://acme.example.com',
    'http://127.0.0.1.evil.test',
    'http://localhost.evil.test',
    'http://evil.test#127.0.0.1',
    'http://127.0.0.1@evil.test',
  ])('%s gets no client, and the key is not even asked for', (baseUrl) => {
    const asked: boolean[] = [];
    const make = () =>
      createBillingClient({
        baseUrl,
        format: 'json',
        getApiKey: async () => {
          asked.push(true);
          return KEY;
        },
      });
    expect(make).toThrow(BillingError);
    expect(asked).toEqual([]);
  });
});

describe('a server that echoes the request', () => {
  const echo =
    (status: number, type: string, body: (said: string) => string): ScriptedReply =>
    (response, request) => {
      const said = `${request.headers.authorization} ${FORMS.join(' ')}`;
      response.writeHead(status, { 'content-type': type, 'x-request-id': said, location: `/${FORMS[4]}` });
      response.end(body(said));
    };

  it.each([400, 401, 403, 404, 409, 422, 429, 500, 503, 302])(
    'with %i puts no key into the error',
    async (status) => {
      for (const [format, type, body] of [
        ['json', 'application/json', (said: string) => JSON.stringify({ errors: [said, { deep: [said] }] })],
        ['xml', 'application/xml', (said: string) => `<errors><error>${said}</error></errors>`],
      ] as const) {
        const service = await startScriptedServer(echo(status, type, body));
        for (const end of await Promise.allSettled(calls(service.origin, format))) {
          expect(end.status).toBe('rejected');
          holdsNoKey(end);
        }
      }
    },
  );

  it('with status 200 puts no key into an error or a problem', async () => {
    const page = await startScriptedServer(echo(200, 'text/html', (said) => `<html>${said}</html>`));
    const rows = await startScriptedServer(
      echo(200, 'application/json', (said) =>
        JSON.stringify([{ webhook: { id: said } }, { webhook: { id: 1 } }]),
      ),
    );
    holdsNoKey(await Promise.allSettled(calls(page.origin)));
    const { problems } = await createTestClient(rows.origin, { getApiKey }).listWebhooks();
    expect(problems).toHaveLength(1);
    holdsNoKey(problems);
  });
});

describe('information about the client', () => {
  it('contains no key: request events, fields, connection errors', async () => {
    const events: unknown[] = [];
    const service = await startScriptedServer(replyJson([]));
    const client = createTestClient(service.origin, { getApiKey, onRequest: (event) => events.push(event) });
    await client.listWebhooks();
    holdsNoKey(events);
    holdsNoKey(client);
    const broken = createTestClient(await startSocketServer((socket) => socket.destroy()), { getApiKey });
    holdsNoKey(
      await Promise.allSettled([broken.listWebhooks({}, { maxAttempts: 1 }), broken.replayWebhooks([1])]),
    );
  });
});
