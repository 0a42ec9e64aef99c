import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareSql, type ReadableDb } from '../../src/backend/store/sqlite/connection.ts';
import { listSyncRuns } from '../../src/backend/store/sync/sync-status.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { findDifferences } from '../backend/find-differences.ts';
import { attempt, homes, killsOr, sound } from './killed.ts';

/**
 * Kills the process at random moments of a sync. Both databases stay intact, no stored row is lost, and the next sync
 * ends like an uninterrupted one.
 *
 * `KILLS=200 npx vitest run -c test/vitest.config.ts test/faults/kill-sync.test.ts` kills more often.
 */
const KILLS = killsOr(2);
const WEBHOOKS = 1000;

const home = homes();
let sandbox: Sandbox;
let fresh: string;

const sync = (at: string, killAfter: number | null) =>
  attempt('./sync-child.ts', [at, sandbox.url, sandbox.apiKey], killAfter);

/** Reads the cache and closes both databases. */
function soundCache(at: string): ReadableDb {
  sound(at, 'books').close();
  return sound(at, 'cache');
}

const held = (cache: ReadableDb) =>
  (['webhook', 'statement', 'allocation', 'subscription_component'] as const).map(
    (table) => prepareSql<number>(cache, `SELECT count(*) FROM ${table}`).pluck().get() ?? 0,
  );

beforeAll(async () => {
  sandbox = await startSandbox({
    subscriptions: 25,
    months: 3,
    webhooks: WEBHOOKS,
    settings: { maxPerPage: 50 },
  });
  fresh = home.fresh();
  await sync(fresh, 0);
});
afterAll(() => sandbox.close());

test(
  `killed at ${KILLS} random moments, a sync ends like an uninterrupted one`,
  async () => {
    const { ms: whole } = await sync(home.fresh(), null);
    for (let kill = 0; kill < KILLS; kill++) {
      const at = home.fresh();
      const moments = 1 + (kill % 3);
      let before = [0, 0, 0, 0];
      for (let n = 0; n < moments; n++) {
        const { killed } = await sync(at, Math.random() * whole);
        const cache = soundCache(at);
        const now = held(cache);
        for (const [table, count] of now.entries()) expect(count).toBeGreaterThanOrEqual(before[table] ?? 0);
        before = now;
        if (!killed) expect(listSyncRuns(cache, 1)[0]).toMatchObject({ state: 'done' });
        cache.close();
      }
      await sync(at, null);
      const cache = soundCache(at);
      expect(listSyncRuns(cache, 1)[0]).toMatchObject({ state: 'done', complete: true, problems: [] });
      expect(findDifferences(cache, sandbox.truth)).toEqual([]);
      cache.close();
      rmSync(at, { recursive: true, force: true });
    }
  },
  60_000 + KILLS * 60_000,
);

test('a killed run is reported as interrupted, and the next one requests only the rest', async () => {
  const at = home.copyOf(fresh);
  const { ms } = await sync(home.fresh(), null);
  await sync(at, ms * 0.6);
  const [stored = 0] = held(soundCache(at));
  sandbox.requests.reset();
  await sync(at, null);
  const cache = soundCache(at);
  const states = listSyncRuns(cache, 10).map(({ state }) => state);
  expect(states[0]).toBe('done');
  expect(states.slice(1).every((state) => state === 'interrupted' || state === 'done')).toBe(true);
  expect(sandbox.requests.byKind.webhooks).toBeLessThanOrEqual(WEBHOOKS / 50 - Math.floor(stored / 50) + 8);
  cache.close();
});
