import type { PacingOptions } from '../../billing/index.ts';
import { contractError, type Inputs, type SubscriptionComponent } from '../../contract/index.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { ShellClient } from '../shared/start-options.ts';
import { createSiteConnection } from '../sites/connection.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { recordSubscriptionComponent } from '../store/allocations/subscription-component.ts';
import { shownSubscriptionComponent } from '../store/allocations/subscription-component-list.ts';
import { commit } from '../store/sqlite/connection.ts';
import { readAllocationHistory } from '../sync/allocations/allocation-history.ts';
import { createRunTally } from '../sync/shared/run-tally.ts';
import { openSyncProblems } from '../sync/shared/sync-problems.ts';

export interface FollowComponentContext {
  shell: ShellClient;
  stores: SiteDatabases;
  changes: ChangeEvents;
  now: () => number;
  pacing?: PacingOptions | undefined;
}

/**
 * Follows a subscription component and reads its history. Throws `not_found` if the service does not know the component.
 */
export async function followSubscriptionComponent(
  tools: FollowComponentContext,
  { site, subscription_id, component_id }: Inputs['allocations']['track'],
  signal: AbortSignal = new AbortController().signal,
): Promise<SubscriptionComponent> {
  const { stores, changes, now } = tools;
  const open = stores.open(site);
  const { cache } = open;
  const component = { subscription_id, component_id };
  const client = createSiteConnection(tools, open, { signal });
  try {
    const context = { site: open, client, tally: createRunTally(), now };
    const problems = openSyncProblems(cache, 'allocations', 'track', now);
    commit(cache, () =>
      recordSubscriptionComponent(cache, {
        ...component,
        source: 'user',
        component_name: null,
        changed_hint_at: null,
      }),
    );
    await readAllocationHistory(context, problems, component, signal);
  } finally {
    await client.close();
    changes.emit(site, 'allocations');
  }
  const shown = shownSubscriptionComponent(cache, component);
  if (shown !== null && shown.state !== 'missing') return shown;
  throw contractError({
    code: 'not_found',
    message: `${site} has no component ${component_id} on subscription ${subscription_id}.`,
    hint: 'Check both ids. The component stays in the list, marked as missing.',
    retryable: false,
  });
}
