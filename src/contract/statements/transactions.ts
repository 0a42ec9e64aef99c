import { z } from 'zod';
import {
  calendarDateSchema,
  centsSchema,
  directionSchema,
  extraSchema,
  momentSchema,
  pageInputSchema,
  pageOf,
  serviceIdSchema,
  siteNameSchema,
} from '../shared/common-schemas.ts';
import { query } from '../shared/procedure-kinds.ts';

/**
 * A transaction on a statement (interface 2.3). `amount_in_cents` is as sent; the ledger determines the effect on the
 * balance.
 */
export const transactionRowSchema = z.object({
  id: serviceIdSchema,
  statement_id: serviceIdSchema,
  subscription_id: serviceIdSchema.nullable(),
  transaction_type: z.string(),
  type: z.string().nullable(),
  kind: z.string().nullable(),
  amount_in_cents: centsSchema,
  starting_balance_in_cents: centsSchema.nullable(),
  ending_balance_in_cents: centsSchema.nullable(),
  success: z.boolean().nullable(),
  memo: z.string().nullable(),
  created_at: momentSchema.nullable(),
  product_id: serviceIdSchema.nullable(),
  payment_id: serviceIdSchema.nullable(),
  gateway_transaction_id: z.string().nullable(),
  extra: extraSchema,
});
export type TransactionRow = z.infer<typeof transactionRowSchema>;

export const transactionFilterSchema = z.object({
  type: z.array(z.string()).optional(),
  kind: z.array(z.string()).optional(),
  subscription_id: serviceIdSchema.optional(),
  since: calendarDateSchema.optional(),
  until: calendarDateSchema.optional(),
});

export const transactionProcedures = {
  list: query
    .input(
      pageInputSchema.extend({
        site: siteNameSchema,
        filter: transactionFilterSchema.default({}),
        sort: z
          .object({
            by: z.enum(['created_at', 'id']).default('created_at'),
            direction: directionSchema.default('desc'),
          })
          .default({ by: 'created_at', direction: 'desc' }),
      }),
    )
    .output(
      pageOf(transactionRowSchema).extend({
        sums: z
          .array(z.object({ type: z.string(), count: z.int(), amount_in_cents: centsSchema }))
          .nullable(),
      }),
    ),
};
