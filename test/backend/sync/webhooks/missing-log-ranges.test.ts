import { afterEach, expect, test } from 'vitest';
import { prepareSql } from '../../../../src/backend/store/sqlite/connection.ts';
import { readSyncStatus } from '../../../../src/backend/store/sync/sync-status.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../../writer-test-site.ts';

/** Every webhook that the service has and that is not stored lies within a range reported as missing. */
let bench: WriterTestSite;
afterEach(() => bench.close());

const DAY = 86_400_000;
const status = () =>
  readSyncStatus(bench.cache(), bench.books(), { site: SITE, service_details: null }, () => true);
const gaps = () => status().parts.find(({ part }) => part === 'webhooks')?.gaps ?? [];

/**
 * Returns the creation times of webhooks that the service has and that are not stored (UTC milliseconds), up to the
 * newest stored one.
 */
function findMissing(): number[] {
  const cache = bench.cache();
  const stored = new Set(prepareSql<number>(cache, 'SELECT id FROM webhook').pluck().all());
  const newest = prepareSql<number | null>(cache, 'SELECT max(created_at) FROM webhook').pluck().get() ?? 0;
  return [...bench.sandbox.truth.webhooks()]
    .filter(({ id }) => !stored.has(id as number))
    .map((row) => Date.parse(row['created_at'] as string))
    .filter((at) => at <= newest);
}

/**
 * Returns the instants outside all ranges reported as missing. A day of tolerance on both sides allows for the unknown
 * time zone.
 */
function findUnreported(moments: readonly number[]): number[] {
  const named = gaps().map(({ from, to }) => [
    from === null ? 0 : Date.parse(from) - DAY,
    to === null ? Number.POSITIVE_INFINITY : Date.parse(to) + DAY,
  ]);
  return moments.filter((at) => !named.some(([from = 0, to = 0]) => from <= at && at <= to));
}

test('missing ranges of the log are reported wherever a sync was interrupted', async () => {
  bench = await openWriterTestSite({
    subscriptions: 30,
    months: 4,
    webhooks: 900,
    settings: { maxPerPage: 20 },
  });
  expect(gaps()).toEqual([]);
  for (const advance of [0, 3, 40]) {
    if (advance > 0) bench.sandbox.advance({ days: advance });
    for (const requests of [1, 2, 5, 20]) {
      bench.sandbox.setFaults({ expire_key_after: requests });
      await bench.sync({ only: ['webhooks'] });
      expect(findUnreported(findMissing())).toEqual([]);
    }
    bench.sandbox.setFaults({});
    await bench.sync();
    expect(findMissing()).toEqual([]);
    expect(gaps()).toEqual([]);
    expect(status().complete).toBe(true);
  }
});

test('a failed window is reported as missing from its position to the next stored row', async () => {
  bench = await openWriterTestSite({
    subscriptions: 15,
    months: 6,
    webhooks: 900,
    settings: { maxPerPage: 20 },
  });
  const webhooks = [...bench.sandbox.truth.webhooks()];
  bench.sandbox.setFaults({ poison: webhooks.slice(300, 340).map(({ id }) => id as number) });
  await bench.sync();
  const lost = findMissing();
  expect(lost.length).toBeGreaterThanOrEqual(40);
  expect(findUnreported(lost)).toEqual([]);
  const [gap, ...others] = gaps();
  expect(others).toEqual([]);
  // The rows before and after the range are not reported as missing.
  expect(Math.abs(Date.parse(gap?.from ?? '') - Math.min(...lost))).toBeLessThan(3 * DAY);
  expect(Math.abs(Date.parse(gap?.to ?? '') - Math.max(...lost))).toBeLessThan(3 * DAY);
});

test('poison rows are reported as problems, not as missing ranges', async () => {
  bench = await openWriterTestSite({
    subscriptions: 15,
    months: 6,
    webhooks: 900,
    settings: { maxPerPage: 20 },
  });
  await bench.sync();
  bench.sandbox.advance({ days: 3 });
  const webhooks = [...bench.sandbox.truth.webhooks()];
  bench.sandbox.setFaults({ poison: [webhooks.at(-3)?.['id'] as number] });
  await bench.sync();
  expect(findMissing()).toHaveLength(1);
  expect([gaps(), status().complete]).toEqual([[], false]);
  expect(status().parts.find(({ part }) => part === 'webhooks')?.problems).toBe(1);

  bench.sandbox.setFaults({});
  await bench.sync();
  expect([findMissing(), gaps(), status().complete]).toEqual([[], [], true]);
});
