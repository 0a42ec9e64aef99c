import { type Cents, isSuccessfulPayment, isSuccessfulRefund } from '../../ledger/index.ts';
import { findMeaningfulGatewayId, type LocatedTransaction } from './payment-index.ts';
import type { SubscriptionFigures } from './subscription-figures.ts';
import type { CrossSubscriptionMember } from './subscription-record.ts';

/** A successful refund and the payment that it names. */
export interface RefundLink {
  readonly refund: LocatedTransaction;
  /** Payment of the same subscription; null if the refund names no stored payment. */
  readonly payment: LocatedTransaction | null;
  /** Transaction of another subscription that the refund names; null if there is none. */
  readonly elsewhere: CrossSubscriptionMember | null;
}

/** Returns every successful refund of a subscription with its payment: by `payment_id`, or else by gateway id. */
export function linkRefunds(figures: SubscriptionFigures): RefundLink[] {
  const { transactionsById, payments, record } = figures;
  return [...transactionsById.values()]
    .filter(({ transaction }) => isSuccessfulRefund(transaction) && transaction.amount_in_cents !== 0)
    .map((refund) => {
      const { payment_id } = refund.transaction;
      const gatewayId = findMeaningfulGatewayId(refund.transaction);
      if (payment_id !== null) {
        const named = transactionsById.get(payment_id);
        const payment = named && isSuccessfulPayment(named.transaction) ? named : null;
        return { refund, payment, elsewhere: record.transactions_elsewhere.get(payment_id) ?? null };
      }
      // An identifier of several payments is a gateway's constant or a duplicate.
      const [payment = null, ...others] = payments.filter(
        ({ transaction }) => gatewayId !== null && findMeaningfulGatewayId(transaction) === gatewayId,
      );
      return { refund, payment: others.length === 0 ? payment : null, elsewhere: null };
    });
}

/**
 * Returns true if a subscription's complete past is stored, because its first statement contains the signup. A payment
 * on no statement then does not exist.
 */
export const isHistoryComplete = ({ record, footings }: SubscriptionFigures): boolean =>
  record.statements_complete &&
  footings[0]?.statement.events.some(({ key }) => key === 'signup_success') === true;

export const sumAbsoluteAmounts = (transactions: readonly LocatedTransaction[]): Cents =>
  transactions.reduce((sum, { transaction }) => sum + Math.abs(transaction.amount_in_cents), 0);
