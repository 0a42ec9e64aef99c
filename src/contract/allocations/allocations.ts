import { z } from 'zod';
import { field, sortBy, toPageSchema } from '../shared/common-schemas.ts';
import { marksQuery, pageQuery, remoteSiteCommand } from '../shared/procedure-kinds.ts';
import { allocationChangeProcedures } from './allocation-changes.ts';
import { allocationEntrySchema } from './allocation-schema.ts';

/** A subscription component whose allocation history is tracked. */
export const subscriptionComponentSchema = z.object({
  subscription_id: field.serviceId,
  component_id: field.serviceId,
  component_name: z.string().nullable(),
  customer_name: z.string().nullable(),
  /** Current quantity; null if nothing is stored. */
  quantity: field.quantity.nullable(),
  allocations: z.int(),
  last_at: field.moment.nullable(),
  /** State of the history. `waiting`: not read yet. `missing`: unknown to the service. `problem`: not readable. */
  state: z.enum(['complete', 'waiting', 'missing', 'problem']),
  /** Record in which the subscription component was discovered. */
  source: z.enum(['webhook', 'statement', 'user', 'file']),
  synced_at: field.moment.nullable(),
});
export type SubscriptionComponent = z.infer<typeof subscriptionComponentSchema>;

const componentFilter = z.object({
  subscription_id: field.serviceId.optional(),
  component_id: field.serviceId.optional(),
  state: z.enum(['complete', 'waiting', 'missing', 'problem']).optional(),
  search: field.search.optional(),
});
const componentSelection = {
  filter: componentFilter.default({}),
  sort: sortBy(['last_at', 'subscription_id'], 'desc'),
};

export const allocationProcedures = {
  components: pageQuery(componentSelection).output(toPageSchema(subscriptionComponentSchema)),
  componentMarks: marksQuery(componentSelection),
  /** Lists the allocations of one subscription component, newest first. */
  list: pageQuery({ subscription_id: field.serviceId, component_id: field.serviceId }).output(
    toPageSchema(allocationEntrySchema),
  ),
  /** Tracks a subscription component and reads its allocation history immediately. */
  track: remoteSiteCommand({ subscription_id: field.serviceId, component_id: field.serviceId }).output(
    subscriptionComponentSchema,
  ),
  ...allocationChangeProcedures,
};
