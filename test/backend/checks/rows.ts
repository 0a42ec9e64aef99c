import type { Statement, Transaction, Webhook } from '../../../src/billing/index.ts';
import { sent, statement, T0, transaction, webhook } from '../store/rows.ts';
import { DAY } from './ledger.ts';

/** Creates a correct statement that was charged, paid immediately and settled. `over` changes its payment. */
export function paid(id: number, subscription_id: number, over: Partial<Transaction> = {}): Statement {
  return statement({
    id,
    subscription_id,
    ending_balance_in_cents: 0,
    settled_at: sent(T0 + 30 * DAY),
    text_view: '',
    events: [],
    transactions: [
      transaction({ id: id * 10, subscription_id }),
      transaction({
        id: id * 10 + 1,
        subscription_id,
        transaction_type: 'payment',
        type: 'Payment',
        kind: null,
        starting_balance_in_cents: 1000,
        ending_balance_in_cents: 0,
        ...over,
      }),
    ],
  });
}

/** Creates a rejected or accepted webhook. For null, its body names no subscription. */
export function refused(id: number, subscription: number | null, at: number, accepted = false): Webhook {
  return webhook({
    id,
    event: 'renewal_failure',
    body: subscription === null ? 'event=renewal_failure' : `payload[subscription][id]=${subscription}`,
    successful: accepted,
    created_at: sent(at),
    accepted_at: accepted ? sent(at) : null,
    last_sent_at: sent(at),
    last_error: accepted ? null : '503',
    last_error_at: sent(at),
  });
}
