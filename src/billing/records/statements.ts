import { isJsonObject, type JsonObject, type JsonValue, toJsonText } from '../formats/json-value.ts';
import {
  createNestedListReader,
  defineRecordShape,
  type InferRecord,
  type ResponseReadContext,
  type RowContext,
  readAnyValue,
  readBoolean,
  readDatetime,
  readInteger,
  readRequiredId,
  readRequiredInteger,
  readRequiredText,
  readText,
  reportUnreadableField,
} from './record-reader.ts';

const futurePaymentFields = {
  id: readInteger,
  transaction_type: readText,
  /** Class name of the transaction, for example `Charge`. */
  type: readText,
  /** Null means the generic kind of transaction. An empty text is read as null. */
  kind: (...field: Parameters<typeof readText>) => readText(...field) || null,
  amount_in_cents: readInteger,
  starting_balance_in_cents: readInteger,
  ending_balance_in_cents: readInteger,
  success: readBoolean,
  memo: readText,
  created_at: readDatetime,
  subscription_id: readInteger,
  product_id: readInteger,
  payment_id: readInteger,
  gateway_transaction_id: readText,
};

const transactionShape = defineRecordShape(['transaction'], {
  ...futurePaymentFields,
  id: readRequiredId,
  amount_in_cents: readRequiredInteger,
});

/** A transaction on a statement (interface 2.3). */
export type Transaction = InferRecord<typeof transactionShape>;

const futurePaymentShape = defineRecordShape(
  ['future_payment', 'payment', 'transaction'],
  futurePaymentFields,
);

/** An item of `future_payments`. The interface specifies no fields, so any field of a transaction may be missing. */
export type FuturePayment = InferRecord<typeof futurePaymentShape>;

/** Reads the data of an event. Converts its two documented ids to numbers, because XML may not declare their type. */
function readEventData(row: RowContext, field: string, value: JsonValue | undefined): JsonObject | null {
  const data = readAnyValue(row, field, value);
  if (data === null || data === '') return null;
  if (!isJsonObject(data)) return reportUnreadableField(row, field, data, 'is not a record');
  const typed = { ...data };
  for (const name of ['product_id', 'account_transaction_id']) {
    const id = typed[name];
    if (typeof id === 'string' && /^\d{1,15}$/.test(id)) typed[name] = Number(id);
    else if (id === '') typed[name] = null;
  }
  return typed;
}

export const eventRecordShape = defineRecordShape(['event'], {
  id: readRequiredId,
  key: readRequiredText,
  message: readText,
  created_at: readDatetime,
  subscription_id: readInteger,
  event_specific_data: readEventData,
});

/** An event on a statement (interface 2.3) or in the events feed. Its data depends on `key`. */
export type StatementEvent = InferRecord<typeof eventRecordShape>;

export const statementRecordShape = defineRecordShape(['statement'], {
  id: readRequiredId,
  subscription_id: readRequiredId,
  opened_at: readDatetime,
  closed_at: readDatetime,
  settled_at: readDatetime,
  text_view: readText,
  basic_html_view: readText,
  html_view: readText,
  future_payments: createNestedListReader(futurePaymentShape),
  starting_balance_in_cents: readInteger,
  ending_balance_in_cents: readInteger,
  memo: readText,
  customer_first_name: readText,
  customer_last_name: readText,
  customer_organization: readText,
  customer_shipping_address: readText,
  customer_shipping_address_2: readText,
  customer_shipping_city: readText,
  customer_shipping_state: readText,
  customer_shipping_country: readText,
  customer_shipping_zip: readText,
  customer_billing_address: readText,
  customer_billing_address_2: readText,
  customer_billing_city: readText,
  customer_billing_state: readText,
  customer_billing_country: readText,
  customer_billing_zip: readText,
  transactions: createNestedListReader(transactionShape),
  events: createNestedListReader(eventRecordShape),
  created_at: readDatetime,
  updated_at: readDatetime,
});

/** A statement (interface 2.3). */
export type Statement = InferRecord<typeof statementRecordShape>;

/** Reads statement ids (interface 4.6 and 4.7): integers, or digits as text in XML. */
export function readStatementIds(reading: ResponseReadContext, items: readonly JsonValue[]): number[] {
  const ids: number[] = [];
  for (const [index, item] of items.entries()) {
    const id = typeof item === 'string' && /^\d{1,16}$/.test(item.trim()) ? Number(item) : item;
    if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) ids.push(id);
    else {
      const path = `statement_ids[${index}]`;
      reading.problems.push({ path, reason: 'is not an id', raw: toJsonText(item), outcome: 'rejected' });
    }
  }
  return ids;
}
