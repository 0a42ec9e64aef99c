import { afterEach, expect, test } from 'vitest';
import { prepareSql } from '../../../src/backend/store/sqlite/connection.ts';
import { listSyncRuns, readSyncStatus } from '../../../src/backend/store/sync/sync-status.ts';
import { measureProcessTime } from '../../measure-process-time.ts';
import { findDifferences, findWebhookDifferences } from '../find-differences.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';
import { replayOutsideApp } from './replay-outside-app.ts';

let bench: WriterTestSite;
afterEach(() => bench.close());

const asked = () => bench.sandbox.requests.log.map(({ url }) => url);
const lastRun = () => {
  const [run] = listSyncRuns(bench.cache(), 1);
  if (run === undefined) throw new Error('There was no run.');
  return run;
};

test('a first sync stores everything; a second one changes nothing, with three requests', async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 4 });
  bench.sandbox.requests.reset();
  const first = await bench.sync();
  expect(first).toMatchObject({ state: 'done', error: null });
  expect(findDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
  const { webhooks, statements } = bench.sandbox.truth.counts();
  expect(lastRun()).toMatchObject({
    complete: true,
    problems: [],
    rows: { webhook: webhooks, statement: statements },
    requests: { total: bench.sandbox.requests.total },
  });

  bench.sandbox.requests.reset();
  const second = await bench.sync();
  expect(second).toMatchObject({ state: 'done', summary: 'No records changed, with 3 requests.' });
  expect(asked().map((url) => url.replace(/\?.*/, ''))).toEqual([
    '/webhooks.json',
    '/webhooks.json',
    '/statements/ids.json',
  ]);
  expect(lastRun()).toMatchObject({ complete: true, rows: {}, requests: { total: 3, minimum: 3 } });
});

test('the number of requests is near the minimum and agrees with the count of the service', async () => {
  bench = await openWriterTestSite({ subscriptions: 60, months: 4, webhooks: 4200 });
  bench.sandbox.requests.reset();
  await bench.sync();
  const { requests } = lastRun();
  expect(requests.total).toBe(bench.sandbox.requests.total);
  expect(requests.by_kind).toMatchObject({ webhooks: bench.sandbox.requests.byKind.webhooks });
  expect(requests.by_kind['webhooks']).toBeLessThanOrEqual(Math.ceil(1.05 * (Math.floor(4200 / 200) + 1)));
  expect(requests.by_kind['statement_ids']).toBe(1);
  expect(requests.total / requests.minimum).toBeLessThanOrEqual(1.05);
  expect(findDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
});

test('a sync reads the changes since the last one, and requests nothing else', async () => {
  bench = await openWriterTestSite({ subscriptions: 30, months: 4 });
  await bench.sync();
  bench.sandbox.advance({ days: 9 });
  bench.sandbox.requests.reset();
  await bench.sync();
  expect(findDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
  const { requests, complete } = lastRun();
  expect(complete).toBe(true);
  expect(requests.total).toBeLessThanOrEqual(requests.minimum * 1.2 + 3);
  await bench.sync();
  expect(lastRun()).toMatchObject({ rows: {}, requests: { total: 3 } });
});

test('a long gap becomes a window, and nothing in it is missed', async () => {
  bench = await openWriterTestSite({ subscriptions: 120, months: 2, settings: { maxPerPage: 20 } });
  await bench.sync({ only: ['webhooks'] });
  bench.sandbox.advance({ months: 3 });
  expect(bench.sandbox.truth.counts().webhooks).toBeGreaterThan(40 * 20 + 400);
  await bench.sync({ only: ['webhooks'] });
  expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
  const windows = prepareSql<string>(bench.cache(), "SELECT unit FROM sync_unit WHERE part = 'webhooks'")
    .pluck()
    .all();
  expect(windows.length).toBeGreaterThanOrEqual(2);
  await bench.sync({ only: ['webhooks'] });
  expect(lastRun().requests.total).toBe(2);
});

test('a page size below the requested one is detected and learned', async () => {
  bench = await openWriterTestSite({
    subscriptions: 30,
    months: 3,
    settings: { maxPerPage: 30, statementsPerPage: 3 },
  });
  await bench.sync();
  expect(findDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
  expect(lastRun().requests.by_kind['webhooks']).toBeLessThanOrEqual(
    Math.ceil(bench.sandbox.truth.counts().webhooks / 30) + 3,
  );
});

test("no rows are missed if the service's days and times differ in time zone", async () => {
  for (const timeZone of ['Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Kathmandu']) {
    bench = await openWriterTestSite({
      subscriptions: 20,
      months: 3,
      settings: { timeZone, maxPerPage: 25 },
    });
    await bench.sync({ only: ['webhooks'] });
    expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
    bench.sandbox.advance({ months: 1 });
    await bench.sync({ only: ['webhooks'] });
    expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
    if (timeZone !== 'Asia/Kathmandu') await bench.close();
  }
});

test('webhooks delivered since the last sync are read again with few requests', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 6 });
  await bench.sync();
  const failed = [...bench.sandbox.truth.webhooks()].filter(({ successful }) => successful === false);
  const ids = failed.map(({ id }) => id);
  await replayOutsideApp(bench, ids.slice(0, 20) as number[]);
  bench.sandbox.requests.reset();
  await bench.sync({ only: ['webhooks'] });
  expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
  expect(bench.sandbox.requests.total).toBeLessThanOrEqual(2 + 5);
});

