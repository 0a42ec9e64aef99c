import { card, customer, type Site } from '../site.ts';
import type { Account } from '../world/account.ts';
import { components } from '../world/catalog.ts';
import type { Allocation, Statement, StatementEvent, Transaction } from '../world/ledger.ts';
import { hash, topic } from '../world/random.ts';
import { utc } from '../zone.ts';
import { basicHtmlView, htmlView, textView } from './views.ts';
import { memoOf, messageOf } from './words.ts';

export type Entity = Record<string, unknown>;

const typeNames = {
  charge: 'Charge',
  credit: 'Credit',
  adjustment: 'Adjustment',
  payment: 'Payment',
  refund: 'Refund',
};

export const NEXT_MEMO = 'We thank you for your continued business!';

function transactionId(site: Site, subscription: number, transaction: Transaction): number {
  const row = site.world.statementRow(subscription, transaction.statement.index);
  return site.world.ids.transaction.id(row, transaction.n);
}

export function eventId(site: Site, subscription: number, event: StatementEvent): number {
  return site.world.ids.event.id(site.world.statementRow(subscription, event.statement.index), event.n);
}

/** The id a payment has with the card processor. */
function gatewayId(site: Site, transactionId: number): string {
  return `ch_${(hash(site.world.shape.seed, transactionId, topic.id, 77) * 1024 + (transactionId % 1024)).toString(36)}`;
}

/** A transaction as it stood at `asOf`, with times written by `time`. */
export function transactionEntity(
  site: Site,
  account: Account,
  transaction: Transaction,
  asOf: number,
  time: (at: number) => string,
): Entity {
  const subscription = account.subscriber.index;
  const idOf = (entry: Transaction): number => transactionId(site, subscription, entry);
  const money = transaction.type === 'payment' || transaction.type === 'refund';
  const { payment, refund } = transaction;
  const held = card(site, subscription);
  const common = {
    id: idOf(transaction),
    subscription_id: site.world.ids.subscription.id(subscription),
    type: typeNames[transaction.type],
    kind: transaction.kind,
    transaction_type: transaction.type,
    success: transaction.success,
    amount_in_cents: transaction.amount,
    memo: memoOf(site, account, transaction),
    created_at: time(transaction.at),
    starting_balance_in_cents: transaction.starting,
    ending_balance_in_cents: transaction.ending,
    gateway_transaction_id:
      money && transaction.success ? gatewayId(site, idOf(transaction.twin ?? transaction)) : null,
    payment_id: payment && payment.at <= asOf ? idOf(payment) : null,
    product_id: account.subscriber.product.id,
  };
  if (!site.choices.laterFields) return common;
  return {
    ...common,
    gateway_used: money ? 'bogus' : null,
    gateway_order_id: null,
    tax_id: null,
    component_id: components[transaction.component]?.id ?? null,
    statement_id: site.world.ids.statement.id(
      site.world.statementRow(subscription, transaction.statement.index),
    ),
    customer_id: site.world.ids.customer.id(subscription),
    ...(money
      ? {
          card_number: held.number,
          card_expiration: `${String(held.month).padStart(2, '0')}/${held.year}`,
          card_type: held.type,
          refunded_amount_in_cents: refund && refund.at <= asOf ? refund.amount : 0,
        }
      : { original_amount_in_cents: null, discount_amount_in_cents: null, taxable_amount_in_cents: null }),
  };
}

function eventEntity(site: Site, account: Account, event: StatementEvent): Entity {
  return {
    id: eventId(site, account.subscriber.index, event),
    key: event.key,
    message: messageOf(site, account, event),
    created_at: site.zone.iso(event.at),
    subscription_id: site.world.ids.subscription.id(account.subscriber.index),
    event_specific_data: eventData(site, account, event),
  };
}

