import { describe, expect, it } from 'vitest';
import type { IndexScan } from '../../../src/backend/store/lists/keyset-pagination.ts';
import { indexSearch } from '../../../src/backend/store/search/search-index.ts';
import { inTransaction, type WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import { planStatementList } from '../../../src/backend/store/statements/statement-list-plan.ts';
import { selectStatements } from '../../../src/backend/store/statements/statement-selection.ts';
import { planTransactionList } from '../../../src/backend/store/statements/transaction-list.ts';
import { upsertWebhooks } from '../../../src/backend/store/webhooks/webhook.ts';
import { getWebhookScans, planWebhookList } from '../../../src/backend/store/webhooks/webhook-list-plan.ts';
import { selectWebhooks } from '../../../src/backend/store/webhooks/webhook-selection.ts';
import type { StatementFilter, WebhookFilter } from '../../../src/contract/index.ts';
import { boundsOf, pagePlans, pageStatements, planOf } from './plan.ts';
import { sent, statement, T0, transaction, webhook } from './rows.ts';
import { temporaryStore } from './temporary.ts';

/** Steps that read a whole table. A page that begins at the start of an index, or in what a search finds, reads no more than it shows. */
const scans = (steps: string[]) =>
  steps.filter((step) => /^SCAN (webhook|statement|txn)\b/.test(step) && !step.includes('COVERING INDEX'));
/** Steps that sort what they read. */
const sorts = (steps: string[]) => steps.filter((step) => step.includes('TEMP B-TREE'));
const looksUp = (steps: string[]) => steps.filter((step) => /USING INDEX|PRIMARY KEY/.test(step));

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
 * Where rows are sorted as they come, they are few: those of one subscription, one statement, one error, one short range of
 * days, or of a search that finds little. Their order by time is an index's all the same.
 */
const mayBeSorted = (filter: WebhookFilter, by: string): boolean =>
  by === 'created_at'
    ? false
    : ['subscription_id', 'statement_id'].some((name) => name in filter) ||
      ('error' in filter && by !== 'event') ||
      ('search' in filter && by !== 'id') ||
      ('since' in filter && by === 'last_sent_at');

function someWebhooks(): WritableDb {
  const db = temporaryStore('cache');
  const rows = Array.from({ length: 60 }, (_, at) =>
    webhook({
      id: at + 1,
      event: at % 3 === 0 ? 'payment_failure' : 'payment_success',
      successful: at % 3 !== 0,
      last_error: at % 3 === 0 ? 'refused' : null,
      created_at: sent(T0 + at * 3_600_000),
    }),
  );
  inTransaction(db, () => upsertWebhooks(db, rows, 1));
  indexSearch(db);
  return db;
}

describe('every page of the webhook log is read by an index', () => {
  for (const [name, filter] of Object.entries(webhookFilters)) {
    it.each(['created_at', 'last_sent_at', 'event', 'id'] as const)(
      `filtered by ${name}, sorted by %s`,
      (by) => {
        const db = someWebhooks();
        for (const direction of directions) {
          const steps = pagePlans(db, planWebhookList(db, selectWebhooks(db, filter), { by, direction }));
          if (Object.keys(filter).length === 0) expect(steps.length).toBeGreaterThan(0);
          expect(scans(steps)).toEqual([]);
          if (!mayBeSorted(filter, by)) expect(sorts(steps)).toEqual([]);
        }
      },
    );
  }

  it('without reading rows if only state and time are filtered', () => {
    const db = someWebhooks();
    for (const filter of [{}, webhookFilters['status']!, webhookFilters['status and days']!]) {
      for (const by of ['created_at', 'last_sent_at', 'event', 'id'] as const) {
        const reading = planWebhookList(db, selectWebhooks(db, filter), { by, direction: 'desc' });
        expect(looksUp(pagePlans(db, reading))).toEqual([]);
      }
    }
  });

  it('and a search seeks directly to its position in the hits', () => {
    const db = someWebhooks();
    for (const name of ['search', 'search and status', 'search and days']) {
      const selection = selectWebhooks(db, webhookFilters[name]!);
      const counted = getWebhookScans(db, selection).map(({ from, where, bound }) => ({
        sql: `SELECT count(*) FROM ${from} WHERE ${where.join(' AND ')}`,
        bound,
      }));
      const pages = (['created_at', 'id'] as const).flatMap((by) =>
        directions.flatMap((direction) => pageStatements(planWebhookList(db, selection, { by, direction }))),
      );
      const found = [...counted, ...pages].map(({ sql, bound }) => boundsOf(db, sql, bound));
      expect(found.reduce((sum, { bounds }) => sum + bounds, 0)).toBeGreaterThan(3);
      expect(found.filter(({ bounds, integers }) => integers < bounds)).toEqual([]);
    }
  });

  it('and counted by an index', () => {
    const db = someWebhooks();
    for (const filter of Object.values(webhookFilters)) {
      const branches: IndexScan[] = getWebhookScans(db, selectWebhooks(db, filter));
      for (const { from, where, bound } of branches) {
        const steps = planOf(db, `SELECT count(*) FROM ${from} WHERE ${where.join(' AND ') || '1'}`, bound);
        // All of it is counted by the kept counts; what a range of days leaves over is a range of an index.
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

function someStatements(): WritableDb {
  const db = temporaryStore('cache');
  const rows = Array.from({ length: 40 }, (_, at) =>
    statement({ id: at + 1, subscription_id: 70 + (at % 9), transactions: [transaction({ id: at + 1 })] }),
  );
  inTransaction(db, () => upsertStatements(db, rows, 1));
  indexSearch(db);
  return db;
}

describe('every page of the statements is read by an index', () => {
  for (const [name, filter] of Object.entries(statementFilters)) {
    it.each(statementSorts)(`filtered by ${name}, sorted by %s`, (by) => {
      const db = someStatements();
      const few = 'subscription_id' in filter || 'search' in filter;
      const ordered =
        by === 'closed_at' ? !('search' in filter) : !few && (!('since' in filter) || by === 'customer_name');
      for (const direction of directions) {
        const steps = pagePlans(db, planStatementList(db, selectStatements(db, filter), { by, direction }));
        expect(scans(steps)).toEqual([]);
        if (ordered) expect(sorts(steps)).toEqual([]);
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
    const db = someStatements();
    for (const by of ['created_at', 'id'] as const) {
      for (const direction of directions) {
        const steps = pagePlans(db, planTransactionList(db, { filter, sort: { by, direction } }));
        expect(scans(steps)).toEqual([]);
        if (by === 'created_at' || !('subscription_id' in filter)) expect(sorts(steps)).toEqual([]);
        expect(looksUp(steps)).toEqual([]);
      }
    }
  });
});
