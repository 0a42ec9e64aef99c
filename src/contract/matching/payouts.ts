import { z } from 'zod';
import { calendarDateSchema, centsSchema } from '../shared/common-schemas.ts';
import { figureOfSchema } from '../shared/figure-reference.ts';
import { groupStatusSchema } from './match-groups.ts';

const rowId = z.int().positive();

/** A payout of a processor and its deposit at the bank. */
export const payoutSchema = z.object({
  id: z.int(),
  payout_id: z.string(),
  account: z.object({ id: z.int(), name: z.string() }),
  import: z.int(),
  currency: z.string(),
  /** Date on which the payout was sent according to the report. Without one, the last date of its lines. */
  paid_on: calendarDateSchema,
  lines: z.int(),
  /**
   * Reconciliation from gross to net by category. Amounts are signed by their effect on the processor balance, so fees
   * are negative. Only categories that occur are included.
   */
  bridge: z.array(z.object({ category: z.string(), count: z.int(), amount_in_cents: centsSchema })),
  /** Net amount of the payout in cents: the sum of the bridge. */
  net_in_cents: centsSchema,
  /** Amount paid out according to the report, in cents; null if the report does not state it. */
  stated_in_cents: centsSchema.nullable(),
  /** Amount deposited according to confirmed matches, in cents; null without a deposit. */
  deposited_in_cents: centsSchema.nullable(),
  deposit: z
    .object({
      line: z.int(),
      group: z.int(),
      status: groupStatusSchema,
      booked_on: calendarDateSchema,
      account: z.string(),
    })
    .nullable(),
  /** Deposited amount minus the sum of the bridge, in cents. Without a deposit, the stated amount is used. */
  unexplained_in_cents: centsSchema,
  /** Number of the payout's payments that are matched to statements. */
  payments_matched: z.int(),
  /** Total number of the payout's payments. */
  payments: z.int(),
});
export type Payout = z.infer<typeof payoutSchema>;

export const payoutFilterSchema = z.object({
  account: z.array(rowId).optional(),
  /**
   * Payout state to select. `waiting`: no deposit has been found. `unexplained`: the deposit differs from the net amount.
   */
  is: z.enum(['waiting', 'deposited', 'unexplained']).optional(),
  since: calendarDateSchema.optional(),
  until: calendarDateSchema.optional(),
  /** Workpaper figure whose source rows are selected. */
  figure: figureOfSchema.optional(),
  search: z.string().max(200).optional(),
});
