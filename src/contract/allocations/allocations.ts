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

/** A subscription's component whose history is followed. */
export const subscriptionComponent = z.object({
  subscription_id: serviceId,
  component_id: serviceId,
  component_name: z.string().nullable(),
  customer_name: z.string().nullable(),
  /** Null while nothing is held. */
  quantity: quantity.nullable(),
  allocations: z.int(),
  last_at: moment.nullable(),
  /** held: history read to its end; waiting: not read yet; missing: the service knows no such pair; problem: see sync problems. */
  state: z.enum(['complete', 'waiting', 'missing', 'problem']),
  /** Where the pair was learned. */
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
  /** The history of one pair, newest first. */
  list: query
    .input(pageInput.extend({ site: siteName, subscription_id: serviceId, component_id: serviceId }))
    .output(pageOf(allocationEntry)),
  /** Follows a pair from now on, and reads its history at once. */
  track: remoteCommand
    .input(z.object({ site: siteName, subscription_id: serviceId, component_id: serviceId }))
    .output(subscriptionComponent),
  ...changeProcedures,
};
