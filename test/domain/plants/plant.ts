import type { Draft, Statement } from '../checks/life.ts';

/** An error to plant in an ordinary subscription, with the one rule that must report it. */
export interface Plant {
  readonly name: string;
  readonly rule: string;
  /** Changes the draft. Returns the statement that the finding must name, or null. */
  readonly plant: (draft: Draft) => number | null;
}

export const DAY = 86_400_000;

/** Returns the n-th statement. The first is of the signup; the fourth of `ordinaryLife` was paid late. */
export const at = (draft: Draft, n: number): Statement => draft.statements[n] as Statement;
export const AN_ORDINARY_ONE = 2;
export const PAID_LATE = 3;

export const findPayment = (statement: Statement) => {
  const payment = statement.transactions.findLast(
    ({ transaction_type, success }) => transaction_type === 'payment' && success,
  );
  if (payment === undefined) throw new RangeError('the statement has no payment');
  return payment;
};

/** Shifts all balances after a position in the chain. */
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
    webhook.facts.statement && moved.has(webhook.facts.statement.id)
      ? { ...webhook, facts: { ...webhook.facts, statement: null } }
      : webhook,
  );
}

/** Copies the statement's payment under a new id with continuous balances. */
export function payAgain(statement: Statement, gateway_transaction_id: string | null): void {
  const payment = findPayment(statement);
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
    webhook.facts.statement?.id === id
      ? { ...webhook, facts: { ...webhook.facts, statement: null } }
      : webhook,
  );
};
