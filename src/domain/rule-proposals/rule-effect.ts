import type { MatchRule } from '../matching/index.ts';

/** A match of a line: confirmed, or declined or undone by a person. */
export interface LineMatch {
  readonly status: 'confirmed' | 'declined' | 'undone';
  /** Matching pass, `manual` or `write-off`. */
  readonly rule: string;
  readonly has_payments: boolean;
  /** Category to which the match assigns an amount; null if there is none. */
  readonly category: string | null;
}

/**
 * - `right`: the rule repeats the line's category. `wrong`: the line has a payment or another category, or a person
 * declined or undid this category.
 * - `unmatched`: the rule would assign the line, which has no match. `none`: the rule would not reach the line.
 */
export type RuleEffect = 'right' | 'wrong' | 'unmatched' | 'none';

/** Passes that match a line before any rule applies. */
const EARLIER_PASSES = new Set(['gateway-id', 'payout-reference', 'id-in-text']);

/** Returns what a rule that assigns a category would have done to a line that meets its conditions. */
export function judgeRuleEffect(action: MatchRule['action'], matches: readonly LineMatch[]): RuleEffect {
  const category = 'category' in action ? action.category : 'ignored';
  const isRepeated = (match: LineMatch): boolean => !match.has_payments && match.category === category;
  const confirmed = matches.filter(({ status }) => status === 'confirmed');
  if (confirmed.some(isEarlier)) return 'none';
  if (confirmed.length > 0) return confirmed.every(isRepeated) ? 'right' : 'wrong';
  return matches.some(isRepeated) ? 'wrong' : 'unmatched';
}

function isEarlier({ rule, has_payments }: LineMatch): boolean {
  // Recorded refunds are matched before rules apply, other reversals after them.
  return EARLIER_PASSES.has(rule) || (rule === 'reversal' && has_payments);
}
