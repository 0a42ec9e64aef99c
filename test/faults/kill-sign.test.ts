import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { verifyAuditLog } from '../../src/backend/store/audit-log/verify-audit-log.ts';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { runInTransaction } from '../../src/backend/store/sqlite/connection.ts';
import { upsertStatements } from '../../src/backend/store/statements/statement.ts';
import { addSite, SITE, standardCsv } from '../backend/bank/bank-bench.ts';
import { expectInvariants } from '../backend/matching/books-invariants.ts';
import { createPeriodStatement } from '../backend/periods/period-bench.ts';
import { attempt, homes, killsOr, sound } from './killed.ts';

/**
 * Kills the process at random moments of a sign-off. Recorded steps are kept, closed figures are complete or absent, and
 * after repeating it they equal those of an uninterrupted sign-off. `KILLS=200` kills more often.
 */
const KILLS = killsOr(2);
const STATEMENTS = 600;

const home = homes();
let fresh: string;
let whole: { ms: number; said: ReturnType<typeof saidBy> };

beforeAll(async () => {
  fresh = home.fresh();
  addSite(fresh);
  const statements = Array.from({ length: STATEMENTS }, (_, at) => ({
    id: at + 1,
    on: `2026-10-${String((at % 28) + 1).padStart(2, '0')}`,
    cents: 1000 + at,
  }));
  const cache = openStore(join(fresh, 'sites', SITE, 'cache.db'), 'cache');
  runInTransaction(cache, () => upsertStatements(cache, statements.map(createPeriodStatement), 1));
  closeStore(cache);
  const file = join(fresh, 'bank.csv');
  writeFileSync(
    file,
    standardCsv(
      statements.map(({ id, on, cents }) => [
        on,
        (cents / 100).toFixed(2),
        'CARD',
        id % 4 === 0 ? '' : `ch_x${id * 10}`,
      ]),
    ),
  );
  await attempt('./bank-child.ts', [fresh, file], null);
  const at = home.copyOf(fresh);
  const { ms } = await attempt('./sign-child.ts', [at], null);
  whole = { ms, said: saidBy(at) };
});

/** Returns everything about the sign-off that a home's books contain. */
function saidBy(at: string) {
  const books = sound(at, 'books');
  expectInvariants(books);
  expect(verifyAuditLog(books, { anchor: null, hash: undefined })).toMatchObject({ ok: true });
  const all = (sql: string) => books.prepare<[], string>(sql).pluck().all();
  const content = all('SELECT content FROM closed_figures WHERE content IS NOT NULL').map(
    (text) =>
      JSON.parse(text) as { figures: string; rows: { kind: string; count: number; sha256: string }[] },
  );
  const said = {
    states: all("SELECT state || ' ' || version || ' ' || coalesce(closing_job, '') FROM period"),
    history: all("SELECT action || ' ' || name FROM period_entry ORDER BY seq"),
    audit: all("SELECT action FROM audit WHERE action LIKE 'periods.%' ORDER BY seq"),
    allClosedFigures: content.map(({ figures, rows }) => ({ figures, rows })),
    chunks: all(
      "SELECT kind || ' ' || first_row || ' ' || count || ' ' || sha256 FROM closed_figures_chunk ORDER BY 1",
    ),
    items: all("SELECT item || ' ' || amount_in_cents FROM closed_figures_item ORDER BY 1"),
    locked: all('SELECT until FROM period_lock'),
    half: all('SELECT id FROM closed_figures WHERE content IS NULL'),
  };
  books.close();
  return said;
}

test(
  `killed at ${KILLS} random moments, a sign-off ends like an uninterrupted one`,
  async () => {
    expect(whole.said).toMatchObject({ states: ['closed 1 '], locked: ['2026-10-31'], half: [] });
    expect(whole.said.chunks.length).toBeGreaterThan(8);
    for (let kill = 0; kill < KILLS; kill++) {
      const at = home.copyOf(fresh);
      for (let n = 0; n <= kill % 2; n++) await attempt('./sign-child.ts', [at], Math.random() * whole.ms);
      await attempt('./sign-child.ts', [at], null);
      expect(saidBy(at)).toEqual(whole.said);
      rmSync(at, { recursive: true, force: true });
    }
  },
  60_000 + KILLS * 60_000,
);
