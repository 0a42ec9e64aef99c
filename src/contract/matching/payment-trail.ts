import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { paymentSchema } from './match-groups.ts';

/** Kinds of records on the trail of a payment, in the order of the trail. */
export const trailStepSchema = z.enum([
  'charge',
  'statement',
  'payment',
  'webhook',
  'match',
  'payout',
  'line',
  'ledger-line',
]);
export type TrailStep = z.infer<typeof trailStepSchema>;

/** Record from which a trail starts. */
export const trailStartSchema = z.object({ kind: trailStepSchema.exclude(['charge']), id: field.serviceId });
export type TrailStart = z.infer<typeof trailStartSchema>;

const trailRecordSchema = z.object({
  id: z.int(),
  /** Date of a record that is dated by day; null if `at` is set or the date is unknown. */
  dated_on: field.date.nullable(),
  /** Instant of a record that is dated by time; null if `dated_on` is set or the instant is unknown. */
  at: field.moment.nullable(),
  title: z.string(),
  /** Status, account or kind of the record; null if it has none. */
  detail: z.string().nullable(),
  /** Amount in cents; null for records without an amount. */
  amount_in_cents: field.cents.nullable(),
  currency: z.string().nullable(),
});
export type TrailRecord = z.infer<typeof trailRecordSchema>;

export const paymentTrailSchema = z.object({
  /** Payments on whose trail the record lies, by date. At most 100. */
  payments: z.array(paymentSchema),
  payment_count: z.int(),
  /** Payment whose trail `steps` describes; null if the record belongs to no payment. */
  payment: field.serviceId.nullable(),
  /**
   * Steps of the trail, from the charges to the ledger. A ledger line is listed if it has the amount and currency of the
   * bank line and a date near it, on a cash account. This does not prove that it posts the bank line.
   */
  steps: z.array(
    z.object({
      step: trailStepSchema,
      /** At most 20 records. */
      records: z.array(trailRecordSchema),
      /** False if more records exist. */
      complete: z.boolean(),
    }),
  ),
});
export type PaymentTrail = z.infer<typeof paymentTrailSchema>;
