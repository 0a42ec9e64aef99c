import { z } from 'zod';
import { calendarDate, cents } from '../shared/common-schemas.ts';
import { figureOf } from '../shared/figure-reference.ts';
import { groupStatus } from './match-groups.ts';

const rowId = z.int().positive();

/** A batch by which a processor paid out, and the deposit at the bank. */
export const payout = z.object({
  id: z.int(),
  payout_id: z.string(),
  account: z.object({ id: z.int(), name: z.string() }),
  import: z.int(),
  currency: z.string(),
  /** The day the processor sent it, where the report says, else the last day of its lines. */
  paid_on: calendarDate,
  lines: z.int(),
  /** From gross to net; signed as they move the processor’s balance: a fee is below 0. Only categories that occur. */
  bridge: z.array(z.object({ category: z.string(), count: z.int(), amount_in_cents: cents })),
  /** Sum of the bridge. */
  net_in_cents: cents,
  /** What the report says was paid out; null where it does not say. */
  stated_in_cents: cents.nullable(),
  /** What reached the bank, by confirmed groups; null where no deposit is found. */
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
  /** Deposited (or stated, without a deposit) less the bridge: what nothing explains. Shown even where it is 0. */
  unexplained_in_cents: cents,
  /** Payments of its lines that are matched to the statements’ ones, of all. */
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
  /** Only the rows of a figure of the workpaper. */
  figure: figureOf.optional(),
  search: z.string().max(200).optional(),
});
