import { z } from 'zod';
import { allocation } from '../allocations/allocation-schema.ts';
import { exceptionRow } from '../checks/exceptions.ts';
import {
  cents,
  direction,
  marksInput,
  marksOutput,
  moment,
  pageInput,
  pageOf,
  quantity,
  serviceId,
  siteName,
} from '../shared/common-schemas.ts';
import { query } from '../shared/procedure-kinds.ts';
import { statementEvent, statementRow } from '../statements/statements.ts';
import { transactionRow } from '../statements/transactions.ts';
import { webhookRow } from '../webhooks/webhooks.ts';

/**
 * A subscription, derived from statements, webhooks and allocations, because the service has no list of subscriptions.
 */
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

/** Kinds of entries in a subscription's activity. */
export const activityKind = z.enum([
  'statement',
  'transaction',
  'event',
  'allocation',
  'webhook',
  'exception',
]);
export type ActivityKind = z.infer<typeof activityKind>;

/** Time of the event as written by the service. For an exception, its date in ISO 8601 UTC. Null if unknown. */
const at = { at: moment.nullable() };

/**
 * An entry of a subscription's activity. A statement has up to three entries: `opened`, `closed` and `settled`. The
 * openings show whether balances were brought forward correctly.
 */
export const activityEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('statement'),
    ...at,
    milestone: z.enum(['opened', 'closed', 'settled']),
    statement: statementRow,
    /**
     * For an opening, how the balance was brought forward from the previous statement. Null for the first opening and for
     * other entries.
     */
    brought_forward: z
      .object({
        from_statement_id: serviceId,
        closing_balance_in_cents: cents,
        /** Opening balance minus the previous closing balance. Zero if they agree. */
        step_in_cents: cents,
      })
      .nullable(),
  }),
  z.object({
    kind: z.literal('transaction'),
    ...at,
    transaction: transactionRow,
    /** Effect on the balance owed. Null if unknown. */
    effect_in_cents: cents.nullable(),
  }),
  z.object({ kind: z.literal('event'), ...at, statement_id: serviceId, event: statementEvent }),
  z.object({
    kind: z.literal('allocation'),
    ...at,
    component_name: z.string().nullable(),
    allocation,
  }),
  z.object({ kind: z.literal('webhook'), ...at, webhook: webhookRow }),
  z.object({ kind: z.literal('exception'), ...at, exception: exceptionRow }),
]);
export type ActivityEntry = z.infer<typeof activityEntry>;

/** Balance from a moment on, as sent by the service: at openings, closings and transactions that state it. */
export const balancePoint = z.object({ at: moment, balance_in_cents: cents, statement_id: serviceId });
/** Quantity of a component over time. The first point also contains the previous quantity. */
export const componentSteps = z.object({
  component_id: serviceId,
  component_name: z.string().nullable(),
  before: quantity.nullable(),
  steps: z.array(z.object({ at: moment, quantity })),
});

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
  /** Lists the stored activity of a subscription in chronological order. `kinds` limits it. */
  activity: query
    .input(
      pageInput.extend({
        site: siteName,
        subscription_id: serviceId,
        kinds: z.array(activityKind).min(1).optional(),
        direction: direction.default('asc'),
      }),
    )
    .output(
      pageOf(activityEntry).extend({
        /** Figures of the whole activity, regardless of `kinds`. First page only. */
        figures: z
          .object({
            subscription: subscriptionRow,
            counts: z.record(activityKind, z.int()),
            /** Number of open exceptions. */
            open_exceptions: z.int(),
            /** Number of webhooks that were not accepted. */
            not_accepted: z.int(),
            /** Oldest first, at most 5,000. If there are more, only openings and closings. */
            balance: z.array(balancePoint),
            /** The newest 5,000 steps of each component, oldest first. */
            components: z.array(componentSteps),
          })
          .nullable(),
      }),
    ),
};
