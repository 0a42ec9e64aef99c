import type { DraftRecord, Statement } from '../checks/simulated-life.ts';

/** An error that can be planted in an ordinary history, and the only rule that must report it. */
export interface PlantedError {
  readonly name: string;
  readonly rule: string;
  /** Plants the error. Returns the id of the statement that the finding must name, or null. */
  readonly plant: (draft: DraftRecord) => number | null;
}

export const DAY = 86_400_000;

/** Returns the n-th statement. The first one is from the signup. In `ordinaryLife`, the fourth one was paid late. */
export const statementAt = (draft: DraftRecord, n: number): Statement => draft.statements[n] as Statement;
export const ORDINARY_STATEMENT = 2;
export const LATE_PAID_STATEMENT = 3;

export const findPayment = (statement: Statement) => {
  const payment = statement.transactions.findLast(
    ({ transaction_type, success }) => transaction_type === 'payment' && success,
  );
  if (payment === undefined) throw new RangeError('the statement has no payment');
  return payment;
};

/** Shifts all balances after the n-th statement by an amount in cents. */
export function shiftBalancesAfter(draft: DraftRecord, n: number, cents: number): void {
  for (const statement of draft.statements.slice(n)) {
    statement.starting_balance_in_cents = (statement.starting_balance_in_cents ?? 0) + cents;
    statement.ending_balance_in_cents = (statement.ending_balance_in_cents ?? 0) + cents;
    for (const transaction of statement.transactions) {
      transaction.starting_balance_in_cents = (transaction.starting_balance_in_cents ?? 0) + cents;
      transaction.ending_balance_in_cents = (transaction.ending_balance_in_cents ?? 0) + cents;
    }
  }
  for (const statement of draft.statements.slice(n)) statement.text_view = null;
  const shifted = new Set(draft.statements.slice(n).map(({ id }) => id));
  draft.webhooks = draft.webhooks.map((webhook) =>
    webhook.facts.statement && shifted.has(webhook.facts.statement.id)
      ? { ...webhook, facts: { ...webhook.facts, statement: null } }
      : webhook,
  );
}

/** Adds a copy of the statement’s payment with a new id and consistent balances. */
export function duplicatePayment(statement: Statement, gateway_transaction_id: string | null): void {
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

export const withoutStatementWebhooks = (draft: DraftRecord, id: number): void => {
  draft.webhooks = draft.webhooks.map((webhook) =>
    webhook.facts.statement?.id === id
      ? { ...webhook, facts: { ...webhook.facts, statement: null } }
      : webhook,
  );
};
