import { rmSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { listReplayItemsByOutcome } from '../../src/backend/store/replay/replay.ts';
import { listReplays } from '../../src/backend/store/replay/replay-list.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { SITE } from './child.ts';
import { attempt, homes, killsOr, sound } from './killed.ts';

/**
 * Kills the process at random moments of a replay. After a restart, no webhook that the log shows as sent is sent again,
 * and none is forgotten. `KILLS=200` kills more often.
 */
const KILLS = killsOr(2);
const options = {
  subscriptions: 30,
  months: 3,
  faults: { endpoint_down: ['2026-10-01T04:00:00Z', '2026-10-08T04:00:00Z'] as const },
};

const home = homes();
let synced: string;

/** Starts or resumes the replay. */
const replay = (at: string, { url, apiKey }: Sandbox, killAfter: number | null) =>
  attempt('./replay-child.ts', [at, url, apiKey], killAfter);

/** Returns the same service for every attempt, at the URL stored in the home. */
async function service(): Promise<Sandbox> {
  return startSandbox(options);
}

beforeAll(async () => {
  const sandbox = await service();
  synced = home.fresh();
  await replay(synced, sandbox, 0);
  await sandbox.close();
});

test(
  `killed at ${KILLS} random moments, a replay forgets no webhook and sends none twice that the log shows as sent`,
  async () => {
    // Current estimate of a replay's duration on this machine, updated by each attempt.
    let ms = 400;
    for (let kill = 0; kill < KILLS; kill++) {
      const sandbox = await service();
      const at = home.copyOf(synced);
      for (let n = 0; n <= kill % 2; n++) {
        await replay(at, sandbox, Math.random() * ms);
        // Webhooks posted before the kill appear in the log before anything is sent again.
        await sandbox.idle();
      }
      const rest = await replay(at, sandbox, null);
      ms = Math.max(rest.ms, ms * 0.9);
      await sandbox.idle();

      const books = sound(at, 'books');
      const [done] = listReplays(books, SITE);
      const total = Object.values(done?.counts ?? {}).reduce((sum, count) => sum + count, 0);
      expect(done).toMatchObject({
        state: 'done',
        counts: { accepted: total, waiting: 0, queued: 0, sending: 0 },
      });
      expect(total).toBeGreaterThan(30);
      for (const { webhook_id } of listReplayItemsByOutcome(books, done?.job ?? '', ['accepted'])) {
        expect([webhook_id, sandbox.accepted.get(webhook_id)]).toEqual([webhook_id, 1]);
      }
      books.close();
      await sandbox.close();
      rmSync(at, { recursive: true, force: true });
    }
  },
  60_000 + KILLS * 60_000,
);
