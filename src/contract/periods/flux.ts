import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { figureIdSchema, scheduleIdSchema } from '../shared/figure-reference.ts';

/** Parts of a difference between two months in cents. All parts add up to the difference. `other`: no known cause. */
const fluxPartsSchema = z.object({
  /** Subscriptions whose first statement is in the current month. */
  new: field.cents,
  /** Subscriptions without a statement and paid service since the previous month. */
  lost: field.cents,
  price: field.cents,
  quantity: field.cents,
  proration: field.cents,
  /** Billed or paid in one of the two months only, for example annually. */
  timing: field.cents,
  refunds: field.cents,
  /** Failed payments of either month. */
  failed: field.cents,
  other: field.cents,
});

/** Flux of a figure: the change from the previous month. */
export const fluxLineSchema = z.object({
  currency: z.string(),
  schedule: scheduleIdSchema,
  figure: figureIdSchema,
  label: z.string(),
  /** Amount of the previous month; null if no record of that month is stored. */
  previous_in_cents: field.cents.nullable(),
  current_in_cents: field.cents,
  /** Null if the previous amount is unknown. The parts are null then as well. */
  difference_in_cents: field.cents.nullable(),
  parts: fluxPartsSchema.nullable(),
  /** Explanation entered in `period`, possibly carried over from there; null if there is none. */
  explanation: z
    .object({ text: z.string(), name: z.string(), at: field.moment, period: field.period })
    .nullable(),
});
export type FluxLine = z.infer<typeof fluxLineSchema>;

/** Flux of a period. That of a closed period is stored at closing. */
export const fluxSchema = z.object({
  /** Month with which the figures are compared. */
  previous: field.period,
  lines: z.array(fluxLineSchema),
});

/** Flux of one subscription in a figure. */
export const subscriptionFluxSchema = z.object({
  /** Null for the rows that belong to no subscription, for example bank lines. */
  subscription: field.serviceId.nullable(),
  customer: z.string().nullable(),
  previous_in_cents: field.cents,
  current_in_cents: field.cents,
  parts: fluxPartsSchema,
});
export type SubscriptionFlux = z.infer<typeof subscriptionFluxSchema>;
