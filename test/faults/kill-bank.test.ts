import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { addSite, insertPayments, SITE, standardCsv, type TestPayment } from '../backend/bank/bank-bench.ts';
import { expectInvariants } from '../backend/matching/books-invariants.ts';
import { attempt, homes, killsOr, sound } from './killed.ts';

/**
 * Kills the process at random moments of an import or a matching run. After repeating it, the books equal those of an
 * uninterrupted run: every line once, no partial import, no cent claimed twice. `KILLS=200` kills more often.
 */
const KILLS = killsOr(2);
const LINES = 800;

const folder = (home: string) => join(home, 'sites', SITE);
const home = homes();
let fresh: string;
let files: string[];
let whole: { ms: number; said: unknown };

beforeAll(async () => {
  fresh = home.fresh();
  addSite(fresh);
  const day = (at: number) => new Date(Date.UTC(2026, 8, 1) + at * 86_400_000).toISOString().slice(0, 10);
  const payments: TestPayment[] = Array.from({ length: LINES }, (_, at) => ({
    id: 8_000_001 + at,
    amount: at % 3 === 0 ? 1900 : 1000 + at,
    on: day(at % 25),
    gateway: `ch_e${8_000_001 + at}`,
  }));
  const cache = openStore(join(folder(fresh), 'cache.db'), 'cache');
  insertPayments(cache, payments);
  closeStore(cache);
  const rows = payments.map(
    ({ id, amount }, at) =>
      [day((at % 25) + 2), (amount / 100).toFixed(2), 'CARD', at % 4 === 0 ? '' : `ch_e${id}`] as const,
  );
  files = [rows.slice(0, LINES / 2), rows.slice(LINES / 2)].map((part, at) => {
    const path = join(fresh, `part${at}.csv`);
    writeFileSync(path, standardCsv(part));
    return path;
  });
  const at = home.copyOf(fresh);
  const { ms } = await bring(at, null);
  whole = { ms, said: saidBy(at) };
});

/** Imports the files and matches them. */
const bring = (at: string, killAfter: number | null) => attempt('./bank-child.ts', [at, ...files], killAfter);

/** Returns the contents of a home's books, independent of row IDs. */
function saidBy(at: string): unknown {
  const books = sound(at, 'books');
  expectInvariants(books);
  const all = (sql: string) => books.prepare<[], string>(sql).pluck().all();
  const said = {
    lines: all(
      "SELECT booked_on || ' ' || amount_in_cents || ' ' || coalesce(reference, '') || ' ' || occurrence FROM bank_line WHERE removed = 0 ORDER BY 1",
    ),
    groups: all(
      `SELECT g.status || ' ' || g.rule || ' ' || g.alternatives || ' ' || (
         SELECT group_concat(coalesce(l.booked_on || l.amount_in_cents || coalesce(l.reference, '') || l.occurrence, i.transaction_id), ' ')
         FROM match_item AS i LEFT JOIN bank_line AS l ON l.id = i.line_id WHERE i.group_id = g.id)
       FROM match_group AS g WHERE g.status IN ('confirmed', 'suggested', 'ambiguous') ORDER BY 1`,
    ),
    half: all("SELECT id FROM bank_import WHERE state = 'adding'"),
    runs: all("SELECT id FROM match_run WHERE state = 'running'"),
  };
  books.close();
  return said;
}

test(
  `killed at ${KILLS} random moments, an import and a matching run end like uninterrupted ones`,
  async () => {
    expect(whole.said).toMatchObject({ half: [], runs: [] });
    for (let kill = 0; kill < KILLS; kill++) {
      const at = home.copyOf(fresh);
      for (let n = 0; n <= kill % 2; n++) await bring(at, Math.random() * whole.ms);
      await bring(at, null);
      expect(saidBy(at)).toEqual(whole.said);
      // The file of a finished import exists, whatever was interrupted before.
      expect(
        readdirSync(join(folder(at), 'sources')).filter((name) => name !== 'incoming').length,
      ).toBeGreaterThan(0);
      rmSync(at, { recursive: true, force: true });
    }
  },
  60_000 + KILLS * 60_000,
);
