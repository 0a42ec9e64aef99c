import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexPendingRecords } from '../../../../src/backend/store/search/search-index.ts';
import { runInTransaction, type WritableDb } from '../../../../src/backend/store/sqlite/connection.ts';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import { listWebhookErrors } from '../../../../src/backend/store/webhooks/webhook-errors.ts';
import { readWebhookFacets } from '../../../../src/backend/store/webhooks/webhook-facets.ts';
import { listWebhooks, readWebhookPageCursors } from '../../../../src/backend/store/webhooks/webhook-list.ts';
import type { Webhook } from '../../../../src/billing/index.ts';
import { expectCorrectMarks, readAllPages } from '../read-all-pages.ts';
import { createWebhook, formatServiceTime, T0 } from '../sample-records.ts';
import { openTemporaryStore } from '../temporary-store.ts';
import {
  arbitraryFilter,
  arbitraryLog,
  arbitrarySort,
  getErrorGroup,
  getStoredRows,
  listExpected,
  matches,
} from './webhook-model.ts';

/** Writes the rows one after another, each as a later response. */
function writeRows(db: WritableDb, rows: readonly Webhook[]): void {
  runInTransaction(db, () => {
    for (const [at, row] of rows.entries()) upsertWebhooks(db, [row], at + 1);
  });
  while (indexPendingRecords(db, 7) > 0);
}

function empty(db: WritableDb): void {
  db.exec('DELETE FROM webhook');
}

describe('webhook list', () => {
  it('has the same rows and scrollbar marks as filtering and sorting all webhooks', () => {
    const db = openTemporaryStore('cache');
    fc.assert(
      fc.property(
        arbitraryLog,
        arbitraryFilter,
        arbitrarySort,
        fc.integer({ min: 1, max: 9 }),
        (log, filter, sort, limit) => {
          empty(db);
          writeRows(db, log);
          const expected = listExpected(getStoredRows(log), filter, sort).map((row) => row.id);
          const list = (page: { after?: string; limit: number }) => {
            const { rows, ...rest } = listWebhooks(db, { filter, sort, ...page });
            return { rows: rows.map((row) => row.id), ...rest };
          };
          const { rows, total } = readAllPages(list, limit);
          expect(rows).toEqual(expected);
          expect(total).toEqual({ count: expected.length, exact: true });
          expectCorrectMarks(readWebhookPageCursors(db, { filter, sort, every: limit }), expected, list);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('has facets and error groups that agree with a recount of all rows', () => {
    const db = openTemporaryStore('cache');
    fc.assert(
      fc.property(arbitraryLog, arbitraryFilter, (log, filter) => {
        empty(db);
        writeRows(db, log);
        const rows = getStoredRows(log);
        const facets = readWebhookFacets(db);
        const count = (of: (row: Webhook) => boolean) => rows.filter(of).length;
        expect(facets.total).toBe(rows.length);
        expect(facets.delivery).toEqual({
          accepted: count((row) => matches(row, { status: 'successful' })),
          failed: count((row) => getErrorGroup(row) !== null),
          pending: count((row) => matches(row, { status: 'pending' })),
        });
        for (const { event, count: of } of facets.events)
          expect(of).toBe(count((row) => row.event === event));
        const days = rows.map((row) => row.created_at?.slice(0, 10)).filter((each) => each !== undefined);
        expect([facets.first_day, facets.last_day]).toEqual([days.sort()[0] ?? null, days.at(-1) ?? null]);

        const groups = Map.groupBy(
          rows.filter((row) => getErrorGroup(row) !== null && matches(row, filter)),
          getErrorGroup,
        );
        const found = listWebhookErrors(db, filter);
        expect(Object.fromEntries(found.map((each) => [each.error, each.count]))).toEqual(
          Object.fromEntries([...groups].map(([group, of]) => [group, of.length])),
        );
      }),
      { numRuns: 80 },
    );
  });

  it('is the same with more events than one statement can merge, and more hits than are sorted in memory', () => {
    const db = openTemporaryStore('cache');
    const log = Array.from({ length: 3000 }, (_, at) =>
      createWebhook({
        id: at + 1,
        event: `event_${at % 450}`,
        created_at: formatServiceTime(T0 + ((at * 7) % 3000) * 60_000),
        last_sent_at: formatServiceTime(T0 + ((at * 11) % 3000) * 60_000),
      }),
    );
    runInTransaction(db, () => upsertWebhooks(db, log, 1));
    while (indexPendingRecords(db, 5000) > 0);
    const searched = listWebhooks(db, {
      filter: { search: 'larsson' },
      sort: { by: 'created_at', direction: 'desc' },
      limit: 10,
    });
    expect([searched.rows.length, searched.total]).toEqual([10, { count: 1000, exact: false }]);
    const some = log.slice(0, 420).map((row) => row.event);
    for (const filter of [{}, { event: some }, { search: 'larsson', event: some }, { search: 'larsson' }]) {
      for (const by of ['created_at', 'last_sent_at', 'event', 'id'] as const) {
        const sort = { by, direction: 'desc' as const };
        const list = (page: { after?: string; limit: number }) => {
          const { rows, next, total } = listWebhooks(db, { filter, sort, ...page });
          return { rows: rows.map((row) => row.id), next, total };
        };
        const expected = listExpected(log, filter, sort).map((row) => row.id);
        expect(readAllPages(list, 1000).rows).toEqual(expected);
        expectCorrectMarks(readWebhookPageCursors(db, { filter, sort, every: 1000 }), expected, list);
      }
    }
  });

  it('returns a row as the service sent it, with its delivery state and hints', () => {
    const db = openTemporaryStore('cache');
    writeRows(db, [
      createWebhook({
        id: 5,
        successful: false,
        accepted_at: null,
        last_error: '503',
        last_error_at: '2026-01-10T07:00:09-05:00',
      }),
    ]);
    expect(listWebhooks(db, { filter: {}, sort: { by: 'id', direction: 'asc' }, limit: 1 }).rows).toEqual([
      {
        id: 5,
        event: 'payment_success',
        successful: false,
        delivery: 'failed',
        created_at: '2026-01-10T07:00:00-05:00',
        accepted_at: null,
        last_sent_at: '2026-01-10T07:00:01-05:00',
        last_error_at: '2026-01-10T07:00:09-05:00',
        last_sent_url: 'https://shop.example.com/hooks',
        last_error: '503',
        subscription_id: 77,
        statement_id: null,
      },
    ]);
  });

  it('finds the new text of a row only after it is indexed, and no longer its previous text', () => {
    const db = openTemporaryStore('cache');
    const search = (text: string) =>
      listWebhooks(db, {
        filter: { search: text },
        sort: { by: 'created_at', direction: 'desc' },
        limit: 9,
      }).rows.map((row) => row.id);
    upsertWebhooks(db, [createWebhook({ id: 1, successful: false, last_error: 'refused' })], 1);
    expect(search('larsson')).toEqual([]);
    expect(indexPendingRecords(db)).toBe(1);
    expect(indexPendingRecords(db)).toBe(0);
    expect(search('larsson refused')).toEqual([1]);
    upsertWebhooks(db, [createWebhook({ id: 1 })], 2);
    indexPendingRecords(db);
    expect([search('refused'), search('larsson')]).toEqual([[], [1]]);
  });
});
