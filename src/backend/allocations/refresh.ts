import { type BillingClient, BillingError, type Statement } from '../../billing/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { commit } from '../store/database.ts';
import { upsertStatements } from '../store/statements/statement.ts';
import { clearStale, unsettledStatementsOf } from '../store/statements/statement-needs.ts';
import { AT_ONCE, createWorkers } from '../sync/workers.ts';

export interface Refreshing {
  open: OpenSite;
  client: BillingClient;
  subscriptions: readonly number[];
  signal: AbortSignal;
  progress(done: number, total: number): void;
}

/**
 * Reads the statements of these subscriptions again that may have changed: those not settled, else the newest. Gives of how
 * many subscriptions they could not be read; those stay marked, and the next sync reads them.
 */
export async function refreshStatements(refreshing: Refreshing): Promise<number> {
  const { open, client, subscriptions, signal, progress } = refreshing;
  const { cache } = open;
  const queue = subscriptions.values();
  let done = 0;
  let failed = 0;

  async function statementsOf(subscription: number): Promise<number[]> {
    const held = unsettledStatementsOf(cache, subscription).map(({ id }) => id);
    if (held.length > 0) return held;
    const newest = { sort: 'created_at', direction: 'desc', per_page: 1 } as const;
    const { items } = await client.listStatementIdsOfSubscription(subscription, newest, { signal });
    return items.slice(0, 1);
  }

  async function refresh(subscription: number): Promise<void> {
    try {
      let readAt = Number.POSITIVE_INFINITY;
      const read: Statement[] = [];
      for (const id of await statementsOf(subscription)) {
        const { item, meta } = await client.readStatement(id, { signal });
        if (item !== null) read.push(item);
        readAt = Math.min(readAt, meta.started_at);
      }
      commit(cache, () => {
        if (read.length === 0) return;
        upsertStatements(cache, read, readAt);
        clearStale(cache, `subscription:${subscription}`, readAt);
      });
    } catch (error) {
      if (!(error instanceof BillingError) || error.code === 'cancelled') throw error;
      failed++;
    }
    progress(++done, subscriptions.length);
  }

  progress(0, subscriptions.length);
  await createWorkers(
    AT_ONCE,
    () => {
      const { value } = queue.next();
      return value === undefined || signal.aborted ? null : () => refresh(value);
    },
    () => {},
  ).run();
  return failed;
}
