import { createHash } from 'node:crypto';
import type { MatchGroup, MatchInput, MatchLine, MatchPayment } from '../../domain/matching/index.ts';
import { listStoredBankAccounts } from '../store/bank/bank-account.ts';
import { listMatchRules } from '../store/matching/match-rule.ts';
import {
  countMatchableRows,
  listDecidedClaims,
  listDeclinedProposals,
  listMatchablePayouts,
  type MatchablePayout,
  type MatchRunAccounts,
  readMatchableLines,
  readMatchablePayments,
} from '../store/matching/matching-input.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Reads the input of the matching engine from the books as a stream, with the payouts that matches may belong to. */
export function readMatchingInputs(
  books: ReadableDb,
  scope: MatchRunAccounts,
): { input: MatchInput; payouts: readonly MatchablePayout[] } {
  const accounts = listStoredBankAccounts(books).filter(({ id }) => scope?.includes(id) ?? true);
  const ids = accounts.map(({ id }) => id);
  const payouts = listMatchablePayouts(books, ids, scope);
  return {
    payouts,
    input: {
      accounts: accounts.map(({ id, name, kind, window_from, window_to }) => ({
        id,
        name,
        kind,
        window:
          window_from === null || window_to === null ? null : { from_days: window_from, to_days: window_to },
      })),
      payments: readPayments(books),
      lines: readLines(books, ids),
      payouts: payouts.map(({ account_id: account, ...payout }) => ({ account, ...payout })),
      claims: listDecidedClaims(books, scope),
      declined: listDeclinedProposals(books),
      rules: listMatchRules(books).filter(({ enabled }) => enabled),
      expected: countMatchableRows(books),
    },
  };
}

function* readLines(books: ReadableDb, accounts: readonly number[]): Generator<MatchLine> {
  for (const line of readMatchableLines(books, accounts)) yield toMatchLine(line);
}

/** Converts a stored line to an input line of the matching engine. */
export function toMatchLine<Line extends { account_id: number; bank_id: string; kind: string }>({
  account_id: account,
  bank_id,
  kind,
  ...line
}: Line) {
  return { ...line, account, kind: kind as MatchLine['kind'], bank_id: bank_id === '' ? null : bank_id };
}

function* readPayments(books: ReadableDb): Generator<MatchPayment> {
  for (const { customer_name, organization, ...payment } of readMatchablePayments(books)) {
    yield { ...payment, names: [customer_name, organization].filter((name) => name !== null) };
  }
}

/** Maximum length of a stored match key. Longer keys are replaced by their hash. */
const MAX_KEY_LENGTH = 80;

/** Returns the key under which a match is stored. Matches with the same members have the same key. */
export function toStoredMatchKey({ key }: Pick<MatchGroup, 'key'>): string {
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('hex');
}
