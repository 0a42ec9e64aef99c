import { z } from 'zod';
import { bankLineKindSchema } from '../bank/bank-lines.ts';
import { field } from '../shared/common-schemas.ts';
import { adjustmentCategorySchema } from './match-groups.ts';

/**
 * A condition of a match rule. Texts are compared ignoring case, and all `words` must occur in the text. Patterns are not
 * supported, so that rules stay readable.
 */
const ruleConditionSchema = z.discriminatedUnion('field', [
  z.object({
    field: z.enum(['text', 'description', 'reference', 'counterparty', 'bank_id']),
    is: z.enum(['contains', 'words', 'equals', 'begins', 'ends', 'empty']),
    value: z.string().max(200).default(''),
  }),
  z.object({
    field: z.literal('amount'),
    /** Minimum signed amount in cents. Null means no limit. */
    from_in_cents: field.cents.nullable(),
    to_in_cents: field.cents.nullable(),
  }),
  z.object({ field: z.literal('account'), accounts: z.array(field.rowId).min(1) }),
  z.object({ field: z.literal('kind'), kinds: z.array(bankLineKindSchema).min(1) }),
]);
export type RuleCondition = z.infer<typeof ruleConditionSchema>;

/**
 * - `categorize`: assigns the unmatched part of the line to a category. `ignore`: marks the line as out of scope.
 * - `tolerate`: allows a limited difference between a line and a payment found by reference or payee, and assigns it to
 * the category. A payee suffices only if no other line or payment is that close.
 */
const ruleActionSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('categorize'), category: adjustmentCategorySchema }),
  z.object({ do: z.literal('ignore') }),
  z.object({
    do: z.literal('tolerate'),
    category: adjustmentCategorySchema,
    max_in_cents: field.cents.positive().max(100_000),
    /** Maximum difference in hundredths of a percent of the payment's amount. Null means no limit. */
    max_basis_points: z.int().min(1).max(1000).nullable().default(null),
  }),
]);
export type RuleAction = z.infer<typeof ruleActionSchema>;

export const matchRuleFields = {
  title: z.string().trim().min(1).max(100),
  enabled: z.boolean().default(true),
  /** Conditions of the rule. All of them must be met. */
  conditions: z.array(ruleConditionSchema).min(1).max(20),
  action: ruleActionSchema,
};

export const matchRuleSchema = z.object({
  id: z.int(),
  /** Position of the rule in the order of application, starting at 1. */
  position: z.int(),
  /** Version of the rule, which increases with each change. */
  version: z.int(),
  ...matchRuleFields,
  /** Number of confirmed matches that the rule created. */
  groups: z.int(),
  changed_at: field.moment,
  changed_by: z.string(),
});
export type MatchRule = z.infer<typeof matchRuleSchema>;

/** A rule that repeats equal decisions of people, and its effect on all stored lines. */
export const proposedRuleSchema = z.object({
  id: z.string(),
  ...matchRuleFields,
  /** Number of equal decisions. */
  decisions: z.int(),
  /** Number of unmatched lines that the rule would assign. */
  lines: z.int(),
  /** Number of matched lines that the rule would have assigned to the same category. */
  right: z.int(),
  /** Number of lines that have a payment or another category, or for which a person refused the category. */
  wrong: z.int(),
});
export type ProposedRule = z.infer<typeof proposedRuleSchema>;
