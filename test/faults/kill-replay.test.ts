import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/backend/store/open.ts';
import { itemsIn } from '../../src/backend/store/replay.ts';
import { listReplays } from '../../src/backend/store/replayList.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import type { Message } from './replay-child.ts';

/**
 * `kill -9` at any moment of a replay: when it goes on, no webhook that the log shows as sent is sent again, and none is
 * forgotten. `KILLS=200` kills more often.
 */
const KILLS = Number(process.env['KILLS'] ?? 2);
const CHILD = fileURLToPath(new URL('./replay-child.ts', import.meta.url));
const SITE = 'acme';

let synced: string;
const homes: string[] = [];
const options = {
  subscriptions: 30,
  months: 3,
  faults: { endpoint_down: ['2026-10-01T04:00:00Z', '2026-10-08T04:00:00Z'] as const },
};

function home(): string {
  const path = mkdtempSync(join(tmpdir(), 'tieout-kill-'));
  homes.push(path);
  return path;
}

/** Goes on with the replay, or begins it, in a process of its own; kills it so many ms after it began. */
async function replay(
  at: string,
  sandbox: Sandbox,
  killAfter: number | null,
): Promise<{ killed: boolean; ms: number }> {
  const child = fork(CHILD, [at, sandbox.url, sandbox.apiKey], { silent: true });
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let begun = 0;
  child.on('message', ({ said }: Message) => {
    if (said !== 'begun') return;
    begun = performance.now();
    if (killAfter !== null) void after(killAfter).then(() => child.kill('SIGKILL'));
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  const [code, signal] = await exit;
  if (signal === null) expect([code, said]).toEqual([0, '']);
  return { killed: signal === 'SIGKILL', ms: performance.now() - begun };
}

/** The same service for every attempt, at the address the home knows. */
async function service(): Promise<Sandbox> {
  return startSandbox(options);
}

beforeAll(async () => {
  const sandbox = await service();
  synced = home();
  await replay(synced, sandbox, 0);
  await sandbox.close();
});
afterAll(() => {
  for (const path of homes) rmSync(path, { recursive: true, force: true });
});

test(
  `killed at ${KILLS} random moments, a replay forgets nothing and sends nothing twice that the log shows as sent`,
  async () => {
    // How long a replay takes on this machine, now: known better with each.
    let ms = 400;
    for (let kill = 0; kill < KILLS; kill++) {
      const sandbox = await service();
      const at = home();
      cpSync(synced, at, { recursive: true });
      for (let n = 0; n <= kill % 2; n++) {
        await replay(at, sandbox, Math.random() * ms);
        // What was posted before the kill shows in the log before anything is sent again.
        await sandbox.idle();
      }
      const rest = await replay(at, sandbox, null);
      ms = Math.max(rest.ms, ms * 0.9);
      await sandbox.idle();

      const books = openStore(join(at, 'sites', SITE, 'books.db'), 'books', { readonly: true });
      expect(books.pragma('integrity_check', { simple: true })).toBe('ok');
      const [done] = listReplays(books, SITE);
      const total = Object.values(done?.counts ?? {}).reduce((sum, count) => sum + count, 0);
      expect(done).toMatchObject({
        state: 'done',
        counts: { accepted: total, waiting: 0, queued: 0, sending: 0 },
      });
      expect(total).toBeGreaterThan(30);
      for (const { webhook_id } of itemsIn(books, done?.job ?? '', ['accepted'])) {
        expect([webhook_id, sandbox.accepted.get(webhook_id)]).toEqual([webhook_id, 1]);
      }
      books.close();
      await sandbox.close();
      rmSync(at, { recursive: true, force: true });
    }
  },
  60_000 + KILLS * 60_000,
);
