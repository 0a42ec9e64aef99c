import { z } from 'zod';
import { bankLineKind } from '../bank/bank-lines.ts';
import { cents, moment } from '../shared/common-schemas.ts';
import { adjustmentCategory } from './match-groups.ts';

const rowId = z.int().positive();

/**
 * Text comparison ignores case. `words` must all occur in the text. Patterns are not supported, so that rules stay
 * readable.
 */
export const ruleCondition = z.discriminatedUnion('field', [
  z.object({
    field: z.enum(['text', 'description', 'reference', 'counterparty', 'bank_id']),
    is: z.enum(['contains', 'words', 'equals', 'begins', 'ends', 'empty']),
    value: z.string().max(200).default(''),
  }),
  z.object({
    field: z.literal('amount'),
    /** Range of the signed amount, inclusive. Null means no limit. */
    from_in_cents: cents.nullable(),
    to_in_cents: cents.nullable(),
  }),
  z.object({ field: z.literal('account'), accounts: z.array(rowId).min(1) }),
  z.object({ field: z.literal('kind'), kinds: z.array(bankLineKind).min(1) }),
]);
export type RuleCondition = z.infer<typeof ruleCondition>;

/**
 * - `categorize`: assigns the unmatched part of the line to a category. `ignore`: marks the line as out of scope.
 * - `tolerate`: allows a limited difference between a line and a payment found by reference or payee, and assigns it to
 * the category. By payee, only if they are the only line and payment that close to each other.
 */
export const ruleAction = z.discriminatedUnion('do', [
  z.object({ do: z.literal('categorize'), category: adjustmentCategory }),
  z.object({ do: z.literal('ignore') }),
  z.object({
    do: z.literal('tolerate'),
    category: adjustmentCategory,
    max_in_cents: cents.positive().max(100_000),
    /** Hundredths of a percent of the payment's amount. Null means no limit. */
    max_basis_points: z.int().min(1).max(1000).nullable().default(null),
  }),
]);
export type RuleAction = z.infer<typeof ruleAction>;

export const ruleContent = {
  title: z.string().trim().min(1).max(100),
  enabled: z.boolean().default(true),
  /** All conditions must be met. */
  conditions: z.array(ruleCondition).min(1).max(20),
  action: ruleAction,
};

export const matchRule = z.object({
  id: z.int(),
  /** Rule 1 is tried first. */
  position: z.int(),
  /** Incremented with each change. */
  version: z.int(),
  ...ruleContent,
  /** Number of confirmed matches the rule created. */
  groups: z.int(),
  changed_at: moment,
  changed_by: z.string(),
});
export type MatchRule = z.infer<typeof matchRule>;
