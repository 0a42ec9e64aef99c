import { z } from 'zod';
import { allocationEntry } from './allocation.ts';
import { changeProcedures } from './allocation-changes.ts';
import { query, remoteCommand } from './kinds.ts';
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
} from './values.ts';

/** A subscription's component whose history is followed. */
export const allocationPair = z.object({
  subscription_id: serviceId,
  component_id: serviceId,
  component_name: z.string().nullable(),
  customer_name: z.string().nullable(),
  /** Null while nothing is held. */
  quantity: quantity.nullable(),
  allocations: z.int(),
  last_at: moment.nullable(),
  /** held: history read to its end; waiting: not read yet; missing: the service knows no such pair; problem: see sync problems. */
  state: z.enum(['held', 'waiting', 'missing', 'problem']),
  /** Where the pair was learned. */
  source: z.enum(['webhook', 'statement', 'user', 'file']),
  synced_at: moment.nullable(),
});
export type AllocationPair = z.infer<typeof allocationPair>;

const pairFilter = z.object({
  subscription_id: serviceId.optional(),
  component_id: serviceId.optional(),
  state: z.enum(['held', 'waiting', 'missing', 'problem']).optional(),
  search: z.string().max(200).optional(),
});
const pairSelection = {
  site: siteName,
  filter: pairFilter.default({}),
  sort: z
    .object({
      by: z.enum(['last_at', 'subscription_id']).default('last_at'),
      direction: direction.default('desc'),
    })
    .default({ by: 'last_at', direction: 'desc' }),
};

export const allocations = {
  pairs: query.input(pageInput.extend(pairSelection)).output(pageOf(allocationPair)),
  pairMarks: query.input(z.object({ ...pairSelection, ...marksInput })).output(marksOutput),
  /** The history of one pair, newest first. */
  list: query
    .input(pageInput.extend({ site: siteName, subscription_id: serviceId, component_id: serviceId }))
    .output(pageOf(allocationEntry)),
  /** Follows a pair from now on, and reads its history at once. */
  track: remoteCommand
    .input(z.object({ site: siteName, subscription_id: serviceId, component_id: serviceId }))
    .output(allocationPair),
  ...changeProcedures,
};
