import { findPayment, ORDINARY_STATEMENT, type PlantedError, statementAt } from './plant.ts';

/** Errors in the links between records: wrong subscriptions, customers, currencies, refunds and payments. */
export const linkErrors: readonly PlantedError[] = [
  {
    name: 'charge that names another subscription',
    rule: 'other-subscription',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const charge = statement.transactions.find(({ kind }) => kind === 'baseline');
      if (charge) charge.subscription_id = draft.subscription_id + 40;
      return statement.id;
    },
  },
  {
    name: 'event that names another subscription',
    rule: 'other-subscription',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      for (const event of statement.events) event.subscription_id = 900_003;
      return statement.id;
    },
  },
  {
    name: 'statement in the name of another customer',
    rule: 'changed-customer',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.customer = { name: 'Jonas Weber', organization: 'Weber KG', address: 'Ringstrasse 9 10115' };
      return statement.id;
    },
  },
  {
    name: 'statement in another currency',
    rule: 'currency-in-chain',
    plant: (draft) => {
      for (const statement of draft.statements) statement.currency = 'CHF';
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.currency = 'NOK';
      return statement.id;
    },
  },
  {
    name: 'statement printed in another currency',
    rule: 'currency-in-chain',
    plant: (draft) => {
      for (const each of draft.statements)
        each.text_view = each.text_view?.replaceAll(/\d+\.\d\d/g, '$$$&') ?? null;
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.text_view = statement.text_view?.replaceAll('$', '£') ?? null;
      return statement.id;
    },
  },
  {
    name: 'refund of a payment that is on no statement',
    rule: 'refund-without-payment',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      addRefund(statement, { amount_in_cents: 500, payment_id: draft.subscription_id * 100_000 + 77_777 });
      return statement.id;
    },
  },
  {
    name: 'second refund above the payment',
    rule: 'refunds-exceed-payment',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const { id, amount_in_cents } = findPayment(statementAt(draft, ORDINARY_STATEMENT - 1));
      for (const cents of [amount_in_cents, 300]) {
        addRefund(statement, { amount_in_cents: cents, payment_id: id });
      }
      return statement.id;
    },
  },
  {
    name: 'payment with a negative amount',
    rule: 'amount-sign',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const payment = findPayment(statement);
      payment.amount_in_cents = -payment.amount_in_cents;
      return statement.id;
    },
  },
  {
    name: 'total that differs from the transactions',
    rule: 'statement-total',
    plant: (draft) => {
      for (const statement of draft.statements)
        statement.total_in_cents = statement.transactions
          .filter(
            ({ transaction_type: type }) => type === 'charge' || type === 'credit' || type === 'adjustment',
          )
          .reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0);
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.total_in_cents = (statement.total_in_cents ?? 0) - 250;
      return statement.id;
    },
  },
  {
    name: 'charge settled by the payment of another subscription',
    rule: 'charge-settlement',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const charge = statement.transactions.find(({ kind }) => kind === 'baseline');
      const payment = { ...findPayment(statement), id: 7, subscription_id: 900 };
      if (charge) charge.payment_id = payment.id;
      draft.transactions_elsewhere = new Map([
        [payment.id, { subscription_id: 900, statement_id: 70, transaction: payment }],
      ]);
      return statement.id;
    },
  },
];

function addRefund(
  statement: ReturnType<typeof statementAt>,
  details: { readonly amount_in_cents: number; readonly payment_id: number },
): void {
  const payment = findPayment(statement);
  const balance = statement.starting_balance_in_cents;
  statement.transactions.unshift({
    ...payment,
    ...details,
    id: payment.id + 60_000 + details.amount_in_cents,
    transaction_type: 'refund',
    type: 'Refund',
    kind: 'manual',
    memo: null,
    // Without a time, no webhook is expected for the refund.
    created_at: null,
    created_on: null,
    gateway_transaction_id: null,
    starting_balance_in_cents: balance,
    ending_balance_in_cents: balance,
  });
}
