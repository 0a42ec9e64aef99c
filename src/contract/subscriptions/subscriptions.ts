import { z } from 'zod';
import { allocationSchema } from '../allocations/allocation-schema.ts';
import { exceptionRowSchema } from '../checks/exceptions.ts';
import {
  centsSchema,
  directionSchema,
  marksInput,
  marksOutputSchema,
  momentSchema,
  pageInputSchema,
  pageOf,
  quantitySchema,
  serviceIdSchema,
  siteNameSchema,
} from '../shared/common-schemas.ts';
import { query } from '../shared/procedure-kinds.ts';
import { statementEventSchema, statementRowSchema } from '../statements/statements.ts';
import { transactionRowSchema } from '../statements/transactions.ts';
import { webhookRowSchema } from '../webhooks/webhooks.ts';

/**
 * A subscription, derived from statements, webhooks and allocations, because the service has no list of subscriptions.
 */
export const subscriptionRowSchema = z.object({
  subscription_id: serviceIdSchema,
  customer_name: z.string().nullable(),
  customer_organization: z.string().nullable(),
  statements: z.int(),
  unpaid: z.int(),
  /** Closing balance of the subscription's latest closed statement, in cents. */
  balance_in_cents: centsSchema.nullable(),
  last_closed_at: momentSchema.nullable(),
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

/** Time of the entry as written by the service. For an exception, its date in ISO 8601 UTC. Null if unknown. */
const at = { at: momentSchema.nullable() };

/**
 * An entry of a subscription's activity. A statement has up to three entries: `opened`, `closed` and `settled`. The
 * openings show whether balances were brought forward correctly.
 */
export const activityEntrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('statement'),
    ...at,
    milestone: z.enum(['opened', 'closed', 'settled']),
    statement: statementRowSchema,
    /**
     * For an `opened` entry: how the balance was brought forward from the previous statement. Null for the first one and
     * for other entries.
     */
    brought_forward: z
      .object({
        from_statement_id: serviceIdSchema,
        closing_balance_in_cents: centsSchema,
        /** Opening balance minus the previous closing balance. Zero if they agree. */
        step_in_cents: centsSchema,
      })
      .nullable(),
  }),
  z.object({
    kind: z.literal('transaction'),
    ...at,
    transaction: transactionRowSchema,
    /** Effect on the balance owed, in cents; null if unknown. */
    effect_in_cents: centsSchema.nullable(),
  }),
  z.object({ kind: z.literal('event'), ...at, statement_id: serviceIdSchema, event: statementEventSchema }),
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
export const balancePointSchema = z.object({
  at: momentSchema,
  balance_in_cents: centsSchema,
  statement_id: serviceIdSchema,
});
/** Quantity of a component over time. The first point also contains the previous quantity. */
export const componentStepsSchema = z.object({
  component_id: serviceIdSchema,
  component_name: z.string().nullable(),
  before: quantitySchema.nullable(),
  steps: z.array(z.object({ at: momentSchema, quantity: quantitySchema })),
});

const selection = {
  site: siteNameSchema,
  filter: z.object({ search: z.string().max(200).optional() }).default({}),
  sort: z
    .object({
      by: z.enum(['subscription_id', 'customer_name', 'balance_in_cents']).default('subscription_id'),
      direction: directionSchema.default('asc'),
    })
    .default({ by: 'subscription_id', direction: 'asc' }),
};

export const subscriptionProcedures = {
  list: query.input(pageInputSchema.extend(selection)).output(pageOf(subscriptionRowSchema)),
  marks: query.input(z.object({ ...selection, ...marksInput })).output(marksOutputSchema),
  get: query
    .input(z.object({ site: siteNameSchema, subscription_id: serviceIdSchema }))
    .output(subscriptionRowSchema),
  /** Lists the stored activity of a subscription in chronological order. `kinds` limits the kinds of entries. */
  activity: query
    .input(
      pageInputSchema.extend({
        site: siteNameSchema,
        subscription_id: serviceIdSchema,
        kinds: z.array(activityKindSchema).min(1).optional(),
        direction: directionSchema.default('asc'),
      }),
    )
    .output(
      pageOf(activityEntrySchema).extend({
        /** Figures of the complete activity, regardless of `kinds`. Only on the first page. */
        figures: z
          .object({
            subscription: subscriptionRowSchema,
            counts: z.record(activityKindSchema, z.int()),
            /** Number of open exceptions. */
            open_exceptions: z.int(),
            /** Number of webhooks that were not accepted. */
            not_accepted: z.int(),
            /**
             * Balance over time, oldest first, at most 5,000 points. If there are more, only openings and closings are
             * included.
             */
            balance: z.array(balancePointSchema),
            /** The newest 5,000 steps of each component, oldest first. */
            components: z.array(componentStepsSchema),
          })
          .nullable(),
      }),
    ),
};
