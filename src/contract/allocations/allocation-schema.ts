import { z } from 'zod';
import { cents, extra, moment, quantity, serviceId } from '../shared/common-schemas.ts';

/**
 * A change of a component's quantity (interface 2.2). It has no ID. Its subscription component, timestamp and `ordinal`
 * identify it.
 */
export const allocation = z.object({
  subscription_id: serviceId,
  component_id: serviceId,
  timestamp: moment,
  /** Position among the allocations of the same second, oldest first, starting at 0. */
  ordinal: z.int(),
  quantity,
  previous_quantity: quantity,
  memo: z.string().nullable(),
  proration_upgrade_scheme: z.string().nullable(),
  proration_downgrade_scheme: z.string().nullable(),
  /**
   * False if `previous_quantity` differs from the previous allocation's quantity. Null for the first stored allocation.
   */
  chained: z.boolean().nullable(),
  extra,
});
export type Allocation = z.infer<typeof allocation>;

/** An allocation with its webhook and the charges or credits it caused, if stored. */
export const allocationEntry = allocation.extend({
  /** Whether it increased or decreased the quantity. */
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
