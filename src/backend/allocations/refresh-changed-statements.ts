import { type BillingClient, BillingError, type Statement } from '../../billing/index.ts';
import { forEachConcurrently } from '../shared/worker-pool.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { upsertStatements } from '../store/statements/statement.ts';
import {
  clearRefetchMark,
  listUnsettledStatementsOfSubscription,
} from '../store/statements/statements-to-fetch.ts';

export interface StatementRefreshOptions {
  open: OpenSite;
  client: BillingClient;
  subscriptions: readonly number[];
  signal: AbortSignal;
  progress(done: number, total: number): void;
}

/**
 * Reads the unsettled statements of subscriptions again, or the newest statement if all are settled. Returns the number
 * of subscriptions that could not be read, which the next sync reads.
 */
export async function refreshChangedStatements(options: StatementRefreshOptions): Promise<number> {
  const { open, client, subscriptions, signal, progress } = options;
  const { cache } = open;
  let done = 0;
  let failed = 0;

  async function listStatementsToRead(subscription: number): Promise<number[]> {
    const stored = listUnsettledStatementsOfSubscription(cache, subscription).map(({ id }) => id);
    if (stored.length > 0) return stored;
    const newest = { sort: 'created_at', direction: 'desc', per_page: 1 } as const;
    const { items } = await client.listStatementIdsOfSubscription(subscription, newest, { signal });
    return items.slice(0, 1);
  }

  async function refresh(subscription: number): Promise<void> {
    try {
      let readAt = Number.POSITIVE_INFINITY;
      const read: { statement: Statement; startedAt: number }[] = [];
      for (const id of await listStatementsToRead(subscription)) {
        const { item, meta } = await client.readStatement(id, { signal });
        if (item !== null) read.push({ statement: item, startedAt: meta.started_at });
        readAt = Math.min(readAt, meta.started_at);
      }
      runInTransaction(cache, () => {
        if (read.length === 0) return;
        for (const { statement, startedAt } of read) upsertStatements(cache, [statement], startedAt);
        clearRefetchMark(cache, `subscription:${subscription}`, readAt);
      });
    } catch (error) {
      if (!(error instanceof BillingError) || error.code === 'canceled') throw error;
      failed++;
    }
    progress(++done, subscriptions.length);
  }

  progress(0, subscriptions.length);
  await forEachConcurrently(subscriptions, signal, refresh);
  return failed;
}
