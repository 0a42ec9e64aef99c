import { describe, expect, it } from 'vitest';
import type { BillingError } from '../../src/billing/index.ts';
import { createTestClient, replyWith, startScriptedServer, XML_TYPE } from '../billing/scripted-server.ts';

/**
 * Attack: XML that grows when it is parsed. An attacker in the service's place wants the app to hang, to run out of
 * memory, or to read a file or URL of the attacker's choice. Each attempt ends in a `service` error within 200 MB and the
 * CPU time limit below, and nothing is fetched.
 */

const MB = 2 ** 20;
const filler = (bytes: number) =>
  `<webhooks type="array"><webhook><id>1</id><body>${'x'.repeat(bytes)}</body></webhook></webhooks>`;

const lol = Array.from({ length: 9 }, (_, level) => {
  const inner = level === 0 ? 'lol' : `&lol${level - 1};`.repeat(10);
  return `<!ENTITY lol${level} "${inner}">`;
}).join('');

/** The body, and the expected error message. */
const attacks: [string, (canary: string) => string | Buffer, RegExp][] = [
  [
    'a billion laughs',
    () => `<?xml version="1.0"?><!DOCTYPE lolz [${lol}]><webhooks>&lol8;</webhooks>`,
    /DOCTYPE/,
  ],
  [
    'quadratic blowup',
    () => `<!DOCTYPE b [<!ENTITY a "${'a'.repeat(100_000)}">]><webhooks>${'&a;'.repeat(100_000)}</webhooks>`,
    /DOCTYPE/,
  ],
  [
    'an external entity (file)',
    () =>
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><webhooks><webhook><id>1</id><event>&e;</event></webhook></webhooks>',
    /DOCTYPE/,
  ],
  [
    'an external entity (address)',
    (canary) => `<!DOCTYPE x [<!ENTITY e SYSTEM "${canary}/secret">]><webhooks>&e;</webhooks>`,
    /DOCTYPE/,
  ],
  [
    'a parameter entity',
    (canary) => `<!DOCTYPE x [<!ENTITY % e SYSTEM "${canary}/dtd"> %e;]><webhooks/>`,
    /DOCTYPE/,
  ],
  [
    'an external DTD',
    (canary) => `<!DOCTYPE webhooks SYSTEM "${canary}/dtd"><webhooks type="array"/>`,
    /DOCTYPE/,
  ],
  ['a bare DOCTYPE', () => '<!DOCTYPE webhooks><webhooks type="array"/>', /DOCTYPE/],
  ['an entity nobody declared', () => '<webhooks>&e;</webhooks>', /well-formed/],
  [
    '200,000 nested elements',
    () => `<webhooks>${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}</webhooks>`,
    /more than 64 levels of nesting/,
  ],
  [
    '200,000 nested arrays',
    () => `<webhooks>${'<a type="array">'.repeat(200_000)}`,
    /more than 64 levels of nesting/,
  ],
  [
    '500,000 attributes',
    () => `<webhooks ${Array.from({ length: 500_000 }, (_, at) => `a${at}="x"`).join(' ')}/>`,
    /attributes/,
  ],
  ['64 MB and a byte', () => filler(64 * MB + 1 - filler(0).length), /64 MB/],
  ['ten million elements', () => `<webhooks>${'<a/>'.repeat(10_000_000)}</webhooks>`, /too many tags/],
  ['a million elements', () => `<webhooks>${'<a/>'.repeat(1_000_000)}</webhooks>`, /million elements/],
  ['a name of 10 MB', () => `<${'n'.repeat(10 * MB)}/>`, /not a list of webhooks/],
  ['an attribute of 10 MB that is never closed', () => `<webhooks a="${'n'.repeat(10 * MB)}`, /well-formed/],
  ['a comment of 60 MB that is never closed', () => `<webhooks><!--${'-n'.repeat(30 * MB)}`, /too many tags/],
  ['CDATA that is never closed', () => `<webhooks><![CDATA[${']'.repeat(2 * MB)}`, /well-formed/],
  ['12 million references', () => `<webhooks>${'&lt;'.repeat(12_000_000)}</webhooks>`, /too many tags/],
  ['60 MB of line ends in an attribute', () => `<webhooks a="${'\n'.repeat(60 * MB)}"/>`, /too many tags/],
];

/** CPU time of this thread, sending included. Other load on the machine does not lengthen it. */
function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** CPU milliseconds to decode 64 MB of text and to visit each character once, the least that any parser does. */
function measureScan(): number {
  const bytes = Buffer.alloc(64 * MB, 'n');
  const started = process.threadCpuUsage();
  const text = bytes.toString('utf8');
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  return sum === 0 ? 0 : millisecondsSince(started);
}

/** One second, or three scans of the largest body on slow machines. */
const limit = Math.max(1000, 3 * measureScan());

describe.each(attacks)('%s', (_name, body, said) => {
  it('gives a service error quickly and with little memory', async () => {
    const canary = await startScriptedServer(replyWith(200, XML_TYPE, 'x'));
    const service = await startScriptedServer(replyWith(200, XML_TYPE, body(canary.origin)));
    const client = createTestClient(service.origin, { format: 'xml' });
    const before = process.memoryUsage().rss;
    const started = process.threadCpuUsage();
    const error = await client.listWebhooks({}, { maxAttempts: 1 }).catch((reason: BillingError) => reason);
    const took = millisecondsSince(started);
    expect(error).toMatchObject({ name: 'BillingError', code: 'service' });
    expect((error as BillingError).message).toMatch(said);
    expect(took).toBeLessThan(limit);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MB);
    expect(canary.received).toEqual([]);
  });
});

describe('two million character references', () => {
  it('are parsed correctly within a second', async () => {
    const text = `<webhooks type="array"><webhook><id>1</id><event>${'&#65;'.repeat(2_000_000)}</event></webhook></webhooks>`;
    const service = await startScriptedServer(replyWith(200, XML_TYPE, text));
    const started = process.threadCpuUsage();
    const { items } = await createTestClient(service.origin, { format: 'xml' }).listWebhooks();
    expect(items[0]?.event).toHaveLength(2_000_000);
    expect(millisecondsSince(started)).toBeLessThan(1000);
  });
});

describe('a 422 or 404 response with such XML', () => {
  it('gives its status without its error messages', async () => {
    const bomb = `<!DOCTYPE lolz [${lol}]><errors><error>&lol8;</error></errors>`;
    const service = await startScriptedServer(replyWith(422, XML_TYPE, bomb));
    const call = createTestClient(service.origin, { format: 'xml' }).createAllocation(1, 2, { quantity: 3 });
    await expect(call).rejects.toMatchObject({ code: 'validation', errors: undefined });
  });
});
