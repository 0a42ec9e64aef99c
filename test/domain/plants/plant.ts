import type { Draft, Statement } from '../tieout/life.ts';

/** Errors to plant in an ordinary subscription, each with the one rule that must find it. */
export interface Plant {
  readonly name: string;
  readonly rule: string;
  /** Changes the draft; gives the statement that must be named, where one must. */
  readonly plant: (draft: Draft) => number | null;
}

export const DAY = 86_400_000;

/** The n-th statement: the first is that of the signup; the fourth of `ordinaryLife` was paid late. */
export const at = (draft: Draft, n: number): Statement => draft.statements[n] as Statement;
export const AN_ORDINARY_ONE = 2;
export const PAID_LATE = 3;

export const paymentOf = (statement: Statement) => {
  const payment = statement.transactions.findLast(
    ({ transaction_type, success }) => transaction_type === 'payment' && success,
  );
  if (payment === undefined) throw new RangeError('the statement has no payment');
  return payment;
};

/** Everything after a place in the chain moves by so many cents. */
export function shiftAfter(draft: Draft, n: number, cents: number): void {
  for (const statement of draft.statements.slice(n)) {
    statement.starting_balance_in_cents = (statement.starting_balance_in_cents ?? 0) + cents;
    statement.ending_balance_in_cents = (statement.ending_balance_in_cents ?? 0) + cents;
    for (const transaction of statement.transactions) {
      transaction.starting_balance_in_cents = (transaction.starting_balance_in_cents ?? 0) + cents;
      transaction.ending_balance_in_cents = (transaction.ending_balance_in_cents ?? 0) + cents;
    }
  }
  for (const statement of draft.statements.slice(n)) statement.text_view = null;
  const moved = new Set(draft.statements.slice(n).map(({ id }) => id));
  draft.webhooks = draft.webhooks.map((webhook) =>
    webhook.telling.statement && moved.has(webhook.telling.statement.id)
      ? { ...webhook, telling: { ...webhook.telling, statement: null } }
      : webhook,
  );
}

/** A copy of the statement’s payment under a new id, with balances that run on from the original. */
export function payAgain(statement: Statement, gateway_transaction_id: string | null): void {
  const payment = paymentOf(statement);
  const balance = payment.ending_balance_in_cents ?? 0;
  statement.transactions.push({
    ...payment,
    id: payment.id + 50_000,
    gateway_transaction_id,
    starting_balance_in_cents: balance,
    ending_balance_in_cents: balance - payment.amount_in_cents,
  });
  statement.ending_balance_in_cents = balance - payment.amount_in_cents;
  statement.text_view = null;
}

export const withoutStatementWebhooks = (draft: Draft, id: number): void => {
  draft.webhooks = draft.webhooks.map((webhook) =>
    webhook.telling.statement?.id === id
      ? { ...webhook, telling: { ...webhook.telling, statement: null } }
      : webhook,
  );
};
