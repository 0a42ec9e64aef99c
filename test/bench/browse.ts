import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { indexPendingRecords } from '../../src/backend/store/search/search-index.ts';
import {
  type ReadableDb,
  runInTransaction,
  type SqlValues,
  type WritableDb,
} from '../../src/backend/store/sqlite/connection.ts';
import { upsertWebhooks } from '../../src/backend/store/webhooks/webhook.ts';
import { listWebhookErrors } from '../../src/backend/store/webhooks/webhook-errors.ts';
import { readWebhookFacets } from '../../src/backend/store/webhooks/webhook-facets.ts';
import {
  countSelectedWebhooks,
  listWebhooks,
  readWebhookPageCursors,
} from '../../src/backend/store/webhooks/webhook-list.ts';
import type { WebhookSort } from '../../src/backend/store/webhooks/webhook-list-plan.ts';
import { selectWebhooks } from '../../src/backend/store/webhooks/webhook-selection.ts';
import type { Webhook } from '../../src/billing/index.ts';
import type { WebhookFilter } from '../../src/contract/index.ts';
import { createWebhookLog, OLD_ENDPOINT_URL } from './webhook-log.ts';

/**
 * Measures browsing and searching a large webhook log in the reader thread: `node test/bench/browse.ts [rows]`, 200,000
 * rows by default. A figure is the 95th percentile over all filters, sorts and positions, in ms. Its baseline is the
 * simplest query for the same number of rows of the same file, measured alternately. `spread` is the median. Everything
 * except the page marks is measured three times, and the best result counts, because other load seldom affects all three.
 * A search `inside` is a page from the middle of the results.
 */

const rows = Number(process.argv[2] ?? 200_000);
const POSITIONS = 12;
const SWEEPS = 3;
const PAGE = 100;

const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
const path = join(folder, 'cache.db');
try {
  fillCache(openStore(path, 'cache'));
  const db = openStore(path, 'cache', { readonly: true });
  measureBrowsing(db);
  measureSearch(db);
  closeStore(db);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function fillCache(db: WritableDb): void {
  const measureMs = { rows: 0, index: 0 };
  const timed = (of: keyof typeof measureMs, work: () => void) => {
    const started = performance.now();
    work();
    measureMs[of] += performance.now() - started;
  };
  let page: Webhook[] = [];
  for (const row of createWebhookLog(rows)) {
    page.push(row);
    if (page.length < 1000) continue;
    timed('rows', () => runInTransaction(db, () => upsertWebhooks(db, page, 1)));
    timed('index', () => {
      while (indexPendingRecords(db, 1000) > 0);
    });
    page = [];
  }
  closeStore(db);
  const rate = (ms: number) => Math.round((rows / ms) * 1000);
  print('store.write', rate(measureMs.rows), 'rows/s', null, rows, null);
  print('store.index', rate(measureMs.index), 'rows/s', null, rows, null);
  print('store.size', Math.round(statSync(path).size / rows), 'bytes/row', null, rows, null);
}

function measureBrowsing(db: ReadableDb): void {
  const filters: WebhookFilter[] = [
    {},
    { status: 'failed' },
    { status: 'successful' },
    { status: 'pending' },
    { event: ['payment_success'] },
    { event: ['refund_failure'] },
    { event: ['payment_success', 'payment_failure', 'expiring_card'] },
    { event: ['refund_failure'], status: 'failed' },
    { url: OLD_ENDPOINT_URL },
    { url: OLD_ENDPOINT_URL, status: 'failed', event: ['payment_success'] },
    { since: '2024-06-01', until: '2024-06-01' },
    { since: '2024-06-01', until: '2024-06-30' },
    { since: '2024-06-01' },
    { until: '2025-06-30', status: 'successful' },
    { since: '2024-06-01', until: '2024-12-30', status: 'failed' },
    { error: '503 Service Unavailable (retry # of #)' },
    { error: '503 Service Unavailable (retry # of #)', since: '2025-01-01' },
    { subscription_id: 10_007 },
    { subscription_id: 10_007, status: 'successful' },
  ];
  const sorts: WebhookSort[] = (['created_at', 'last_sent_at', 'event', 'id'] as const).flatMap((by) => [
    { by, direction: 'desc' },
    { by, direction: 'asc' },
  ]);
  const plain = db.prepare<SqlValues>(
    `SELECT id, event, successful, created_at_text, last_sent_at_text, last_sent_url, last_error FROM webhook
       WHERE (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ${PAGE}`,
  );
  const anyTime = db.prepare<[], number>('SELECT max(created_at) FROM webhook').pluck().get() ?? 0;

  const pages = sweeps();
  const baseline = sweeps();
  const marks = sweeps();
  const counts = sweeps();
  const what: string[] = [];
  const selections = filters.flatMap((filter) =>
    sorts.map((sort) => {
      const { marks: places } = marks.measure(0, () =>
        readWebhookPageCursors(db, { filter, sort, every: 200 }),
      );
      return { filter, sort, places };
    }),
  );
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const { filter, sort, places } of selections) {
      for (let place = 0; place < POSITIONS; place++) {
        const at = Math.floor((places.length * place) / POSITIONS);
        const after = places[at] ?? undefined;
        pages.measure(sweep, () => listWebhooks(db, { filter, sort, limit: PAGE, after }));
        what.push(JSON.stringify([filter, sort, at]));
        baseline.measure(sweep, () => plain.all(anyTime - ((place * 7919) % 600) * 86_400_000, 9e15));
      }
    }
    for (const filter of filters) {
      if (filter.subscription_id === undefined)
        counts.measure(sweep, () => countSelectedWebhooks(db, selectWebhooks(db, filter)));
    }
  }
  const [whole, counted, facets] = [sweeps(), sweeps(), sweeps()];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    whole.measure(sweep, () =>
      db.prepare<[], number>('SELECT id FROM webhook ORDER BY created_at DESC, id DESC').pluck().all(),
    );
    counted.measure(sweep, () => db.prepare('SELECT count(*) FROM webhook').get());
    facets.measure(sweep, () => [readWebhookFacets(db), listWebhookErrors(db, {})]);
  }
  report('browse.page', pages.best(), baseline.best());
  const slowest = Math.max(...pages.best());
  print('browse.page.slowest', slowest, 'ms', null, 1, what[pages.best().indexOf(slowest)] ?? null);
  report('browse.count', counts.best(), counted.best());
  report('browse.marks', marks.best(), whole.best());
  report('browse.facets', facets.best(), counted.best());
}

