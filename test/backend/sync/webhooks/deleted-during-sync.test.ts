import { afterEach, expect, test } from 'vitest';
import { prepareSql } from '../../../../src/backend/store/sqlite/connection.ts';
import { listSyncRuns } from '../../../../src/backend/store/sync/sync-status.ts';
import { FAST_TUNING, openWriterTestSite, type WriterTestSite } from '../../writer-test-site.ts';
import { proxySandbox } from '../sandbox-proxy.ts';

const DAY = 86_400_000;
let bench: WriterTestSite;
afterEach(() => bench.close());

/**
 * Makes the service delete its oldest webhooks, up to the day of the 111th, at the given webhook request or on demand.
 */
async function purgeDuringSync(request?: number) {
  const [oldest] = [...bench.sandbox.truth.webhooks()].slice(110);
  const log = {
    begins: '',
    purge() {
      log.begins = String(oldest?.['created_at']).slice(0, 10);
    },
  };
  let asked = 0;
  await proxySandbox(bench, {
    changeUrl({ pathname, searchParams }) {
      if (!pathname.startsWith('/webhooks')) return;
      if (++asked === request) log.purge();
      if ((searchParams.get('since_date') ?? '') < log.begins) searchParams.set('since_date', log.begins);
    },
  });
  return log;
}

test('a first sync resumed days later misses nothing, although the oldest rows were deleted', async () => {
  let ahead = 0;
  bench = await openWriterTestSite(
    { subscriptions: 30, months: 4, webhooks: 1500, settings: { maxPerPage: 25 } },
    { ...FAST_TUNING, now: () => Date.now() + ahead },
  );
  const log = await purgeDuringSync();
  bench.sandbox.setFaults({ expire_key_after: 50 });
  expect((await bench.sync({ only: ['webhooks'] })).state).toBe('failed');
  const stored = prepareSql<number>(bench.cache(), 'SELECT count(*) FROM webhook').pluck().get() ?? 0;
  expect(stored).toBeGreaterThan(200);

  // The service deletes rows that were already read, so that all others move up in its list.
  const webhooks = [...bench.sandbox.truth.webhooks()];
  log.purge();
  ahead = 2 * DAY;
  bench.sandbox.setFaults({});
  await bench.sync({ only: ['webhooks'] });
  expect(listSyncRuns(bench.cache(), 1)[0]).toMatchObject({ complete: true });
  const ids = new Set(prepareSql<number>(bench.cache(), 'SELECT id FROM webhook').pluck().all());
  const missing = webhooks.map(({ id }) => id as number).filter((id) => !ids.has(id));
  expect(missing).toEqual([]);
});

test('rows skipped because the oldest were deleted during a sync are read in the same sync', async () => {
  bench = await openWriterTestSite({
    subscriptions: 30,
    months: 4,
    webhooks: 1500,
    settings: { maxPerPage: 25 },
  });
  const webhooks = [...bench.sandbox.truth.webhooks()];
  await purgeDuringSync(50);
  await bench.sync({ only: ['webhooks'] });
  expect(listSyncRuns(bench.cache(), 1)[0]).toMatchObject({ complete: true });
  const ids = new Set(prepareSql<number>(bench.cache(), 'SELECT id FROM webhook').pluck().all());
  expect(webhooks.map(({ id }) => id as number).filter((id) => !ids.has(id))).toEqual([]);
  bench.sandbox.requests.reset();
  await bench.sync({ only: ['webhooks'] });
  expect(bench.sandbox.requests.total).toBeLessThanOrEqual(4);
});

test('a poison row is found at its new position after the oldest rows were deleted', async () => {
  bench = await openWriterTestSite({
    subscriptions: 30,
    months: 4,
    webhooks: 1500,
    settings: { maxPerPage: 25 },
  });
  const webhooks = [...bench.sandbox.truth.webhooks()];
  const log = await purgeDuringSync();
  bench.sandbox.setFaults({ poison: [webhooks[700]?.['id'] as number] });
  await bench.sync({ only: ['webhooks'] });
  expect(listSyncRuns(bench.cache(), 1)[0]).toMatchObject({ complete: false });

  log.purge();
  bench.sandbox.setFaults({});
  bench.sandbox.requests.reset();
  await bench.sync({ only: ['webhooks'] });
  expect(listSyncRuns(bench.cache(), 1)[0]).toMatchObject({ complete: true, problems: [] });
  const ids = new Set(prepareSql<number>(bench.cache(), 'SELECT id FROM webhook').pluck().all());
  expect(webhooks.map(({ id }) => id as number).filter((id) => !ids.has(id))).toEqual([]);
  // Requests: the newest webhooks, the row's old position, the days around it, and the failed webhooks.
  expect(bench.sandbox.requests.total).toBeLessThan(10);
});

test('no row of a short log is skipped, whenever the oldest rows are deleted', async () => {
  bench = await openWriterTestSite({
    subscriptions: 30,
    months: 4,
    webhooks: 500,
    settings: { maxPerPage: 25 },
  });
  const webhooks = [...bench.sandbox.truth.webhooks()];
  const log = await purgeDuringSync(7);
  await bench.sync({ only: ['webhooks'] });
  const { complete, requests } = listSyncRuns(bench.cache(), 1)[0]!;
  expect(complete).toBe(true);
  expect(requests.total).toBeLessThanOrEqual(requests.minimum + 1);
  const there = webhooks
    .filter(({ created_at }) => String(created_at) >= log.begins)
    .map(({ id }) => id as number);
  expect(there.length).toBeGreaterThan(300);
  const ids = new Set(prepareSql<number>(bench.cache(), 'SELECT id FROM webhook').pluck().all());
  expect(there.filter((id) => !ids.has(id))).toEqual([]);
});

test('a resumed first sync misses nothing while the oldest rows are deleted', async () => {
  bench = await openWriterTestSite({
    subscriptions: 30,
    months: 4,
    webhooks: 500,
    settings: { maxPerPage: 25 },
  });
  const webhooks = [...bench.sandbox.truth.webhooks()];
  const log = await purgeDuringSync(13);
  bench.sandbox.setFaults({ expire_key_after: 8 });
  expect((await bench.sync({ only: ['webhooks'] })).state).toBe('failed');
  bench.sandbox.setFaults({});
  bench.sandbox.requests.reset();
  await bench.sync({ only: ['webhooks'] });
  expect(listSyncRuns(bench.cache(), 1)[0]).toMatchObject({ complete: true });
  const there = webhooks
    .filter(({ created_at }) => String(created_at) >= log.begins)
    .map(({ id }) => id as number);
  const ids = new Set(prepareSql<number>(bench.cache(), 'SELECT id FROM webhook').pluck().all());
  expect(there.filter((id) => !ids.has(id))).toEqual([]);
});
