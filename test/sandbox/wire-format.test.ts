import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { escapeXml } from '../../src/sandbox/http/xml-writer.ts';
import {
  basicAuthorization,
  type JsonObject,
  type SandboxClient,
  startTestSandbox,
} from './sandbox-client.ts';

/** Converts an XML response to plain values by its `type` and `nil` attributes, to compare it with the JSON response. */
function decodeXml(text: string): unknown {
  type Node = { name: string; attributes: Record<string, string>; children: Node[]; text: string };
  const root: Node = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const node = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    stack.at(-1)?.children.push(node);
    stack.push(node);
  });
  parser.on('text', (chunk) => {
    (stack.at(-1) as Node).text += chunk;
  });
  parser.on('closetag', () => stack.pop());
  parser.write(text).close();
  const value = ({ attributes, children, text }: Node): unknown => {
    if (attributes['nil'] === 'true') return null;
    if (attributes['type'] === 'array') return children.map(value);
    if (children.length > 0) return Object.fromEntries(children.map((child) => [child.name, value(child)]));
    if (attributes['type'] === 'integer') return Number(text);
    return attributes['type'] === 'boolean' ? text === 'true' : text;
  };
  return value(root.children[0] as Node);
}

/**
 * Removes the wrappers of events, which XML does not have. Converts `subscription_id` to text, because XML gives it no
 * type.
 */
const unwrapEvents = (statement: JsonObject): JsonObject => ({
  ...statement,
  events: (statement['events'] as { event: JsonObject }[]).map(({ event }) => ({
    ...event,
    subscription_id: String(event['subscription_id']),
  })),
});

const findSampleIds = ({ sandbox }: SandboxClient): { id: number; component: number } => {
  const [pair] = [...sandbox.truth.components()];
  return { id: pair?.subscription_id as number, component: pair?.component_id as number };
};

describe('XML', () => {
  test('has the same content as JSON for every list and entity, with types and nil', async () => {
    const client = await startTestSandbox();
    const { id, component } = findSampleIds(client);
    const getXmlAndJson = async (path: string): Promise<[xml: unknown, json: JsonObject[]]> => {
      const response = await client.get(`${path}.xml?per_page=50`);
      expect([response.status, response.type]).toEqual([200, 'application/xml; charset=utf-8']);
      return [decodeXml(response.text), await client.getList(`${path}.json?per_page=50`)];
    };
    const [webhooks, asJson] = await getXmlAndJson('/webhooks');
    expect(webhooks).toEqual(asJson);
    const [statements, jsonStatements] = await getXmlAndJson(`/subscriptions/${id}/statements`);
    expect(statements).toEqual(jsonStatements.map(unwrapEvents));
    const [allocations, jsonAllocations] = await getXmlAndJson(
      `/subscriptions/${id}/components/${component}/allocations`,
    );
    expect(allocations).toEqual(
      jsonAllocations.map(
        ({ proration_upgrade_scheme, proration_downgrade_scheme, payment, ...rest }) => rest,
      ),
    );
    const statement = await client.get(`/statements/${jsonStatements[1]?.['id']}.xml`);
    expect(decodeXml(statement.text)).toEqual(unwrapEvents(jsonStatements[1] as JsonObject));
  });

  test('has the attributes shown in the interface document', async () => {
    const client = await startTestSandbox();
    const { id, component } = findSampleIds(client);
    const { text } = await client.get('/webhooks.xml?per_page=1');
    expect(text).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<webhooks type="array">\n {2}<webhook>\n {4}<id type="integer">\d+<\/id>/,
    );
    expect(text).toMatch(/<successful type="boolean">true<\/successful>/);
    expect(text).toMatch(/<created_at type="datetime">[^<]+<\/created_at>/);
    expect(text).toContain('<last_error_at type="datetime" nil="true"/>');
    const allocations = (await client.get(`/subscriptions/${id}/components/${component}/allocations.xml`))
      .text;
    expect(allocations).toMatch(/<allocations type="array">\n {2}<allocation>/);
    expect(allocations).toMatch(/<quantity type="integer">\d+<\/quantity>/);
    expect(allocations).toContain('<memo nil="true"/>');
    expect(allocations).toMatch(/<timestamp>[^<]+Z<\/timestamp>/);
    const ids = await client.get('/statements/ids.xml?per_page=2');
    expect(ids.text).toMatch(/<statement_ids>\n {2}<id>\d+<\/id>\n {2}<id>\d+<\/id>\n<\/statement_ids>/);
    expect((await client.get(`/subscriptions/${id}/statements/ids.xml?per_page=1`)).text).toMatch(
      /<statement_ids>\n {2}<id>\d+<\/id>\n<\/statement_ids>/,
    );
    expect((await client.get('/webhooks.xml?since_date=2030-01-01')).text).toContain(
      '<webhooks type="array"/>',
    );
    const statement = (
      await client.get(`/statements/${[...client.sandbox.truth.statements()][1]?.['id']}.xml`)
    ).text;
    expect(statement).toMatch(/<transactions type="array">\s+<transaction>/);
    expect(statement).toMatch(/<events type="array">\s+<event>/);
  });

  test('is accepted in request bodies', async () => {
    const client = await startTestSandbox({ now: '2026-10-09T12:00:00Z', settings: { queueDelay: 1 } });
    const { id } = findSampleIds(client);
    const failed = [...client.sandbox.truth.webhooks()].find(({ successful }) => !successful) as JsonObject;
    const xml = { 'content-type': 'application/xml' };
    const replay = await client.post(
      '/webhooks/replay.xml',
      `<ids type="array"><id type="integer">${failed['id']}</id></ids>`,
      xml,
    );
    expect([replay.status, replay.text]).toEqual([
      200,
      '<?xml version="1.0" encoding="UTF-8"?>\n<status>ok</status>\n',
    ]);
    await client.sandbox.idle();
    expect(client.sandbox.accepted.get(failed['id'] as number)).toBe(1);
    const path = `/subscriptions/${id}/components/277222/allocations.xml`;
    const body =
      '<?xml version="1.0"?><allocation><quantity type="integer">7</quantity><memo>A &amp; B</memo></allocation>';
    const created = await client.post(path, body, { 'content-type': 'text/xml; charset=utf-8' });
    expect(created.status).toBe(201);
    expect(decodeXml(created.text)).toMatchObject({ quantity: 7, memo: 'A & B', subscription_id: id });
    const refused = await client.post(path, '<allocation><memo nil="true"/></allocation>', xml);
    expect([refused.status, refused.type]).toEqual([422, 'application/xml; charset=utf-8']);
    expect(refused.text.replace(/>\s+</g, '><')).toContain(
      '<errors><error>Quantity: cannot be blank.</error></errors>',
    );
  });

  test('is rejected with a DOCTYPE, if not well-formed, or if nested too deeply', async () => {
    const { post } = await startTestSandbox();
    const bodies = [
      '<!DOCTYPE a [<!ENTITY b "c">]><ids type="array"/>',
      '<ids type="array"><id>',
      '',
      `${'<a>'.repeat(500)}${'</a>'.repeat(500)}`,
    ];
    for (const body of bodies) {
      const response = await post('/webhooks/replay.xml', body, { 'content-type': 'application/xml' });
      expect([response.status, response.text.includes('Request: is not well-formed XML.')]).toEqual([
        400,
        true,
      ]);
    }
  });

  test('preserves text with special characters', () => {
    expect(escapeXml('a & b < c > "d"\r\n')).toBe('a &amp; b &lt; c &gt; &quot;d&quot;&#13;\n');
    expect(escapeXml('x\u0000y\ud800z')).toBe('x\ufffdy\ufffdz');
  });
});

