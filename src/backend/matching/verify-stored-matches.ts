import type { MatchVerification } from '../../contract/index.ts';
import { verifyMatches } from '../../domain/match-verification/verify-matches.ts';
import { listStoredBankAccounts } from '../store/bank/bank-account.ts';
import { readMatchableLines } from '../store/matching/matching-input.ts';
import { listConfirmedMatches, readVerifiablePayments } from '../store/matching/verifiable-matches.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { toMatchLine } from './matching-inputs.ts';

/** Maximum number of problems that a verification lists. Chosen by judgment. */
const MAX_LISTED_PROBLEMS = 1000;

/** Verifies all confirmed matches against the stored rows, with the certificates of automatic matches. */
export function verifyStoredMatches(books: ReadableDb): MatchVerification {
  const accounts = listStoredBankAccounts(books).map(({ id }) => id);
  const matches = listConfirmedMatches(books);
  const lines = readMatchableLines(books, accounts).map(toMatchLine);
  const problems = verifyMatches({ lines, payments: readVerifiablePayments(books) }, matches, 'all');
  return {
    ok: problems.length === 0,
    matches: matches.length,
    certified: matches.filter(({ certificate }) => certificate !== null).length,
    problem_count: problems.length,
    problems: problems
      .slice(0, MAX_LISTED_PROBLEMS)
      .map(({ match, problem }) => ({ match: Number(match), problem })),
  };
}
