import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/billing/formats/json-value.ts';
import type {
  Allocation,
  FuturePayment,
  Statement,
  StatementEvent,
  Transaction,
  Webhook,
} from '../../src/billing/index.ts';

/** Generators of every record that the service can send. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: what no XML text can carry, in either direction
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;

/**
 * Text that both formats can represent: surrounding spaces, line ends, markup, form-encoded bodies and astral
 * characters.
 */
export const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({
      unit: fc.constantFrom('&', '<', '>', ']', '"', "'", ' ', '\r', '\n', '\t', '%', '=', 'é', '𝔘'),
    }),
  )
  .filter((each) => !NOT_XML.test(each));

export const id = fc.oneof(fc.nat(), fc.maxSafeNat());
const cents = fc.oneof(fc.integer(), fc.maxSafeInteger());
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true });
const nullable = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null, freq: 4 });

export const datetime = fc
  .tuple(fc.integer({ min: 0, max: 4_102_444_800 }), fc.constantFrom('Z', '-05:00', '+05:30', '+00:00'))
  .map(([seconds, zone]) => new Date(seconds * 1000).toISOString().slice(0, 19) + zone);

const fraction = fc
  .tuple(fc.bigInt(-(10n ** 25n), 10n ** 25n), fc.integer({ min: 1, max: 9 }))
  .map(([whole, digit]) => `${whole}.${digit}`);
const hugeNumber = fc.bigInt(10n ** 16n, 10n ** 30n).map(String);
export const quantity = fc.oneof({ weight: 4, arbitrary: cents }, fraction, hugeNumber);

const name = fc.oneof(
  fc.stringMatching(/^x_[a-z0-9_]{0,12}$/),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'total_in_cents', 'settled_by_at'),
);

/** Values that both formats can represent. In XML, an object without fields is empty text. */
const anyValue = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    text,
    cents,
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Object.is(each, -0)),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .dictionary(name, tie('value'), { minKeys: 1, maxKeys: 3, noNullPrototype: true })
    .map((fields) => fields as JsonObject),
}));

export const extra = fc.dictionary(name, anyValue.value, { maxKeys: 3, noNullPrototype: true });

export const webhook: fc.Arbitrary<Webhook> = record({
  id,
  successful: fc.boolean(),
  event: text,
  body: fc.oneof({ weight: 4, arbitrary: text }, anyValue.object, fc.constant(null)),
  signature: nullable(text),
  created_at: nullable(datetime),
  accepted_at: nullable(datetime),
  last_sent_at: nullable(datetime),
  last_error_at: nullable(datetime),
  last_sent_url: nullable(text),
  last_error: nullable(text),
  extra,
});

export const allocation: fc.Arbitrary<Allocation> = record({
  component_id: id,
  subscription_id: id,
  quantity,
  previous_quantity: quantity,
  memo: nullable(text),
  timestamp: datetime,
  proration_upgrade_scheme: nullable(text),
  proration_downgrade_scheme: nullable(text),
  extra,
});

const transactionFields = {
  transaction_type: nullable(text),
  type: nullable(text),
  kind: nullable(text.filter((each) => each !== '')),
  starting_balance_in_cents: nullable(cents),
  ending_balance_in_cents: nullable(cents),
  success: nullable(fc.boolean()),
  memo: nullable(text),
  created_at: nullable(datetime),
  subscription_id: nullable(id),
  product_id: nullable(id),
  payment_id: nullable(id),
  gateway_transaction_id: nullable(text),
  extra,
};

export const transaction: fc.Arbitrary<Transaction> = record({
  id,
  amount_in_cents: cents,
  ...transactionFields,
});

export const futurePayment: fc.Arbitrary<FuturePayment> = record({
  id: nullable(id),
  amount_in_cents: nullable(cents),
  ...transactionFields,
});

export const event: fc.Arbitrary<StatementEvent> = record({
  id,
  key: text,
  message: nullable(text),
  created_at: nullable(datetime),
  subscription_id: nullable(id),
  event_specific_data: nullable(
    fc
      .tuple(record({ product_id: nullable(id), account_transaction_id: nullable(id) }), anyValue.object)
      .map(([ids, more]) => ({ ...more, ...ids }) as JsonObject),
  ),
  extra,
});

export const statement: fc.Arbitrary<Statement> = record({
  id,
  subscription_id: id,
  opened_at: nullable(datetime),
  closed_at: nullable(datetime),
  settled_at: nullable(datetime),
  text_view: nullable(text),
  basic_html_view: nullable(text),
  html_view: nullable(text),
  future_payments: fc.array(futurePayment, { maxLength: 2 }),
  starting_balance_in_cents: nullable(cents),
  ending_balance_in_cents: nullable(cents),
  memo: nullable(text),
  customer_first_name: nullable(text),
  customer_last_name: nullable(text),
  customer_organization: nullable(text),
  customer_shipping_address: nullable(text),
  customer_shipping_address_2: nullable(text),
  customer_shipping_city: nullable(text),
  customer_shipping_state: nullable(text),
  customer_shipping_country: nullable(text),
  customer_shipping_zip: nullable(text),
  customer_billing_address: nullable(text),
  customer_billing_address_2: nullable(text),
  customer_billing_city: nullable(text),
  customer_billing_state: nullable(text),
  customer_billing_country: nullable(text),
  customer_billing_zip: nullable(text),
  transactions: fc.array(transaction, { maxLength: 3 }),
  events: fc.array(event, { maxLength: 3 }),
  created_at: nullable(datetime),
  updated_at: nullable(datetime),
  extra,
});
