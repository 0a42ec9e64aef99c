import { z } from 'zod';
import { createSortSchema, field, toPageSchema } from '../shared/common-schemas.ts';
import { definePageQuery } from '../shared/procedure-kinds.ts';

/** A transaction (interface 2.3). `amount_in_cents` is as sent. Its effect on the balance depends on the type. */
export const transactionRowSchema = z.object({
  id: field.serviceId,
  statement_id: field.serviceId,
  subscription_id: field.serviceId.nullable(),
  transaction_type: z.string(),
  type: z.string().nullable(),
  kind: z.string().nullable(),
  amount_in_cents: field.cents,
  starting_balance_in_cents: field.cents.nullable(),
  ending_balance_in_cents: field.cents.nullable(),
  success: z.boolean().nullable(),
  memo: z.string().nullable(),
  created_at: field.moment.nullable(),
  product_id: field.serviceId.nullable(),
  payment_id: field.serviceId.nullable(),
  gateway_transaction_id: z.string().nullable(),
  extra: field.extra,
});
export type TransactionRow = z.infer<typeof transactionRowSchema>;

export const transactionFilterSchema = z.object({
  type: z.array(z.string()).optional(),
  kind: z.array(z.string()).optional(),
  subscription_id: field.serviceId.optional(),
  since: field.date.optional(),
  until: field.date.optional(),
});

export const transactionProcedures = {
  list: definePageQuery({
    filter: transactionFilterSchema.default({}),
    sort: createSortSchema(['created_at', 'id'], 'desc'),
  }).output(
    toPageSchema(transactionRowSchema).extend({
      sums: z.array(z.object({ type: z.string(), count: z.int(), amount_in_cents: field.cents })).nullable(),
    }),
  ),
};
