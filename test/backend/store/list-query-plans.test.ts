import { describe, expect, it } from 'vitest';
import type { IndexScan } from '../../../src/backend/store/lists/keyset-pagination.ts';
import { indexPendingRecords } from '../../../src/backend/store/search/search-index.ts';
import { runInTransaction, type WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import { planStatementList } from '../../../src/backend/store/statements/statement-list-plan.ts';
import { selectStatements } from '../../../src/backend/store/statements/statement-selection.ts';
import { planTransactionList } from '../../../src/backend/store/statements/transaction-list.ts';
import { upsertWebhooks } from '../../../src/backend/store/webhooks/webhook.ts';
import { getWebhookScans, planWebhookList } from '../../../src/backend/store/webhooks/webhook-list-plan.ts';
import { selectWebhooks } from '../../../src/backend/store/webhooks/webhook-selection.ts';
import type { StatementFilter, WebhookFilter } from '../../../src/contract/index.ts';
import { countIdBounds, getPagePlans, getPageStatements, getQueryPlan } from './query-plan.ts';
import {
  createStatement,
  createTransaction,
  createWebhook,
  formatServiceTime,
  T0,
} from './sample-records.ts';
import { openTemporaryStore } from './temporary-store.ts';

/**
 * Returns the steps that scan a complete table. Scans that start at the beginning of an index or within search hits read
 * only the rows of the page.
 */
const findScans = (steps: string[]) =>
  steps.filter((step) => /^SCAN (webhook|statement|txn)\b/.test(step) && !step.includes('COVERING INDEX'));
/** Returns the steps that sort rows. */
const findSorts = (steps: string[]) => steps.filter((step) => step.includes('TEMP B-TREE'));
const findRowLookups = (steps: string[]) => steps.filter((step) => /USING INDEX|PRIMARY KEY/.test(step));

const directions = ['asc', 'desc'] as const;

const webhookFilters: Record<string, WebhookFilter> = {
  none: {},
  status: { status: 'failed' },
  event: { event: ['payment_success'] },
  'two events': { event: ['payment_success', 'payment_failure'] },
  url: { url: 'https://shop.example.com/hooks' },
  days: { since: '2026-01-10', until: '2026-01-11' },
  'status and days': { status: 'failed', since: '2026-01-10', until: '2026-01-11' },
  'event, status and url': {
    event: ['payment_failure'],
    status: 'failed',
    url: 'https://shop.example.com/hooks',
  },
  search: { search: 'anna' },
  'search and status': { search: 'anna', status: 'failed' },
  'search and days': { search: 'anna', since: '2026-01-10' },
  error: { error: 'refused' },
  'error and event': { error: 'refused', event: ['payment_failure'] },
  subscription: { subscription_id: 77 },
  'subscription and status': { subscription_id: 77, status: 'failed' },
  statement: { statement_id: 5 },
};

/**
 * Returns true if the filter leaves so few rows that sorting them is acceptable: those of one subscription, statement or
 * error, of a short range of days, or of a selective search. Sorting by time always uses an index.
 */
const mayBeSorted = (filter: WebhookFilter, by: string): boolean =>
  by === 'created_at'
    ? false
    : ['subscription_id', 'statement_id'].some((name) => name in filter) ||
      ('error' in filter && by !== 'event') ||
      ('search' in filter && by !== 'id') ||
      ('since' in filter && by === 'last_sent_at');

function createWebhooks(): WritableDb {
  const db = openTemporaryStore('cache');
  const rows = Array.from({ length: 60 }, (_, at) =>
    createWebhook({
      id: at + 1,
      event: at % 3 === 0 ? 'payment_failure' : 'payment_success',
      successful: at % 3 !== 0,
      last_error: at % 3 === 0 ? 'refused' : null,
      created_at: formatServiceTime(T0 + at * 3_600_000),
    }),
  );
  runInTransaction(db, () => upsertWebhooks(db, rows, 1));
  indexPendingRecords(db);
  return db;
}

describe('every page of the webhook log is read by an index', () => {
  for (const [name, filter] of Object.entries(webhookFilters)) {
    it.each(['created_at', 'last_sent_at', 'event', 'id'] as const)(
      `filtered by ${name}, sorted by %s`,
      (by) => {
        const db = createWebhooks();
        for (const direction of directions) {
          const steps = getPagePlans(db, planWebhookList(db, selectWebhooks(db, filter), { by, direction }));
          if (Object.keys(filter).length === 0) expect(steps.length).toBeGreaterThan(0);
          expect(findScans(steps)).toEqual([]);
          if (!mayBeSorted(filter, by)) expect(findSorts(steps)).toEqual([]);
        }
      },
    );
  }

  it('without reading rows if only state and time are filtered', () => {
    const db = createWebhooks();
    for (const filter of [{}, webhookFilters['status']!, webhookFilters['status and days']!]) {
      for (const by of ['created_at', 'last_sent_at', 'event', 'id'] as const) {
        // Days limit the ids to a range in which almost every row has a page's time.
        if (by === 'id' && 'since' in filter) continue;
        const reading = planWebhookList(db, selectWebhooks(db, filter), { by, direction: 'desc' });
        expect(findRowLookups(getPagePlans(db, reading))).toEqual([]);
      }
    }
  });

  it('with a search that seeks directly to its position in the hits', () => {
    const db = createWebhooks();
    for (const name of ['search', 'search and status', 'search and days']) {
      const selection = selectWebhooks(db, webhookFilters[name]!);
      const counted = getWebhookScans(db, selection).map(({ from, where, bound }) => ({
        sql: `SELECT count(*) FROM ${from} WHERE ${where.join(' AND ')}`,
        bound,
      }));
      const pages = (['created_at', 'id'] as const).flatMap((by) =>
        directions.flatMap((direction) =>
          getPageStatements(planWebhookList(db, selection, { by, direction })),
        ),
      );
      const found = [...counted, ...pages].map(({ sql, bound }) => countIdBounds(db, sql, bound));
      expect(found.reduce((sum, { bounds }) => sum + bounds, 0)).toBeGreaterThan(3);
      expect(found.filter(({ bounds, integers }) => integers < bounds)).toEqual([]);
    }
  });

  it('with counts that read only an index', () => {
    const db = createWebhooks();
    for (const filter of Object.values(webhookFilters)) {
      const branches: IndexScan[] = getWebhookScans(db, selectWebhooks(db, filter));
      for (const { from, where, bound } of branches) {
        const steps = getQueryPlan(
          db,
          `SELECT count(*) FROM ${from} WHERE ${where.join(' AND ') || '1'}`,
          bound,
        );
        // Stored totals count complete days. The remaining part of a range of days is read from an index.
        if (where.length > 0)
          expect(steps.filter((step) => /^SCAN (webhook|statement)\b/.test(step))).toEqual([]);
      }
    }
  });
});

const statementFilters: Record<string, StatementFilter> = {
  none: {},
  state: { state: ['unpaid'] },
  days: { since: '2026-01-10', until: '2026-02-20' },
  'state and days': { state: ['unpaid', 'open'], since: '2026-01-10' },
  subscription: { subscription_id: 77 },
  'subscription and days': { subscription_id: 77, since: '2026-01-10' },
  search: { search: 'anna' },
};
const statementSorts = ['closed_at', 'opened_at', 'id', 'ending_balance_in_cents', 'customer_name'] as const;

function createStatements(): WritableDb {
  const db = openTemporaryStore('cache');
  const rows = Array.from({ length: 40 }, (_, at) =>
    createStatement({
      id: at + 1,
      subscription_id: 70 + (at % 9),
      transactions: [createTransaction({ id: at + 1 })],
    }),
  );
  runInTransaction(db, () => upsertStatements(db, rows, 1));
  indexPendingRecords(db);
  return db;
}

describe('every page of the statements is read by an index', () => {
  for (const [name, filter] of Object.entries(statementFilters)) {
    it.each(statementSorts)(`filtered by ${name}, sorted by %s`, (by) => {
      const db = createStatements();
      const isSelective = 'subscription_id' in filter || 'search' in filter;
      const isIndexOrdered =
        by === 'closed_at'
          ? !('search' in filter)
          : !isSelective && (!('since' in filter) || by === 'customer_name');
      for (const direction of directions) {
        const steps = getPagePlans(
          db,
          planStatementList(db, selectStatements(db, filter), { by, direction }),
        );
        expect(findScans(steps)).toEqual([]);
        if (isIndexOrdered) expect(findSorts(steps)).toEqual([]);
      }
    });
  }
});

describe('every page of the transactions is read by an index', () => {
  it.each([
    {},
    { type: ['charge'] },
    { since: '2026-01-01' },
    { subscription_id: 77 },
    { subscription_id: 77, since: '2026-01-01' },
  ])('filtered by %j', (filter) => {
    const db = createStatements();
    for (const by of ['created_at', 'id'] as const) {
      for (const direction of directions) {
        const steps = getPagePlans(db, planTransactionList(db, { filter, sort: { by, direction } }));
        expect(findScans(steps)).toEqual([]);
        if (by === 'created_at' || !('subscription_id' in filter)) expect(findSorts(steps)).toEqual([]);
        expect(findRowLookups(steps)).toEqual([]);
      }
    }
  });
});
