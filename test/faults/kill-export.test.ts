import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWriterTestSite, SITE, type WriterTestSite } from '../backend/writer-test-site.ts';
import { attempt, homes, killsOr } from './killed.ts';

/**
 * Kills the process at random moments of an export. No file of the bag is ever incomplete under its final name, and the
 * resumed export equals an uninterrupted one.
 *
 * `KILLS=200 npm run test:unit -- test/faults/kill-export.test.ts` kills more often.
 */
const KILLS = killsOr(2);
const folders = homes();

let bench: WriterTestSite;
beforeAll(async () => {
  bench = await openWriterTestSite({ subscriptions: 20, months: 4 });
  await bench.sync({ only: ['statements'] });
  await bench.sync({ only: ['pdf'] });
});
afterAll(() => bench.close());

/** Writes or resumes the export. */
const run = (id: string, killAfter: number | null) =>
  attempt('./export-child.ts', [bench.home, id], killAfter);

/** Returns the SHA-256 of every file below a folder by its path. Incomplete files are in a separate folder. */
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
  `killed at ${KILLS} random moments, a resumed export gives the same bag`,
  async () => {
    const path = join(folders.fresh(), 'bag');
    const { export: id } = await bench.client.archive.plan({
      site: SITE,
      selection: { filter: {} },
      target: { kind: 'folder', path },
    });
    let { ms: whole } = await run(id, null);
    const expected = tree(path);
    let killed = 0;
    // An attempt that finished before the kill does not count.
    for (let kill = 0; kill < KILLS || killed === 0; kill++) {
      rmSync(path, { recursive: true });
      for (let times = 0; times <= kill % 3; times++) {
        const attempted = await run(id, Math.random() * whole);
        if (attempted.killed) killed++;
        // The first run also loads what the later ones find loaded.
        else whole = Math.min(whole, attempted.ms);
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
