import { z } from 'zod';
import { bankLineKind } from '../bank/bank-lines.ts';
import { cents, moment } from '../shared/common-schemas.ts';
import { adjustmentCategory } from './match-groups.ts';

const rowId = z.int().positive();

/** Texts are compared without case; `words` are all somewhere in the text. No patterns: what a rule does stays readable. */
export const ruleCondition = z.discriminatedUnion('field', [
  z.object({
    field: z.enum(['text', 'description', 'reference', 'counterparty', 'bank_id']),
    is: z.enum(['contains', 'words', 'equals', 'begins', 'ends', 'empty']),
    value: z.string().max(200).default(''),
  }),
  z.object({
    field: z.literal('amount'),
    /** Of the signed amount, both included; null: no bound. */
    from_in_cents: cents.nullable(),
    to_in_cents: cents.nullable(),
  }),
  z.object({ field: z.literal('account'), accounts: z.array(rowId).min(1) }),
  z.object({ field: z.literal('kind'), kinds: z.array(bankLineKind).min(1) }),
]);
export type RuleCondition = z.infer<typeof ruleCondition>;

/**
 * - `categorize`: what the line still has open is put down to a category. `ignore`: the line is none of the matter.
 * - `tolerate`: a payment found by its reference or its payee may differ from the line by so much, at most; the difference is put down to the
 *   category. By payee only where, of all payments and lines so near each other, the two are the only ones.
 */
export const ruleAction = z.discriminatedUnion('do', [
  z.object({ do: z.literal('categorize'), category: adjustmentCategory }),
  z.object({ do: z.literal('ignore') }),
  z.object({
    do: z.literal('tolerate'),
    category: adjustmentCategory,
    max_in_cents: cents.positive().max(100_000),
    /** Hundredths of a percent of the payment’s amount; null: no such bound. */
    max_basis_points: z.int().min(1).max(1000).nullable().default(null),
  }),
]);
export type RuleAction = z.infer<typeof ruleAction>;

export const ruleContent = {
  title: z.string().trim().min(1).max(100),
  enabled: z.boolean().default(true),
  /** All of them must hold. */
  conditions: z.array(ruleCondition).min(1).max(20),
  action: ruleAction,
};

export const matchRule = z.object({
  id: z.int(),
  /** 1 is tried first. */
  position: z.int(),
  /** Counts its changes. */
  version: z.int(),
  ...ruleContent,
  /** Confirmed groups it made. */
  groups: z.int(),
  changed_at: moment,
  changed_by: z.string(),
});
export type MatchRule = z.infer<typeof matchRule>;