function eventData(site: Site, account: Account, event: StatementEvent): Entity {
  const { transaction, allocation, states } = event;
  return {
    product_id: account.subscriber.product.id,
    account_transaction_id: transaction ? transactionId(site, account.subscriber.index, transaction) : null,
    ...(states && { previous_subscription_state: states[0], new_subscription_state: states[1] }),
    ...(allocation && {
      component_id: components[allocation.component]?.id,
      previous_allocation: allocation.previous,
      new_allocation: allocation.quantity,
    }),
  };
}

/** The statement in full, section 2.3. */
export function statementEntity(site: Site, account: Account, statement: Statement): Entity {
  const subscription = account.subscriber.index;
  const who = customer(site, subscription);
  const time = (at: number): string => site.zone.iso(at);
  const now = Number.POSITIVE_INFINITY;
  const view = { site, account, statement };
  return {
    id: statementId(site, account, statement),
    subscription_id: site.world.ids.subscription.id(subscription),
    opened_at: time(statement.openedAt),
    closed_at: statement.closedAt ? time(statement.closedAt) : null,
    settled_at: statement.settledAt ? time(statement.settledAt) : null,
    text_view: textView(view),
    basic_html_view: basicHtmlView(view),
    html_view: htmlView(view),
    future_payments: statement.futurePayments.map((payment) =>
      transactionEntity(site, account, payment, now, time),
    ),
    starting_balance_in_cents: statement.starting,
    ending_balance_in_cents: statement.ending,
    ...(site.choices.laterFields && { total_in_cents: total(statement) }),
    memo: statement.index === 0 ? '' : NEXT_MEMO,
    customer_first_name: who.firstName,
    customer_last_name: who.lastName,
    customer_organization: who.organization,
    customer_shipping_address: who.address,
    customer_shipping_address_2: who.address2,
    customer_shipping_city: who.city,
    customer_shipping_state: who.state,
    customer_shipping_country: who.country,
    customer_shipping_zip: who.zip,
    customer_billing_address: who.address,
    customer_billing_address_2: who.address2,
    customer_billing_city: who.city,
    customer_billing_state: who.state,
    customer_billing_country: who.country,
    customer_billing_zip: who.zip,
    transactions: statement.transactions.map((entry) => transactionEntity(site, account, entry, now, time)),
    events: statement.events.map((event) => ({ event: eventEntity(site, account, event) })),
    created_at: time(statement.openedAt),
    updated_at: time(updatedAt(statement)),
  };
}

const statementId = (site: Site, account: Account, statement: Statement): number =>
  site.world.ids.statement.id(site.world.statementRow(account.subscriber.index, statement.index));

/** What was charged, less credits and adjustments. */
export const total = (statement: Statement): number =>
  statement.transactions
    .filter(({ type }) => type === 'charge' || type === 'credit' || type === 'adjustment')
    .reduce((sum, { amount }) => sum + amount, 0);

/** The last instant anything about the statement moved. */
export function updatedAt(statement: Statement, asOf = Number.POSITIVE_INFINITY): number {
  const moments = [statement.openedAt, statement.closedAt, statement.settledAt];
  for (const { at, refund } of statement.transactions) moments.push(at, refund?.at ?? 0);
  for (const { at } of statement.events) moments.push(at);
  return Math.max(...moments.filter((at) => at <= asOf));
}

/** Section 2.2. */
export function allocationEntity(
  site: Site,
  account: Account,
  allocation: Allocation,
  withSchemes = true,
): Entity {
  const { payment, schemes } = allocation;
  return {
    component_id: components[allocation.component]?.id,
    subscription_id: site.world.ids.subscription.id(account.subscriber.index),
    quantity: allocation.quantity,
    previous_quantity: allocation.previous,
    memo: allocation.memo,
    timestamp: utc(allocation.at),
    ...(withSchemes &&
      schemes && {
        proration_upgrade_scheme: schemes.upgrade,
        proration_downgrade_scheme: schemes.downgrade,
      }),
    ...(withSchemes &&
      payment && {
        payment: {
          id: transactionId(site, account.subscriber.index, payment),
          amount_in_cents: payment.amount,
          success: payment.success,
          memo: memoOf(site, account, payment),
        },
      }),
  };
}
