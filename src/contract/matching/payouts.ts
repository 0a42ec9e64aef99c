import { z } from 'zod';
import { calendarDate, cents } from '../shared/common-schemas.ts';
import { figureOf } from '../shared/figure-reference.ts';
import { groupStatus } from './match-groups.ts';

const rowId = z.int().positive();

/** A payout of a processor and its deposit at the bank. */
export const payout = z.object({
  id: z.int(),
  payout_id: z.string(),
  account: z.object({ id: z.int(), name: z.string() }),
  import: z.int(),
  currency: z.string(),
  /** Date sent according to the report, or else the last date of its lines. */
  paid_on: calendarDate,
  lines: z.int(),
  /**
   * Reconciliation from gross to net, signed by the effect on the processor balance: fees are negative. Only categories
   * that occur.
   */
  bridge: z.array(z.object({ category: z.string(), count: z.int(), amount_in_cents: cents })),
  /** Sum of the bridge. */
  net_in_cents: cents,
  /** Amount paid out according to the report. Null if it states none. */
  stated_in_cents: cents.nullable(),
  /** Amount deposited according to confirmed matches. Null without a deposit. */
  deposited_in_cents: cents.nullable(),
  deposit: z
    .object({
      line: z.int(),
      group: z.int(),
      status: groupStatus,
      booked_on: calendarDate,
      account: z.string(),
    })
    .nullable(),
  /** Deposited amount (or stated, without a deposit) minus the sum of the bridge. Shown even if zero. */
  unexplained_in_cents: cents,
  /** Number of its payments that are matched to the statements, and the total number. */
  payments_matched: z.int(),
  payments: z.int(),
});
export type Payout = z.infer<typeof payout>;

export const payoutFilter = z.object({
  account: z.array(rowId).optional(),
  /** `waiting`: without a deposit. `unexplained`: with a remainder. */
  is: z.enum(['waiting', 'deposited', 'unexplained']).optional(),
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  /** Only source rows of this workpaper figure. */
  figure: figureOf.optional(),
  search: z.string().max(200).optional(),
});
