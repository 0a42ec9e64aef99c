/**
 * Matches bank lines to payments. The passes run in order, each over all rows: gateway id, payout reports, ids in
 * text, user rules, payee, amount and date, complete payout days, bounded sums, reversals. A match is confirmed only
 * if it is unique on both sides. If it is not unique, it is ambiguous and its alternatives are counted. A unique
 * match with insufficient evidence is suggested. `claims` contains the decisions of *people* and of closed periods,
 * but not the confirmations of earlier runs. A run finds those again if they are still unique, but not if a later
 * import added an equal line. The result therefore depends on the stored data, never on the order of imports.
 */

export { type MatchingStep, runMatching, runMatchingInSteps } from './match.ts';
export { buildMatchKey } from './model/match-key.ts';
export { matchesRule } from './model/match-rule.ts';
export * from './model/match-types.ts';
