import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openWriter } from '../../src/backend/open-writer.ts';
import { readAnchor } from '../../src/backend/store/audit-log/audit-anchor.ts';
import { verifyAudit } from '../../src/backend/store/audit-log/audit-list.ts';
import { backupsOf } from '../../src/backend/store/backups/backup.ts';
import { createClient } from '../../src/contract/index.ts';
import { addSite, SITE, standardCsv } from '../backend/bank/bench.ts';
import { memoryShell } from '../backend/shell.ts';
import { attempt, homes, killsOr, sound } from './killed.ts';

/**
 * `kill -9` at any moment of a restore: the books are those of before or those of the copy, whole, with an audit log that holds; what stood
 * there before is among the copies. `KILLS=200` kills more often.
 */
const KILLS = killsOr(2);
const LINES = 600;

const folder = (home: string) => join(home, 'sites', SITE);
const home = homes();
let fresh: string;
let copy: string;
let ms: number;

/** Books with a file imported, a copy of them, and another file imported since. */
beforeAll(async () => {
  fresh = home.fresh();
  addSite(fresh);
  for (const [at, name] of ['first.csv', 'second.csv'].entries()) {
    const lines = Array.from(
      { length: LINES },
      (_, n) => [`2026-10-0${at + 1}`, `${n + 1}.00`, `CARD ${n}`] as const,
    );
    writeFileSync(join(fresh, name), standardCsv(lines));
    const writer = openWriter({ home: fresh, version: '0.0.0', shell: memoryShell(), log: () => undefined });
    const client = createClient({ reader: writer.link, writer: writer.link });
    if (at === 1) copy = (await client.backups.make({ site: SITE })).name;
    await writer.close();
    await attempt('./bank-child.ts', [fresh, join(fresh, name)], null);
  }
  const whole = home.copyOf(fresh);
  ({ ms } = await attempt('./restore-child.ts', [whole, copy], null));
  expect(linesOf(whole)).toBe(LINES);
});

/** Lines that the books have, which must be sound and whole. */
function linesOf(at: string): number {
  const books = sound(at, 'books');
  expect(verifyAudit(books, { beside: readAnchor(folder(at)) })).toMatchObject({ ok: true });
  const lines = books.prepare<[], number>('SELECT count(*) FROM bank_line').pluck().get() ?? 0;
  books.close();
  return lines;
}

test(
  `killed at ${KILLS} random moments of a restore, the books are the old ones or the new ones`,
  async () => {
    expect(linesOf(fresh)).toBe(2 * LINES);
    let old = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const at = home.copyOf(fresh);
      await attempt('./restore-child.ts', [at, copy], Math.random() * ms);
      const lines = linesOf(at);
      expect([LINES, 2 * LINES]).toContain(lines);
      if (lines === 2 * LINES) old++;
      const kept = backupsOf(join(folder(at), 'books.db'));
      expect(kept.some(({ name }) => name === copy)).toBe(true);
      expect(lines === 2 * LINES || kept.some(({ reason }) => reason === 'restore')).toBe(true);
      await attempt('./restore-child.ts', [at, copy], null);
      expect(linesOf(at)).toBe(LINES);
      // What a killed one left is told from a copy, and goes in time.
      expect(backupsOf(join(folder(at), 'books.db')).every(({ bytes }) => bytes > 0)).toBe(true);
      expect(readdirSync(folder(at))).toContain('books.db');
      rmSync(at, { recursive: true, force: true });
    }
    if (KILLS >= 50) expect([old > 0, old < KILLS]).toEqual([true, true]);
  },
  60_000 + KILLS * 60_000,
);
