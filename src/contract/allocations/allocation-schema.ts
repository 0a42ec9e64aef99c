import { z } from 'zod';
import {
  centsSchema,
  extraSchema,
  momentSchema,
  quantitySchema,
  serviceIdSchema,
} from '../shared/common-schemas.ts';

/**
 * A change of a component's quantity (interface 2.2). It has no ID. Its subscription component, timestamp and `ordinal`
 * identify it.
 */
export const allocationSchema = z.object({
  subscription_id: serviceIdSchema,
  component_id: serviceIdSchema,
  timestamp: momentSchema,
  /** Position among the allocations of the same second, oldest first, starting at 0. */
  ordinal: z.int(),
  quantity: quantitySchema,
  previous_quantity: quantitySchema,
  memo: z.string().nullable(),
  proration_upgrade_scheme: z.string().nullable(),
  proration_downgrade_scheme: z.string().nullable(),
  /**
   * False if `previous_quantity` differs from the previous allocation's quantity. Null for the first stored allocation.
   */
  chained: z.boolean().nullable(),
  extra: extraSchema,
});
export type Allocation = z.infer<typeof allocationSchema>;

/** An allocation with its webhook and the charges or credits it caused, if stored. */
export const allocationEntrySchema = allocationSchema.extend({
  /** Direction in which the allocation changed the quantity. */
  direction: z.enum(['upgrade', 'downgrade', 'none']),
  webhook: z
    .object({
      id: serviceIdSchema,
      delivery: z.enum(['accepted', 'failed', 'pending']),
      created_at: momentSchema.nullable(),
    })
    .nullable(),
  transactions: z.array(
    z.object({
      id: serviceIdSchema,
      statement_id: serviceIdSchema,
      transaction_type: z.string(),
      kind: z.string().nullable(),
      amount_in_cents: centsSchema,
      memo: z.string().nullable(),
    }),
  ),
});
export type AllocationEntry = z.infer<typeof allocationEntrySchema>;
