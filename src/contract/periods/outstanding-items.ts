import { z } from 'zod';
import { calendarDate, cents, moment, period } from '../shared/common-schemas.ts';
import { itemKey } from './workpapers.ts';

/** What somebody said of an item, and while which period was worked on; what is said later replaces what was said before. */
export const itemExplanation = z.object({
  at: moment,
  user: z.string(),
  period,
  /** What it is put down to. */
  category: z.string().nullable(),
  /** Whose it is to clear. */
  owner: z.string().nullable(),
  explanation: z.string().nullable(),
  /** When it is expected to clear. */
  expected_on: calendarDate.nullable(),
});
export type ItemExplanation = z.infer<typeof itemExplanation>;

/** An outstanding item with what was said of it, and how long it has been carried forward. */
export const explainedItem = z.object({
  key: itemKey,
  /** The newest; null where nothing was said. */
  current: itemExplanation.nullable(),
  /** All of it, the oldest first. */
  history: z.array(itemExplanation),
  /** The first closed period at whose end it was outstanding; null where there is none. */
  brought_forward_from: period.nullable(),
  /** The closed periods at whose ends it was outstanding, and the amount then; the oldest first. */
  brought_forward: z.array(z.object({ period, amount_in_cents: cents })),
});
export type ExplainedItem = z.infer<typeof explainedItem>;

/** An item brought forward: outstanding at the end of the closed period before. */
export const broughtForwardItem = explainedItem.extend({
  currency: z.string(),
  dated_on: calendarDate,
  /** What was outstanding of it when that period was closed. */
  amount_in_cents: cents,
  /** What it is, as it was signed. */
  text: z.string(),
  /** Days from its own date to the last day of the period it is brought into. */
  age_days: z.int(),
  /** The day that nothing was left of it, with the matches that cleared it; null while something is. */
  cleared: z.object({ on: calendarDate, matches: z.array(z.int()) }).nullable(),
});
export type BroughtForwardItem = z.infer<typeof broughtForwardItem>;

export const broughtForwardFilter = z.object({
  kind: z.array(z.enum(['payment', 'line', 'payout', 'statement'])).optional(),
  cleared: z.boolean().optional(),
  /** Only what somebody explained, or only what nobody did. */
  explained: z.boolean().optional(),
  currency: z.string().max(3).optional(),
});
export type BroughtForwardFilter = z.infer<typeof broughtForwardFilter>;
