import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { listAuditEntries } from '../../../src/backend/store/audit-log/audit-entry-list.ts';
import { openStore } from '../../../src/backend/store/database/open-store.ts';
import { listReplayItemsByOutcome } from '../../../src/backend/store/replay/replay.ts';
import { getReplay } from '../../../src/backend/store/replay/replay-list.ts';
import { prepareSql } from '../../../src/backend/store/sqlite/connection.ts';
import { webhookBodySql } from '../../../src/backend/store/webhooks/body-compression.ts';
import {
  computeWebhookSignatures,
  openWebhookEndpoint,
  parseEndpointAddress,
} from '../../../src/billing/index.ts';
import type { ContractInputs, ReplayJob, ReplayPlan } from '../../../src/contract/index.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';
import { hasValidSignatures, startTestEndpoint, type TestEndpoint } from './endpoint-of-temper.ts';

/** Local deliveries of the real writer to real HTTP endpoints. */

let bench: WriterTestSite;
afterEach(() => bench.close());

const failed = { filter: { status: 'failed' as const } };

async function openSyncedSite(): Promise<void> {
  bench = await openWriterTestSite({ subscriptions: 40, months: 2 });
  await bench.sync({ only: ['webhooks'] });
  await bench.client.sites.setSharedKey({ site: SITE, shared_key: bench.sandbox.sharedKey });
}

const planDelivery = (
  { url }: Pick<TestEndpoint, 'url'>,
  how: Partial<ContractInputs['replay']['plan']> = {},
) => bench.client.replay.plan({ site: SITE, selection: failed, endpoint: url, ...how });

const start = ({ plan, count, endpoint }: ReplayPlan, how: Partial<ContractInputs['replay']['run']> = {}) =>
  bench.client.replay.run({
    site: SITE,
    plan,
    confirm: { host: new URL(endpoint ?? '').host, count },
    ...how,
  });

async function deliver(
  plan: ReplayPlan,
  how: Partial<ContractInputs['replay']['run']> = {},
): Promise<ReplayJob> {
  const { job } = await start(plan, how);
  await bench.waitForJob(job);
  return getReplay(bench.books(), SITE, job) as ReplayJob;
}

const orderBySubscription = (endpoint: TestEndpoint) => {
  const of = new Map(
    prepareSql<[number, number | null]>(bench.cache(), 'SELECT id, subscription_id FROM webhook')
      .raw()
      .all() as [number, number | null][],
  );
  return Map.groupBy(endpoint.received, ({ id }) => of.get(id) ?? null);
};

