import { isJsonObject, type JsonObject, type JsonValue, toJsonText } from '../formats/json-value.ts';
import type { FuturePayment, Statement, StatementEvent, Transaction } from './entities.ts';
import {
  type RecordShape,
  type ResponseReadContext,
  type RowContext,
  readAnyValue,
  readBoolean,
  readDatetime,
  readExtraFields,
  readInteger,
  readNestedList,
  readRequiredId,
  readRequiredInteger,
  readRequiredText,
  readText,
  reportUnreadableField,
} from './record-reader.ts';

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

function looseTransaction(row: RowContext, sent: JsonObject): FuturePayment {
  return {
    id: readInteger(row, 'id', sent['id']),
    transaction_type: readText(row, 'transaction_type', sent['transaction_type']),
    type: readText(row, 'type', sent['type']),
    kind: readText(row, 'kind', sent['kind']) || null,
    amount_in_cents: readInteger(row, 'amount_in_cents', sent['amount_in_cents']),
    starting_balance_in_cents: readInteger(
      row,
      'starting_balance_in_cents',
      sent['starting_balance_in_cents'],
    ),
    ending_balance_in_cents: readInteger(row, 'ending_balance_in_cents', sent['ending_balance_in_cents']),
    success: readBoolean(row, 'success', sent['success']),
    memo: readText(row, 'memo', sent['memo']),
    created_at: readDatetime(row, 'created_at', sent['created_at']),
    subscription_id: readInteger(row, 'subscription_id', sent['subscription_id']),
    product_id: readInteger(row, 'product_id', sent['product_id']),
    payment_id: readInteger(row, 'payment_id', sent['payment_id']),
    gateway_transaction_id: readText(row, 'gateway_transaction_id', sent['gateway_transaction_id']),
    extra: readExtraFields(row, transactionFields),
  };
}

const transactionShape: RecordShape<Transaction> = {
  wrapperKeys: ['transaction'],
  knownFields: transactionFields,
  read: (row, sent) => {
    const id = readRequiredId(row, 'id', sent['id']);
    const amount_in_cents = readRequiredInteger(row, 'amount_in_cents', sent['amount_in_cents']);
    return { ...looseTransaction(row, sent), id, amount_in_cents };
  },
};

const futurePaymentShape: RecordShape<FuturePayment> = {
  wrapperKeys: ['future_payment', 'payment', 'transaction'],
  knownFields: transactionFields,
  read: looseTransaction,
};

const eventFields = new Set(['id', 'key', 'message', 'created_at', 'subscription_id', 'event_specific_data']);

/**
 * Reads the data of an event. Converts its two documented ids to numbers if possible, because XML may not declare their
 * type.
 */
function eventData(row: RowContext, sent: JsonValue | undefined): JsonObject | null {
  const data = readAnyValue(row, 'event_specific_data', sent);
  if (data === null || data === '') return null;
  if (!isJsonObject(data)) return reportUnreadableField(row, 'event_specific_data', data, 'is not a record');
  const typed = { ...data };
  for (const field of ['product_id', 'account_transaction_id']) {
    const value = typed[field];
    if (typeof value === 'string' && /^\d{1,15}$/.test(value)) typed[field] = Number(value);
    else if (value === '') typed[field] = null;
  }
  return typed;
}

const eventShape: RecordShape<StatementEvent> = {
  wrapperKeys: ['event'],
  knownFields: eventFields,
  read: (row, sent) => ({
    id: readRequiredId(row, 'id', sent['id']),
    key: readRequiredText('key', sent['key']),
    message: readText(row, 'message', sent['message']),
    created_at: readDatetime(row, 'created_at', sent['created_at']),
    subscription_id: readInteger(row, 'subscription_id', sent['subscription_id']),
    event_specific_data: eventData(row, sent['event_specific_data']),
    extra: readExtraFields(row, eventFields),
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

export const statementRecordShape: RecordShape<Statement> = {
  wrapperKeys: ['statement'],
  knownFields: statementFields,
  read: (row, sent) => ({
    id: readRequiredId(row, 'id', sent['id']),
    subscription_id: readRequiredId(row, 'subscription_id', sent['subscription_id']),
    opened_at: readDatetime(row, 'opened_at', sent['opened_at']),
    closed_at: readDatetime(row, 'closed_at', sent['closed_at']),
    settled_at: readDatetime(row, 'settled_at', sent['settled_at']),
    text_view: readText(row, 'text_view', sent['text_view']),
    basic_html_view: readText(row, 'basic_html_view', sent['basic_html_view']),
    html_view: readText(row, 'html_view', sent['html_view']),
    future_payments: readNestedList(row, 'future_payments', sent['future_payments'], futurePaymentShape),
    starting_balance_in_cents: readInteger(
      row,
      'starting_balance_in_cents',
      sent['starting_balance_in_cents'],
    ),
    ending_balance_in_cents: readInteger(row, 'ending_balance_in_cents', sent['ending_balance_in_cents']),
    memo: readText(row, 'memo', sent['memo']),
    customer_first_name: readText(row, 'customer_first_name', sent['customer_first_name']),
    customer_last_name: readText(row, 'customer_last_name', sent['customer_last_name']),
    customer_organization: readText(row, 'customer_organization', sent['customer_organization']),
    customer_shipping_address: readText(row, 'customer_shipping_address', sent['customer_shipping_address']),
    customer_shipping_address_2: readText(
      row,
      'customer_shipping_address_2',
      sent['customer_shipping_address_2'],
    ),
    customer_shipping_city: readText(row, 'customer_shipping_city', sent['customer_shipping_city']),
    customer_shipping_state: readText(row, 'customer_shipping_state', sent['customer_shipping_state']),
    customer_shipping_country: readText(row, 'customer_shipping_country', sent['customer_shipping_country']),
    customer_shipping_zip: readText(row, 'customer_shipping_zip', sent['customer_shipping_zip']),
    customer_billing_address: readText(row, 'customer_billing_address', sent['customer_billing_address']),
    customer_billing_address_2: readText(
      row,
      'customer_billing_address_2',
      sent['customer_billing_address_2'],
    ),
    customer_billing_city: readText(row, 'customer_billing_city', sent['customer_billing_city']),
    customer_billing_state: readText(row, 'customer_billing_state', sent['customer_billing_state']),
    customer_billing_country: readText(row, 'customer_billing_country', sent['customer_billing_country']),
    customer_billing_zip: readText(row, 'customer_billing_zip', sent['customer_billing_zip']),
    transactions: readNestedList(row, 'transactions', sent['transactions'], transactionShape),
    events: readNestedList(row, 'events', sent['events'], eventShape),
    created_at: readDatetime(row, 'created_at', sent['created_at']),
    updated_at: readDatetime(row, 'updated_at', sent['updated_at']),
    extra: readExtraFields(row, statementFields),
  }),
};

/** Reads statement ids (interface 4.6 and 4.7): integers, or digits as text in XML. */
export function readStatementIds(reading: ResponseReadContext, items: readonly JsonValue[]): number[] {
  const ids: number[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as JsonValue;
    const id = typeof item === 'string' && /^\d{1,16}$/.test(item.trim()) ? Number(item) : item;
    if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) {
      ids.push(id);
    } else {
      const path = `statement_ids[${index}]`;
      reading.problems.push({
        path,
        reason: 'is not an id',
        raw: toJsonText(item),
        outcome: 'rejected',
      });
    }
  }
  return ids;
}
