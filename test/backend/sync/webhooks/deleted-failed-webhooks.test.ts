import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../../../src/backend/store/database/open-store.ts';
import { prepareSql } from '../../../../src/backend/store/sqlite/connection.ts';
import { saveSyncProblem } from '../../../../src/backend/store/sync/sync-problem.ts';
import { listSyncRuns, readSyncStatus } from '../../../../src/backend/store/sync/sync-status.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../../writer-test-site.ts';
import { proxySandbox } from '../sandbox-proxy.ts';

/** The service deletes old webhooks after some time. The app keeps them, and reports no failure. */
let bench: WriterTestSite;
afterEach(() => bench.close());

const PURGED_BEFORE = '2026-10-25';
const run = () => listSyncRuns(bench.cache(), 1)[0];
const webhooks = () =>
  readSyncStatus(bench.cache(), bench.books(), { site: SITE, service_details: null }, () => true).parts[0];
const failedBefore = (day: string) =>
  [...bench.sandbox.truth.webhooks()].filter(
    ({ successful, created_at }) => successful === false && String(created_at) < day,
  );

/** Returns the creation time of the oldest webhook that the service still has. */
function getLogStart(): number {
  const oldest = [...bench.sandbox.truth.webhooks()].find(
    ({ created_at }) => String(created_at) >= PURGED_BEFORE,
  );
  return Date.parse(String(oldest?.created_at));
}

/** Makes the service delete all webhooks before this day. */
async function purge(): Promise<void> {
  await proxySandbox(bench, {
    changeUrl({ pathname, searchParams }) {
      if (pathname.startsWith('/webhooks') && (searchParams.get('since_date') ?? '') < PURGED_BEFORE)
        searchParams.set('since_date', PURGED_BEFORE);
    },
  });
}

test('deleted failed webhooks are not looked up page by page', async () => {
  bench = await openWriterTestSite({
    subscriptions: 60,
    months: 3,
    webhooks: 3000,
    settings: { maxPerPage: 25 },
  });
  await bench.sync();
  expect(failedBefore(PURGED_BEFORE).length).toBeGreaterThan(20);
  const { stored } = webhooks()!;
  await purge();

  bench.sandbox.requests.reset();
  expect(await bench.sync({ only: ['webhooks'] })).toMatchObject({ state: 'done' });
  expect(run()).toMatchObject({ complete: true, problems: [] });
  expect(bench.sandbox.requests.total).toBeLessThanOrEqual(12);
  expect(webhooks()).toMatchObject({ complete: true, problems: 0, stored });
  expect(Date.parse(webhooks()?.kept_from_before ?? '')).toBe(getLogStart());
  // The next sync does not look them up again.
  await bench.sync({ only: ['webhooks'] });
  expect(run()).toMatchObject({ complete: true, requests: { total: 2 } });
});

test("failed webhooks older than the log's oldest row are known to be deleted, even from the same day", async () => {
  bench = await openWriterTestSite({
    subscriptions: 10,
    months: 1,
    webhooks: 60,
    settings: { maxPerPage: 25 },
  });
  await bench.sync();
  const all = [...bench.sandbox.truth.webhooks()].map(({ successful, created_at }) => ({
    successful,
    at: Date.parse(String(created_at)),
  }));
  const failed = all.find(({ successful }) => successful === false)?.at ?? 0;
  const begins = all.find(({ at }) => at > failed)?.at ?? 0;
  expect(begins).toBeLessThan(failed + 86_400_000);
  bench.sandbox.setFaults({ set: { logBegins: begins / 1000 } });
  await bench.sync({ only: ['webhooks'] });
  expect(run()).toMatchObject({ complete: true, problems: [] });
  expect(Date.parse(webhooks()?.kept_from_before ?? '')).toBe(begins);
});

test('a complete read finds the start of the log and clears problems of deleted webhooks', async () => {
  bench = await openWriterTestSite({
    subscriptions: 30,
    months: 3,
    webhooks: 1200,
    settings: { maxPerPage: 25 },
  });
  await bench.sync();
  const [lost] = failedBefore(PURGED_BEFORE);
  const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
  const reason = 'was not found at its position in the log';
  const place = `webhooks[id=${lost?.id}]`;
  saveSyncProblem(cache, { part: 'webhooks', location: place, reason, raw: null, seen_at: 1, job: 'j' });
  cache.close();
  await purge();
  await bench.sync({ only: ['webhooks'], full: true });
  expect(run()).toMatchObject({ complete: true, problems: [] });
  expect(webhooks()).toMatchObject({ complete: true, problems: 0 });
  expect(Date.parse(webhooks()?.kept_from_before ?? '')).toBe(getLogStart());
  const kept = prepareSql<number>(bench.cache(), 'SELECT count(*) FROM webhook').pluck().get();
  expect(kept).toBe(bench.sandbox.truth.counts().webhooks);
});
