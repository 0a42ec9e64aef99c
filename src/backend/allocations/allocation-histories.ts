import type { BillingClient, ListResponse, Allocation as Recorded } from '../../billing/index.ts';
import type { AllocationHistory } from '../../domain/allocations/index.ts';
import { parseTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { replaceAllocations } from '../store/allocations/allocation.ts';
import { findSubscriptionComponent, storedAllocations } from '../store/allocations/history-needs.ts';
import {
  type ComponentKey,
  type ComponentSource,
  recordSubscriptionComponent,
  setHistoryState,
} from '../store/allocations/subscription-component.ts';
import { commit } from '../store/sqlite/connection.ts';
import {
  type AllocationHistoryContext,
  readAllocationHistory,
} from '../sync/allocations/allocation-history.ts';
import { isSameAllocation } from '../sync/shared/allocation-rows.ts';
import type { RunTally } from '../sync/shared/run-tally.ts';
import { openSyncProblems } from '../sync/shared/sync-problems.ts';
import { markStatementsStale } from '../sync/webhooks/webhook-store.ts';

/** Result of reading an allocation history from the service. */
export type AllocationHistoryAnswer =
  | { readonly is: 'stored'; readonly history: AllocationHistory; readonly service_at: number | null }
  | { readonly is: 'missing' }
  | { readonly is: 'unreadable' };

/** Reads allocation histories from the service and stores them in the cache. */
export interface AllocationHistories {
  /** Reads a history from the service. Throws BillingError if the service cannot be reached. */
  read(component: ComponentKey): Promise<AllocationHistoryAnswer>;
  /**
   * Returns a sentence that names the subscription or component that the service does not know. Throws BillingError if
   * the service cannot be reached.
   */
  explainMissing(component: ComponentKey): Promise<string>;
  /**
   * Adds an entry that the service has just recorded. If the entry does not continue the stored history, reads the
   * history again and returns it. Throws BillingError if that fails; the next sync then reads the history.
   */
  add(component: ComponentKey, recorded: Recorded | null): Promise<AllocationHistoryAnswer | null>;
  /** Marks a subscription's statements as changed, so that they are read again. */
  markChanged(subscription: number): void;
}

export interface AllocationHistoriesOptions {
  open: OpenSite;
  client: BillingClient;
  tally: RunTally;
  now: () => number;
  job: string;
  /** Recorded as the source of subscription components that have not been followed before. */
  source: ComponentSource;
  signal: AbortSignal;
}

export function openAllocationHistories(options: AllocationHistoriesOptions): AllocationHistories {
  const { open, tally, now, job, source, signal } = options;
  const { cache } = open;
  const problems = openSyncProblems(cache, 'allocations', job, now);
  /** Milliseconds by which the service's clock was ahead at its latest answer. Null before the first answer. */
  let clockOffset: number | null = null;
  const { client } = options;
  // The client is a class instance, so spreading it would lose its methods.
  const historyClient: AllocationHistoryContext['client'] = {
    listStatementIds: (...call) => client.listStatementIds(...call),
    async listAllocations(...call): Promise<ListResponse<Recorded>> {
      const answer = await client.listAllocations(...call);
      if (answer.meta.server_time !== null) clockOffset = answer.meta.server_time - now();
      return answer;
    },
  };

  async function read(component: ComponentKey): Promise<AllocationHistoryAnswer> {
    commit(cache, () =>
      recordSubscriptionComponent(cache, {
        ...component,
        source,
        component_name: null,
        changed_hint_at: null,
      }),
    );
    const readable = await readAllocationHistory(
      { site: open, client: historyClient, tally, now },
      problems,
      component,
      signal,
    );
    const stored = findSubscriptionComponent(cache, component);
    if (stored?.state === 'missing') return { is: 'missing' };
    if (!readable || stored?.state !== 'complete') return { is: 'unreadable' };
    const readAt = stored.read_at ?? now();
    const entries = storedAllocations(cache, component).map((entry) => ({
      ...entry,
      at: parseTimestamp(entry.timestamp) ?? 0,
    }));
    return {
      is: 'stored',
      history: { entries, readAt } as AllocationHistory,
      service_at: clockOffset === null ? null : readAt + clockOffset,
    };
  }

  return {
    read,
    async explainMissing({ subscription_id, component_id }) {
      const query = { sort: 'created_at', direction: 'desc', per_page: 1 } as const;
      try {
        await client.listStatementIdsOfSubscription(subscription_id, query, { signal });
      } catch (error) {
        if (!isMissing(error)) throw error;
        return `The service has no subscription ${subscription_id}.`;
      }
      return `The service has no component ${component_id} on subscription ${subscription_id}.`;
    },
    async add(component, recorded) {
      const storedEntries = storedAllocations(cache, component);
      const newest = storedEntries[0];
      // XML answers have no proration schemes (interface 2.2), so the history is read again as JSON.
      const hasSchemes = recorded !== null && recorded.proration_upgrade_scheme !== null;
      const follows =
        newest === undefined ||
        (recorded !== null &&
          newest.quantity === recorded.previous_quantity &&
          newest.timestamp <= recorded.timestamp);
      if (hasSchemes && follows && (newest === undefined || !isSameAllocation(newest, recorded))) {
        commit(cache, () => {
          replaceAllocations(cache, component, [...storedEntries.toReversed(), recorded], now());
          setHistoryState(cache, component, 'complete', now());
        });
        return null;
      }
      const hint = { ...component, source, component_name: null, changed_hint_at: now() - 1 };
      commit(cache, () => recordSubscriptionComponent(cache, hint));
      return await read(component);
    },
    markChanged(subscription) {
      markStatementsStale({ site: open, now }, `subscription:${subscription}`);
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'not_found';
}
