import type { JsonObject, JsonValue } from './value.ts';

/**
 * The service's records, spelled as the service spells them, the same whether they came as JSON or XML.
 *
 * - A datetime field is the text as sent; `instant()` gives its moment in ms UTC.
 * - Money is whole cents.
 * - Every field but those that make the record what it is may be null, also where the interface does not say so.
 * - `extra` holds every field that is not modelled, and the original of one that could not be read.
 */

/** Fields not modelled here, as sent. */
export type Extra = Readonly<Record<string, JsonValue>>;

/**
 * A component's quantity, exact: a safe integer as a number, anything else (fractions, huge numbers) as plain
 * decimal text without exponent, leading or trailing zeros (`"2.5"`). The number 10, `"10"` and `"10.0"` are all 10.
 */
export type Quantity = number | string;

/** A row of the webhook log (interface 2.1). */
export interface Webhook {
  id: number;
  /** True only where the service says so; absent or null reads as false. */
  successful: boolean;
  event: string;
  /** As sent: form text on the real service, but the interface shows no type. */
  body: JsonValue;
  signature: string | null;
  created_at: string | null;
  accepted_at: string | null;
  last_sent_at: string | null;
  last_error_at: string | null;
  last_sent_url: string | null;
  last_error: string | null;
  extra: Extra;
}

/** One change of a component's quantity (interface 2.2). */
export interface Allocation {
  component_id: number;
  subscription_id: number;
  quantity: Quantity;
  previous_quantity: Quantity;
  memo: string | null;
  timestamp: string;
  /** Null where the service sent none: the change was not mid-period, or the list came as XML. */
  proration_upgrade_scheme: string | null;
  proration_downgrade_scheme: string | null;
  extra: Extra;
}

/** A transaction of a statement (interface 2.3). */
export interface Transaction {
  id: number;
  transaction_type: string | null;
  /** The class name, such as `Charge`. */
  type: string | null;
  /** Null is the generic kind; an empty text reads as null. */
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
  extra: Extra;
}

/** An item of `future_payments`: the interface shows no fields; read as a transaction of which any field may be missing. */
export type FuturePayment = {
  [Field in Exclude<keyof Transaction, 'extra'>]: Transaction[Field] | null;
} & { extra: Extra };

/** An event of a statement (interface 2.3). */
export interface StatementEvent {
  id: number;
  key: string;
  message: string | null;
  created_at: string | null;
  subscription_id: number | null;
  /** Varies with `key`; `product_id` and `account_transaction_id` are numbers where they can be. */
  event_specific_data: JsonObject | null;
  extra: Extra;
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
  extra: Extra;
}

/** Something in an answer that could not be read as documented. Never an exception: the rest of the answer is given. */
export interface Problem {
  /** Where in the answer, such as `webhooks[17].id`. */
  place: string;
  reason: string;
  /** The row (or the value, where no row is concerned) as JSON text. */
  raw: string;
  /** `refused`: the row is not among the items. `kept`: it is; the field is null and its original is in `extra`, unless the reason says otherwise. */
  row: 'refused' | 'kept';
}

/** What is known of an answer besides its content. */
export interface AnswerMeta {
  /** The service's clock when it answered (Date header), ms UTC. */
  server_time: number | null;
  /** Our clock when the request that brought the answer was started, ms UTC. */
  started_at: number;
  /** Bytes of the body as they came over the wire. */
  bytes: number;
  status: number;
  request_id: string | null;
}