function measureSearch(db: ReadableDb): void {
  const kinds: Record<string, { search: string; baseline: string }[]> = {
    word: [
      { search: 'active', baseline: '"active"' },
      { search: 'larsson1700', baseline: '"larsson1700"' },
      { search: 'refund_failure', baseline: '"refund_failure"' },
    ],
    id: [
      { search: '10007', baseline: '"10007"' },
      { search: '500004', baseline: '"500004"' },
    ],
    'two words': [
      { search: 'anna payment_success', baseline: '"anna" AND "payment_success"' },
      { search: 'anna larsson1700', baseline: '"anna" AND "larsson1700"' },
    ],
    phrase: [
      { search: '"anna larsson1700"', baseline: '"anna larsson1700"' },
      { search: '"service unavailable"', baseline: '"service unavailable"' },
    ],
    prefix: [
      { search: 'larsson17*', baseline: '"larsson17"*' },
      { search: 'joh*', baseline: '"joh"*' },
    ],
  };
  const filters: WebhookFilter[] = [
    { status: 'failed' },
    { since: '2024-06-01', until: '2024-06-30' },
    { event: ['payment_success'] },
  ];
  const plain = db.prepare<[string]>(
    'SELECT rowid FROM webhook_fts WHERE webhook_fts MATCH ? ORDER BY rowid DESC LIMIT 100',
  );
  const sort = { by: 'created_at', direction: 'desc' } as const;
  for (const [kind, searches] of Object.entries(kinds)) {
    for (const [name, among] of [
      [`search.${kind}`, [{}]],
      [`search.${kind}.filtered`, filters],
    ] as const) {
      const found = sweeps();
      const inside = sweeps();
      const baseline = sweeps();
      for (let sweep = 0; sweep < SWEEPS; sweep++) {
        for (const { search, baseline: match } of searches) {
          for (const filter of among) {
            const query = { filter: { ...filter, search }, sort };
            found.measure(sweep, () => listWebhooks(db, { ...query, limit: PAGE }));
            baseline.measure(sweep, () => plain.all(match));
            const { marks } = readWebhookPageCursors(db, { ...query, every: PAGE });
            const after = marks[Math.floor(marks.length / 2)] ?? undefined;
            inside.measure(sweep, () => listWebhooks(db, { ...query, limit: PAGE, after }));
          }
        }
      }
      report(name, found.best(), baseline.best());
      report(`${name}.inside`, inside.best(), baseline.best());
    }
  }
}

/** Durations of the same operations, repeated in the same order. */
function sweeps() {
  const times: number[][] = Array.from({ length: SWEEPS }, () => []);
  return {
    measure<Result>(sweep: number, work: () => Result): Result {
      const started = performance.now();
      const result = work();
      times[sweep]!.push(performance.now() - started);
      return result;
    },
    best: () => times[0]!.map((_, at) => Math.min(...times.flatMap((sweep) => sweep[at] ?? []))),
  };
}

/** Returns the percentile of the values for this share. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function report(name: string, values: readonly number[], baseline: readonly number[]): void {
  print(
    name,
    percentile(values, 0.95),
    'ms',
    percentile(baseline, 0.95),
    values.length,
    percentile(values, 0.5),
  );
}

function print(
  name: string,
  value: number,
  unit: string,
  baseline: number | null,
  n: number,
  spread: number | string | null,
): void {
  const short = (figure: number) => Number(figure.toPrecision(3));
  const line = {
    name,
    value: unit === 'ms' ? short(value) : value,
    unit,
    baseline: baseline === null ? null : short(baseline),
    ratio: baseline === null ? null : short(value / baseline),
    n,
    spread: typeof spread === 'number' ? short(spread) : spread,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
