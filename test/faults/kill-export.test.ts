import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkbench, SITE, type Workbench } from '../backend/workbench.ts';
import type { Message } from './kill-child.ts';

/**
 * `kill -9` at any moment of an export: under no name of the bag is there ever half a file, and gone on with, it ends as the very
 * bag that an uninterrupted one gives.
 *
 * `KILLS=200 npm run test:unit -- test/faults/kill-export.test.ts` kills more often.
 */
const KILLS = Number(process.env['KILLS'] ?? 2);
const CHILD = fileURLToPath(new URL('./export-child.ts', import.meta.url));

let bench: Workbench;
let work: string;
beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'tieout-kill-export-'));
  bench = await openWorkbench({ subscriptions: 20, months: 4 });
  await bench.sync({ only: ['statements'] });
  await bench.sync({ only: ['pdf'] });
}, 120_000);
afterAll(async () => {
  await bench.close();
  rmSync(work, { recursive: true, force: true });
});

async function run(id: string, killAfter: number | null): Promise<{ killed: boolean; ms: number }> {
  const child = fork(CHILD, [bench.home, SITE, id], { silent: true });
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

/** The SHA-256 of every file below a folder, by its path; half-written ones stand in a folder of their own. */
function tree(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files
      .map((file) => join(file.parentPath, file.name))
      .filter((path) => !path.includes('.tieout-parts'))
      .map((path) => [
        path.slice(folder.length + 1),
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      ]),
  );
}

test(
  `killed at ${KILLS} random moments, an export goes on to the same bag`,
  async () => {
    const path = join(work, 'bag');
    const { export: id } = await bench.client.archive.plan({
      site: SITE,
      selection: { filter: {} },
      target: { kind: 'folder', path },
    });
    const { ms: whole } = await run(id, null);
    const expected = tree(path);
    let killed = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      rmSync(path, { recursive: true });
      for (let times = 0; times <= kill % 3; times++) {
        killed += (await run(id, Math.random() * whole)).killed ? 1 : 0;
        for (const [file, sha256] of tree(path)) {
          if (file.startsWith('data/statements/')) expect([file, sha256]).toEqual([file, expected.get(file)]);
        }
      }
      await run(id, null);
      expect(tree(path)).toEqual(expected);
    }
    expect(killed).toBeGreaterThan(0);
  },
  60_000 + KILLS * 30_000,
);
