import { z } from 'zod';
import {
  directionSchema,
  marksInput,
  marksOutputSchema,
  momentSchema,
  pageInputSchema,
  pageOf,
  quantitySchema,
  serviceIdSchema,
  siteNameSchema,
} from '../shared/common-schemas.ts';
import { query, remoteCommand } from '../shared/procedure-kinds.ts';
import { allocationChangeProcedures } from './allocation-changes.ts';
import { allocationEntrySchema } from './allocation-schema.ts';

/** A subscription component whose allocation history is tracked. */
export const subscriptionComponentSchema = z.object({
  subscription_id: serviceIdSchema,
  component_id: serviceIdSchema,
  component_name: z.string().nullable(),
  customer_name: z.string().nullable(),
  /** Current quantity; null if nothing is stored. */
  quantity: quantitySchema.nullable(),
  allocations: z.int(),
  last_at: momentSchema.nullable(),
  /**
   * State of the allocation history. `complete`: all allocations are stored. `waiting`: not read yet. `missing`: unknown
   * to the service. `problem`: see the sync problems.
   */
  state: z.enum(['complete', 'waiting', 'missing', 'problem']),
  /** Record in which the subscription component was discovered. */
  source: z.enum(['webhook', 'statement', 'user', 'file']),
  synced_at: momentSchema.nullable(),
});
export type SubscriptionComponent = z.infer<typeof subscriptionComponentSchema>;

const componentFilter = z.object({
  subscription_id: serviceIdSchema.optional(),
  component_id: serviceIdSchema.optional(),
  state: z.enum(['complete', 'waiting', 'missing', 'problem']).optional(),
  search: z.string().max(200).optional(),
});
const componentSelection = {
  site: siteNameSchema,
  filter: componentFilter.default({}),
  sort: z
    .object({
      by: z.enum(['last_at', 'subscription_id']).default('last_at'),
      direction: directionSchema.default('desc'),
    })
    .default({ by: 'last_at', direction: 'desc' }),
};

export const allocationProcedures = {
  components: query
    .input(pageInputSchema.extend(componentSelection))
    .output(pageOf(subscriptionComponentSchema)),
  componentMarks: query.input(z.object({ ...componentSelection, ...marksInput })).output(marksOutputSchema),
  /** Lists the allocations of one subscription component, newest first. */
  list: query
    .input(
      pageInputSchema.extend({
        site: siteNameSchema,
        subscription_id: serviceIdSchema,
        component_id: serviceIdSchema,
      }),
    )
    .output(pageOf(allocationEntrySchema)),
  /** Tracks a subscription component and reads its allocation history immediately. */
  track: remoteCommand
    .input(
      z.object({ site: siteNameSchema, subscription_id: serviceIdSchema, component_id: serviceIdSchema }),
    )
    .output(subscriptionComponentSchema),
  ...allocationChangeProcedures,
};
