export type { MatchProblem, VerifiableMatch } from './verifiable-rows.ts';
export { verifyMatches } from './verify-matches.ts';
