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

/** Generators of any record that the service could send. */

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
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null, freq: 4 });

export const datetime = fc
  .tuple(fc.integer({ min: 0, max: 4_102_444_800 }), fc.constantFrom('Z', '-05:00', '+05:30', '+00:00'))
  .map(([seconds, zone]) => new Date(seconds * 1000).toISOString().slice(0, 19) + zone);

const fraction = fc
  .tuple(fc.bigInt(-(10n ** 25n), 10n ** 25n), fc.integer({ min: 1, max: 9 }))
  .map(([whole, digit]) => `${whole}.${digit}`);
const huge = fc.bigInt(10n ** 16n, 10n ** 30n).map(String);
export const quantity = fc.oneof({ weight: 4, arbitrary: cents }, fraction, huge);

const name = fc.oneof(
  fc.stringMatching(/^x_[a-z0-9_]{0,12}$/),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'total_in_cents', 'settled_by_at'),
);

/** Values that both formats can represent. In XML an object without fields is empty text. */
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
  signature: orNull(text),
  created_at: orNull(datetime),
  accepted_at: orNull(datetime),
  last_sent_at: orNull(datetime),
  last_error_at: orNull(datetime),
  last_sent_url: orNull(text),
  last_error: orNull(text),
  extra,
});

export const allocation: fc.Arbitrary<Allocation> = record({
  component_id: id,
  subscription_id: id,
  quantity,
  previous_quantity: quantity,
  memo: orNull(text),
  timestamp: datetime,
  proration_upgrade_scheme: orNull(text),
  proration_downgrade_scheme: orNull(text),
  extra,
});

const transactionFields = {
  transaction_type: orNull(text),
  type: orNull(text),
  kind: orNull(text.filter((each) => each !== '')),
  starting_balance_in_cents: orNull(cents),
  ending_balance_in_cents: orNull(cents),
  success: orNull(fc.boolean()),
  memo: orNull(text),
  created_at: orNull(datetime),
  subscription_id: orNull(id),
  product_id: orNull(id),
  payment_id: orNull(id),
  gateway_transaction_id: orNull(text),
  extra,
};

export const transaction: fc.Arbitrary<Transaction> = record({
  id,
  amount_in_cents: cents,
  ...transactionFields,
});

export const futurePayment: fc.Arbitrary<FuturePayment> = record({
  id: orNull(id),
  amount_in_cents: orNull(cents),
  ...transactionFields,
});

export const event: fc.Arbitrary<StatementEvent> = record({
  id,
  key: text,
  message: orNull(text),
  created_at: orNull(datetime),
  subscription_id: orNull(id),
  event_specific_data: orNull(
    fc
      .tuple(record({ product_id: orNull(id), account_transaction_id: orNull(id) }), anyValue.object)
      .map(([ids, more]) => ({ ...more, ...ids }) as JsonObject),
  ),
  extra,
});

export const statement: fc.Arbitrary<Statement> = record({
  id,
  subscription_id: id,
  opened_at: orNull(datetime),
  closed_at: orNull(datetime),
  settled_at: orNull(datetime),
  text_view: orNull(text),
  basic_html_view: orNull(text),
  html_view: orNull(text),
  future_payments: fc.array(futurePayment, { maxLength: 2 }),
  starting_balance_in_cents: orNull(cents),
  ending_balance_in_cents: orNull(cents),
  memo: orNull(text),
  customer_first_name: orNull(text),
  customer_last_name: orNull(text),
  customer_organization: orNull(text),
  customer_shipping_address: orNull(text),
  customer_shipping_address_2: orNull(text),
  customer_shipping_city: orNull(text),
  customer_shipping_state: orNull(text),
  customer_shipping_country: orNull(text),
  customer_shipping_zip: orNull(text),
  customer_billing_address: orNull(text),
  customer_billing_address_2: orNull(text),
  customer_billing_city: orNull(text),
  customer_billing_state: orNull(text),
  customer_billing_country: orNull(text),
  customer_billing_zip: orNull(text),
  transactions: fc.array(transaction, { maxLength: 3 }),
  events: fc.array(event, { maxLength: 3 }),
  created_at: orNull(datetime),
  updated_at: orNull(datetime),
  extra,
});
