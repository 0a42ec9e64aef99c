/** Records from the interface document or recorded from the real service. They are independent of the sandbox. */

export const webhook = {
  event: 'statement_settled',
  id: 141_765_032,
  created_at: '2016-11-08T16:22:26-05:00',
  last_error: '404 Resource Not Found (retry 5 of 5)',
  last_error_at: '2016-11-08T16:43:54-05:00',
  accepted_at: null,
  last_sent_at: '2016-11-08T16:43:54-05:00',
  last_sent_url: 'http://requestb.in/11u45x71',
  successful: false,
  body: 'id=141765032&event=statement_settled&payload[site][id]=31615&payload[site][subdomain]=general-goods&payload[subscription][id]=15100141&payload[statement][closed_at]=2016-11-08%2016%3A22%3A20%20-0500&payload[statement][id]=80168049&payload[event_id]=347299384',
  signature: '7c606ec4628ce75ec46e284097ce163a',
  signature_hmac_sha_256: '40f25e83dd324508bb2149e3e525821922fb210535ebfbfa81e7ab951996b41d',
};

/** The sample webhook as XML, with escaped ampersands in the body. */
export const webhookXml = `<?xml version="1.0" encoding="UTF-8"?>
<webhooks type="array">
  <webhook>
    <event>statement_settled</event>
    <id type="integer">141765032</id>
    <created_at type="datetime">2016-11-08T16:22:26-05:00</created_at>
    <last_error>404 Resource Not Found (retry 5 of 5)</last_error>
    <last_error_at type="datetime">2016-11-08T16:43:54-05:00</last_error_at>
    <accepted_at type="datetime" nil="true"/>
    <last_sent_at type="datetime">2016-11-08T16:43:54-05:00</last_sent_at>
    <last_sent_url>http://requestb.in/11u45x71</last_sent_url>
    <successful type="boolean">false</successful>
    <body>${webhook.body.replaceAll('&', '&amp;')}</body>
    <signature>7c606ec4628ce75ec46e284097ce163a</signature>
    <signature_hmac_sha_256>40f25e83dd324508bb2149e3e525821922fb210535ebfbfa81e7ab951996b41d</signature_hmac_sha_256>
  </webhook>
</webhooks>`;

export const allocation = {
  component_id: 193_159,
  subscription_id: 15_540_611,
  quantity: 10,
  previous_quantity: 0,
  memo: 'foo',
  timestamp: '2016-12-08T19:09:15Z',
  proration_upgrade_scheme: 'prorate-attempt-capture',
  proration_downgrade_scheme: 'no-prorate',
};

/** Allocations in the documented XML form: typed integers, a nil memo and no proration schemes. */
export const allocationsXml = `<?xml version="1.0" encoding="UTF-8"?>
<allocations type="array">
  <allocation>
    <component_id type="integer">193159</component_id>
    <subscription_id type="integer">15540611</subscription_id>
    <quantity type="integer">10</quantity>
    <previous_quantity type="integer">0</previous_quantity>
    <memo nil="true"></memo>
    <timestamp>2016-12-08T19:09:15Z</timestamp>
  </allocation>
</allocations>`;

export const charge = {
  id: 159_424_439,
  type: 'Charge',
  kind: 'baseline',
  transaction_type: 'charge',
  success: true,
  amount_in_cents: 4000,
  memo: 'Basic Plan (10/24/2016 - 11/24/2016)',
  created_at: '2016-10-24T16:21:12-04:00',
  starting_balance_in_cents: 0,
  ending_balance_in_cents: 4000,
  payment_id: 159_424_449,
  product_id: 3_792_003,
  subscription_id: 14_900_541,
  gateway_transaction_id: null,
};

export const payment = {
  ...charge,
  id: 159_424_449,
  type: 'Payment',
  kind: null,
  transaction_type: 'payment',
  amount_in_cents: 4250,
  memo: 'Amelia Example - Basic Plan: Renewal payment',
  gateway_transaction_id: '53433',
  payment_id: null,
};

export const event = {
  id: 342_037_380,
  key: 'payment_success',
  message: 'Payment of $42.50',
  subscription_id: 14_900_541,
  created_at: '2016-10-24T16:21:11-04:00',
  event_specific_data: { product_id: 3_792_003, account_transaction_id: 159_424_449 },
};

export const statement = {
  id: 79_221_381,
  subscription_id: 14_900_541,
  opened_at: '2016-10-24T16:20:14-04:00',
  closed_at: '2016-10-24T16:21:13-04:00',
  settled_at: null,
  text_view: 'Basic Plan      $40.00\n',
  basic_html_view: '<table id="billing_statement"></table>',
  html_view: '<div id="billing_statement"></div>',
  future_payments: [],
  starting_balance_in_cents: 0,
  ending_balance_in_cents: 0,
  total_in_cents: 4250,
  memo: '',
  customer_first_name: 'Amelia',
  customer_last_name: 'Example',
  customer_organization: '',
  customer_shipping_address: null,
  customer_shipping_address_2: null,
  customer_shipping_city: null,
  customer_shipping_state: null,
  customer_shipping_country: null,
  customer_shipping_zip: null,
  customer_billing_address: '1 Main St',
  customer_billing_address_2: null,
  customer_billing_city: 'Boston',
  customer_billing_state: 'MA',
  customer_billing_country: 'US',
  customer_billing_zip: '02110',
  transactions: [charge, payment],
  events: [{ event }],
  created_at: '2016-10-24T16:20:14-04:00',
  updated_at: '2016-10-24T16:21:13-04:00',
};
