import { z } from 'zod';
import { calendarDate, cents, moment, period } from '../shared/common-schemas.ts';
import { itemKey } from './workpapers.ts';

/** A user's explanation of an outstanding item. A later explanation replaces an earlier one. */
export const itemExplanation = z.object({
  at: moment,
  user: z.string(),
  period,
  /** Category assigned to the item. */
  category: z.string().nullable(),
  /** Person responsible for clearing the item. */
  owner: z.string().nullable(),
  explanation: z.string().nullable(),
  /** Date on which the item is expected to clear. */
  expected_on: calendarDate.nullable(),
});
export type ItemExplanation = z.infer<typeof itemExplanation>;

/** An outstanding item with its explanations and the periods that brought it forward. */
export const explainedItem = z.object({
  key: itemKey,
  /** Latest explanation, or null if there is none. */
  current: itemExplanation.nullable(),
  /** All explanations, oldest first. */
  history: z.array(itemExplanation),
  /** First closed period at whose end the item was outstanding, or null. */
  brought_forward_from: period.nullable(),
  /** Closed periods at whose ends the item was outstanding, with the amounts at that time. Oldest first. */
  brought_forward: z.array(z.object({ period, amount_in_cents: cents })),
});
export type ExplainedItem = z.infer<typeof explainedItem>;

/** An item that was outstanding at the end of the previous closed period. */
export const broughtForwardItem = explainedItem.extend({
  currency: z.string(),
  dated_on: calendarDate,
  /** Amount outstanding when that period was closed. */
  amount_in_cents: cents,
  /** Description of the item as signed. */
  text: z.string(),
  /** Days from the item's date to the last day of the period into which it is brought forward. */
  age_days: z.int(),
  /** Date on which the item was fully cleared, and the matches that cleared it. Null while it is outstanding. */
  cleared: z.object({ on: calendarDate, matches: z.array(z.int()) }).nullable(),
});
export type BroughtForwardItem = z.infer<typeof broughtForwardItem>;

export const broughtForwardFilter = z.object({
  kind: z.array(z.enum(['payment', 'line', 'payout', 'statement'])).optional(),
  cleared: z.boolean().optional(),
  /** True for items with an explanation only, false for items without one only. */
  explained: z.boolean().optional(),
  currency: z.string().max(3).optional(),
});
export type BroughtForwardFilter = z.infer<typeof broughtForwardFilter>;
