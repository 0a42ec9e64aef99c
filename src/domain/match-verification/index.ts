export type { MatchProblem, VerifiableMatch, VerifiablePayment } from './verifiable-rows.ts';
export { verifyMatches } from './verify-matches.ts';
