import { z } from 'zod';
import {
  calendarDate,
  cents,
  direction,
  extra,
  moment,
  pageInput,
  pageOf,
  serviceId,
  siteName,
} from '../shared/common-schemas.ts';
import { query } from '../shared/procedure-kinds.ts';

/**
 * A transaction of a statement (interface 2.3). `amount_in_cents` is as sent; the ledger determines its effect on the
 * balance.
 */
export const transactionRow = z.object({
  id: serviceId,
  statement_id: serviceId,
  subscription_id: serviceId.nullable(),
  transaction_type: z.string(),
  type: z.string().nullable(),
  kind: z.string().nullable(),
  amount_in_cents: cents,
  starting_balance_in_cents: cents.nullable(),
  ending_balance_in_cents: cents.nullable(),
  success: z.boolean().nullable(),
  memo: z.string().nullable(),
  created_at: moment.nullable(),
  product_id: serviceId.nullable(),
  payment_id: serviceId.nullable(),
  gateway_transaction_id: z.string().nullable(),
  extra,
});
export type TransactionRow = z.infer<typeof transactionRow>;

export const transactionFilter = z.object({
  type: z.array(z.string()).optional(),
  kind: z.array(z.string()).optional(),
  subscription_id: serviceId.optional(),
  since: calendarDate.optional(),
  until: calendarDate.optional(),
});

export const transactions = {
  list: query
    .input(
      pageInput.extend({
        site: siteName,
        filter: transactionFilter.default({}),
        sort: z
          .object({
            by: z.enum(['created_at', 'id']).default('created_at'),
            direction: direction.default('desc'),
          })
          .default({ by: 'created_at', direction: 'desc' }),
      }),
    )
    .output(
      pageOf(transactionRow).extend({
        sums: z.array(z.object({ type: z.string(), count: z.int(), amount_in_cents: cents })).nullable(),
      }),
    ),
};
