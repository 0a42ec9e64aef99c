import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  getReplayCandidateQuery,
  readReplayCandidates,
} from '../../../../src/backend/store/replay/replay-candidates.ts';
import { indexPendingRecords } from '../../../../src/backend/store/search/search-index.ts';
import {
  prepareSql,
  runInTransaction,
  type WritableDb,
} from '../../../../src/backend/store/sqlite/connection.ts';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import { listWebhookErrors } from '../../../../src/backend/store/webhooks/webhook-errors.ts';
import { listWebhookOutages } from '../../../../src/backend/store/webhooks/webhook-outages.ts';
import { getWebhookTimeline } from '../../../../src/backend/store/webhooks/webhook-timeline.ts';
import { parseInstant, type Webhook } from '../../../../src/billing/index.ts';
import type { WebhookFilter } from '../../../../src/contract/index.ts';
import { OutageFinder, type WebhookDelivery } from '../../../../src/domain/webhooks/outages.ts';
import { getQueryPlan } from '../query-plan.ts';
import { createWebhook, formatServiceTime, T0 } from '../sample-records.ts';
import { openTemporaryStore } from '../temporary-store.ts';
import { arbitraryFilter, arbitraryLog, getStoredRows, listExpected, matches } from './webhook-model.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAIN_URL = 'https://shop.example.com/hooks';
const OTHER_URL = 'https://books.example.com/in';

/** Creates one webhook per minute: `.` accepted, `x` failed, `o` never sent. */
function createLog(states: string, { url = MAIN_URL, from = T0, every = MINUTE, first = 1 } = {}): Webhook[] {
  return [...states].map((state, at) => {
    const time = from + at * every;
    const id = first + at;
    if (state === '.') return createWebhook({ id, created_at: formatServiceTime(time), last_sent_url: url });
    const isNotAccepted = { id, successful: false, accepted_at: null, created_at: formatServiceTime(time) };
    if (state === 'o') return createWebhook({ ...isNotAccepted, last_sent_at: null, last_sent_url: null });
    const error = {
      last_error: '503 Service Unavailable (retry 5 of 5)',
      last_error_at: formatServiceTime(time),
    };
    return createWebhook({
      ...isNotAccepted,
      ...error,
      last_sent_at: formatServiceTime(time),
      last_sent_url: url,
    });
  });
}

function storeRows(rows: readonly Webhook[]): WritableDb {
  const db = openTemporaryStore('cache');
  runInTransaction(db, () => upsertWebhooks(db, rows, 1));
  return db;
}

const LONG_AFTER = T0 + 400 * DAY;
const findOutages = (db: WritableDb, known_to = T0) =>
  listWebhookOutages(db, { limit: 100, now: LONG_AFTER, known_to }).outages;
const at = (minutes: number) => new Date(T0 + minutes * MINUTE).toISOString();

