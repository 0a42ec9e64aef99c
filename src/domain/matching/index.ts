/**
 * Matches bank lines to payments.
 *
 * `runMatching(input)` runs the passes in order, each over all rows before the next: gateway id, payout reports, ids in text,
 * user rules, payee, amount and date, whole days of payouts, bounded sums, reversals. A match is confirmed only if it is
 * unique on both sides. Otherwise it is ambiguous, with its alternatives counted. A unique match with insufficient
 * evidence is suggested.
 *
 * Pass decisions of *people* and of closed periods as `claims`, but not the confirmations of earlier runs. Those are
 * found again if they are still unique, and are not if a later import added an equal line. The result therefore depends
 * on the stored data, never on the order of imports. A dry run is the same call. `runMatchingInSteps` is for callers
 * that need to stay responsive or to cancel.
 */

export { type MatchingStep, runMatching, runMatchingInSteps } from './match.ts';
export { buildMatchKey } from './model/match-key.ts';
export { matchesRule } from './model/match-rule.ts';
export * from './model/match-types.ts';
