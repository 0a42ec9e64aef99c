import type { FuturePayment, Statement, StatementEvent, Transaction } from './entities.ts';
import {
  anything,
  boolean,
  datetime,
  extra,
  integer,
  misfit,
  nested,
  type Reading,
  type Row,
  requiredId,
  requiredInteger,
  requiredText,
  type Shape,
  text,
} from './reading.ts';
import { isObject, type JsonObject, type JsonValue, print } from './value.ts';

const transactionFields = new Set([
  'id',
  'transaction_type',
  'type',
  'kind',
  'amount_in_cents',
  'starting_balance_in_cents',
  'ending_balance_in_cents',
  'success',
  'memo',
  'created_at',
  'subscription_id',
  'product_id',
  'payment_id',
  'gateway_transaction_id',
]);

function looseTransaction(row: Row, sent: JsonObject): FuturePayment {
  return {
    id: integer(row, 'id', sent['id']),
    transaction_type: text(row, 'transaction_type', sent['transaction_type']),
    type: text(row, 'type', sent['type']),
    kind: text(row, 'kind', sent['kind']) || null,
    amount_in_cents: integer(row, 'amount_in_cents', sent['amount_in_cents']),
    starting_balance_in_cents: integer(row, 'starting_balance_in_cents', sent['starting_balance_in_cents']),
    ending_balance_in_cents: integer(row, 'ending_balance_in_cents', sent['ending_balance_in_cents']),
    success: boolean(row, 'success', sent['success']),
    memo: text(row, 'memo', sent['memo']),
    created_at: datetime(row, 'created_at', sent['created_at']),
    subscription_id: integer(row, 'subscription_id', sent['subscription_id']),
    product_id: integer(row, 'product_id', sent['product_id']),
    payment_id: integer(row, 'payment_id', sent['payment_id']),
    gateway_transaction_id: text(row, 'gateway_transaction_id', sent['gateway_transaction_id']),
    extra: extra(row, transactionFields),
  };
}

const transactionShape: Shape<Transaction> = {
  wrappers: ['transaction'],
  known: transactionFields,
  read: (row, sent) => {
    const id = requiredId(row, 'id', sent['id']);
    const amount_in_cents = requiredInteger(row, 'amount_in_cents', sent['amount_in_cents']);
    return { ...looseTransaction(row, sent), id, amount_in_cents };
  },
};

const futurePaymentShape: Shape<FuturePayment> = {
  wrappers: ['future_payment', 'payment', 'transaction'],
  known: transactionFields,
  read: looseTransaction,
};

const eventFields = new Set(['id', 'key', 'message', 'created_at', 'subscription_id', 'event_specific_data']);

/** The data of an event, its two documented ids as numbers where they can be (in XML they may carry no type). */
function eventData(row: Row, sent: JsonValue | undefined): JsonObject | null {
  const data = anything(row, 'event_specific_data', sent);
  if (data === null || data === '') return null;
  if (!isObject(data)) return misfit(row, 'event_specific_data', data, 'is not a record');
  const typed = { ...data };
  for (const field of ['product_id', 'account_transaction_id']) {
    const value = typed[field];
    if (typeof value === 'string' && /^\d{1,15}$/.test(value)) typed[field] = Number(value);
    else if (value === '') typed[field] = null;
  }
  return typed;
}

const eventShape: Shape<StatementEvent> = {
  wrappers: ['event'],
  known: eventFields,
  read: (row, sent) => ({
    id: requiredId(row, 'id', sent['id']),
    key: requiredText('key', sent['key']),
    message: text(row, 'message', sent['message']),
    created_at: datetime(row, 'created_at', sent['created_at']),
    subscription_id: integer(row, 'subscription_id', sent['subscription_id']),
    event_specific_data: eventData(row, sent['event_specific_data']),
    extra: extra(row, eventFields),
  }),
};

