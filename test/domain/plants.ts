import type { CheckContext } from '../../src/domain/tieout/index.ts';
import { paper } from './tieout/print.ts';
import type { Draft, Statement } from './tieout/simulation.ts';

/** Errors to plant in an ordinary subscription, each with the one rule that must find it. */
export interface Plant {
  readonly name: string;
  readonly rule: string;
  /** Changes the draft; gives the statement that must be named, where one must. */
  readonly plant: (draft: Draft) => number | null;
  readonly context?: Partial<CheckContext>;
}

const DAY = 86_400_000;

/** The n-th statement: the first is that of the signup; the fourth of `ordinaryLife` was paid late. */
const at = (draft: Draft, n: number): Statement => draft.statements[n] as Statement;
const AN_ORDINARY_ONE = 2;
const PAID_LATE = 3;

const paymentOf = (statement: Statement) => {
  const payment = statement.transactions.findLast(
    ({ transaction_type, success }) => transaction_type === 'payment' && success,
  );
  if (payment === undefined) throw new RangeError('the statement has no payment');
  return payment;
};

/** Everything after a place in the chain moves by so many cents. */
function shiftAfter(draft: Draft, n: number, cents: number): void {
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
function payAgain(statement: Statement, gateway_transaction_id: string | null): void {
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

const withoutStatementWebhooks = (draft: Draft, id: number): void => {
  draft.webhooks = draft.webhooks.map((webhook) =>
    webhook.telling.statement?.id === id
      ? { ...webhook, telling: { ...webhook.telling, statement: null } }
      : webhook,
  );
};

export const plants: readonly Plant[] = [
  {
    name: 'closing balance changed afterwards',
    rule: 'statement-foots',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.ending_balance_in_cents = (statement.ending_balance_in_cents ?? 0) + 1234;
      return statement.id;
    },
  },
  {
    name: 'amount of a charge changed afterwards',
    rule: 'statement-foots',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const charge = statement.transactions.find(({ kind }) => kind === 'baseline');
      if (charge) charge.amount_in_cents += 700;
      return statement.id;
    },
  },
  {
    name: 'charge taken off the statement',
    rule: 'statement-foots',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.transactions.splice(
        statement.transactions.findIndex(({ kind }) => kind === 'baseline'),
        1,
      );
      return statement.id;
    },
  },
  {
    name: 'balance between two transactions changed',
    rule: 'running-balances',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const first = statement.transactions[0];
      if (first) first.ending_balance_in_cents = (first.ending_balance_in_cents ?? 0) + 55;
      return statement.id;
    },
  },
  {
    name: 'balance after the last transaction changed',
    rule: 'running-balances',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const last = statement.transactions.at(-1);
      if (last) last.ending_balance_in_cents = -55;
      return statement.id;
    },
  },
  {
    name: 'opening balance changed afterwards',
    rule: 'balance-carried-forward',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.starting_balance_in_cents = (statement.starting_balance_in_cents ?? 0) + 999;
      return statement.id;
    },
  },
  {
    name: 'money lost between two statements',
    rule: 'balance-carried-forward',
    plant: (draft) => {
      shiftAfter(draft, AN_ORDINARY_ONE, -321);
      return at(draft, AN_ORDINARY_ONE).id;
    },
  },
  {
    name: 'money appeared between two statements',
    rule: 'balance-carried-forward',
    plant: (draft) => {
      shiftAfter(draft, AN_ORDINARY_ONE, 321);
      return at(draft, AN_ORDINARY_ONE).id;
    },
  },
  {
    name: 'a statement is missing',
    rule: 'period-gap',
    plant: (draft) => {
      draft.statements.splice(AN_ORDINARY_ONE, 1);
      return at(draft, AN_ORDINARY_ONE).id;
    },
  },
  {
    name: 'a statement opens two days late',
    rule: 'period-gap',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.opened_at = (statement.opened_at ?? 0) + 2 * DAY;
      return statement.id;
    },
  },
  {
    name: 'a statement opens a day early',
    rule: 'period-overlap',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.opened_at = (statement.opened_at ?? 0) - DAY;
      return statement.id;
    },
  },
  {
    name: 'a statement was never closed',
    rule: 'period-overlap',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.closed_at = null;
      statement.settled_at = null;
      return at(draft, AN_ORDINARY_ONE + 1).id;
    },
  },
  {
    name: 'closing balance in the text changed',
    rule: 'text-agrees',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.text_view =
        statement.text_view?.replace(/(Ending Balance.*: ).*/, (_, label) => `${label}$12.34`) ?? null;
      return statement.id;
    },
  },
  {
    name: 'amount of a line in the text changed',
    rule: 'text-agrees',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.text_view =
        statement.text_view?.replace(/(Basic Plan .*)\$[\d.,]+/, (_, line) => `${line}$1,111.11`) ?? null;
      return statement.id;
    },
  },
  {
    name: 'total of charges in the text changed',
    rule: 'text-agrees',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.text_view =
        statement.text_view?.replace(/(Current Charges.*: ).*/, (_, label) => `${label}$7,777.77`) ?? null;
      return statement.id;
    },
  },
  {
    name: 'PDF made of another statement',
    rule: 'pdf-agrees',
    plant: (draft) => {
      for (const statement of draft.statements) statement.pdf_text = paper(statement);
      const statement = at(draft, PAID_LATE);
      statement.pdf_text = paper({ ...statement, ending_balance_in_cents: 4321 });
      return statement.id;
    },
  },
  {
    name: 'payment written down twice, balances struck again',
    rule: 'duplicate-payment',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const payment = paymentOf(statement);
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
      const payment = paymentOf(statement);
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
      shiftAfter(draft, AN_ORDINARY_ONE + 1, -paymentOf(statement).amount_in_cents);
      withoutStatementWebhooks(draft, statement.id);
      return statement.id;
    },
  },
  {
    name: 'failed payment counted',
    rule: 'failed-payment-counted',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      paymentOf(statement).success = false;
      return statement.id;
    },
  },
  {
    name: 'failed payment counted, without running balances',
    rule: 'failed-payment-counted',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const payment = paymentOf(statement);
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
      const { id } = paymentOf(statement);
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
      next.transactions.unshift({ ...paymentOf(at(draft, AN_ORDINARY_ONE)) });
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
      const { id } = paymentOf(statement);
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
  {
    name: 'webhook of a payment lost',
    rule: 'payment-without-webhook',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const { id } = paymentOf(statement);
      draft.webhooks = draft.webhooks.filter(({ telling }) => telling.transaction_id !== id);
      return statement.id;
    },
  },
  {
    name: 'webhook of a closing lost',
    rule: 'statement-without-webhook',
    plant: (draft) => {
      const { id } = at(draft, AN_ORDINARY_ONE);
      draft.webhooks = draft.webhooks.filter(({ telling }) => telling.statement?.id !== id);
      return id;
    },
  },
  {
    name: 'webhook of a late settlement lost',
    rule: 'statement-without-webhook',
    plant: (draft) => {
      const { id } = at(draft, PAID_LATE);
      draft.webhooks = draft.webhooks.filter(
        ({ telling, event }) => event !== 'statement_settled' || telling.statement?.id !== id,
      );
      return id;
    },
  },
  {
    name: 'webhook of a payment refused by the endpoint',
    rule: 'webhook-not-accepted',
    plant: (draft) => {
      const { id } = paymentOf(at(draft, AN_ORDINARY_ONE));
      const webhook = draft.webhooks.find(({ telling }) => telling.transaction_id === id);
      if (webhook)
        Object.assign(webhook, {
          successful: false,
          accepted_at: null,
          last_error: '503 Service Unavailable',
        });
      return at(draft, AN_ORDINARY_ONE).id;
    },
  },
  {
    name: 'webhook with a signature that does not fit',
    rule: 'webhook-signature',
    plant: (draft) => {
      const [webhook] = draft.webhooks;
      if (webhook) webhook.signature = 'forged';
      return null;
    },
  },
  {
    name: 'webhook with another amount than the statement',
    rule: 'webhook-disagrees',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const { id, amount_in_cents } = paymentOf(statement);
      const webhook = draft.webhooks.find(({ telling }) => telling.transaction_id === id);
      const told = webhook?.telling.transactions[0];
      if (webhook && told) {
        const transactions = [{ ...told, amount_in_cents: amount_in_cents + 1 }];
        webhook.telling = { ...webhook.telling, transactions };
      }
      return statement.id;
    },
  },
  {
    name: 'webhook with another closing balance than the statement',
    rule: 'webhook-disagrees',
    plant: (draft) => {
      const { id } = at(draft, PAID_LATE);
      const webhook = draft.webhooks.find(({ telling }) => telling.statement?.id === id);
      const told = webhook?.telling.statement;
      if (webhook && told)
        webhook.telling = { ...webhook.telling, statement: { ...told, ending_balance_in_cents: 1 } };
      return id;
    },
  },
  {
    name: 'payment told under two numbers',
    rule: 'duplicate-webhook',
    plant: (draft) => {
      const { id } = paymentOf(at(draft, AN_ORDINARY_ONE));
      const webhook = draft.webhooks.find(({ telling }) => telling.transaction_id === id);
      if (webhook) draft.webhooks.push({ ...webhook, id: webhook.id + 50_000 });
      return null;
    },
  },
  {
    name: 'quantity changed without a record',
    rule: 'allocation-chain',
    plant: (draft) => {
      const last = draft.components[0]?.allocations.at(-1);
      if (last) last.previous_quantity = Number(last.previous_quantity) - 1;
      return null;
    },
  },
  {
    name: 'prorating change without a charge',
    rule: 'allocation-without-proration',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const component = draft.components[0];
      const timestamp = (statement.opened_at ?? 0) + 5 * DAY;
      const place = component?.allocations.findIndex((each) => each.timestamp > timestamp) ?? -1;
      const next = component?.allocations[place];
      const last = component?.allocations.at(place < 0 ? -1 : place - 1);
      const quantity = Number(last?.quantity) + 1;
      component?.allocations.splice(place < 0 ? component.allocations.length : place, 0, {
        timestamp,
        ordinal: 0,
        previous_quantity: quantity - 1,
        quantity,
        proration_upgrade_scheme: 'prorate-delay-capture',
        proration_downgrade_scheme: 'no-prorate',
      });
      if (next) next.previous_quantity = quantity;
      return statement.id;
    },
  },
  {
    name: 'transaction of a type nobody knows',
    rule: 'unknown-transaction-type',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const charge = statement.transactions.find(({ kind }) => kind === 'baseline');
      if (charge) Object.assign(charge, { transaction_type: 'voucher', type: 'Voucher' });
      return statement.id;
    },
  },
  {
    name: 'statement closed before it opened',
    rule: 'dates-in-order',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      statement.closed_at = (statement.opened_at ?? 0) - DAY;
      return statement.id;
    },
  },
  {
    name: 'transaction dated in another period',
    rule: 'dates-in-order',
    plant: (draft) => {
      const statement = at(draft, AN_ORDINARY_ONE);
      const charge = statement.transactions.find(({ kind }) => kind === 'baseline');
      if (charge) charge.created_at = (charge.created_at ?? 0) - 45 * DAY;
      return statement.id;
    },
  },
  {
    name: 'webhook accepted before it was made',
    rule: 'dates-in-order',
    plant: (draft) => {
      const [webhook] = draft.webhooks;
      if (webhook) webhook.accepted_at = (webhook.created_at ?? 0) - DAY;
      return null;
    },
  },
  {
    name: 'allocation dated in the future',
    rule: 'dates-in-order',
    plant: (draft) => {
      const last = draft.components[0]?.allocations.at(-1);
      if (last)
        Object.assign(last, { timestamp: last.timestamp + 4000 * DAY, proration_upgrade_scheme: null });
      return null;
    },
  },
];
