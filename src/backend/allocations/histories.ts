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
import { type HistoryContext, readHistory } from '../sync/allocations/allocation-history.ts';
import { isSame } from '../sync/shared/history.ts';
import { openProblems } from '../sync/shared/problems.ts';
import type { RunTally } from '../sync/shared/tally.ts';
import { noteStale } from '../sync/webhooks/webhook-store.ts';

/** What the service reports about an allocation history. */
export type HistoryAnswer =
  | { readonly is: 'stored'; readonly history: AllocationHistory; readonly service_at: number | null }
  | { readonly is: 'missing' }
  | { readonly is: 'unreadable' };

/** Allocation histories, read from the service and stored in the cache. */
export interface AllocationHistories {
  /** Reads a history from the service. Throws BillingError if the service cannot be reached. */
  read(component: ComponentKey): Promise<HistoryAnswer>;
  /** Returns a sentence that says which of the two ids the service does not know. Throws BillingError. */
  whichIsMissing(component: ComponentKey): Promise<string>;
  /**
   * Adds what the service has just recorded. If it does not continue the history, reads the history again and returns it.
   * Throws BillingError; the next sync then reads it.
   */
  add(component: ComponentKey, recorded: Recorded | null): Promise<HistoryAnswer | null>;
  /** Marks a subscription's statements as changed, so that they are read again here or by the next sync. */
  changed(subscription: number): void;
}

export interface AllocationHistoriesOptions {
  open: OpenSite;
  client: BillingClient;
  tally: RunTally;
  now: () => number;
  job: string;
  /** Source of subscription components that were not followed before. */
  source: ComponentSource;
  signal: AbortSignal;
}

export function openAllocationHistories(options: AllocationHistoriesOptions): AllocationHistories {
  const { open, tally, now, job, source, signal } = options;
  const { cache } = open;
  const problems = openProblems(cache, 'allocations', job, now);
  /** Milliseconds by which the service's clock is ahead, from its last answer. */
  let ahead: number | null = null;
  const { client } = options;
  // The client is a class instance, so spreading it would lose its methods.
  const historyClient: HistoryContext['client'] = {
    listStatementIds: (...call) => client.listStatementIds(...call),
    async listAllocations(...call): Promise<ListResponse<Recorded>> {
      const answer = await client.listAllocations(...call);
      if (answer.meta.server_time !== null) ahead = answer.meta.server_time - now();
      return answer;
    },
  };

  async function read(component: ComponentKey): Promise<HistoryAnswer> {
    commit(cache, () =>
      recordSubscriptionComponent(cache, {
        ...component,
        source,
        component_name: null,
        changed_hint_at: null,
      }),
    );
    const readable = await readHistory(
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
      service_at: ahead === null ? null : readAt + ahead,
    };
  }

  return {
    read,
    async whichIsMissing({ subscription_id, component_id }) {
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
      const held = storedAllocations(cache, component);
      const newest = held[0];
      // XML answers have no schemes (interface 2.2). The history is then read as JSON.
      const whole = recorded !== null && recorded.proration_upgrade_scheme !== null;
      const follows =
        newest === undefined ||
        (recorded !== null &&
          newest.quantity === recorded.previous_quantity &&
          newest.timestamp <= recorded.timestamp);
      if (whole && follows && (newest === undefined || !isSame(newest, recorded))) {
        commit(cache, () => {
          replaceAllocations(cache, component, [...held.toReversed(), recorded], now());
          setHistoryState(cache, component, 'complete', now());
        });
        return null;
      }
      const hint = { ...component, source, component_name: null, changed_hint_at: now() - 1 };
      commit(cache, () => recordSubscriptionComponent(cache, hint));
      return await read(component);
    },
    changed(subscription) {
      noteStale({ site: open, now }, `subscription:${subscription}`);
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'not_found';
}
