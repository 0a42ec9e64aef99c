import { type Allocation, type BillingClient, BillingError } from '../../billing/index.ts';
import type { AllocationHistory } from '../../domain/allocations/index.ts';
import { parseTimestamp } from '../shared/timestamps.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { replaceAllocations } from '../store/allocations/allocation.ts';
import { findSubscriptionComponent, listStoredAllocations } from '../store/allocations/histories-to-read.ts';
import {
  type ComponentDiscoverySource,
  type ComponentKey,
  recordSubscriptionComponent,
  setAllocationHistoryState,
} from '../store/allocations/subscription-component.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import {
  type AllocationHistoryContext,
  readAllocationHistory,
} from '../sync/allocations/read-allocation-history.ts';
import { isSameAllocation } from '../sync/shared/allocation-history-rows.ts';
import { SyncProblemRecorder } from '../sync/shared/sync-problems.ts';
import { SyncTotals } from '../sync/shared/sync-totals.ts';
import { markStatementsStale } from '../sync/webhooks/store-webhook-page.ts';

export type AllocationHistoryResult =
  | { readonly is: 'stored'; readonly history: AllocationHistory; readonly service_at: number | null }
  | { readonly is: 'missing' }
  | { readonly is: 'unreadable' };

/** Dependencies for reading allocation histories. */
export interface AllocationHistoriesOptions {
  open: OpenSite;
  client: BillingClient;
  tally?: SyncTotals;
  now: () => number;
  job: string;
  /** Source to store for subscription components that the site has not followed before. */
  source: ComponentDiscoverySource;
  signal: AbortSignal;
}

/** Reads allocation histories from the service and stores them in the cache. */
export class AllocationHistories {
  readonly #options: AllocationHistoriesOptions;
  readonly #context: AllocationHistoryContext;
  readonly #problems: SyncProblemRecorder;
  /** Milliseconds by which the service's clock was ahead in its latest response. Null before the first response. */
  #clockOffset: number | null = null;

  constructor(options: AllocationHistoriesOptions) {
    const { open, client, tally = new SyncTotals(), now, job } = options;
    this.#options = options;
    this.#problems = new SyncProblemRecorder(open.cache, { part: 'allocations', job, now });
    this.#context = {
      site: open,
      tally,
      now,
      // `billing` is a class instance, so spreading it would lose its methods.
      client: {
        listStatementIds: (...call) => client.listStatementIds(...call),
        listAllocations: async (...call) => {
          const answer = await client.listAllocations(...call);
          if (answer.meta.server_time !== null) this.#clockOffset = answer.meta.server_time - now();
          return answer;
        },
      },
    };
  }

  /** Reads a history from the service. Throws BillingError if the service cannot be reached. */
  async read(component: ComponentKey): Promise<AllocationHistoryResult> {
    const { open, now, signal } = this.#options;
    this.#recordComponent(component, null);
    const isReadable = await readAllocationHistory(this.#context, this.#problems, component, signal);
    const stored = findSubscriptionComponent(open.cache, component);
    if (stored?.state === 'missing') return { is: 'missing' };
    if (!isReadable || stored?.state !== 'complete') return { is: 'unreadable' };
    const readAt = stored.read_at ?? now();
    const entries = listStoredAllocations(open.cache, component).map((entry) => ({
      ...entry,
      at: parseTimestamp(entry.timestamp) ?? 0,
    }));
    return {
      is: 'stored',
      history: { entries, readAt } as AllocationHistory,
      service_at: this.#clockOffset === null ? null : readAt + this.#clockOffset,
    };
  }

  /**
   * Returns a sentence that names the subscription or component that the service does not know. Throws BillingError if
   * the service cannot be reached.
   */
  async explainMissing({ subscription_id, component_id }: ComponentKey): Promise<string> {
    const { client, signal } = this.#options;
    const query = { sort: 'created_at', direction: 'desc', per_page: 1 } as const;
    try {
      await client.listStatementIdsOfSubscription(subscription_id, query, { signal });
    } catch (error) {
      if (!isMissing(error)) throw error;
      return `The service has no subscription ${subscription_id}.`;
    }
    return `The service has no component ${component_id} on subscription ${subscription_id}.`;
  }

  /**
   * Adds an entry that the service has just recorded. If the entry does not continue the stored history, reads the
   * history again and returns it. Throws BillingError if that fails; the next sync then reads the history.
   */
  async add(component: ComponentKey, recorded: Allocation | null): Promise<AllocationHistoryResult | null> {
    const { open, now } = this.#options;
    const stored = listStoredAllocations(open.cache, component);
    // XML answers have no proration schemes (interface 2.2), so the history is read again as JSON.
    const hasSchemes = recorded !== null && recorded.proration_upgrade_scheme !== null;
    if (hasSchemes && isContinuedBy(stored[0], recorded)) {
      runInTransaction(open.cache, () => {
        replaceAllocations(open.cache, component, [...stored.toReversed(), recorded], now());
        setAllocationHistoryState(open.cache, component, 'complete', now());
      });
      return null;
    }
    this.#recordComponent(component, now() - 1);
    return await this.read(component);
  }

  /** Marks a subscription's statements as changed, so that they are read again. */
  markChanged(subscription: number): void {
    const { open, now } = this.#options;
    markStatementsStale({ site: open, now }, `subscription:${subscription}`);
  }

  #recordComponent(component: ComponentKey, changed_hint_at: number | null): void {
    const { open, source } = this.#options;
    const hint = { ...component, source, component_name: null, changed_hint_at };
    runInTransaction(open.cache, () => recordSubscriptionComponent(open.cache, hint));
  }
}

/** Returns true if an allocation is new and follows `newest`, the last entry of the history. */
function isContinuedBy(newest: Allocation | undefined, next: Allocation): boolean {
  if (newest === undefined) return true;
  return (
    newest.quantity === next.previous_quantity &&
    newest.timestamp <= next.timestamp &&
    !isSameAllocation(newest, next)
  );
}

const isMissing = (error: unknown) => error instanceof BillingError && error.code === 'not_found';
