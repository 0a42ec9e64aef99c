import {
  type CheckOutcome,
  checkAllSubscriptions,
  checkChangedSubscriptions,
  type SiteCheckInput,
} from '../../../src/backend/checks/run-check.ts';
import { upsertAllocations } from '../../../src/backend/store/allocations/allocation.ts';
import {
  recordSubscriptionComponent,
  setAllocationHistoryState,
} from '../../../src/backend/store/allocations/subscription-component.ts';
import { runInTransaction, type WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import { addKnownStatements } from '../../../src/backend/store/statements/known-statements.ts';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import { saveSyncPartState } from '../../../src/backend/store/sync/sync-unit.ts';
import { upsertWebhooks } from '../../../src/backend/store/webhooks/webhook.ts';
import type { Allocation, Statement, Webhook } from '../../../src/billing/index.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A site's databases, written as by a sync and checked at a time set by the test. */
export interface TestLedger {
  readonly cache: WritableDb;
  readonly books: WritableDb;
  /** Writes the rows of a complete sync at this time. */
  sync(
    at: number,
    rows: { statements?: Statement[]; webhooks?: Webhook[]; allocations?: Allocation[] },
  ): void;
  checkChanges(at: number): Promise<CheckOutcome>;
  checkEverything(at: number): Promise<CheckOutcome>;
  /** Runs a full check that is canceled after this number of subscriptions. Rejects with the check's error. */
  checkAndCancel(at: number, after: number): Promise<CheckOutcome>;
  /** Returns the exceptions as `rule status` lines. */
  listExceptions(): string[];
  /** Units that could not be checked, with the errors. */
  readonly failed: { unit: number; error: unknown }[];
  /** Closes the databases before the end of the test. */
  close(): void;
}

export function openTestLedger(): TestLedger {
  const cache = openTemporaryStore('cache');
  const books = openTemporaryStore('books');
  const failed: TestLedger['failed'] = [];
  const task = (at: number): SiteCheckInput => ({
    site: { cache, books },
    cause: { job: 'j', name: 'the check' },
    signal: new AbortController().signal,
    now: () => at,
    progress: () => {},
    failed: (unit, error) => void failed.push({ unit, error }),
    prepare: async () => {},
  });
  return {
    cache,
    books,
    failed,
    sync(at, { statements = [], webhooks = [], allocations = [] }) {
      runInTransaction(cache, () => {
        addKnownStatements(
          cache,
          statements.map(({ id }) => id),
          at,
        );
        upsertStatements(cache, statements, at);
        upsertWebhooks(cache, webhooks, at);
        for (const [key, rows] of Map.groupBy(
          allocations,
          (each) => `${each.subscription_id} ${each.component_id}`,
        )) {
          const [subscription_id, component_id] = key.split(' ').map(Number) as [number, number];
          const component = { subscription_id, component_id };
          recordSubscriptionComponent(cache, {
            ...component,
            source: 'user',
            component_name: null,
            changed_hint_at: null,
          });
          upsertAllocations(cache, component, rows, at);
          setAllocationHistoryState(cache, component, 'complete', at);
        }
        const whole = { synced_at: at, expected: null, complete: true, checkpoint: {} };
        saveSyncPartState(cache, 'webhooks', whole);
        saveSyncPartState(cache, 'statements', whole);
      });
    },
    close() {
      cache.close();
      books.close();
    },
    checkChanges: (at) => checkChangedSubscriptions(task(at)),
    checkEverything: (at) => checkAllSubscriptions(task(at)),
    checkAndCancel(at, after) {
      const stop = new AbortController();
      const progress = (done: number) => void (done >= after && stop.abort());
      return checkAllSubscriptions({ ...task(at), signal: stop.signal, progress });
    },
    listExceptions: () =>
      books
        .prepare<[], string>("SELECT rule || ' ' || status FROM exception ORDER BY rule, id")
        .pluck()
        .all(),
  };
}
