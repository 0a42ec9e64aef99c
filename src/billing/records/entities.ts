import type { JsonObject, JsonValue } from '../formats/json-value.ts';

/**
 * Records of the billing service, with the service's field names and identical for JSON and XML.
 *
 * - A datetime field contains the text as sent; `parseInstant()` converts it to UTC milliseconds.
 * - Amounts are integer cents.
 * - Every field that does not identify the record may be null, even if the interface does not say so.
 * - `extra` contains unknown fields and the original values of unreadable fields.
 */

/** Fields that this client does not know, as sent by the service. */
export type ExtraFields = Readonly<Record<string, JsonValue>>;

/**
 * Exact quantity of a component: a number if it is a safe integer; otherwise decimal text without exponent, leading or
 * trailing zeros (`"2.5"`). The number 10, `"10"` and `"10.0"` all become 10.
 */
export type Quantity = number | string;

/** An entry of the webhook log (interface 2.1). */
export interface Webhook {
  id: number;
  /** True only if the service explicitly says so; false if the field is absent or null. */
  successful: boolean;
  event: string;
  /** Webhook body as sent. The service sends form-encoded text, but the interface specifies no type. */
  body: JsonValue;
  signature: string | null;
  created_at: string | null;
  accepted_at: string | null;
  last_sent_at: string | null;
  last_error_at: string | null;
  last_sent_url: string | null;
  last_error: string | null;
  extra: ExtraFields;
}

/** A change of a component's quantity (interface 2.2). */
export interface Allocation {
  component_id: number;
  subscription_id: number;
  quantity: Quantity;
  previous_quantity: Quantity;
  memo: string | null;
  timestamp: string;
  /**
   * Proration scheme for increases. Null if the service sent none, because the change was not mid-period or the list was
   * sent as XML.
   */
  proration_upgrade_scheme: string | null;
  proration_downgrade_scheme: string | null;
  extra: ExtraFields;
}

/** A transaction on a statement (interface 2.3). */
export interface Transaction {
  id: number;
  transaction_type: string | null;
  /** Class name of the transaction, for example `Charge`. */
  type: string | null;
  /** Kind of the transaction. Null means the generic kind, and an empty text is read as null. */
  kind: string | null;
  amount_in_cents: number;
  starting_balance_in_cents: number | null;
  ending_balance_in_cents: number | null;
  success: boolean | null;
  memo: string | null;
  created_at: string | null;
  subscription_id: number | null;
  product_id: number | null;
  payment_id: number | null;
  gateway_transaction_id: string | null;
  extra: ExtraFields;
}

/**
 * An item of `future_payments`. The interface specifies no fields, so it is read as a transaction in which any field may
 * be missing.
 */
export type FuturePayment = {
  [Field in Exclude<keyof Transaction, 'extra'>]: Transaction[Field] | null;
} & { extra: ExtraFields };

/** An event on a statement (interface 2.3). */
export interface StatementEvent {
  id: number;
  key: string;
  message: string | null;
  created_at: string | null;
  subscription_id: number | null;
  /**
   * Data of the event, which depends on `key`. `product_id` and `account_transaction_id` are converted to numbers if
   * possible.
   */
  event_specific_data: JsonObject | null;
  extra: ExtraFields;
}

/** A statement (interface 2.3). */
export interface Statement {
  id: number;
  subscription_id: number;
  opened_at: string | null;
  closed_at: string | null;
  settled_at: string | null;
  text_view: string | null;
  basic_html_view: string | null;
  html_view: string | null;
  future_payments: FuturePayment[];
  starting_balance_in_cents: number | null;
  ending_balance_in_cents: number | null;
  memo: string | null;
  customer_first_name: string | null;
  customer_last_name: string | null;
  customer_organization: string | null;
  customer_shipping_address: string | null;
  customer_shipping_address_2: string | null;
  customer_shipping_city: string | null;
  customer_shipping_state: string | null;
  customer_shipping_country: string | null;
  customer_shipping_zip: string | null;
  customer_billing_address: string | null;
  customer_billing_address_2: string | null;
  customer_billing_city: string | null;
  customer_billing_state: string | null;
  customer_billing_country: string | null;
  customer_billing_zip: string | null;
  transactions: Transaction[];
  events: StatementEvent[];
  created_at: string | null;
  updated_at: string | null;
  extra: ExtraFields;
}

/**
 * Problem with a value that could not be read as documented. It is reported instead of thrown, so that the rest of the
 * response can be used.
 */
export interface ReadProblem {
  /** Path of the value within the response, for example `webhooks[17].id`. */
  path: string;
  reason: string;
  /** JSON text of the affected row. If no row is affected, JSON text of the value. */
  raw: string;
  /**
   * Outcome for the row. `rejected` rows are left out. `kept` rows are included; unless the reason says otherwise, the
   * field is null and its original value is in `extra`.
   */
  outcome: 'rejected' | 'kept';
}

/** Metadata of a response. */
export interface ResponseMeta {
  /** Service time from the Date header, in UTC milliseconds; null if there is none. */
  server_time: number | null;
  /** Local time at which the request started, in UTC milliseconds. */
  started_at: number;
  /** Size of the response body as transferred, in bytes. */
  bytes: number;
  status: number;
  request_id: string | null;
}
