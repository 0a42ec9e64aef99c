import type { Statement, Transaction, Webhook } from '../../../src/billing/index.ts';
import {
  createStatement,
  createTransaction,
  createWebhook,
  formatServiceTime,
  T0,
} from '../store/sample-records.ts';
import { DAY } from './test-ledger.ts';

/** Creates a correct statement that was charged, paid immediately and settled. `over` changes its payment. */
export function createPaidStatement(
  id: number,
  subscription_id: number,
  over: Partial<Transaction> = {},
): Statement {
  return createStatement({
    id,
    subscription_id,
    ending_balance_in_cents: 0,
    settled_at: formatServiceTime(T0 + 30 * DAY),
    text_view: '',
    events: [],
    transactions: [
      createTransaction({ id: id * 10, subscription_id }),
      createTransaction({
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
export function createRejectedWebhook(
  id: number,
  subscription: number | null,
  at: number,
  accepted = false,
): Webhook {
  return createWebhook({
    id,
    event: 'renewal_failure',
    body: subscription === null ? 'event=renewal_failure' : `payload[subscription][id]=${subscription}`,
    successful: accepted,
    created_at: formatServiceTime(at),
    accepted_at: accepted ? formatServiceTime(at) : null,
    last_sent_at: formatServiceTime(at),
    last_error: accepted ? null : '503',
    last_error_at: formatServiceTime(at),
  });
}
