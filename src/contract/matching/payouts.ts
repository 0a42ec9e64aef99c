import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { figureReferenceSchema } from '../shared/figure-reference.ts';
import { matchGroupStatusSchema } from './match-groups.ts';

/** A payout of a processor and its deposit at the bank. */
export const payoutSchema = z.object({
  id: z.int(),
  payout_id: z.string(),
  account: z.object({ id: z.int(), name: z.string() }),
  import: z.int(),
  currency: z.string(),
  /** Date on which the payout was sent according to the report. Without one, the last date of its lines. */
  paid_on: field.date,
  lines: z.int(),
  /** Reconciliation from gross to net by category. Amounts are signed by their effect, so fees are negative. */
  bridge: z.array(z.object({ category: z.string(), count: z.int(), amount_in_cents: field.cents })),
  /** Net amount of the payout in cents: the sum of the bridge. */
  net_in_cents: field.cents,
  /** Amount paid out according to the report, in cents; null if the report does not state it. */
  stated_in_cents: field.cents.nullable(),
  /** Amount deposited according to confirmed matches, in cents; null without a deposit. */
  deposited_in_cents: field.cents.nullable(),
  deposit: z
    .object({
      line: z.int(),
      group: z.int(),
      status: matchGroupStatusSchema,
      booked_on: field.date,
      account: z.string(),
    })
    .nullable(),
  /** Deposited amount minus the sum of the bridge, in cents. Without a deposit, the stated amount is used. */
  unexplained_in_cents: field.cents,
  /** Number of the payout's payments that are matched to statements. */
  payments_matched: z.int(),
  /** Total number of the payout's payments. */
  payments: z.int(),
});
export type Payout = z.infer<typeof payoutSchema>;

export const payoutFilterSchema = z.object({
  account: z.array(field.rowId).optional(),
  /** `waiting`: no deposit has been found. `unexplained`: the deposit differs from the net amount. */
  is: z.enum(['waiting', 'deposited', 'unexplained']).optional(),
  since: field.date.optional(),
  until: field.date.optional(),
  /** Workpaper figure whose source rows are selected. */
  figure: figureReferenceSchema.optional(),
  search: field.search.optional(),
});
export type PayoutFilter = z.infer<typeof payoutFilterSchema>;