test('posts stored bodies byte for byte, signed, each once and in order, without any request to the service', async () => {
  await openSyncedSite();
  const endpoint = await startTestEndpoint();
  const plan = await planDelivery(endpoint);
  expect(plan).toMatchObject({ endpoint: endpoint.url, count: bench.sandbox.truth.counts().failed_webhooks });
  bench.sandbox.requests.reset();
  const done = await deliver(plan);
  expect([done.reason, bench.log]).toEqual([null, []]);
  expect(done).toMatchObject({
    state: 'done',
    endpoint: endpoint.url,
    connections: 12,
    ordered: true,
    counts: { accepted: plan.count, failed: 0, waiting: 0, sending: 0 },
    requests: { total: plan.count, minimum: plan.count },
  });
  expect(bench.sandbox.requests.total).toBe(0);
  expect(endpoint.received.length).toBe(plan.count);
  expect(new Set(endpoint.received.map(({ id }) => id)).size).toBe(plan.count);
  const stored = prepareSql<string>(
    bench.cache(),
    `SELECT ${webhookBodySql} FROM webhook WHERE id = ?`,
  ).pluck();
  for (const post of endpoint.received) {
    expect(post.body).toBe(stored.get(post.id));
    expect(post.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(hasValidSignatures(post, bench.sandbox.sharedKey)).toBe(true);
  }
  const created = new Map(
    prepareSql<[number, number]>(bench.cache(), 'SELECT id, created_at FROM webhook').raw().all() as [
      number,
      number,
    ][],
  );
  for (const [subscription, posts] of orderBySubscription(endpoint)) {
    if (subscription === null) continue;
    const times = posts.map(({ id }) => created.get(id) ?? 0);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
});

test('OpenSSL reproduces both signatures', async () => {
  await openSyncedSite();
  const endpoint = await startTestEndpoint();
  const [first] = bench.sandbox.truth.webhooks();
  await deliver(
    await planDelivery(endpoint, { selection: { ids: [first?.['id'] as number] }, include_accepted: true }),
  );
  const [post] = endpoint.received;
  const folder = mkdtempSync(join(tmpdir(), 'tieout-openssl-'));
  try {
    const key = bench.sandbox.sharedKey;
    writeFileSync(join(folder, 'body'), post?.body ?? '');
    writeFileSync(join(folder, 'keyed'), key + (post?.body ?? ''));
    const digest = (...options: string[]) =>
      execFileSync('openssl', ['dgst', '-r', ...options], { cwd: folder, encoding: 'utf8' }).split(' ')[0];
    expect(post?.headers['x-chargify-webhook-signature']).toBe(digest('-md5', 'keyed'));
    expect(post?.headers['x-chargify-webhook-signature-hmac-sha-256']).toBe(
      digest('-sha256', '-hmac', key, 'body'),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('works with a stopped site and without an API key', async () => {
  await openSyncedSite();
  await bench.sandbox.close();
  bench.keys.delete(SITE);
  const endpoint = await startTestEndpoint();
  const done = await deliver(await planDelivery(endpoint));
  expect(done).toMatchObject({ state: 'done', counts: { accepted: endpoint.received.length, failed: 0 } });
});

test('starts only with the confirmed host and count, and records both', async () => {
  await openSyncedSite();
  const endpoint = await startTestEndpoint();
  const plan = await planDelivery(endpoint);
  const { host } = endpoint;
  for (const confirm of [
    undefined,
    { host, count: plan.count + 1 },
    { host: 'hooks.example.com', count: plan.count },
  ]) {
    const starting = bench.client.replay.run({ site: SITE, plan: plan.plan, ...(confirm && { confirm }) });
    await expect(starting).rejects.toMatchObject({ code: 'validation', data: expect.anything() });
  }
  expect(endpoint.received).toEqual([]);
  await deliver(plan);
  const entry = listAuditEntries(bench.books(), { filter: {}, limit: 50 }).rows.find(
    ({ action }) => action === 'replay.run',
  );
  expect(entry?.detail).toMatchObject({ endpoint: endpoint.url, count: plan.count });
});

test.each([
  ['http://hooks.example.com/billing', 'http://'],
  ['ftp://hooks.example.com/', 'ftp:'],
  ['https://user:secret@hooks.example.com/', 'user name'],
  ['hooks.example.com', 'valid URL'],
])('refuses the endpoint %s', async (endpoint, reason) => {
  await openSyncedSite();
  const planning = planDelivery({ url: endpoint });
  await expect(planning).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringContaining(reason),
  });
});

test('needs a shared key that reproduces the stored signatures', async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 1 });
  await bench.sync({ only: ['webhooks'] });
  const endpoint = await startTestEndpoint();
  await expect(planDelivery(endpoint)).rejects.toMatchObject({ code: 'auth' });
  const wrong = { site: SITE, shared_key: 'of-another-site' };
  await expect(bench.client.sites.setSharedKey(wrong)).rejects.toMatchObject({ code: 'validation' });
  expect(bench.keys.has(`${SITE}/shared-key`)).toBe(false);
  expect(await bench.client.sites.setSharedKey({ ...wrong, accept_mismatch: true })).toEqual({
    stored: true,
    signatures: 'differ',
  });
  // Bodies signed with another key are left out unless the user includes them.
  const without = await planDelivery(endpoint);
  expect(without).toMatchObject({ count: 0, excluded: { unverified: expect.any(Number) } });
  expect(without.excluded.unverified).toBeGreaterThan(0);
  const plan = await planDelivery(endpoint, { include_unverified: true });
  await deliver(plan);
  expect(endpoint.received.length).toBe(without.excluded.unverified);
  for (const post of endpoint.received) expect(hasValidSignatures(post, 'of-another-site')).toBe(true);
});

test('never sends a body that was not received from the service in form encoding, or that was changed since', async () => {
  await openSyncedSite();
  const endpoint = await startTestEndpoint();
  const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
  const [changed, json, replaced] = listFailedIds();
  const setBody = (sql: string, id: number | undefined) =>
    cache.prepare(`UPDATE webhook SET body = ${sql}, body_dictionary = NULL WHERE id = ?`).run(id);
  setBody(`replace(${webhookBodySql}, 'id=', 'idx=')`, changed);
  setBody(`'{"a":1}'`, json);
  cache.prepare("UPDATE webhook SET body_form = 'json', stored_signature = NULL WHERE id = ?").run(json);
  const plan = await planDelivery(endpoint);
  expect(plan.excluded).toMatchObject({ unverified: 1, unreadable: 1 });
  setBody(`${webhookBodySql} || '&extra=1'`, replaced);
  cache.close();
  const done = await deliver(plan);
  expect(done.counts).toMatchObject({ refused: 1, failed: 0 });
  const sent = new Set(endpoint.received.map(({ id }) => id));
  for (const id of [changed, json, replaced]) expect(sent.has(id as number)).toBe(false);
});

const listFailedIds = () =>
  [...bench.sandbox.truth.webhooks()]
    .filter(({ successful }) => successful === false)
    .map(({ id }) => id as number);

test('a webhook accepted by an address is not planned again for it, neither locally nor through the service', async () => {
  await openSyncedSite();
  const production = await startTestEndpoint();
  const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
  cache.prepare('UPDATE webhook_class SET url = ? WHERE delivery = 1').run(production.url);
  cache.close();
  const { count, ...plan } = await planDelivery(production);
  await deliver({ count, ...plan });
  expect(await planDelivery(production)).toMatchObject({ count: 0, excluded: { accepted: count } });
  expect(await planDelivery(await startTestEndpoint())).toMatchObject({ count });
  expect(await planDelivery(production, { include_accepted: true })).toMatchObject({ count });
  // The log still shows them as failed, but a replay through the service leaves them out as well.
  expect(await bench.client.replay.plan({ site: SITE, selection: failed })).toMatchObject({
    endpoint: null,
    count: 0,
    excluded: { accepted: count },
  });
});

test.each([
  ['error', '500 Internal Server Error'],
  ['reset', 'The connection to'],
  ['redirect', '307 Temporary Redirect'],
  ['created', '201 Created'],
  ['garbage', 'The connection to'],
  ['half', 'The connection to'],
] as const)('%s is a failed outcome with the endpoint’s own answer', async (temper, error) => {
  await openSyncedSite();
  const endpoint = await startTestEndpoint();
  endpoint.temper = (nth) => (nth === 3 ? temper : 'ok');
  const plan = await planDelivery(endpoint);
  const done = await deliver(plan, { ordered: false });
  expect(done).toMatchObject({ state: 'done', counts: { accepted: plan.count - 1, failed: 1 } });
  const [item] = listReplayItemsByOutcome(bench.books(), done.job, ['failed']);
  expect(item?.webhook_id).toBe(endpoint.received[3]?.id);
  expect(item?.last_error).toContain(error);
  expect(endpoint.redirected).toBe(0);
  // Failures are planned again for the same endpoint.
  endpoint.temper = () => 'ok';
  const again = await bench.client.replay.retryFailures({ site: SITE, job: done.job });
  expect(again).toMatchObject({ count: 1, endpoint: endpoint.url });
  expect((await deliver(again)).counts).toMatchObject({ accepted: 1 });
});

test('an endpoint that is down receives one webhook; a failing one is probed and resumes', async () => {
  await openSyncedSite();
  const endpoint = await startTestEndpoint();
  endpoint.temper = () => 'error';
  const plan = await planDelivery(endpoint);
  const stopped = await deliver(plan, { ordered: false });
  expect(stopped).toMatchObject({ state: 'stopped', counts: { failed: 1, waiting: plan.count - 1 } });
  expect(endpoint.received.length).toBe(1);
  endpoint.temper = (nth) => (nth > 20 && nth < 40 ? 'reset' : 'slow');
  const { job } = await bench.client.replay.resume({ site: SITE, job: stopped.job });
  await bench.waitForJob(job);
  const done = getReplay(bench.books(), SITE, job) as ReplayJob;
  const total = Object.values(done.counts).reduce((sum, count) => sum + count, 0);
  expect(total).toBe(plan.count);
  expect(done.counts.sending + done.counts.queued).toBe(0);
  for (const [, posts] of Map.groupBy(endpoint.received, ({ id }) => id))
    expect(posts.filter(({ temper }) => temper === 'slow').length).toBeLessThanOrEqual(1);
});

test('a pause sends nothing more, and a restart resends only what was not answered', async () => {
  await openSyncedSite();
  const endpoint = await startTestEndpoint(60_000);
  endpoint.temper = (nth) => (nth === 9 ? 'late' : 'slow');
  const plan = await planDelivery(endpoint);
  const { job } = await start(plan, { connections: 2, mode: 'safe', ordered: false });
  while (endpoint.received.length < 14) await new Promise((resolve) => setTimeout(resolve, 5));
  await bench.client.replay.pause({ site: SITE, job });
  await new Promise((resolve) => setTimeout(resolve, 150));
  const atPause = endpoint.received.length;
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(endpoint.received.length).toBe(atPause);
  await bench.reopen();
  const late = endpoint.received[9]?.id;
  endpoint.temper = () => 'ok';
  await bench.client.replay.resume({ site: SITE, job });
  await bench.waitForJob(job);
  const done = getReplay(bench.books(), SITE, job) as ReplayJob;
  expect(done).toMatchObject({ state: 'done', counts: { accepted: plan.count } });
  for (const [id, posts] of Map.groupBy(endpoint.received, (post) => post.id))
    expect([id, posts.length]).toEqual([id, id === late ? 2 : 1]);
});

test('an answer counts within 15 seconds and not later, and a slow endpoint does not hold up the replay', async () => {
  await openSyncedSite();
  const [slow, tooSlow] = [await startTestEndpoint(13_500), await startTestEndpoint(17_000)];
  slow.temper = tooSlow.temper = () => 'late';
  const { key, body } = { key: 'shared', body: 'id=1&event=test' };
  const posting = openWebhookEndpoint(parseEndpointAddress(slow.url), 1);
  const answer = posting.post({ id: 1, body, signatures: computeWebhookSignatures(key, body) });
  const [id] = listFailedIds();
  const plan = await planDelivery(tooSlow, { selection: { ids: [id as number] } });
  const began = performance.now();
  const done = await deliver(plan);
  const seconds = (performance.now() - began) / 1000;
  expect(done.counts).toMatchObject({ accepted: 0, failed: 1 });
  expect(seconds).toBeGreaterThan(14.9);
  expect(seconds).toBeLessThan(16.9);
  const [item] = listReplayItemsByOutcome(bench.books(), done.job, ['failed']);
  expect(item).toMatchObject({ webhook_id: id, last_error: 'No answer within 15 seconds' });
  expect(await answer).toEqual({ accepted: true, error: null });
  await posting.close();
}, 60_000);

test('signatures replace the placeholders in the endpoint’s query, which is shown nowhere', async () => {
  await openSyncedSite();
  const endpoint = await startTestEndpoint();
  const url = `${endpoint.url}?token=sesame&sig={signature}&sig2={signature_hmac_sha_256}`;
  const plan = await planDelivery({ url });
  await deliver(plan);
  for (const post of endpoint.received) {
    const query = new URL(post.url, 'http://x').searchParams;
    expect(query.get('token')).toBe('sesame');
    expect(query.get('sig')).toBe(post.headers['x-chargify-webhook-signature']);
    expect(query.get('sig2')).toBe(post.headers['x-chargify-webhook-signature-hmac-sha-256']);
  }
  expect(JSON.stringify(plan)).not.toContain('sesame');
  expect(JSON.stringify(listAuditEntries(bench.books(), { filter: {}, limit: 50 }).rows)).not.toContain(
    'sesame',
  );
});

test('a plan shows duration, load and superseded webhooks before anything is sent', async () => {
  await openSyncedSite();
  const endpoint = await startTestEndpoint();
  const plan = await planDelivery(endpoint, { selection: { filter: {} }, include_accepted: true });
  const { count, expected, rates } = plan;
  expect(expected?.safe).toMatchObject({ requests: count, at_once: 4 });
  expect(expected?.fast).toMatchObject({ requests: count, at_once: 24 });
  expect(expected?.fast.per_second).toBeGreaterThan(expected?.safe.per_second ?? Infinity);
  expect(rates[0]).toEqual({ per_second: 1, ms: Math.max(expected?.adaptive.ms ?? 0, (count - 1) * 1000) });
  const items = prepareSql<{ webhook_id: number; superseded_by: number }>(
    bench.books(),
    'SELECT webhook_id, superseded_by FROM replay_plan_item WHERE plan = ? AND superseded_by IS NOT NULL',
  ).all(plan.plan);
  expect(items.length).toBe(plan.superseded);
  // Independent recomputation: the newest later webhook of the same state event, subscription and component.
  const rows = prepareSql<{ id: number; key: string; created_at: number; event: string }>(
    bench.cache(),
    `SELECT id, event, created_at, event || '/' || subscription_id || '/' || coalesce(component_id, '') AS key
     FROM webhook WHERE subscription_id IS NOT NULL ORDER BY created_at, id`,
  ).all();
  const newest = new Map(rows.map(({ id, key }) => [key, id]));
  const superseded = rows
    .filter(({ event }) => event === 'subscription_state_change' || event === 'component_allocation_change')
    .filter(({ id, key }) => newest.get(key) !== id);
  const byId = new Map(items.map(({ webhook_id, superseded_by }) => [webhook_id, superseded_by]));
  for (const { id, key } of superseded) expect([id, byId.get(id)]).toEqual([id, newest.get(key)]);
  for (const { event } of rows.filter(({ id }) => byId.has(id)))
    expect(event).not.toMatch(/^payment|^statement/);
  const done = await deliver(plan, { rate: 100, mode: 'fast' });
  expect(done.counts).toMatchObject({ accepted: count });
  expect(endpoint.mostAtOnce).toBeLessThanOrEqual(24);
});