const statementFields = new Set([
  'id',
  'subscription_id',
  'opened_at',
  'closed_at',
  'settled_at',
  'text_view',
  'basic_html_view',
  'html_view',
  'future_payments',
  'starting_balance_in_cents',
  'ending_balance_in_cents',
  'memo',
  'customer_first_name',
  'customer_last_name',
  'customer_organization',
  'customer_shipping_address',
  'customer_shipping_address_2',
  'customer_shipping_city',
  'customer_shipping_state',
  'customer_shipping_country',
  'customer_shipping_zip',
  'customer_billing_address',
  'customer_billing_address_2',
  'customer_billing_city',
  'customer_billing_state',
  'customer_billing_country',
  'customer_billing_zip',
  'transactions',
  'events',
  'created_at',
  'updated_at',
]);

/** A statement with its transactions and events (interface 2.3). */
export const statementShape: Shape<Statement> = {
  wrappers: ['statement'],
  known: statementFields,
  read: (row, sent) => ({
    id: requiredId(row, 'id', sent['id']),
    subscription_id: requiredId(row, 'subscription_id', sent['subscription_id']),
    opened_at: datetime(row, 'opened_at', sent['opened_at']),
    closed_at: datetime(row, 'closed_at', sent['closed_at']),
    settled_at: datetime(row, 'settled_at', sent['settled_at']),
    text_view: text(row, 'text_view', sent['text_view']),
    basic_html_view: text(row, 'basic_html_view', sent['basic_html_view']),
    html_view: text(row, 'html_view', sent['html_view']),
    future_payments: nested(row, 'future_payments', sent['future_payments'], futurePaymentShape),
    starting_balance_in_cents: integer(row, 'starting_balance_in_cents', sent['starting_balance_in_cents']),
    ending_balance_in_cents: integer(row, 'ending_balance_in_cents', sent['ending_balance_in_cents']),
    memo: text(row, 'memo', sent['memo']),
    customer_first_name: text(row, 'customer_first_name', sent['customer_first_name']),
    customer_last_name: text(row, 'customer_last_name', sent['customer_last_name']),
    customer_organization: text(row, 'customer_organization', sent['customer_organization']),
    customer_shipping_address: text(row, 'customer_shipping_address', sent['customer_shipping_address']),
    customer_shipping_address_2: text(
      row,
      'customer_shipping_address_2',
      sent['customer_shipping_address_2'],
    ),
    customer_shipping_city: text(row, 'customer_shipping_city', sent['customer_shipping_city']),
    customer_shipping_state: text(row, 'customer_shipping_state', sent['customer_shipping_state']),
    customer_shipping_country: text(row, 'customer_shipping_country', sent['customer_shipping_country']),
    customer_shipping_zip: text(row, 'customer_shipping_zip', sent['customer_shipping_zip']),
    customer_billing_address: text(row, 'customer_billing_address', sent['customer_billing_address']),
    customer_billing_address_2: text(row, 'customer_billing_address_2', sent['customer_billing_address_2']),
    customer_billing_city: text(row, 'customer_billing_city', sent['customer_billing_city']),
    customer_billing_state: text(row, 'customer_billing_state', sent['customer_billing_state']),
    customer_billing_country: text(row, 'customer_billing_country', sent['customer_billing_country']),
    customer_billing_zip: text(row, 'customer_billing_zip', sent['customer_billing_zip']),
    transactions: nested(row, 'transactions', sent['transactions'], transactionShape),
    events: nested(row, 'events', sent['events'], eventShape),
    created_at: datetime(row, 'created_at', sent['created_at']),
    updated_at: datetime(row, 'updated_at', sent['updated_at']),
    extra: extra(row, statementFields),
  }),
};

/** The ids of an id list (interface 4.6, 4.7): whole numbers, or number texts in XML. */
export function readStatementIds(reading: Reading, items: readonly JsonValue[]): number[] {
  const ids: number[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as JsonValue;
    const id = typeof item === 'string' && /^\d{1,16}$/.test(item.trim()) ? Number(item) : item;
    if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) {
      ids.push(id);
    } else {
      const place = `statement_ids[${index}]`;
      reading.problems.push({ place, reason: 'is not an id', raw: print(item), row: 'refused' });
    }
  }
  return ids;
}