describe('outages in the log', () => {
  it('are consecutive failures, but not single ones or those of a working endpoint', () => {
    const outages = findOutages(storeRows(createLog('....x.....xxxx.xxx.......x.......')));
    expect(outages).toMatchObject([
      {
        kind: 'failures',
        from: at(10),
        to: at(17),
        url: MAIN_URL,
        accepted: 1,
        failed: 7,
        pending: 0,
        error: '503 Service Unavailable (retry # of #)',
        ongoing: false,
        filter: { status: 'failed', from: at(10), to: at(17), url: MAIN_URL },
      },
    ]);
    expect(findOutages(storeRows(createLog('.x.....x.....xx.....')))).toEqual([]);
    expect(findOutages(storeRows(createLog('.....xxx.....')))).toMatchObject([{ failed: 3 }]);
    expect(findOutages(storeRows(createLog('.....xx.x....')))).toEqual([]);
  });

  it('continue until a webhook is accepted; an endpoint that accepts half is one outage', () => {
    expect(findOutages(storeRows(createLog('.....xxxxx')))).toMatchObject([{ ongoing: true, failed: 5 }]);
    const halfAccepted = findOutages(storeRows(createLog(`......${'x.'.repeat(100)}${'.'.repeat(60)}`)));
    expect(halfAccepted).toMatchObject([{ failed: 100, accepted: 99, ongoing: false }]);
  });

  it('are separate per URL, and separate for webhooks that were never sent', () => {
    const rows = createLog('..xxxxxx......').flatMap((row, index) => [
      { ...row, id: 2 * index },
      { ...row, ...createLog('.', { url: OTHER_URL })[0], id: 2 * index + 1, created_at: row.created_at },
    ]);
    expect(findOutages(storeRows(rows as Webhook[]))).toMatchObject([
      { url: MAIN_URL, failed: 6, accepted: 0 },
    ]);
    expect(findOutages(storeRows(createLog('....oooooo......')))).toMatchObject([
      { kind: 'never_sent', url: '', pending: 6, failed: 0, error: null },
    ]);
    // Recently created webhooks may still be delivered.
    const db = storeRows(createLog('....oooooo'));
    expect(listWebhookOutages(db, { limit: 9, now: T0 + 10 * MINUTE, known_to: T0 }).outages).toEqual([]);
  });

  it('are the same whether the scan visits only rows near failures or every row', () => {
    const state = fc.constantFrom('.', 'x', 'o');
    const stretch = fc.tuple(state, fc.integer({ min: 1, max: 60 }), fc.constantFrom(MAIN_URL, OTHER_URL));
    const db = openTemporaryStore('cache');
    fc.assert(
      fc.property(
        fc.array(stretch, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(MINUTE, 5 * HOUR),
        (parts, every) => {
          db.exec('DELETE FROM webhook');
          let first = 1;
          const rows = parts.flatMap(([state, count, url]) => {
            const some = createLog(state.repeat(count), { url, from: T0 + first * every, every, first });
            first += count;
            return some;
          });
          runInTransaction(db, () => upsertWebhooks(db, rows, 1));
          const outageFinder = new OutageFinder();
          for (const row of rows) outageFinder.take(toDelivery(row));
          const expected = outageFinder.end().map(({ url, from, to, accepted, failed, pending, ended }) => ({
            url,
            from: new Date(from).toISOString(),
            to: new Date(to).toISOString(),
            accepted,
            failed,
            pending,
            ongoing: !ended,
          }));
          const outages = findOutages(db).filter(({ kind }) => kind !== 'gap');
          const compareByEnd = (a: { to: string; url: string | null }, b: typeof a) =>
            `${a.to}${a.url}` < `${b.to}${b.url}` ? 1 : -1;
          expect(outages.sort(compareByEnd)).toMatchObject(expected.sort(compareByEnd));
          expect(outages.length).toBe(expected.length);
          for (const { filter, failed, pending } of outages) {
            expect([...readReplayCandidates(db, filter ?? {})].length).toBe(failed + pending);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

function toDelivery(row: Webhook): WebhookDelivery {
  const delivery = row.successful ? 0 : row.last_error === null ? 2 : 1;
  return { at: parseInstant(row.created_at ?? '') ?? 0, url: row.last_sent_url ?? '', delivery };
}

describe('gaps in the log', () => {
  const createBusyLog = (days: number, from = T0) =>
    createLog('.'.repeat(days * 40), { from, every: DAY / 40, first: from / 1000 });

  it('are days without webhooks where there usually are many, within the stored range', () => {
    const rows = [...createBusyLog(20), ...createBusyLog(20, T0 + 23 * DAY)];
    const db = storeRows(rows);
    expect(findOutages(db, T0 + 43 * DAY)).toMatchObject([
      {
        kind: 'gap',
        from: new Date(T0 + 20 * DAY - DAY / 40).toISOString(),
        to: new Date(T0 + 23 * DAY).toISOString(),
        url: null,
        filter: null,
        ongoing: false,
      },
    ]);
    expect(findOutages(db, T0 + 43 * DAY)[0]?.expected).toBeCloseTo(120, -1);
    expect(findOutages(db, T0 + 48 * DAY)).toMatchObject([{ kind: 'gap', ongoing: true }, { kind: 'gap' }]);
  });

  it('are not reported for sites that are often inactive or have few webhooks', () => {
    const weeks = [0, 1, 2, 3, 4, 5, 6].flatMap((week) => createBusyLog(5, T0 + week * 7 * DAY));
    expect(findOutages(storeRows(weeks), T0 + 47 * DAY)).toEqual([]);
    expect(findOutages(storeRows(createLog('.'.repeat(60), { every: 3 * DAY })), T0 + 180 * DAY)).toEqual([]);
  });
});

describe('timeline and replay plans', () => {
  it('count the filtered webhooks per bucket', () => {
    const db = openTemporaryStore('cache');
    const most = fc.constantFrom(1, 2, 7, 200);
    fc.assert(
      fc.property(arbitraryLog, arbitraryFilter, most, (written, filter, buckets) => {
        db.exec('DELETE FROM webhook');
        runInTransaction(db, () => {
          for (const [index, row] of written.entries()) upsertWebhooks(db, [row], index + 1);
        });
        while (indexPendingRecords(db, 50) > 0);
        const line = getWebhookTimeline(db, filter, buckets);
        expect(line.buckets.length).toBeLessThanOrEqual(buckets);
        const left = getStoredRows(written).filter((row) => row.created_at !== null && matches(row, filter));
        const expected = line.buckets.map((bucket) => {
          const from = Date.parse(bucket.at);
          const inside = left.filter((row) => {
            const time = parseInstant(row.created_at ?? '') ?? 0;
            return time >= from && time < from + line.bucket_ms;
          });
          const of = (status: WebhookFilter['status']) =>
            inside.filter((row) => matches(row, { status })).length;
          const pending = of('pending');
          return { at: bucket.at, accepted: of('successful'), failed: of('failed') - pending, pending };
        });
        expect(line.buckets).toEqual(expected);
        const all = line.buckets.reduce((sum, each) => sum + each.accepted + each.failed + each.pending, 0);
        expect(all).toBe(left.length);
      }),
      { numRuns: 120 },
    );
  });

  it('select the filtered webhooks oldest first in one statement', () => {
    const db = openTemporaryStore('cache');
    fc.assert(
      fc.property(arbitraryLog, arbitraryFilter, (written, filter) => {
        db.exec('DELETE FROM webhook');
        runInTransaction(db, () => {
          for (const [index, row] of written.entries()) upsertWebhooks(db, [row], index + 1);
        });
        while (indexPendingRecords(db, 50) > 0);
        const { search: _, ...others } = filter;
        const left = listExpected(getStoredRows(written), others, { by: 'created_at', direction: 'asc' });
        const expected = left.filter((row) => matches(row, filter)).map(({ id }) => id);
        expect([...readReplayCandidates(db, filter)].map(({ webhook_id }) => webhook_id)).toEqual(expected);
      }),
      { numRuns: 120 },
    );
  });

  it.each<[string, WebhookFilter, RegExp[]]>([
    ['everything', {}, [/^SCAN webhook USING INDEX webhook_created$/]],
    ['a state', { status: 'failed' }, [/^SCAN webhook USING INDEX webhook_created$/]],
    [
      'days',
      { status: 'failed', since: '2026-01-10' },
      [/^SEARCH webhook USING INDEX webhook_created \(created_at>\? AND/],
    ],
    [
      'an outage',
      { status: 'failed', url: MAIN_URL, from: at(0), to: at(9) },
      [/^SEARCH webhook USING INDEX webhook_created/],
    ],
    [
      'an error',
      { error: '503 Service Unavailable (retry # of #)' },
      [/^SEARCH webhook USING INDEX webhook_error_class \(error_id=\?/, /TEMP B-TREE/],
    ],
    [
      'a subscription',
      { subscription_id: 77 },
      [/^SEARCH webhook USING INDEX webhook_subscription \(subscription_id=\?/],
    ],
    [
      'a search',
      { search: 'anna' },
      [/^SCAN webhook_fts/, /^SEARCH webhook USING INTEGER PRIMARY KEY/, /TEMP B-TREE/],
    ],
  ])('planning from %s passes one index once', (_, filter, expected) => {
    const db = storeRows(createLog('..xx..'));
    const asked = getReplayCandidateQuery(db, filter);
    const steps = getQueryPlan(db, asked?.sql ?? '', asked?.bound ?? []).filter(
      (step) => !/json_each|LIST SUBQUERY|VIRTUAL TABLE/.test(step) || step.includes('webhook_fts'),
    );
    const passes = steps.filter((step) => /^(SCAN|SEARCH) webhook\b/.test(step));
    expect(passes.length).toBe(1);
    for (const step of expected) expect(steps).toContainEqual(expect.stringMatching(step));
    if (!('error' in filter) && !('search' in filter) && !('subscription_id' in filter)) {
      expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
    }
  });

  it('an error group shows the URL of its webhooks', () => {
    const db = storeRows([...createLog('xxx'), ...createLog('xx', { url: `${OTHER_URL}?key=1`, first: 50 })]);
    expect(listWebhookErrors(db, {})).toMatchObject([
      {
        count: 5,
        urls: [
          { url: MAIN_URL, count: 3 },
          { url: OTHER_URL, count: 2 },
        ],
      },
    ]);
    expect(prepareSql<number>(db, 'SELECT count FROM webhook_error').pluck().get()).toBe(5);
  });
});
