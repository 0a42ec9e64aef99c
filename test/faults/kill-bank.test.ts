import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSite } from '../../src/backend/sites/siteFile.ts';
import { closeStore, openStore } from '../../src/backend/store/open.ts';
import { putPayments, standardCsv, type TestPayment } from '../backend/bank/bench.ts';
import { expectLaws } from '../backend/matching/laws.ts';
import type { BankMessage } from './bank-child.ts';

/**
 * `kill -9` at any moment of an import or a run of the matching: when the same is done again, the books say what they say after an
 * uninterrupted one: every line once, no half import, no cent claimed twice. `KILLS=200` kills more often.
 */
const KILLS = Number(process.env['KILLS'] ?? 2);
const LINES = 800;
const CHILD = fileURLToPath(new URL('./bank-child.ts', import.meta.url));
const SITE = 'acme';

const homes: string[] = [];
const folder = (home: string) => join(home, 'sites', SITE);

function newHome(): string {
  const path = mkdtempSync(join(tmpdir(), 'tieout-kill-bank-'));
  homes.push(path);
  return path;
}

let fresh: string;
let files: string[];
let whole: { ms: number; said: unknown };

beforeAll(async () => {
  fresh = newHome();
  writeSite(fresh, {
    site: SITE,
    title: 'Acme',
    base_url: 'https://acme.example.com',
    format: 'json',
    currency: 'USD',
    demo: false,
    created_at: '2026-01-01T00:00:00.000Z',
  });
  const day = (at: number) => new Date(Date.UTC(2026, 8, 1) + at * 86_400_000).toISOString().slice(0, 10);
  const payments: TestPayment[] = Array.from({ length: LINES }, (_, at) => ({
    id: 8_000_001 + at,
    amount: at % 3 === 0 ? 1900 : 1000 + at,
    on: day(at % 25),
    gateway: `ch_e${8_000_001 + at}`,
  }));
  const cache = openStore(join(folder(fresh), 'cache.db'), 'cache');
  putPayments(cache, payments);
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
  const home = copyOfFresh();
  const { ms } = await attempt(home, null);
  whole = { ms, said: saidBy(home) };
}, 60_000);
afterAll(() => {
  for (const path of homes) rmSync(path, { recursive: true, force: true });
});

function copyOfFresh(): string {
  const home = newHome();
  cpSync(folder(fresh), folder(home), { recursive: true });
  return home;
}

/** Imports and matches; kills it so many ms after it began. */
async function attempt(home: string, killAfter: number | null): Promise<{ ms: number }> {
  const child = fork(CHILD, [home, ...files], { silent: true });
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let begun = 0;
  child.on('message', ({ said }: BankMessage) => {
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
  return { ms: performance.now() - begun };
}

/** What the books of a home say, by what is in them. */
function saidBy(home: string): unknown {
  const books = openStore(join(folder(home), 'books.db'), 'books', { readonly: true });
  expect(books.pragma('integrity_check', { simple: true })).toBe('ok');
  expectLaws(books);
  const all = (sql: string) => books.prepare<[], string>(sql).pluck().all();
  const said = {
    lines: all(
      "SELECT booked_on || ' ' || amount_in_cents || ' ' || coalesce(reference, '') || ' ' || occurrence FROM bank_line WHERE gone = 0 ORDER BY 1",
    ),
    groups: all(
      `SELECT g.status || ' ' || g.rule || ' ' || g.rivals || ' ' || (
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
  `killed at ${KILLS} random moments, an import and a run come out as uninterrupted ones do`,
  async () => {
    expect(whole.said).toMatchObject({ half: [], runs: [] });
    for (let kill = 0; kill < KILLS; kill++) {
      const home = copyOfFresh();
      for (let n = 0; n <= kill % 2; n++) await attempt(home, Math.random() * whole.ms);
      await attempt(home, null);
      expect(saidBy(home)).toEqual(whole.said);
      // The file of a finished import is there, whatever was half done before.
      expect(
        readdirSync(join(folder(home), 'sources')).filter((name) => name !== 'incoming').length,
      ).toBeGreaterThan(0);
      rmSync(home, { recursive: true, force: true });
    }
  },
  60_000 + KILLS * 60_000,
);
