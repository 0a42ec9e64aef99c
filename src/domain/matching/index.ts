/**
 * Matching the bank: which line is which payment?
 *
 * `match(input)` runs the passes in order, each over all rows before the next: gateway id, payout report’s references, ids in
 * text, the user’s rules, payee, amount and date, whole days of payouts, bounded sums, reversals. A group is confirmed only
 * where it is unique on both sides; otherwise it is ambiguous, with its rivals counted. What is unique but lacks something is suggested.
 *
 * Give it decisions of *people* (and of closed periods) as `claims`, and not what an earlier run confirmed by itself: that is found again where it
 * still is unique, and is not where a later import brought a twin. So the result depends on what is held, never on the order in
 * which it came. A dry run is the same call. `matchInSteps` is for whoever must not be kept waiting, or may change his mind.
 */
export { keyOfMembers } from './key.ts';
export { type MatchStep, match, matchInSteps } from './match.ts';
export * from './model.ts';
export { fits, type RuleAction, type RuleCondition, type UserRule } from './user-rule.ts';
