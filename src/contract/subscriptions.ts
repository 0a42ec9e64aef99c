import { z } from 'zod';
import { query } from './kinds.ts';
import {
  cents,
  direction,
  marksInput,
  marksOutput,
  moment,
  pageInput,
  pageOf,
  serviceId,
  siteName,
} from './values.ts';

/** A subscription as statements, webhooks and allocations show it; the service has no list of its own. */
export const subscriptionRow = z.object({
  subscription_id: serviceId,
  customer_name: z.string().nullable(),
  customer_organization: z.string().nullable(),
  statements: z.int(),
  unpaid: z.int(),
  /** Closing balance of its latest closed statement. */
  balance_in_cents: cents.nullable(),
  last_closed_at: moment.nullable(),
});
export type SubscriptionRow = z.infer<typeof subscriptionRow>;

const selection = {
  site: siteName,
  filter: z.object({ search: z.string().max(200).optional() }).default({}),
  sort: z
    .object({
      by: z.enum(['subscription_id', 'customer_name', 'balance_in_cents']).default('subscription_id'),
      direction: direction.default('asc'),
    })
    .default({ by: 'subscription_id', direction: 'asc' }),
};

export const subscriptions = {
  list: query.input(pageInput.extend(selection)).output(pageOf(subscriptionRow)),
  marks: query.input(z.object({ ...selection, ...marksInput })).output(marksOutput),
  get: query.input(z.object({ site: siteName, subscription_id: serviceId })).output(subscriptionRow),
};
