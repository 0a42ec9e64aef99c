import { z } from 'zod';
import {
  direction,
  marksInput,
  marksOutput,
  moment,
  pageInput,
  pageOf,
  quantity,
  serviceId,
  siteName,
} from '../shared/common-schemas.ts';
import { query, remoteCommand } from '../shared/procedure-kinds.ts';
import { changeProcedures } from './allocation-changes.ts';
import { allocationEntry } from './allocation-schema.ts';

/** A subscription component whose history is tracked. */
export const subscriptionComponent = z.object({
  subscription_id: serviceId,
  component_id: serviceId,
  component_name: z.string().nullable(),
  customer_name: z.string().nullable(),
  /** Null if nothing is stored. */
  quantity: quantity.nullable(),
  allocations: z.int(),
  last_at: moment.nullable(),
  /**
   * complete: the whole history is stored. waiting: not read yet. missing: unknown to the service. problem: see the sync
   * problems.
   */
  state: z.enum(['complete', 'waiting', 'missing', 'problem']),
  /** Where the subscription component was discovered. */
  source: z.enum(['webhook', 'statement', 'user', 'file']),
  synced_at: moment.nullable(),
});
export type SubscriptionComponent = z.infer<typeof subscriptionComponent>;

const componentFilter = z.object({
  subscription_id: serviceId.optional(),
  component_id: serviceId.optional(),
  state: z.enum(['complete', 'waiting', 'missing', 'problem']).optional(),
  search: z.string().max(200).optional(),
});
const componentSelection = {
  site: siteName,
  filter: componentFilter.default({}),
  sort: z
    .object({
      by: z.enum(['last_at', 'subscription_id']).default('last_at'),
      direction: direction.default('desc'),
    })
    .default({ by: 'last_at', direction: 'desc' }),
};

export const allocations = {
  components: query.input(pageInput.extend(componentSelection)).output(pageOf(subscriptionComponent)),
  componentMarks: query.input(z.object({ ...componentSelection, ...marksInput })).output(marksOutput),
  /** Lists the history of one subscription component, newest first. */
  list: query
    .input(pageInput.extend({ site: siteName, subscription_id: serviceId, component_id: serviceId }))
    .output(pageOf(allocationEntry)),
  /** Tracks a subscription component and reads its history immediately. */
  track: remoteCommand
    .input(z.object({ site: siteName, subscription_id: serviceId, component_id: serviceId }))
    .output(subscriptionComponent),
  ...changeProcedures,
};
