import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepared, type ReadableDb } from '../../src/backend/store/database.ts';
import { openStore } from '../../src/backend/store/open.ts';
import { listRuns } from '../../src/backend/store/syncStatus.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { differences } from '../backend/truth.ts';
import type { Message } from './kill-child.ts';

/**
 * `kill -9` at any moment of a sync: both databases stay sound, nothing that was stored is lost, and the next run ends
 * equal to one that was left alone.
 *
 * `KILLS=200 npx vitest run -c test/vitest.config.ts test/faults/kill-sync.test.ts` kills more often.
 */
const KILLS = Number(process.env['KILLS'] ?? 2);
const WEBHOOKS = 1000;
const CHILD = fileURLToPath(new URL('./kill-child.ts', import.meta.url));
const SITE = 'acme';

let sandbox: Sandbox;
let fresh: string;
const homes: string[] = [];

function home(): string {
  const path = mkdtempSync(join(tmpdir(), 'tieout-kill-'));
  homes.push(path);
  return path;
}

/** Starts a sync in a process of its own; kills it so many ms after the sync began, or lets it end. */
async function sync(at: string, killAfter: number | null): Promise<{ killed: boolean; ms: number }> {
  const child = fork(CHILD, [at, sandbox.url, sandbox.apiKey], { silent: true });
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let begun = 0;
  child.on('message', ({ said }: Message) => {
    if (said !== 'begun') return;
    begun = performance.now();
    if (killAfter !== null) void after(killAfter).then(() => child.kill('SIGKILL'));
  });
  const [code, signal] = await exit;
  if (signal === null) expect(code).toBe(0);
  return { killed: signal === 'SIGKILL', ms: performance.now() - begun };
}

function sound(at: string): ReadableDb {
  const [cache, books] = (['cache', 'books'] as const).map((kind) =>
    openStore(join(at, 'sites', SITE, `${kind}.db`), kind, { readonly: true }),
  ) as [ReadableDb, ReadableDb];
  for (const db of [cache, books]) expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  books.close();
  return cache;
}

const held = (cache: ReadableDb) =>
  (['webhook', 'statement', 'allocation', 'pair'] as const).map(
    (table) => prepared<number>(cache, `SELECT count(*) FROM ${table}`).pluck().get() ?? 0,
  );

beforeAll(async () => {
  sandbox = await startSandbox({
    subscriptions: 25,
    months: 3,
    webhooks: WEBHOOKS,
    settings: { maxPerPage: 50 },
  });
  fresh = home();
  await sync(fresh, 0);
});
afterAll(async () => {
  await sandbox.close();
  for (const path of homes) rmSync(path, { recursive: true, force: true });
});

test(
  `killed at ${KILLS} random moments, a sync ends equal to an uninterrupted one`,
  async () => {
    const { ms: whole } = await sync(home(), null);
    for (let kill = 0; kill < KILLS; kill++) {
      const at = home();
      const moments = 1 + (kill % 3);
      let before = [0, 0, 0, 0];
      for (let n = 0; n < moments; n++) {
        const { killed } = await sync(at, Math.random() * whole);
        const cache = sound(at);
        const now = held(cache);
        for (const [table, count] of now.entries()) expect(count).toBeGreaterThanOrEqual(before[table] ?? 0);
        before = now;
        if (!killed) expect(listRuns(cache, 1)[0]).toMatchObject({ state: 'done' });
        cache.close();
      }
      await sync(at, null);
      const cache = sound(at);
      expect(listRuns(cache, 1)[0]).toMatchObject({ state: 'done', complete: true, problems: [] });
      expect(differences(cache, sandbox.truth)).toEqual([]);
      cache.close();
      rmSync(at, { recursive: true, force: true });
    }
  },
  60_000 + KILLS * 60_000,
);

test('a run that was killed is told as interrupted, and the next one needs no more than what was left', async () => {
  const at = home();
  cpSync(fresh, at, { recursive: true });
  const { ms } = await sync(home(), null);
  await sync(at, ms * 0.6);
  const [stored = 0] = held(sound(at));
  sandbox.requests.reset();
  await sync(at, null);
  const cache = sound(at);
  const states = listRuns(cache, 10).map(({ state }) => state);
  expect(states[0]).toBe('done');
  expect(states.slice(1).every((state) => state === 'interrupted' || state === 'done')).toBe(true);
  expect(sandbox.requests.byKind.webhooks).toBeLessThanOrEqual(WEBHOOKS / 50 - Math.floor(stored / 50) + 8);
  cache.close();
}, 60_000);
