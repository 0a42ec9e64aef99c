import { z } from 'zod';
import { cents, extra, moment, quantity, serviceId } from '../shared/common-schemas.ts';

/** One change of a component's quantity (interface 2.2). It has no id: its identity is pair, timestamp and `ordinal`. */
export const allocation = z.object({
  subscription_id: serviceId,
  component_id: serviceId,
  timestamp: moment,
  /** Place among the allocations of the same second, oldest first, from 0. */
  ordinal: z.int(),
  quantity,
  previous_quantity: quantity,
  memo: z.string().nullable(),
  proration_upgrade_scheme: z.string().nullable(),
  proration_downgrade_scheme: z.string().nullable(),
  /** False where previous_quantity is not the quantity before it; null for the first one held. */
  chained: z.boolean().nullable(),
  extra,
});
export type Allocation = z.infer<typeof allocation>;

/** A change in a pair's history, with the webhook that told of it and the charges or credits it led to, where they are held. */
export const allocationEntry = allocation.extend({
  /** Whether it raised or lowered the quantity. */
  direction: z.enum(['upgrade', 'downgrade', 'none']),
  webhook: z
    .object({
      id: serviceId,
      delivery: z.enum(['accepted', 'failed', 'pending']),
      created_at: moment.nullable(),
    })
    .nullable(),
  transactions: z.array(
    z.object({
      id: serviceId,
      statement_id: serviceId,
      transaction_type: z.string(),
      kind: z.string().nullable(),
      amount_in_cents: cents,
      memo: z.string().nullable(),
    }),
  ),
});
export type AllocationEntry = z.infer<typeof allocationEntry>;
