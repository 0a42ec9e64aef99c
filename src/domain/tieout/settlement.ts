import type { Cents } from '../ledger/index.ts';
import type { Figures } from './account.ts';
import { AT_ONCE, type Boundary } from './chain.ts';
import { paysItself } from './explain.ts';
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

/** The statement is settled and its balance was not paid: what is missing. Null where it is in order, or cannot be told. */
export function unpaidSettlement(figures: Figures, n: number): { due: number; missing: number } | null {
  const footing = figures.footings[n] as Footing;
  const { closed_at, settled_at } = footing.statement;
  if (closed_at === null || settled_at === null || !figures.record.statements_complete) return null;
  const due = dueAtClose(figures, n);
  if (due === null || due <= 0) return null;
  const { lowered, future } = settlementOf(due, footing, figures.footings.slice(n + 1));
  const missing = due - Math.max(lowered, future);
  return missing > 0 ? { due, missing } : null;
}

/**
 * What was left to pay when a statement closed. A statement that does not foot tells it by its transactions, and only if none of
 * them paid anything; and what a broken chain carried in from nowhere is not due.
 */
function dueAtClose({ footings, boundaries }: Figures, n: number): number | null {
  const footing = footings[n] as Footing;
  const { difference, computed } = footing;
  if (difference === null || computed === null) return null;
  const before = boundaries[n - 1];
  const wrong = before?.blame === 'opening' ? (before.step ?? 0) : 0;
  const closing = computed - wrong;
  const foots = difference + wrong === 0;
  if (!foots && paysItself(footing)) return null;
  return closing - Math.max(carriedIn(boundaries, n), 0);
}

/** Sum of the steps in the chain up to a statement, since the last gap. */
function carriedIn(boundaries: readonly Boundary[], n: number): number {
  let carried = 0;
  for (let at = 0; at < n; at++) {
    const { meeting, blame, step } = boundaries[at] as Boundary;
    if (meeting === 'gap' || meeting === 'pause') carried = 0;
    else if (blame === 'neither') carried += step ?? 0;
  }
  return carried;
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
