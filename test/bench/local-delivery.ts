import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { getReplay } from '../../src/backend/store/replay/replay-list.ts';
import { prepareSql, select } from '../../src/backend/store/sqlite/connection.ts';
import { computeWebhookSignatures } from '../../src/billing/index.ts';
import { openWriterTestSite, SITE } from '../backend/writer-test-site.ts';
import { printMeasurement } from './measure.ts';

/**
 * Delivers stored webhooks from the local copy to an endpoint in another process, and compares the rate with a plain pipeline
 * that reads, signs and posts the same bodies over as many connections, without plan, journal or flow control.
 * `node test/bench/local-delivery.ts [webhooks]`. Exits with 1 if a webhook was sent twice or not at all.
 */
const total = Number(process.argv[2] ?? 10_000);
const CONNECTIONS = 24;
const MEMORY_INTERVAL_MS = 50;

const child = spawn(process.execPath, [fileURLToPath(new URL('./accepting-endpoint.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [port] = (await once(child.stdout, 'data')) as [Buffer];
const origin = `http://127.0.0.1:${port.toString().trim()}`;
const countReceived = async () => Number(await (await fetch(`${origin}/count`)).text());

const bench = await openWriterTestSite(
  { subscriptions: Math.max(50, Math.round(total / 20)), months: 2, webhooks: total, outage: false },
  { pacing: {}, delayScale: 1 },
);
try {
  const { client, sandbox } = bench;
  await bench.sync({ only: ['webhooks'] });
  await client.sites.setSharedKey({ site: SITE, shared_key: sandbox.sharedKey });
  const ids = select.values<number>(bench.cache(), 'SELECT id FROM webhook ORDER BY created_at, id');

  const plainSeconds = await measurePlainPipeline(ids);
  const afterPlain = await countReceived();
  const { seconds, growth } = await measureDelivery(ids);
  const sent = (await countReceived()) - afterPlain;
  if (afterPlain !== ids.length || sent !== ids.length) {
    process.stderr.write(`Plain: ${afterPlain}, app: ${sent}, expected: ${ids.length} webhooks.\n`);
    process.exitCode = 1;
  }
  const rates = { value: ids.length / seconds, baseline: ids.length / plainSeconds };
  printMeasurement({
    name: 'local delivery rate, of the plain pipeline',
    unit: 'webhooks/s',
    ...rates,
    ratio: rates.value / rates.baseline,
    n: ids.length,
    spread: 0,
  });
  printMeasurement({
    name: 'local delivery memory growth, second half',
    unit: 'MB',
    value: growth,
    baseline: 0,
    ratio: null,
    n: ids.length,
    spread: 0,
  });
} finally {
  await bench.close();
  child.kill();
}

/** Posts the bodies in order over the same number of connections. Returns the duration in seconds. */
async function measurePlainPipeline(ids: readonly number[]): Promise<number> {
  const body = prepareSql<string>(bench.cache(), 'SELECT body FROM webhook WHERE id = ?').pluck();
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  let next = 0;
  const post = async () => {
    for (let id = ids[next++]; id !== undefined; id = ids[next++]) {
      const text = body.get(id) as string;
      const signatures = computeWebhookSignatures(bench.sandbox.sharedKey, text);
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-chargify-webhook-id': String(id),
        'x-chargify-webhook-signature': signatures.md5,
        'x-chargify-webhook-signature-hmac-sha-256': signatures.hmac_sha_256,
      };
      const answer = await pool.request({ method: 'POST', path: '/hooks', headers, body: text });
      await answer.body.dump();
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, post));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  return seconds;
}

/** Delivers the webhooks through the app. `growth` is the increase of the highest memory from the first half, in MB. */
async function measureDelivery(ids: number[]): Promise<{ seconds: number; growth: number }> {
  const { client } = bench;
  const { plan, count, endpoint } = await client.replay.plan({
    site: SITE,
    selection: { ids },
    include_accepted: true,
    endpoint: `${origin}/hooks`,
  });
  const memory: number[] = [];
  const timer = setInterval(() => memory.push(process.memoryUsage().rss), MEMORY_INTERVAL_MS);
  const began = performance.now();
  const { job } = await client.replay.run({
    site: SITE,
    plan,
    confirm: { host: new URL(endpoint ?? '').host, count },
    mode: 'fast',
    connections: CONNECTIONS,
  });
  await bench.waitForJob(job);
  const seconds = (performance.now() - began) / 1000;
  clearInterval(timer);
  const replay = getReplay(bench.books(), SITE, job);
  if (replay?.counts.accepted !== ids.length) throw new Error(JSON.stringify(replay));
  const half = Math.floor(memory.length / 2);
  const highest = (values: number[]) => values.reduce((most, value) => Math.max(most, value), 0);
  return { seconds, growth: (highest(memory.slice(half)) - highest(memory.slice(0, half))) / 1e6 };
}
