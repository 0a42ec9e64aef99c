import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';

/** A quantity change (interface 2.2), identified by its subscription component, timestamp and `ordinal`. */
export const allocationSchema = z.object({
  subscription_id: field.serviceId,
  component_id: field.serviceId,
  timestamp: field.moment,
  /** Position among the allocations of the same second, oldest first, starting at 0. */
  ordinal: z.int(),
  quantity: field.quantity,
  previous_quantity: field.quantity,
  memo: z.string().nullable(),
  proration_upgrade_scheme: z.string().nullable(),
  proration_downgrade_scheme: z.string().nullable(),
  /** False if `previous_quantity` differs from the previous allocation's quantity. Null for the first allocation. */
  chained: z.boolean().nullable(),
  extra: field.extra,
});
export type Allocation = z.infer<typeof allocationSchema>;

/** An allocation with its webhook and the charges or credits it caused, if stored. */
export const allocationDetailSchema = allocationSchema.extend({
  /** Direction in which the allocation changed the quantity. */
  direction: z.enum(['upgrade', 'downgrade', 'none']),
  webhook: z
    .object({
      id: field.serviceId,
      delivery: z.enum(['accepted', 'failed', 'pending']),
      created_at: field.moment.nullable(),
    })
    .nullable(),
  transactions: z.array(
    z.object({
      id: field.serviceId,
      statement_id: field.serviceId,
      transaction_type: z.string(),
      kind: z.string().nullable(),
      amount_in_cents: field.cents,
      memo: z.string().nullable(),
    }),
  ),
});
export type AllocationDetail = z.infer<typeof allocationDetailSchema>;
