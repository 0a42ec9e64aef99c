import type { Cents } from '../ledger/index.ts';
import { AT_ONCE } from './chain.ts';
import { balanceAfter, type Footing } from './footing.ts';
import type { TransactionRecord } from './record.ts';

/** What of a statement’s closing balance was paid afterwards, and what shows it. */
export interface Settlement {
  /** What was left to pay when the statement closed. */
  readonly due: Cents;
  /** Everything that lowered the balance since, up to the moment it was settled. */
  readonly lowered: Cents;
  /** Sum of the payments listed as `future_payments`. */
  readonly future: Cents;
}

/** How a closed statement with a balance was paid. `later` are the statements after it in the chain. */
export function settlementOf(due: Cents, footing: Footing, later: readonly Footing[]): Settlement {
  const { settled_at, opened_at, future_payments } = footing.statement;
  const until =
    settled_at === null || settled_at < (opened_at ?? 0) ? Number.POSITIVE_INFINITY : settled_at + AT_ONCE;
  let lowered = 0;
  for (const { transactions, effects } of later) {
    for (const [at, effect] of effects.entries()) {
      const { created_at } = transactions[at] as TransactionRecord;
      if (effect !== null && effect < 0 && (created_at ?? 0) <= until) lowered -= effect;
    }
  }
  const future = future_payments.reduce(
    (sum, { amount_in_cents }) => sum + Math.abs(amount_in_cents ?? 0),
    0,
  );
  return { due, lowered, future };
}

/** The transaction that brought a later balance to nothing, so that everything before was paid; null where none did. */
export function payoff(
  later: readonly Footing[],
): { footing: Footing; transaction: TransactionRecord } | null {
  for (const footing of later) {
    for (const [at, effect] of footing.effects.entries()) {
      if (effect === null || effect >= 0) continue;
      const balance = balanceAfter(footing, at);
      if (balance !== null && balance <= 0) {
        return { footing, transaction: footing.transactions[at] as TransactionRecord };
      }
    }
  }
  return null;
}
