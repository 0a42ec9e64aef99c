export type { MatchProblem, VerifiableLine, VerifiableMatch, VerifiablePayment } from './verifiable-rows.ts';
export { verifyMatches, verifyStatedFacts } from './verify-matches.ts';
