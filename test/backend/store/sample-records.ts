import type {
  Allocation,
  Statement,
  StatementEvent,
  Transaction,
  Webhook,
} from '../../../src/billing/index.ts';

/** Formats an instant like the service, at an offset in minutes east of UTC. */
export function formatServiceTime(ms: number, offset = -300): string {
  const local = new Date(ms + offset * 60_000).toISOString().slice(0, 19);
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const east = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : '+'}${two(east / 60)}:${two(east % 60)}`;
}

export const T0 = Date.UTC(2026, 0, 10, 12);

export function createWebhook(over: Partial<Webhook> = {}): Webhook {
  const id = over.id ?? 1;
  return {
    id,
    successful: true,
    event: 'payment_success',
    body: `id=${id}&event=payment_success&payload[subscription][id]=77&payload[customer][name]=Anna%20Larsson`,
    signature: 'ab12',
    created_at: formatServiceTime(T0),
    accepted_at: formatServiceTime(T0 + 1000),
    last_sent_at: formatServiceTime(T0 + 1000),
    last_error_at: null,
    last_sent_url: 'https://shop.example.com/hooks',
    last_error: null,
    extra: {},
    ...over,
  };
}

export function createTransaction(over: Partial<Transaction> = {}): Transaction {
  return {
    id: 1,
    transaction_type: 'charge',
    type: 'Charge',
    kind: 'baseline',
    amount_in_cents: 1000,
    starting_balance_in_cents: 0,
    ending_balance_in_cents: 1000,
    success: true,
    memo: 'Monthly',
    created_at: formatServiceTime(T0),
    subscription_id: 77,
    product_id: 5,
    payment_id: null,
    gateway_transaction_id: null,
    extra: {},
    ...over,
  };
}

export function createStatementEvent(over: Partial<StatementEvent> = {}): StatementEvent {
  return {
    id: 1,
    key: 'payment_success',
    message: 'Paid',
    created_at: formatServiceTime(T0),
    subscription_id: 77,
    event_specific_data: { product_id: 5 },
    extra: {},
    ...over,
  };
}

export function createStatement(over: Partial<Statement> = {}): Statement {
  return {
    id: 1,
    subscription_id: 77,
    opened_at: formatServiceTime(T0),
    closed_at: formatServiceTime(T0 + 30 * 86_400_000),
    settled_at: null,
    text_view: 'Statement of Anna Larsson',
    basic_html_view: '<p>Statement</p>',
    html_view: '<div>Statement</div>',
    future_payments: [],
    starting_balance_in_cents: 0,
    ending_balance_in_cents: 1000,
    memo: '',
    customer_first_name: 'Anna',
    customer_last_name: 'Larsson',
    customer_organization: null,
    customer_shipping_address: null,
    customer_shipping_address_2: null,
    customer_shipping_city: null,
    customer_shipping_state: null,
    customer_shipping_country: null,
    customer_shipping_zip: null,
    customer_billing_address: 'Storgatan 1',
    customer_billing_address_2: null,
    customer_billing_city: 'Lund',
    customer_billing_state: null,
    customer_billing_country: 'SE',
    customer_billing_zip: '222 22',
    transactions: [createTransaction()],
    events: [createStatementEvent()],
    created_at: formatServiceTime(T0),
    updated_at: formatServiceTime(T0),
    extra: {},
    ...over,
  };
}

export function createAllocation(over: Partial<Allocation> = {}): Allocation {
  return {
    component_id: 9,
    subscription_id: 77,
    quantity: 1,
    previous_quantity: 0,
    memo: null,
    timestamp: '2026-01-10T12:00:00Z',
    proration_upgrade_scheme: null,
    proration_downgrade_scheme: null,
    extra: {},
    ...over,
  };
}
