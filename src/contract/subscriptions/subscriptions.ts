import { z } from 'zod';
import { allocationSchema } from '../allocations/allocation-schema.ts';
import { exceptionRowSchema } from '../checks/exceptions.ts';
import { createSortSchema, field, toPageSchema } from '../shared/common-schemas.ts';
import { definePageMarksQuery, definePageQuery, defineSiteQuery } from '../shared/procedure-kinds.ts';
import { statementEventSchema, statementRowSchema } from '../statements/statements.ts';
import { transactionRowSchema } from '../statements/transactions.ts';
import { webhookRowSchema } from '../webhooks/webhooks.ts';

/** A subscription, derived from other records, because the service has no list of subscriptions. */
export const subscriptionRowSchema = z.object({
  subscription_id: field.serviceId,
  customer_name: z.string().nullable(),
  customer_organization: z.string().nullable(),
  statements: z.int(),
  unpaid: z.int(),
  /** Closing balance of the subscription's latest closed statement, in cents. */
  balance_in_cents: field.cents.nullable(),
  last_closed_at: field.moment.nullable(),
});
export type SubscriptionRow = z.infer<typeof subscriptionRowSchema>;

/** Kinds of entries in a subscription's activity. */
export const activityKindSchema = z.enum([
  'statement',
  'transaction',
  'event',
  'allocation',
  'webhook',
  'exception',
]);
export type ActivityKind = z.infer<typeof activityKindSchema>;

/** Time of the activity entry as written by the service. For an exception, its date in ISO 8601 UTC. Null if unknown. */
const at = { at: field.moment.nullable() };

/**
 * An entry of a subscription's activity. A statement has up to three entries: `opened`, `closed` and `settled`. The
 * openings show whether balances were brought forward correctly.
 */
const activityEntrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('statement'),
    ...at,
    milestone: z.enum(['opened', 'closed', 'settled']),
    statement: statementRowSchema,
    /** Source of the balance brought forward by an `opened` entry. Null for the first statement and other kinds. */
    brought_forward: z
      .object({
        from_statement_id: field.serviceId,
        closing_balance_in_cents: field.cents,
        /** Opening balance minus the previous closing balance. Zero if they agree. */
        step_in_cents: field.cents,
      })
      .nullable(),
  }),
  z.object({
    kind: z.literal('transaction'),
    ...at,
    transaction: transactionRowSchema,
    /** Effect on the balance owed, in cents; null if unknown. */
    effect_in_cents: field.cents.nullable(),
  }),
  z.object({ kind: z.literal('event'), ...at, statement_id: field.serviceId, event: statementEventSchema }),
  z.object({
    kind: z.literal('allocation'),
    ...at,
    component_name: z.string().nullable(),
    allocation: allocationSchema,
  }),
  z.object({ kind: z.literal('webhook'), ...at, webhook: webhookRowSchema }),
  z.object({ kind: z.literal('exception'), ...at, exception: exceptionRowSchema }),
]);
export type ActivityEntry = z.infer<typeof activityEntrySchema>;

/** Balance from a given time onward, as sent by the service at openings, closings and transactions that state it. */
const balancePointSchema = z.object({
  at: field.moment,
  balance_in_cents: field.cents,
  statement_id: field.serviceId,
});
/** Component quantity over time. The first point also contains the quantity before it. */
const componentStepsSchema = z.object({
  component_id: field.serviceId,
  component_name: z.string().nullable(),
  before: field.quantity.nullable(),
  steps: z.array(z.object({ at: field.moment, quantity: field.quantity })),
});

export const subscriptionFilterSchema = z.object({ search: field.search.optional() });
export type SubscriptionFilter = z.infer<typeof subscriptionFilterSchema>;

const selection = {
  filter: subscriptionFilterSchema.default({}),
  sort: createSortSchema(['subscription_id', 'customer_name', 'balance_in_cents'], 'asc'),
};

export const subscriptionProcedures = {
  list: definePageQuery(selection).output(toPageSchema(subscriptionRowSchema)),
  marks: definePageMarksQuery(selection),
  get: defineSiteQuery({ subscription_id: field.serviceId }).output(subscriptionRowSchema),
  /** Lists the stored activity of a subscription in chronological order. `kinds` limits the kinds of entries. */
  activity: definePageQuery({
    subscription_id: field.serviceId,
    kinds: z.array(activityKindSchema).min(1).optional(),
    direction: field.direction.default('asc'),
  }).output(
    toPageSchema(activityEntrySchema).extend({
      /** Figures of the complete activity, regardless of `kinds`. Set only on the first page. */
      figures: z
        .object({
          subscription: subscriptionRowSchema,
          counts: z.record(activityKindSchema, z.int()),
          open_exceptions: z.int(),
          /** Number of webhooks that were not accepted. */
          not_accepted: z.int(),
          /** Balance over time, oldest first, at most 5,000 points. If there are more, only openings and closings. */
          balance: z.array(balancePointSchema),
          /** The newest 5,000 steps of each component, oldest first. */
          components: z.array(componentStepsSchema),
        })
        .nullable(),
    }),
  ),
};
