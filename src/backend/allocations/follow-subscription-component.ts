import {
  type ContractInputs,
  createNonRetryableError,
  type SubscriptionComponent,
} from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { createSiteConnection } from '../sites/billing-connection.ts';
import { getSubscriptionComponent } from '../store/allocations/subscription-component-list.ts';
import { AllocationHistories } from './allocation-histories.ts';

/** Follows a subscription component and reads its history. Throws `not_found` if the service does not know it. */
export async function followSubscriptionComponent(
  context: CommandContext,
  { site, subscription_id, component_id }: ContractInputs['allocations']['track'],
  signal: AbortSignal = new AbortController().signal,
): Promise<SubscriptionComponent> {
  const { stores, changes, now } = context;
  const open = stores.open(site);
  const component = { subscription_id, component_id };
  const client = createSiteConnection(context, open, { signal });
  try {
    const histories = new AllocationHistories({ open, client, now, job: 'track', source: 'user', signal });
    await histories.read(component);
  } finally {
    await client.close();
    changes.emit(site, 'allocations');
  }
  const followed = getSubscriptionComponent(open.cache, component);
  if (followed !== null && followed.state !== 'missing') return followed;
  throw createNonRetryableError(
    'not_found',
    `${site} has no component ${component_id} on subscription ${subscription_id}.`,
    'Check both ids. The component stays in the list, marked as missing.',
  );
}
