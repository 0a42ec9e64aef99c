import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { outstandingItemKeySchema } from './workpapers.ts';

/** A user's explanation of an outstanding item. A later explanation replaces an earlier one. */
const itemExplanationSchema = z.object({
  at: field.moment,
  user: z.string(),
  period: field.period,
  /** Category assigned to the item. */
  category: z.string().nullable(),
  /** Person responsible for clearing the item. */
  owner: z.string().nullable(),
  explanation: z.string().nullable(),
  /** Date on which the item is expected to clear. */
  expected_on: field.date.nullable(),
});
export type ItemExplanation = z.infer<typeof itemExplanationSchema>;

/** An outstanding item with its explanations and the periods that brought it forward. */
export const explainedItemSchema = z.object({
  key: outstandingItemKeySchema,
  /** Latest explanation of the item; null if there is none. */
  current: itemExplanationSchema.nullable(),
  /** All explanations of the item, oldest first. */
  history: z.array(itemExplanationSchema),
  /** First closed period at whose end the item was outstanding; null if there is none. */
  brought_forward_from: field.period.nullable(),
  /** Closed periods at whose ends the item was outstanding, with the amounts at those times, oldest first. */
  brought_forward: z.array(z.object({ period: field.period, amount_in_cents: field.cents })),
});
export type ExplainedItem = z.infer<typeof explainedItemSchema>;

/** An item that was outstanding at the end of the previous closed period. */
export const broughtForwardItemSchema = explainedItemSchema.extend({
  currency: z.string(),
  dated_on: field.date,
  /** Amount that was outstanding when the previous period was closed, in cents. */
  amount_in_cents: field.cents,
  /** Description of the item as it was signed. */
  text: z.string(),
  /** Days from the item's date to the last day of the period into which it is brought forward. */
  age_days: z.int(),
  /** Date on which the item was fully cleared, with the matches that cleared it; null while it is outstanding. */
  cleared: z.object({ on: field.date, matches: z.array(z.int()) }).nullable(),
});
export type BroughtForwardItem = z.infer<typeof broughtForwardItemSchema>;

export const broughtForwardFilterSchema = z.object({
  kind: z.array(z.enum(['payment', 'line', 'payout', 'statement'])).optional(),
  cleared: z.boolean().optional(),
  /** True selects only items with an explanation, false only items without one. */
  explained: z.boolean().optional(),
  currency: z.string().max(3).optional(),
});
export type BroughtForwardFilter = z.infer<typeof broughtForwardFilterSchema>;
