import { createHash } from 'node:crypto';
import type { MatchGroup, MatchInput, MatchLine, MatchPayment } from '../../domain/matching/index.ts';
import { storedAccounts } from '../store/bank/bank-account.ts';
import type { ReadableDb } from '../store/database.ts';
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

/** What the engine is given, streamed from the books; `payouts` besides, to know its groups' payouts again. */
export interface Ground {
  readonly input: MatchInput;
  readonly payouts: readonly GroundPayout[];
}

export function groundOf(books: ReadableDb, scope: Scope): Ground {
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

/** Keys longer than this are kept as their hash. */
const LONGEST_KEY = 80;

/** The name of a group by what is in it: the same for the same members. */
export function keyOf({ key }: Pick<MatchGroup, 'key'>): string {
  return key.length <= LONGEST_KEY ? key : createHash('sha256').update(key).digest('hex');
}
