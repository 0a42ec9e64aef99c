import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ReplayOptions,
  type ReplayResult,
  runReplay,
} from '../../../src/backend/replay/replay-engine.ts';
import { listReplayItemsByOutcome } from '../../../src/backend/store/replay/replay.ts';
import type { WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import {
  createFakeReplay,
  type FakeReplay,
  type FakeReplayConditions,
  type PostFate,
} from './fake-replay-ports.ts';

/** Tests the engine against a service with a simulated clock, so that hours pass instantly. The journal is real. */

const MINUTE = 60_000;
const defaultReplay: ReplayOptions = { mode: 'safe', batch_size: 100, rate: null, ordered: 0 };
let jobs = 0;

/** Opens a database for the journal that need not survive a power failure. */
function openJournalStore(): WritableDb {
  const books = openTemporaryStore('books');
  books.pragma('synchronous = OFF');
  return books;
}

async function runFakeReplay(
  books: WritableDb,
  orders: Partial<ReplayOptions>,
  conditions: FakeReplayConditions,
): Promise<{ world: FakeReplay; ended: ReplayResult }> {
  const world = createFakeReplay(books, `job ${++jobs}`, conditions);
  return { world, ended: await runReplay(world, { ...defaultReplay, ...orders }) };
}

test('safe mode never has more than 24 unresolved, at the service too, whatever fails', async () => {
  const books = openJournalStore();
  const fate = fc.constantFrom<PostFate>('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'lost', 'cut', 'fail', 'refuse');
  const conditions = fc.record({
    count: fc.integer({ min: 1, max: 120 }),
    delays: fc.array(fc.integer({ min: 100, max: 90_000 }), { minLength: 1, maxLength: 20 }),
    taken: fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
    badUntil: fc.integer({ min: 0, max: 60 }),
    fates: fc.array(fate, { minLength: 1, maxLength: 30 }),
    batch_size: fc.constantFrom(1, 7, 100),
    ordered: fc.constantFrom(0, 1),
    lanes: fc.integer({ min: 1, max: 120 }),
  });
  await fc.assert(
    fc.asyncProperty(conditions, async ({ count, delays, taken, badUntil, fates, lanes, ...orders }) => {
      const { world, ended } = await runFakeReplay(books, orders, {
        count,
        lanes,
        delay: (nth) => delays[nth % delays.length] ?? 0,
        accepts: (nth) => nth === 0 || nth > badUntil || taken[nth % taken.length] === true,
        fate: (nth) => fates[nth] ?? 'ok',
        user: (here) => {
          if (here.shown.at(-1)?.paused_by === 'refusals') here.resume();
        },
      });
      expect(world.maxQueued).toBeLessThanOrEqual(24);
      for (const { live } of world.shown) expect(live.unresolved).toBeLessThanOrEqual(24);
      // Every outcome agrees with the log, and no webhook is missing.
      const counts = world.journal.counts();
      expect(Object.values(counts).reduce((sum, each) => sum + each, 0)).toBe(count);
      if (ended.state === 'done') expect(counts.waiting + counts.sending + counts.queued).toBe(0);
      const job = `job ${jobs}`;
      const last = new Map(world.delivered.map(({ id, accepted }) => [id, accepted]));
      for (const { webhook_id } of listReplayItemsByOutcome(books, job, ['accepted']))
        expect(last.get(webhook_id)).toBe(true);
      for (const { webhook_id } of listReplayItemsByOutcome(books, job, ['failed']))
        expect(last.get(webhook_id)).toBe(false);
      // A webhook is sent again only if the log showed no change for two minutes.
      const times = Map.groupBy(world.delivered, ({ id }) => id);
      expect([...times.values()].filter((each) => each.length > 1)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('adaptive mode grows after many acceptances in a row and returns to 24 at the first failures', async () => {
  const books = openJournalStore();
  const { world, ended } = await runFakeReplay(
    books,
    { mode: 'adaptive', batch_size: 1000 },
    { count: 3000, accepts: (nth) => nth < 2000 || nth % 8 !== 0 },
  );
  expect(ended.state).toBe('done');
  const most = world.shown.map(({ live }) => live.window);
  expect(Math.max(...most)).toBeGreaterThanOrEqual(192);
  const widest = most.lastIndexOf(Math.max(...most));
  expect(most.slice(widest + 1)).toContain(24);
  expect(Math.max(...most.slice(widest + 20))).toBe(24);
});

test.each(['safe', 'adaptive', 'fast'] as const)(
  '%s: an endpoint that is down receives only one webhook',
  async (mode) => {
    const { world, ended } = await runFakeReplay(
      openJournalStore(),
      { mode },
      { count: 500, accepts: () => false },
    );
    expect(ended).toMatchObject({ state: 'stopped', failed: null });
    expect(world.delivered.length).toBe(1);
    expect(world.journal.counts()).toMatchObject({ failed: 1, waiting: 499 });
  },
);

test('the breaker opens within 20 outcomes, probes the endpoint and sends the rest on recovery', async () => {
  const down = { from: 2 * MINUTE, to: 6 * MINUTE };
  const { world, ended } = await runFakeReplay(
    openJournalStore(),
    { mode: 'safe' },
    {
      count: 2000,
      accepts: (_, at) => at < down.from || at >= down.to,
    },
  );
  expect(ended.state).toBe('done');
  const firstLost = world.delivered.findIndex(({ accepted }) => !accepted);
  const opened = world.shown.findIndex(({ paused_by }) => paused_by === 'breaker');
  const heard = world.shown[opened]?.live.breaker;
  expect(heard).toMatchObject({ state: 'open', probes: 0, max_probes: 3 });
  expect(firstLost).toBeGreaterThan(0);
  // At most the webhooks in flight and one webhook per probe can fail.
  const lost = world.delivered.filter(({ accepted }) => !accepted);
  expect(lost.length).toBeLessThanOrEqual(24 + 3);
  const probes = world.delivered.filter(({ at }) => at > (lost[23]?.at ?? 0)).slice(0, 3);
  expect(probes.length).toBeGreaterThan(0);
  expect(world.shown.some(({ live }) => live.breaker.next_probe_at !== null)).toBe(true);
  expect(world.journal.counts().accepted).toBe(2000 - lost.length);
});

test('an endpoint that does not recover is probed three times in 21 minutes, then the replay stops', async () => {
  const { world, ended } = await runFakeReplay(
    openJournalStore(),
    {},
    { count: 500, accepts: (nth) => nth < 40 },
  );
  expect(ended).toMatchObject({
    state: 'stopped',
    failed: null,
    reason: expect.stringContaining('did not recover'),
  });
  const lost = world.delivered.filter(({ accepted }) => !accepted);
  const tried = lost.slice(-3).map(({ at }) => at);
  expect((tried[2] ?? 0) - (lost.at(-4)?.at ?? 0)).toBeGreaterThan(20 * MINUTE);
  expect((tried[2] ?? 0) - (lost.at(-4)?.at ?? 0)).toBeLessThan(25 * MINUTE);
  expect(world.journal.counts().waiting).toBeGreaterThan(400);
});

test("in ordered mode, a subscription's webhooks are sent one at a time and stop after a failure", async () => {
  const bad = 9;
  const { world, ended } = await runFakeReplay(
    openJournalStore(),
    { mode: 'fast', batch_size: 1000, ordered: 1 },
    { count: 60, lanes: 6, delay: (nth) => 1000 + ((nth * 7919) % 9000), accepts: (_, __, id) => id !== bad },
  );
  expect(ended.state).toBe('done');
  const lanes = Map.groupBy(world.delivered, ({ id }) => (id - 1) % 6);
  for (const lane of lanes.values()) {
    const ids = lane.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  }
  for (const post of world.posts) expect(new Set(post.map((id) => (id - 1) % 6)).size).toBe(post.length);
  // Ids 15, 21 and so on come after id 9.
  expect(lanes.get((bad - 1) % 6)?.map(({ id }) => id)).toEqual([3, 9]);
  expect(world.journal.counts()).toMatchObject({ failed: 1, unresolved: 8, accepted: 51 });
});

test('the rate limit is respected', async () => {
  const { world } = await runFakeReplay(openJournalStore(), { mode: 'fast', rate: 2 }, { count: 300 });
  const times = world.delivered.map(({ at }) => at);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  expect(300 / seconds).toBeLessThanOrEqual(2.2);
  expect(300 / seconds).toBeGreaterThan(1.5);
});

test('half an hour of service errors stops the replay with the last error', async () => {
  let failed = 0;
  const { world, ended } = await runFakeReplay(
    openJournalStore(),
    {},
    {
      count: 100,
      fate: (nth) => {
        if (nth >= 3) failed++;
        return nth < 3 ? 'ok' : 'fail';
      },
    },
  );
  expect(ended).toMatchObject({ state: 'stopped', failed: { code: 'service' } });
  expect(failed).toBeGreaterThan(20);
  expect(failed).toBeLessThan(60);
  expect(world.journal.counts()).toMatchObject({ accepted: 30, waiting: 70 });
});

test('a paused replay sends nothing more and shows what cannot be recalled', async () => {
  let resumedAt = 0;
  const { world, ended } = await runFakeReplay(
    openJournalStore(),
    {},
    {
      count: 200,
      user: (here, at) => {
        if (at > 20_000 && at < 10 * MINUTE) here.pause();
        else if (resumedAt === 0 && at >= 10 * MINUTE) {
          resumedAt = at;
          here.resume();
        }
      },
    },
  );
  expect(ended.state).toBe('done');
  const paused = world.shown.filter(({ paused_by }) => paused_by === 'user');
  expect(
    paused.some(({ reason }) => /^Paused\. \d+ queued webhooks? cannot be recalled/.test(reason ?? '')),
  ).toBe(true);
  expect(paused.at(-1)?.reason).toBe('Paused.');
  const gap = world.delivered.findIndex(({ at }, n) => at - (world.delivered[n - 1]?.at ?? at) > 8 * MINUTE);
  expect(gap).toBeGreaterThan(0);
  expect(world.journal.counts().accepted).toBe(200);
});

test.each([0, 1])(
  'webhooks retried by the service wait and are not sent if it delivers them (ordered %i)',
  async (ordered) => {
    const { world, ended } = await runFakeReplay(
      openJournalStore(),
      { ordered },
      { count: 40, lanes: 20, retriedCount: 10 },
    );
    expect(ended.state).toBe('done');
    expect(world.journal.counts().accepted).toBe(40);
    const sent = world.delivered.map(({ id }) => id);
    expect(sent.filter((id) => id <= 10).toSorted((a, b) => a - b)).toEqual([1, 3, 5, 7, 9]);
    for (const { id, at } of world.delivered)
      expect(at - world.startedAt > 5 * MINUTE).toBe(id <= 10 || (ordered === 1 && id > 20 && id <= 30));
    expect(
      world.shown.some(({ reason }) =>
        reason?.startsWith('The service is still retrying 10 webhooks itself.'),
      ),
    ).toBe(true);
  },
);
