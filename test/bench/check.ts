import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  checkAllSubscriptions,
  checkChangedSubscriptions,
  type SiteCheckInput,
} from '../../src/backend/checks/run-check.ts';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { runInTransaction } from '../../src/backend/store/sqlite/connection.ts';
import { CHECKED_SITE_NOW, fillCheckedSite } from './checked-site.ts';
import { getRelativeSpread, getShortestTime, measureCpu, measureTime, reportMeasurement } from './measure.ts';

/**
 * Measures a check of a site: all rules on all stored data, with writing the findings, compared with one scan of the same
 * rows, and one changed statement. `node test/bench/check.ts [statements]`.
 */
const STATEMENTS = Number(process.argv[2] ?? 20_000);
/** Folder to fill, passed to a separate process whose memory does not count. */
const FILL = process.argv[3];
const TURNS = STATEMENTS > 100_000 ? 1 : 3;
const SINGLES = 100;

if (FILL !== undefined) {
  const fillStores = openStore(FILL, 'cache');
  fillCheckedSite(fillStores, STATEMENTS);
  closeStore(fillStores);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
const path = join(folder, 'cache.db');
spawnSync(process.execPath, [fileURLToPath(import.meta.url), String(STATEMENTS), path], { stdio: 'inherit' });
const cache = openStore(path, 'cache');
const books = openStore(join(folder, 'books.db'), 'books');
let peak = 0;

const task: SiteCheckInput = {
  site: { cache, books },
  cause: { job: null, name: 'the bench' },
  signal: new AbortController().signal,
  now: () => CHECKED_SITE_NOW,
  progress(done) {
    if (done % 256 < 16) peak = Math.max(peak, process.memoryUsage.rss());
  },
  failed: (unit, error) => {
    throw new Error(`subscription ${unit}`, { cause: error });
  },
  prepare: async () => {},
};

/** Tables that the rules read. Of a statement's views, only the one they read. */
const tables = [
  'SELECT * FROM statement',
  'SELECT statement_id, text_view FROM statement_view',
  'SELECT * FROM txn',
  'SELECT * FROM statement_event',
  'SELECT * FROM webhook',
  'SELECT * FROM allocation',
];

/** Reads every cell of every row once, as simply as possible. */
function scan(): number {
  let seen = 0;
  for (const sql of tables) {
    for (const row of cache.prepare(sql).raw().iterate() as Iterable<(string | number | null)[]>) {
      for (const cell of row)
        seen += typeof cell === 'number' ? cell & 1 : cell === null ? 0 : cell.length & 1;
    }
  }
  return seen;
}

const count = (table: string): number =>
  cache.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;

try {
  const subscriptions = count('subscription');
  const idle = process.memoryUsage.rss();
  const scans: number[] = [];
  const checks: number[] = [];
  // A sync parses each webhook body for the first time when it checks new rows.
  const first = await measureCpu(() => checkAllSubscriptions(task));
  for (let turn = 0; turn < TURNS; turn++) {
    scans.push(measureTime(scan)[0]);
    checks.push(
      await measureCpu(async () => {
        const outcome = await checkAllSubscriptions(task);
        if (outcome.units !== subscriptions || outcome.found > 0) throw new Error(JSON.stringify(outcome));
      }),
    );
  }
  const stored = ['statement', 'txn', 'statement_event', 'webhook'].map(
    (table) => `${count(table)} ${table}`,
  );
  const what = `all rules over ${stored.join(', ')}: read, checked and compared, against one scan`;
  reportMeasurement(
    what,
    'ms',
    getShortestTime(checks),
    getShortestTime(scans),
    TURNS,
    getRelativeSpread(checks),
  );
  reportMeasurement(
    'the very first time, each webhook’s body read',
    'ms',
    first,
    getShortestTime(scans),
    1,
    0,
  );

  const amount = cache.prepare(
    'UPDATE txn SET amount_in_cents = amount_in_cents + ? WHERE row = (SELECT row FROM txn WHERE statement_id = ? LIMIT 1)',
  );
  const digest = cache.prepare('UPDATE statement SET digest = digest || 1 WHERE id = ?');
  const ids = cache
    .prepare<[number], number>(
      'SELECT max(id) FROM statement WHERE closed_at IS NOT NULL GROUP BY subscription_id LIMIT ?',
    )
    .pluck()
    .all(SINGLES);
  const singles: number[] = [];
  for (const id of ids) {
    runInTransaction(cache, () => {
      amount.run(1, id);
      digest.run(id);
    });
    singles.push(
      await measureCpu(async () => {
        const { units, found } = await checkChangedSubscriptions(task);
        if (units !== 1 || found === 0) throw new Error(`${units} units, ${found} found`);
      }),
    );
  }
  singles.sort((a, b) => a - b);
  const [median, late] = [singles[SINGLES / 2] as number, singles[Math.floor(SINGLES * 0.95)] as number];
  reportMeasurement(
    'one changed statement rechecked, found wrong and written down (median; spread to p95), against a scan of a subscription’s rows',
    'ms',
    median,
    getShortestTime(scans) / subscriptions,
    SINGLES,
    late / median - 1,
  );
  reportMeasurement('memory at the most, against before', 'MB', peak / 2 ** 20, idle / 2 ** 20, TURNS, 0);
} finally {
  closeStore(cache);
  closeStore(books);
  rmSync(folder, { recursive: true, force: true });
}
