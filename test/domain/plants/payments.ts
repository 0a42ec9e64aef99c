import {
  AN_ORDINARY_ONE,
  at,
  DAY,
  findPayment,
  PAID_LATE,
  type Plant,
  payAgain,
  shiftAfter,
  withoutStatementWebhooks,
} from './plant.ts';

/** Errors in payments and in statements about them. */
export const payments: readonly Plant[] = [
  {
    name: 'payment written down twice, balances struck again',
    rule: 'duplicate-payment',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const payment = findPayment(statement);
      payAgain(statement, payment.gateway_transaction_id);
      shiftAfter(draft, AN_ORDINARY_ONE + 1, -payment.amount_in_cents);
      withoutStatementWebhooks(draft, statement.id);
      return statement.id;
    },
  },
  {
    name: 'payment written down twice and counted once',
    rule: 'duplicate-payment',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const payment = findPayment(statement);
      statement.transactions.push({ ...payment, id: payment.id + 50_000 });
      return statement.id;
    },
  },
  {
    name: 'card charged twice on a day',
    rule: 'repeated-payment',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      payAgain(statement, 'ch_again');
      shiftAfter(draft, AN_ORDINARY_ONE + 1, -findPayment(statement).amount_in_cents);
      withoutStatementWebhooks(draft, statement.id);
      return statement.id;
    },
  },
  {
    name: 'failed payment counted',
    rule: 'failed-payment-counted',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      findPayment(statement).success = false;
      return statement.id;
    },
  },
  {
    name: 'failed payment counted, without running balances',
    rule: 'failed-payment-counted',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
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
      const statement = at(draft, PAID_LATE);
      statement.settled_at = statement.closed_at;
      statement.future_payments = [];
      return statement.id;
    },
  },
  {
    name: 'payment and its event taken off a settled statement',
    rule: 'settled-without-payment',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
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
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.settled_at = null;
      return statement.id;
    },
  },
  {
    name: 'settlement of a statement paid later lost',
    rule: 'paid-but-unsettled',
    plant: (draft) => {
      const statement = at(draft, PAID_LATE);
      statement.settled_at = null;
      statement.future_payments = [];
      return statement.id;
    },
  },
  {
    name: 'future payment of another amount',
    rule: 'future-payment',
    plant: (draft) => {
      const statement = at(draft, PAID_LATE);
      const [payment] = statement.future_payments;
      if (payment) payment.amount_in_cents = (payment.amount_in_cents ?? 0) + 100;
      return statement.id;
    },
  },
  {
    name: 'future payment that no statement holds',
    rule: 'future-payment',
    plant: (draft) => {
      const statement = at(draft, PAID_LATE);
      const [payment] = statement.future_payments;
      if (payment) payment.id = 987_654_321;
      return statement.id;
    },
  },
  {
    name: 'future payment not listed',
    rule: 'future-payment',
    plant: (draft) => {
      const statement = at(draft, PAID_LATE);
      statement.future_payments = [];
      return statement.id;
    },
  },
  {
    name: 'payment copied to the next statement',
    rule: 'transaction-in-two-statements',
    plant: (draft) => {
      const next = at(draft, AN_ORDINARY_ONE + 1);
      next.transactions.unshift({ ...findPayment(at(draft, AN_ORDINARY_ONE)) });
      return next.id;
    },
  },
  {
    name: 'event of a payment that never was',
    rule: 'event-without-transaction',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const created_at = (statement.opened_at ?? 0) + DAY;
      statement.events.push({
        id: 5,
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
      const statement = at(draft, AN_ORDINARY_ONE);
      const { id } = findPayment(statement);
      statement.transactions = statement.transactions.filter((each) => each.id !== id);
      return statement.id;
    },
  },
  {
    name: 'event of a payment lost',
    rule: 'payment-without-event',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.events = statement.events.filter(({ key }) => key !== 'payment_success');
      return statement.id;
    },
  },
];