describe('response format', () => {
  test('follows the suffix regardless of Accept', async () => {
    const { get } = await startTestSandbox();
    expect((await get('/webhooks.json', { accept: 'application/xml' })).type).toContain('json');
    expect((await get('/webhooks.xml', { accept: '*/*' })).type).toContain('xml');
  });

  test('follows Accept, then Content-Type, then the default if there is no suffix', async () => {
    const { get, sandbox } = await startTestSandbox();
    expect((await get('/webhooks', { accept: 'application/xml' })).type).toContain('xml');
    expect((await get('/webhooks', { accept: '*/*', 'content-type': 'text/xml' })).type).toContain('xml');
    expect((await get('/webhooks', { accept: 'application/json' })).type).toContain('json');
    expect((await get('/webhooks', { accept: '*/*' })).type).toContain('json');
    sandbox.setFaults('set.plainFormat=xml');
    expect((await get('/webhooks', { accept: '*/*' })).type).toContain('xml');
  });

  test('has the headers of the real service, and supports 304 Not Modified', async () => {
    const { get } = await startTestSandbox();
    const { headers } = await get('/webhooks.json');
    expect(headers.get('cache-control')).toBe('max-age=0, private, must-revalidate');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect(headers.get('date')).toMatch(/^Sun, 01 Nov 2026 06:00:/);
    const notModified = await get('/webhooks.json', { 'if-none-match': headers.get('etag') as string });
    expect([notModified.status, notModified.text]).toEqual([304, '']);
  });
});

describe('access to the interface (5, 7)', () => {
  test('requires the key, with any password, and is denied with 401 in plain text otherwise', async () => {
    const { get, sandbox } = await startTestSandbox();
    const paths = [
      '/webhooks.json',
      '/webhooks.xml',
      '/statements/ids.json',
      '/statements/1.pdf',
      '/nowhere',
    ];
    for (const authorization of [
      '',
      basicAuthorization('wrong'),
      basicAuthorization(''),
      'Bearer x',
      `Basic ${sandbox.apiKey}`,
    ]) {
      for (const path of paths) {
        const response = await get(path, { authorization });
        expect([response.status, response.text]).toEqual([401, 'HTTP Basic: Access denied.\n']);
      }
    }
    for (const password of ['x', 'X', '', 'a:b']) {
      expect(
        (await get('/webhooks.json', { authorization: basicAuthorization(sandbox.apiKey, password) })).status,
      ).toBe(200);
    }
  });

  test('returns 404 for unknown paths', async () => {
    const { get, post } = await startTestSandbox();
    for (const path of [
      '/',
      '/webhooks/1.json',
      '/subscriptions.json',
      '/statements.json',
      '/webhooks.pdf',
      '/webhooks.csv',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    expect((await post('/webhooks.json', {})).status).toBe(404);
  });

  test('is denied for forms, malformed JSON, and bodies of four megabytes', async () => {
    const { post } = await startTestSandbox();
    const form = await post('/webhooks/replay.json', 'ids[]=1', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([form.status, form.json()]).toEqual([415, { errors: ['Request: must be JSON or XML.'] }]);
    const broken = await post('/webhooks/replay.json', '{"ids":[1', { 'content-type': 'application/json' });
    expect([broken.status, broken.json()]).toEqual([400, { errors: ['Request: is not well-formed JSON.'] }]);
    const tooLarge = await post('/webhooks/replay.json', { ids: ['1'.repeat(5_000_000)] });
    expect(tooLarge.status).toBe(413);
  });
});
