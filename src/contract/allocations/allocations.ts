import { z } from 'zod';
import { createSortSchema, field, toPageSchema } from '../shared/common-schemas.ts';
import { definePageMarksQuery, definePageQuery, defineRemoteSiteCommand } from '../shared/procedure-kinds.ts';
import { allocationChangeProcedures } from './allocation-changes.ts';
import { allocationDetailSchema } from './allocation-schema.ts';

/** A subscription component whose allocation history is tracked. */
export const subscriptionComponentSchema = z.object({
  subscription_id: field.serviceId,
  component_id: field.serviceId,
  component_name: z.string().nullable(),
  customer_name: z.string().nullable(),
  /** Current quantity; null if no allocation of the component is stored. */
  quantity: field.quantity.nullable(),
  allocations: z.int(),
  last_at: field.moment.nullable(),
  /** State of the stored history. `waiting`: not read yet. `missing`: unknown to the service. `problem`: unreadable. */
  state: z.enum(['complete', 'waiting', 'missing', 'problem']),
  /** Origin of the subscription component: a webhook, a statement, a user, or a file. */
  source: z.enum(['webhook', 'statement', 'user', 'file']),
  synced_at: field.moment.nullable(),
});
export type SubscriptionComponent = z.infer<typeof subscriptionComponentSchema>;

export const componentFilterSchema = z.object({
  subscription_id: field.serviceId.optional(),
  component_id: field.serviceId.optional(),
  state: z.enum(['complete', 'waiting', 'missing', 'problem']).optional(),
  search: field.search.optional(),
});
export type SubscriptionComponentFilter = z.infer<typeof componentFilterSchema>;

const componentSelection = {
  filter: componentFilterSchema.default({}),
  sort: createSortSchema(['last_at', 'subscription_id'], 'desc'),
};

export const allocationProcedures = {
  components: definePageQuery(componentSelection).output(toPageSchema(subscriptionComponentSchema)),
  componentMarks: definePageMarksQuery(componentSelection),
  /** Lists the allocations of one subscription component, newest first. */
  list: definePageQuery({ subscription_id: field.serviceId, component_id: field.serviceId }).output(
    toPageSchema(allocationDetailSchema),
  ),
  /** Tracks a subscription component and reads its allocation history immediately. */
  track: defineRemoteSiteCommand({ subscription_id: field.serviceId, component_id: field.serviceId }).output(
    subscriptionComponentSchema,
  ),
  ...allocationChangeProcedures,
};
