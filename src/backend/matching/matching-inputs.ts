import { createHash } from 'node:crypto';
import type { MatchGroup, MatchInput, MatchLine, MatchPayment } from '../../domain/matching/index.ts';
import { storedAccounts } from '../store/bank/bank-account.ts';
import {
  type GroundPayout,
  groundClaims,
  groundDeclines,
  groundLines,
  groundPayments,
  groundPayouts,
  groundSize,
  type Scope,
} from '../store/matching/match-ground.ts';
import { listRules } from '../store/matching/match-rule.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Input of the matching engine, read from the books as a stream. `payouts` links found matches to their payouts. */
export interface MatchingInputs {
  readonly input: MatchInput;
  readonly payouts: readonly GroundPayout[];
}

export function readMatchingInputs(books: ReadableDb, scope: Scope): MatchingInputs {
  const accounts = storedAccounts(books).filter(({ id }) => scope?.includes(id) ?? true);
  const ids = accounts.map(({ id }) => id);
  const payouts = groundPayouts(books, ids, scope);
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
      payments: payments(books),
      lines: lines(books, ids),
      payouts: payouts.map(({ account_id: account, ...payout }) => ({ account, ...payout })),
      claims: groundClaims(books, scope),
      declined: groundDeclines(books),
      rules: listRules(books).filter(({ enabled }) => enabled),
      expected: groundSize(books),
    },
  };
}

function* lines(books: ReadableDb, accounts: readonly number[]): Generator<MatchLine> {
  for (const { account_id: account, bank_id, kind, ...line } of groundLines(books, accounts)) {
    yield { ...line, account, kind: kind as MatchLine['kind'], bank_id: bank_id === '' ? null : bank_id };
  }
}

function* payments(books: ReadableDb): Generator<MatchPayment> {
  for (const { customer_name, organization, ...payment } of groundPayments(books)) {
    yield { ...payment, names: [customer_name, organization].filter((name) => name !== null) };
  }
}

/** Maximum length of a stored match key. Longer keys are replaced by their hash. */
const MAX_KEY_LENGTH = 80;

/** Returns the stored key of a match. Matches with the same members have the same key. */
export function toStoredMatchKey({ key }: Pick<MatchGroup, 'key'>): string {
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('hex');
}
