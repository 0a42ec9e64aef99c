import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openBackendWriter } from '../../src/backend/open-backend-writer.ts';
import { readAuditAnchor } from '../../src/backend/store/audit-log/audit-anchor.ts';
import { verifyAuditLog } from '../../src/backend/store/audit-log/verify-audit-log.ts';
import { listBackupFiles } from '../../src/backend/store/backups/backup-files.ts';
import { createBackendClient } from '../../src/contract/index.ts';
import { addSite, SITE, standardCsv } from '../backend/bank/bank-bench.ts';
import { createMemoryShell } from '../backend/memory-shell.ts';
import { attempt, homes, killsOr, sound } from './killed.ts';

/**
 * Kills the process at random moments of a restore. The books are either the previous ones or those of the copy, complete
 * and with a valid audit log, and the previous books are among the copies. `KILLS=200` kills more often.
 */
const KILLS = killsOr(2);
const LINES = 600;

const folder = (home: string) => join(home, 'sites', SITE);
const home = homes();
let fresh: string;
let copy: string;
let ms: number;

/** Creates books with one imported file, a copy of them, and another file imported afterward. */
beforeAll(async () => {
  fresh = home.fresh();
  addSite(fresh);
  for (const [at, name] of ['first.csv', 'second.csv'].entries()) {
    const lines = Array.from(
      { length: LINES },
      (_, n) => [`2026-10-0${at + 1}`, `${n + 1}.00`, `CARD ${n}`] as const,
    );
    writeFileSync(join(fresh, name), standardCsv(lines));
    const writer = openBackendWriter({
      home: fresh,
      version: '0.0.0',
      shell: createMemoryShell(),
      log: () => undefined,
    });
    const client = createBackendClient({ reader: writer.link, writer: writer.link });
    if (at === 1) copy = (await client.backups.make({ site: SITE })).name;
    await writer.close();
    await attempt('./bank-child.ts', [fresh, join(fresh, name)], null);
  }
  const whole = home.copyOf(fresh);
  ({ ms } = await attempt('./restore-child.ts', [whole, copy], null));
  expect(linesOf(whole)).toBe(LINES);
});

/** Returns the number of bank lines after checking the books' integrity and audit log. */
function linesOf(at: string): number {
  const books = sound(at, 'books');
  expect(verifyAuditLog(books, { anchor: readAuditAnchor(folder(at)) })).toMatchObject({ ok: true });
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
      const kept = listBackupFiles(join(folder(at), 'books.db'));
      expect(kept.some(({ name }) => name === copy)).toBe(true);
      expect(lines === 2 * LINES || kept.some(({ reason }) => reason === 'restore')).toBe(true);
      await attempt('./restore-child.ts', [at, copy], null);
      expect(linesOf(at)).toBe(LINES);
      // An incomplete file of a killed restore is not taken for a copy and is deleted later.
      expect(listBackupFiles(join(folder(at), 'books.db')).every(({ bytes }) => bytes > 0)).toBe(true);
      expect(readdirSync(folder(at))).toContain('books.db');
      rmSync(at, { recursive: true, force: true });
    }
    if (KILLS >= 50) expect([old > 0, old < KILLS]).toEqual([true, true]);
  },
  60_000 + KILLS * 60_000,
);
