import { rmSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { listReplayItemsByOutcome } from '../../src/backend/store/replay/replay.ts';
import { listReplays } from '../../src/backend/store/replay/replay-list.ts';
import { prepareSql } from '../../src/backend/store/sqlite/connection.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { hasValidSignatures, startTestEndpoint, type Temper } from '../backend/replay/endpoint-of-temper.ts';
import { SITE } from './child.ts';
import { attempt, homes, killsOr, sound } from './killed.ts';

/**
 * Kills the process at random moments of a local delivery to a real endpoint. No webhook whose acceptance was recorded is
 * sent again, none is forgotten, and the order within each subscription is kept. `KILLS=200` kills more often.
 */
const KILLS = killsOr(2);
const home = homes();
let synced: string;
let sharedKey: string;

beforeAll(async () => {
  const sandbox = await startSandbox({ subscriptions: 30, months: 3 });
  sharedKey = sandbox.sharedKey;
  synced = home.fresh();
  await attempt('./sync-webhooks-child.ts', [synced, sandbox.url, sandbox.apiKey], null);
  await sandbox.close();
});

test(
  `killed at ${KILLS} random moments, a local delivery forgets no webhook and resends none that it knows as accepted`,
  async () => {
    let ms = 400;
    for (let kill = 0; kill < KILLS; kill++) {
      const at = home.copyOf(synced);
      const endpoint = await startTestEndpoint();
      endpoint.temper = (nth): Temper => (nth % 7 === 3 ? 'slow' : 'ok');
      const known = new Set<number>();
      let checked = 0;
      /** Expects that nothing known to be accepted arrived since the last check. Then reads what is known now. */
      const check = () => {
        const arrived = endpoint.received.slice(checked);
        for (const { id } of arrived) expect([id, known.has(id)]).toEqual([id, false]);
        checked = endpoint.received.length;
        const books = sound(at, 'books');
        const [job] = listReplays(books, SITE);
        for (const { webhook_id } of listReplayItemsByOutcome(books, job?.job ?? '', ['accepted']))
          known.add(webhook_id);
        books.close();
        return job;
      };
      for (let n = 0; n <= kill % 2; n++) {
        await attempt('./delivery-child.ts', [at, endpoint.url, sharedKey], Math.random() * ms);
        await new Promise((resolve) => setTimeout(resolve, 50));
        check();
      }
      const rest = await attempt('./delivery-child.ts', [at, endpoint.url, sharedKey], null);
      ms = Math.max(rest.ms, ms * 0.9);
      const done = check();
      const cache = sound(at, 'cache');
      const rows = prepareSql<[number, number | null]>(
        cache,
        'SELECT id, subscription_id FROM webhook ORDER BY created_at, id',
      )
        .raw()
        .all() as [number, number | null][];
      cache.close();
      expect(done).toMatchObject({
        state: 'done',
        counts: { accepted: rows.length, waiting: 0, sending: 0 },
      });
      expect(new Set(endpoint.received.map(({ id }) => id))).toEqual(new Set(rows.map(([id]) => id)));
      for (const post of endpoint.received) expect(hasValidSignatures(post, sharedKey)).toBe(true);
      const planned = Map.groupBy(rows, ([, subscription]) => subscription);
      const firsts = new Map<number, number>();
      for (const [nth, { id }] of endpoint.received.entries()) if (!firsts.has(id)) firsts.set(id, nth);
      for (const [subscription, ofIt] of planned) {
        const order = ofIt.map(([id]) => firsts.get(id) ?? 0);
        if (subscription !== null) expect(order).toEqual(order.toSorted((a, b) => a - b));
      }
      await endpoint.close();
      rmSync(at, { recursive: true, force: true });
    }
  },
  60_000 + KILLS * 60_000,
);
