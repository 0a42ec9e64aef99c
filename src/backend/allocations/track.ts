import type { PacingOptions } from '../../billing/index.ts';
import { type AllocationPair, contractError, type Inputs } from '../../contract/index.ts';
import type { Changes } from '../jobs/changes.ts';
import { connectSite } from '../sites/connection.ts';
import type { Stores } from '../sites/stores.ts';
import type { ShellClient } from '../start.ts';
import { notePair } from '../store/allocations/pair.ts';
import { shownPair } from '../store/allocations/pair-list.ts';
import { commit } from '../store/database.ts';
import { readHistory } from '../sync/allocation-history.ts';
import { openProblems } from '../sync/problems.ts';
import { createTally } from '../sync/tally.ts';

export interface TrackTools {
  shell: ShellClient;
  stores: Stores;
  changes: Changes;
  now: () => number;
  pacing?: PacingOptions | undefined;
}

/** Follows a pair from now on, and reads its history at once. Throws `not_found` where the service knows no such pair. */
export async function trackPair(
  tools: TrackTools,
  { site, subscription_id, component_id }: Inputs['allocations']['track'],
  signal: AbortSignal = new AbortController().signal,
): Promise<AllocationPair> {
  const { stores, changes, now } = tools;
  const open = stores.open(site);
  const { cache } = open;
  const pair = { subscription_id, component_id };
  const client = connectSite(tools, open, { signal });
  try {
    const context = { site: open, client, tally: createTally(), now };
    const problems = openProblems(cache, 'allocations', 'track', now);
    commit(cache, () => notePair(cache, { ...pair, source: 'user', component_name: null, hinted_at: null }));
    await readHistory(context, problems, pair, signal);
  } finally {
    await client.close();
    changes.tell(site, 'allocations');
  }
  const shown = shownPair(cache, pair);
  if (shown !== null && shown.state !== 'missing') return shown;
  throw contractError({
    code: 'not_found',
    message: `${site} has no subscription ${subscription_id} with a component ${component_id}.`,
    hint: 'Check both numbers; the pair is kept and marked as missing.',
    retryable: false,
  });
}
