import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openBackendReader } from '../../src/backend/open-backend-reader.ts';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { runInTransaction, type WritableDb } from '../../src/backend/store/sqlite/connection.ts';
import { upsertStatements } from '../../src/backend/store/statements/statement.ts';
import { createBackendClient } from '../../src/contract/index.ts';
import { addSite, SITE } from '../backend/bank/bank-bench.ts';
import { createMemoryShell } from '../backend/memory-shell.ts';
import { createPeriodStatement } from '../backend/periods/period-bench.ts';
import { reportMeasurement } from './measure.ts';
import { BACKEND_THREAD_FLAGS, runChild } from './run-child.ts';

/**
 * Calculates the workpaper of a month with statements, their payments and bank lines, most of them matched. Compares
 * memory and CPU time in the reader with those for a tenth of the rows. `node test/bench/workpaper.ts [rows]`. The limit
 * is 300 MB for 1000000.
 */
const [, , first = '1000000', home = ''] = process.argv;
const ROWS = Number(first);
const PERIOD = '2026-10';
/** Number of payments per hundred that failed. */
const OPEN = 2;

interface WorkpaperResult {
  readonly idle: number;
  readonly peak: number;
  /** Longest delay of other work in the reader, in ms. */
  readonly waited: number;
  /** Duration of the first and second calculation and of the items, in ms. */
  readonly cpu: readonly [number, number, number];
}

function measure(): void {
  const few = runWorkpaper(Math.ceil(ROWS / 10));
  const all = runWorkpaper(ROWS);
  const what = `workpaper of ${ROWS} rows`;
  reportMeasurement(
    `${what}: memory of the reader beside that for a tenth of them`,
    'MB',
    all.peak,
    few.peak,
    1,
    0,
  );
  reportMeasurement(
    `${what}: the longest that others waited, beside making it`,
    'ms',
    all.waited,
    all.cpu[0],
    1,
    0,
  );
  for (const [at, name] of ['first', 'again', 'a page of its items'].entries())
    reportMeasurement(
      `${what}, ${name}: CPU time beside ten times that for a tenth of them`,
      'ms',
      all.cpu[at] ?? 0,
      10 * (few.cpu[at] ?? 0),
      1,
      0,
    );
}

function runWorkpaper(rows: number): WorkpaperResult {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-workpaper-'));
  try {
    fillWorkpaperSite(folder, Math.ceil(rows / 3));
    return runChild<WorkpaperResult>(import.meta.url, [String(rows), folder], BACKEND_THREAD_FLAGS);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates statements closed in the month, each with its payment and, unless it is outstanding, its bank line. */
export function fillWorkpaperSite(folder: string, count: number): void {
  addSite(folder);
  const site = join(folder, 'sites', SITE);
  mkdirSync(site, { recursive: true });
  const cache = openStore(join(site, 'cache.db'), 'cache');
  const dayOf = (id: number) => `${PERIOD}-${String((id % 28) + 1).padStart(2, '0')}`;
  const centsOf = (id: number) => 500 + (id % 9000);
  for (let from = 1; from <= count; from += 5000) {
    const ids = Array.from({ length: Math.min(5000, count - from + 1) }, (_, at) => from + at);
    runInTransaction(cache, () =>
      upsertStatements(
        cache,
        ids.map((id) => createPeriodStatement({ id, on: dayOf(id), cents: centsOf(id) })),
        1,
      ),
    );
  }
  closeStore(cache);
  const books = openStore(join(site, 'books.db'), 'books');
  runInTransaction(books, () => fillBooks(books, count));
  closeStore(books);
}

function fillBooks(books: WritableDb, count: number): void {
  const ids = `WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${count})`;
  const day = `printf('${PERIOD}-%02d', id % 28 + 1)`;
  const matched = `id % 100 >= ${OPEN}`;
  books.exec(`
    INSERT INTO bank_account (id, name, kind) VALUES (1, 'Main', 'bank');
    INSERT INTO bank_import (id, account_id, state, file, bytes, sha256, format, dialect, at, user, digest, rows_total, rows_new,
        rows_duplicate, rows_failed, rows_skipped, first_on, last_on)
      VALUES (1, 1, 'done', 'a.csv', 1, '${'ab'.repeat(32)}', 'csv', 'CSV', 1, 'test', '', 0, 0, 0, 0, 0, '${PERIOD}-01', '${PERIOD}-28');
    ${ids} INSERT INTO match_payment (id, statement_id, subscription_id, kind, paid_on, amount_in_cents, currency, gateway_transaction_id, customer_name)
      SELECT id * 10, id, id, 'payment', ${day}, 500 + id % 9000, 'USD', 'ch_x' || id, 'Customer ' || id FROM n;
    ${ids} INSERT INTO bank_line (id, account_id, import_id, row, booked_on, amount_in_cents, currency, bank_id, text_hash, occurrence, kind,
        description, location)
      SELECT id, 1, 1, id, ${day}, 500 + id % 9000, 'USD', id, 0, 0, 'entry', 'CARD PAYMENT ch_x' || id, 'line ' || id FROM n;
    ${ids} INSERT INTO match_group (id, status, rule, rule_version, score, currency, dated_on, amount_in_cents, lines_in_cents,
        transactions_in_cents, adjustments_in_cents, line_count, transaction_count, alternatives, reasons, made_at, changed_at)
      SELECT id, 'confirmed', 'gateway-id', 1, 100, 'USD', ${day}, 500 + id % 9000, 500 + id % 9000, 500 + id % 9000, 0, 1, 1, 0, '[]', 1, 1
      FROM n WHERE ${matched};
    ${ids} INSERT INTO match_item (group_id, ordinal, line_id, allocated_in_cents, claim_state)
      SELECT id, 0, id, 500 + id % 9000, 3 FROM n WHERE ${matched};
    ${ids} INSERT INTO match_item (group_id, ordinal, transaction_id, allocated_in_cents, claim_state)
      SELECT id, 1, id * 10, 500 + id % 9000, 3 FROM n WHERE ${matched};
  `);
}

/** Runs the reader in a separate process. */
async function run(): Promise<void> {
  const reader = openBackendReader({ home, version: '0.0.0', shell: createMemoryShell(), log: () => {} });
  const client = createBackendClient({ reader: reader.link, writer: reader.link });
  const on = { site: SITE, period: PERIOD };
  await client.sites.list({});
  const idle = process.memoryUsage.rss() / 2 ** 20;
  const spent = async (work: () => Promise<unknown>) => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const waiting = monitorEventLoopDelay({ resolution: 5 });
  waiting.enable();
  const cpu = [
    await spent(async () => {
      const { sections } = await client.workpapers.get(on);
      const [outstanding] = sections.map((section) => section.outstanding.count);
      if (!outstanding) throw new Error('nothing is outstanding');
    }),
    await spent(() => client.workpapers.get(on)),
    await spent(() => client.workpapers.items({ ...on, limit: 200 })),
  ] as const;
  waiting.disable();
  await reader.close();
  const said: WorkpaperResult = {
    ...{ idle, cpu },
    peak: process.resourceUsage().maxRSS / 1024,
    waited: waiting.max / 1e6,
  };
  process.stdout.write(JSON.stringify(said));
}

if (home === '') measure();
else await run();
