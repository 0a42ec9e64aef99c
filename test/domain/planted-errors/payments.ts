import {
  DAY,
  duplicatePayment,
  findPayment,
  LATE_PAID_STATEMENT,
  ORDINARY_STATEMENT,
  type PlantedError,
  shiftBalancesAfter,
  statementAt,
  withoutStatementWebhooks,
} from './plant.ts';

/** Errors in payments and in the statements that list them. */
export const paymentErrors: readonly PlantedError[] = [
  {
    name: 'payment written down twice, balances struck again',
    rule: 'duplicate-payment',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const payment = findPayment(statement);
      duplicatePayment(statement, payment.gateway_transaction_id);
      shiftBalancesAfter(draft, ORDINARY_STATEMENT + 1, -payment.amount_in_cents);
      withoutStatementWebhooks(draft, statement.id);
      return statement.id;
    },
  },
  {
    name: 'payment written down twice and counted once',
    rule: 'duplicate-payment',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const payment = findPayment(statement);
      statement.transactions.push({ ...payment, id: payment.id + 50_000 });
      return statement.id;
    },
  },
  {
    name: 'card charged twice on a day',
    rule: 'repeated-payment',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      duplicatePayment(statement, 'ch_again');
      shiftBalancesAfter(draft, ORDINARY_STATEMENT + 1, -findPayment(statement).amount_in_cents);
      withoutStatementWebhooks(draft, statement.id);
      return statement.id;
    },
  },
  {
    name: 'failed payment counted',
    rule: 'failed-payment-counted',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      findPayment(statement).success = false;
      return statement.id;
    },
  },
  {
    name: 'failed payment counted, without running balances',
    rule: 'failed-payment-counted',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const payment = findPayment(statement);
      payment.success = false;
      for (const transaction of statement.transactions) {
        transaction.starting_balance_in_cents = null;
        transaction.ending_balance_in_cents = null;
      }
      return statement.id;
    },
  },
  {
    name: 'unpaid statement settled',
    rule: 'settled-without-payment',
    plant: (draft) => {
      const statement = statementAt(draft, LATE_PAID_STATEMENT);
      statement.settled_at = statement.closed_at;
      statement.future_payments = [];
      return statement.id;
    },
  },
  {
    name: 'payment and its event taken off a settled statement',
    rule: 'settled-without-payment',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const { id } = findPayment(statement);
      statement.transactions = statement.transactions.filter((each) => each.id !== id);
      statement.events = statement.events.filter(({ transaction_id }) => transaction_id !== id);
      return statement.id;
    },
  },
  {
    name: 'settlement of a paid statement lost',
    rule: 'paid-but-unsettled',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.settled_at = null;
      return statement.id;
    },
  },
  {
    name: 'settlement of a statement paid later lost',
    rule: 'paid-but-unsettled',
    plant: (draft) => {
      const statement = statementAt(draft, LATE_PAID_STATEMENT);
      statement.settled_at = null;
      statement.future_payments = [];
      return statement.id;
    },
  },
  {
    name: 'future payment of another amount',
    rule: 'future-payment',
    plant: (draft) => {
      const statement = statementAt(draft, LATE_PAID_STATEMENT);
      const [payment] = statement.future_payments;
      if (payment) payment.amount_in_cents = (payment.amount_in_cents ?? 0) + 100;
      return statement.id;
    },
  },
  {
    name: 'future payment that no statement holds',
    rule: 'future-payment',
    plant: (draft) => {
      const statement = statementAt(draft, LATE_PAID_STATEMENT);
      const [payment] = statement.future_payments;
      if (payment) payment.id = 987_654_321;
      return statement.id;
    },
  },
  {
    name: 'future payment not listed',
    rule: 'future-payment',
    plant: (draft) => {
      const statement = statementAt(draft, LATE_PAID_STATEMENT);
      statement.future_payments = [];
      return statement.id;
    },
  },
  {
    name: 'payment copied to the next statement',
    rule: 'transaction-in-two-statements',
    plant: (draft) => {
      const next = statementAt(draft, ORDINARY_STATEMENT + 1);
      next.transactions.unshift({ ...findPayment(statementAt(draft, ORDINARY_STATEMENT)) });
      return next.id;
    },
  },
  {
    name: 'event of a payment that never was',
    rule: 'event-without-transaction',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const created_at = (statement.opened_at ?? 0) + DAY;
      statement.events.push({
        id: 5,
        subscription_id: null,
        key: 'payment_success',
        created_at,
        transaction_id: 123,
        new_state: null,
      });
      return statement.id;
    },
  },
  {
    name: 'payment taken off, its event left',
    rule: 'event-without-transaction',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      const { id } = findPayment(statement);
      statement.transactions = statement.transactions.filter((each) => each.id !== id);
      return statement.id;
    },
  },
  {
    name: 'event of a payment lost',
    rule: 'payment-without-event',
    plant: (draft) => {
      const statement = statementAt(draft, ORDINARY_STATEMENT);
      statement.events = statement.events.filter(({ key }) => key !== 'payment_success');
      return statement.id;
    },
  },
];
