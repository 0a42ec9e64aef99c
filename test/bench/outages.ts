import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReplayPlan } from '../../src/backend/replay/replay-plan.ts';
import type { OpenSite } from '../../src/backend/sites/open-site.ts';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { prepareSql, runInTransaction, type WritableDb } from '../../src/backend/store/sqlite/connection.ts';
import { sentWebhookFieldsSql, upsertWebhooks } from '../../src/backend/store/webhooks/webhook.ts';
import { listWebhookErrors } from '../../src/backend/store/webhooks/webhook-errors.ts';
import { listWebhookOutages } from '../../src/backend/store/webhooks/webhook-outages.ts';
import { getWebhookTimeline } from '../../src/backend/store/webhooks/webhook-timeline.ts';
import type { Webhook } from '../../src/billing/index.ts';
import type { WebhookFilter } from '../../src/contract/index.ts';
import { printMeasurement } from './measure.ts';
import { createWebhookLog, OLD_ENDPOINT_URL } from './webhook-log.ts';

/**
 * Measures outages, the timeline, error groups and plans of a large webhook log: `node test/bench/outages.ts [rows]`,
 * 200,000 rows by default. Milliseconds, the best of five. The baseline of a query is one pass over an index of all rows.
 * The baseline of a plan is the same rows read with one statement and written to a table without indexes. Counts are
 * verified by counting in another way.
 */

const rows = Number(process.argv[2] ?? 200_000);
const TURNS = 5;
const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
try {
  const cache = openStore(join(folder, 'cache.db'), 'cache');
  const books = openStore(join(folder, 'books.db'), 'books');
  fill(cache);
  measure(cache, books);
  closeStore(cache);
  closeStore(books);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function fill(db: WritableDb): void {
  let page: Webhook[] = [];
  for (const row of createWebhookLog(rows)) {
    page.push(row);
    if (page.length < 1000) continue;
    runInTransaction(db, () => upsertWebhooks(db, page, 1));
    page = [];
  }
}

function best(work: () => unknown): { value: number; spread: number } {
  const times = Array.from({ length: TURNS }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  }).sort((a, b) => a - b);
  return { value: times[0] ?? 0, spread: times[Math.floor(TURNS / 2)] ?? 0 };
}

function measure(cache: WritableDb, books: WritableDb): void {
  const pass = best(() =>
    cache.prepare('SELECT sum(class_id + id) FROM webhook INDEXED BY webhook_created').get(),
  ).value;
  const now = Date.UTC(2026, 0, 1);
  const reportTime = (name: string, work: () => unknown, baseline = pass, n = rows) => {
    const { value, spread } = best(work);
    printMeasurement({ name, value, unit: 'ms', baseline, ratio: value / baseline, n, spread });
  };
  reportTime('log.outages', () => listWebhookOutages(cache, { limit: 100, now, known_to: now }));
  reportTime('log.timeline', () => getWebhookTimeline(cache, {}, 200));
  reportTime('log.timeline_month', () =>
    getWebhookTimeline(cache, { since: '2024-06-01', until: '2024-06-30' }, 200),
  );
  reportTime('log.timeline_event', () => getWebhookTimeline(cache, { event: ['payment_success'] }, 200));
  reportTime('log.errors', () => listWebhookErrors(cache, {}));

  const site = { cache, books, file: { site: 'acme' } } as OpenSite;
  const filters: [string, WebhookFilter][] = [
    ['failed', { status: 'failed' }],
    ['error', { error: '503 Service Unavailable (retry # of #)' }],
    ['address', { url: OLD_ENDPOINT_URL, status: 'failed' }],
    ['month', { status: 'failed', since: '2024-06-01', until: '2024-06-30' }],
  ];
  books.exec('CREATE TEMP TABLE plainly (id, event, created_at, sent_at, error)');
  for (const [name, filter] of filters) {
    const plan = createReplayPlan(site, { selection: { filter } }, { now, target: null });
    const counted = countByFullScan(cache, filter);
    if (plan.count !== counted) throw new Error(`${name}: ${plan.count} planned, ${counted} counted.`);
    const baseline = best(() => planWithPlainSql(cache, books, plan.plan)).value;
    reportTime(
      `plan.${name}`,
      () => createReplayPlan(site, { selection: { filter } }, { now, target: null }),
      baseline,
      plan.count,
    );
  }
}

function planWithPlainSql(cache: WritableDb, books: WritableDb, plan: string): void {
  const ids = prepareSql<number>(books, 'SELECT webhook_id FROM replay_plan_item WHERE plan = ?')
    .pluck()
    .all(plan);
  const read = prepareSql<unknown[]>(
    cache,
    `SELECT id, event, created_at, last_sent_at_text, last_error FROM webhook
     WHERE id IN (SELECT value FROM json_each(?)) ORDER BY created_at, id`,
  ).raw();
  const write = prepareSql(books, 'INSERT INTO plainly VALUES (?, ?, ?, ?, ?)');
  runInTransaction(books, () => {
    for (const row of read.iterate(JSON.stringify(ids))) write.run(...(row as never[]));
  });
}

function countByFullScan(cache: WritableDb, { url, error, since, until }: WebhookFilter): number {
  let count = 0;
  const all = prepareSql<{
    created_at_text: string;
    last_sent_url: string | null;
    error: string | null;
  }>(
    cache,
    `SELECT created_at_text, ${sentWebhookFieldsSql.last_sent_url} AS last_sent_url, error FROM webhook LEFT JOIN webhook_error ON webhook_error.id = error_id
     WHERE NOT successful`,
  );
  for (const row of all.iterate()) {
    const day = row.created_at_text.slice(0, 10);
    if (url !== undefined && row.last_sent_url !== url) continue;
    if (error !== undefined && row.error !== error) continue;
    if ((since !== undefined && day < since) || (until !== undefined && day > until)) continue;
    count++;
  }
  return count;
}
