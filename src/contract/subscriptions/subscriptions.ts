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

/** What the story of a subscription is made of. */
export const activityKind = z.enum([
  'statement',
  'transaction',
  'event',
  'allocation',
  'webhook',
  'exception',
]);
export type ActivityKind = z.infer<typeof activityKind>;

/** When it happened: as the service wrote it, or ISO 8601 UTC for an exception (its own date); null where it has no time. */
const at = { at: moment.nullable() };

/**
 * An entry of a subscription’s story. A statement comes three times, when it `opened`, `closed` and was `settled`, as far as it
 * was; the chain is to be read off the openings.
 */
export const activityEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('statement'),
    ...at,
    milestone: z.enum(['opened', 'closed', 'settled']),
    statement: statementRow,
    /** Of an opening: how the balance was carried on from the statement before it; null for the first, and elsewhere. */
    brought_forward: z
      .object({
        from_statement_id: serviceId,
        closing_balance_in_cents: cents,
        /** Opening balance less the closing balance before it: 0 where the chain holds. */
        step_in_cents: cents,
      })
      .nullable(),
  }),
  z.object({
    kind: z.literal('transaction'),
    ...at,
    transaction: transactionRow,
    /** What it does to the balance owed, by the table of effects; null where that is not known. */
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

/** The balance from a moment on, as sent: openings and closings of statements, and after each transaction that says it. */
export const balancePoint = z.object({ at: moment, balance_in_cents: cents, statement_id: serviceId });
/** A component’s quantity from a moment on; the first point also says what it was before. */
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
  /** Everything held of a subscription in the order of time; `kinds` leaves the others out. */
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
        /** With the first page only: what stands above the story, whole, whatever `kinds` says. */
        figures: z
          .object({
            subscription: subscriptionRow,
            counts: z.record(activityKind, z.int()),
            /** Its open exceptions. */
            open_exceptions: z.int(),
            /** Webhooks that were not accepted. */
            not_accepted: z.int(),
            /** Oldest first, at most 5,000: of a longer story only the openings and closings. */
            balance: z.array(balancePoint),
            /** Oldest first each, at most 5,000 of a component, the newest. */
            components: z.array(componentSteps),
          })
          .nullable(),
      }),
    ),
};