test('"since" reads webhooks from that day on, including all of that day', async () => {
  bench = await openWriterTestSite({ subscriptions: 40, months: 4 });
  const since = '2026-10-15';
  await bench.sync({ only: ['webhooks'], since });
  const stored = new Set(prepareSql<number>(bench.cache(), 'SELECT id FROM webhook').pluck().all());
  const wanted = [...bench.sandbox.truth.webhooks()].filter((row) => String(row['created_at']) >= since);
  expect(wanted.every((row) => stored.has(row['id'] as number))).toBe(true);
  expect(stored.size).toBeLessThan(bench.sandbox.truth.counts().webhooks);

  // The status shows from which day webhooks were left out until they are read.
  const from = () =>
    readSyncStatus(
      bench.cache(),
      bench.books(),
      { site: SITE, service_details: null },
      () => true,
    ).parts.find(({ part }) => part === 'webhooks')?.since;
  await bench.sync();
  expect(from()).toBe(since);
  await bench.sync({ full: true });
  expect(from()).toBe(null);
  expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
});

test('"full" reads everything again and writes only differences', async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 3 });
  await bench.sync();
  bench.sandbox.requests.reset();
  await bench.sync({ full: true });
  expect(lastRun()).toMatchObject({ complete: true, rows: {} });
  expect(bench.sandbox.requests.byKind.allocations).toBeGreaterThan(0);
  expect(bench.sandbox.requests.byKind.statements).toBe(20);
});

test('a refused key stops a sync, an unreachable service is reported, and stored data stays', async () => {
  bench = await openWriterTestSite({ subscriptions: 10, months: 2 });
  await bench.sync();
  bench.keys.set(SITE, 'another');
  bench.sandbox.requests.reset();
  const refused = await bench.sync();
  expect(refused).toMatchObject({ state: 'failed', error: { code: 'auth' } });
  expect(bench.sandbox.requests.total).toBe(1);
  expect(
    readSyncStatus(bench.cache(), bench.books(), { site: SITE, service_details: null }, () => true).last,
  ).toMatchObject({
    ok: false,
    error: { code: 'auth' },
  });

  bench.keys.set(SITE, bench.sandbox.apiKey);
  await bench.sandbox.close();
  const offline = await bench.sync();
  expect(offline).toMatchObject({ state: 'failed', error: { code: 'network', retryable: true } });
  expect(findDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
});

test('a second sync of a site is refused while one runs', async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 3 });
  const { job } = await bench.client.sync.start({ site: SITE });
  await expect(bench.client.sync.start({ site: SITE })).rejects.toMatchObject({
    code: 'conflict',
    data: { detail: { job } },
  });
  expect((await bench.waitForJob(job)).state).toBe('done');
});

test('a canceled sync ends within a second, and the next one continues from there', async () => {
  bench = await openWriterTestSite({ subscriptions: 30, months: 3, webhooks: 3000 });
  const { job } = await bench.client.sync.start({ site: SITE, only: ['webhooks'] });
  for await (const now of await bench.client.jobs.watch({ site: SITE, job })) {
    if ((now.progress.find(({ part }) => part === 'webhooks')?.done ?? 0) > 600) break;
  }
  const cancel = async () =>
    expect(await bench.client.jobs.cancel({ site: SITE, job })).toMatchObject({ state: 'canceled' });
  expect(await measureProcessTime(cancel)).toBeLessThan(1000);
  const stored = prepareSql<number>(bench.cache(), 'SELECT count(*) FROM webhook').pluck().get() ?? 0;
  expect(stored).toBeGreaterThan(0);

  bench.sandbox.requests.reset();
  await bench.sync({ only: ['webhooks'] });
  expect(findWebhookDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
  expect(bench.sandbox.requests.total).toBeLessThan(3000 / 200 - stored / 200 + 6);
});

test('poison rows are reported and requested again; everything else is stored', async () => {
  bench = await openWriterTestSite({ subscriptions: 60, months: 6 });
  const webhooks = [...bench.sandbox.truth.webhooks()].map(({ id }) => id as number);
  const statements = [...bench.sandbox.truth.statements()].map(({ id }) => id as number);
  const poison = [webhooks[3], webhooks[250], statements[7]] as number[];
  bench.sandbox.setFaults({ poison });
  expect(await bench.sync()).toMatchObject({ state: 'done' });
  const run = lastRun();
  expect(run.complete).toBe(false);
  expect(run.problems.map(({ location }) => location).sort()).toEqual([
    'row 251 of the log from its beginning to now',
    'row 4 of the log from its beginning to now',
    `statement ${statements[7]}`,
  ]);
  expect(new Set(findDifferences(bench.cache(), bench.sandbox.truth))).toEqual(
    new Set([
      `statement ${statements[7]} is missing`,
      `webhook ${webhooks[250]} is missing`,
      `webhook ${webhooks[3]} is missing`,
    ]),
  );

  bench.sandbox.setFaults({});
  bench.sandbox.requests.reset();
  await bench.sync();
  expect(findDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
  expect(lastRun()).toMatchObject({ complete: true, problems: [] });
  expect(asked().filter((url) => url.endsWith('per_page=1'))).toHaveLength(2);
  // The additional requests read the statement and the open statements of the two webhooks' subscriptions.
  expect(bench.sandbox.requests.total).toBeLessThanOrEqual(3 + 2 + 1 + 2);
});
