import type { Cents } from '../../ledger/index.ts';
import { containsPaymentOrCredit } from './footing-explanation.ts';
import { SAME_TIME_TOLERANCE_MS, type StatementBoundary } from './statement-chain.ts';
import { computeBalanceAfter, type StatementFooting } from './statement-footing.ts';
import type { SubscriptionFigures } from './subscription-figures.ts';
import type { TransactionRecord } from './subscription-record.ts';

/** The amounts that paid a statement's closing balance after it closed. */
export interface StatementSettlement {
  readonly due: Cents;
  /** Payments and credits between closing and settlement, in cents. */
  readonly paidSinceClose: Cents;
  readonly futurePayments: Cents;
}

/** Traces how a closed statement's balance was paid. `later` contains the subscription's later statements. */
export function traceSettlement(
  due: Cents,
  footing: StatementFooting,
  later: readonly StatementFooting[],
): StatementSettlement {
  const { settled_at, opened_at, future_payments } = footing.statement;
  const until =
    settled_at === null || settled_at < (opened_at ?? 0)
      ? Number.POSITIVE_INFINITY
      : settled_at + SAME_TIME_TOLERANCE_MS;
  let paidSinceClose = 0;
  for (const { transactions, effects } of later) {
    for (const [index, effect] of effects.entries()) {
      const { created_at } = transactions[index] as TransactionRecord;
      if (effect !== null && effect < 0 && (created_at ?? 0) <= until) paidSinceClose -= effect;
    }
  }
  const futurePayments = future_payments.reduce(
    (sum, { amount_in_cents }) => sum + Math.abs(amount_in_cents ?? 0),
    0,
  );
  return { due, paidSinceClose, futurePayments };
}

/** Returns the unpaid part of a settled statement; null if it was paid in full or this is unknown. */
export function findSettlementWithoutPayment(
  figures: SubscriptionFigures,
  n: number,
): { due: number; missing: number } | null {
  const footing = figures.footings[n] as StatementFooting;
  const { closed_at, settled_at } = footing.statement;
  if (closed_at === null || settled_at === null || !figures.record.statements_complete) return null;
  const due = computeAmountDueAtClose(figures, n);
  if (due === null || due <= 0) return null;
  const { paidSinceClose, futurePayments } = traceSettlement(due, footing, figures.footings.slice(n + 1));
  const missing = due - Math.max(paidSinceClose, futurePayments);
  return missing > 0 ? { due, missing } : null;
}

/**
 * Returns the amount due when a statement closed; null if unknown. If the statement does not foot, the amount is
 * computed from its transactions, but only if none of them is a payment or credit. Amounts that a broken balance
 * chain carried in are not due.
 */
function computeAmountDueAtClose({ footings, boundaries }: SubscriptionFigures, n: number): number | null {
  const footing = footings[n] as StatementFooting;
  const { difference, computed } = footing;
  if (difference === null || computed === null) return null;
  const before = boundaries[n - 1];
  const wrong = before?.wrongBalance === 'opening' ? (before.balanceStep ?? 0) : 0;
  const closing = computed - wrong;
  const foots = difference + wrong === 0;
  if (!foots && containsPaymentOrCredit(footing)) return null;
  return closing - Math.max(sumCarriedSteps(boundaries, n), 0);
}

/** Sums the balance differences between statements since the last gap, up to the given statement. */
function sumCarriedSteps(boundaries: readonly StatementBoundary[], n: number): number {
  let carried = 0;
  for (let at = 0; at < n; at++) {
    const { transition, wrongBalance, balanceStep } = boundaries[at] as StatementBoundary;
    if (transition === 'gap' || transition === 'pause') carried = 0;
    else if (wrongBalance === 'neither') carried += balanceStep ?? 0;
  }
  return carried;
}

/** Returns the transaction that reduced a later balance to zero, which proves that all earlier dues were paid. */
export function findPayoffTransaction(
  later: readonly StatementFooting[],
): { footing: StatementFooting; transaction: TransactionRecord } | null {
  for (const footing of later) {
    for (const [index, effect] of footing.effects.entries()) {
      if (effect === null || effect >= 0) continue;
      const balance = computeBalanceAfter(footing, index);
      if (balance !== null && balance <= 0)
        return { footing, transaction: footing.transactions[index] as TransactionRecord };
    }
  }
  return null;
}
