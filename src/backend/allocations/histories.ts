import type { BillingClient, ListAnswer, Allocation as Recorded } from '../../billing/index.ts';
import type { History } from '../../domain/allocations/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { replaceAllocations } from '../store/allocations/allocation.ts';
import { notePair, type PairKey, type PairSource, setPairState } from '../store/allocations/pair.ts';
import { heldAllocations, pairOf } from '../store/allocations/pair-needs.ts';
import { commit } from '../store/database.ts';
import { moment } from '../store/moment.ts';
import { readHistory } from '../sync/allocation-history.ts';
import { isSame } from '../sync/history.ts';
import { openProblems } from '../sync/problems.ts';
import type { RunTally } from '../sync/tally.ts';
import { noteStale } from '../sync/webhook-store.ts';

/** What the service says of a pair's history now. */
export type Told =
  | { readonly is: 'held'; readonly history: History; readonly service_at: number | null }
  | { readonly is: 'missing' }
  | { readonly is: 'unreadable' };

/** The histories of pairs, read from the service and kept in the cache. */
export interface Histories {
  /** Reads a pair's history anew. Throws BillingError where the service cannot be asked. */
  read(pair: PairKey): Promise<Told>;
  /** Which of a missing pair's two ids the service does not know, in a sentence. Throws BillingError. */
  whichIsMissing(pair: PairKey): Promise<string>;
  /**
   * Adds what the service recorded just now, or reads the history again where that does not continue it; gives it where it was
   * read. Throws BillingError; the next sync reads it then.
   */
  add(pair: PairKey, recorded: Recorded | null): Promise<Told | null>;
  /** Notes that a subscription's statements have changed, so that they are read again: here, or by the next sync. */
  changed(subscription: number): void;
}

export interface HistoriesOptions {
  open: OpenSite;
  client: BillingClient;
  tally: RunTally;
  now: () => number;
  job: string;
  /** How pairs that were not followed before were learned. */
  source: PairSource;
  signal: AbortSignal;
}

export function openHistories(options: HistoriesOptions): Histories {
  const { open, tally, now, job, source, signal } = options;
  const { cache } = open;
  const problems = openProblems(cache, 'allocations', job, now);
  /** How far the service's clock is ahead of ours, by its last answer. */
  let ahead: number | null = null;
  const client: BillingClient = {
    ...options.client,
    async listAllocations(...call): Promise<ListAnswer<Recorded>> {
      const answer = await options.client.listAllocations(...call);
      if (answer.meta.server_time !== null) ahead = answer.meta.server_time - now();
      return answer;
    },
  };

  async function read(pair: PairKey): Promise<Told> {
    commit(cache, () => notePair(cache, { ...pair, source, component_name: null, hinted_at: null }));
    const readable = await readHistory({ site: open, client, tally, now }, problems, pair, signal);
    const stored = pairOf(cache, pair);
    if (stored?.state === 'missing') return { is: 'missing' };
    if (!readable || stored?.state !== 'held') return { is: 'unreadable' };
    const readAt = stored.read_at ?? now();
    const entries = heldAllocations(cache, pair).map((entry) => ({
      ...entry,
      at: moment(entry.timestamp) ?? 0,
    }));
    return {
      is: 'held',
      history: { entries, readAt } as History,
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
    async add(pair, recorded) {
      const held = heldAllocations(cache, pair);
      const newest = held[0];
      // By XML an allocation comes without its schemes (interface 2.2): then the history is read, which is by JSON.
      const whole = recorded !== null && recorded.proration_upgrade_scheme !== null;
      const follows =
        newest === undefined ||
        (recorded !== null &&
          newest.quantity === recorded.previous_quantity &&
          newest.timestamp <= recorded.timestamp);
      if (whole && follows && (newest === undefined || !isSame(newest, recorded))) {
        commit(cache, () => {
          replaceAllocations(cache, pair, [...held.toReversed(), recorded], now());
          setPairState(cache, pair, 'held', now());
        });
        return null;
      }
      const hint = { ...pair, source, component_name: null, hinted_at: now() - 1 };
      commit(cache, () => notePair(cache, hint));
      return await read(pair);
    },
    changed(subscription) {
      noteStale({ site: open, now }, `subscription:${subscription}`);
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'not_found';
}
