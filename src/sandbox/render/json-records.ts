import { catalogComponents } from '../simulation/catalog.ts';
import type { Customer } from '../simulation/customers.ts';
import { hashNumbers, randomTopics } from '../simulation/seeded-random.ts';
import type { SubscriptionAccount } from '../simulation/subscription-account.ts';
import type {
  Allocation,
  Statement,
  StatementEvent,
  Transaction,
} from '../simulation/subscription-ledger.ts';
import { formatUtcTimestamp } from '../simulation/time-zone.ts';
import { findSubscriptionCard, findSubscriptionCustomer, type MerchantSite } from '../site/merchant-site.ts';
import { createEventMessage, createTransactionMemo } from './memos.ts';
import { renderStatementBasicHtml, renderStatementHtml, renderStatementText } from './statement-views.ts';

export type JsonRecord = Record<string, unknown>;

const typeNames = {
  charge: 'Charge',
  credit: 'Credit',
  adjustment: 'Adjustment',
  payment: 'Payment',
  refund: 'Refund',
};

export const RENEWAL_MEMO = 'We thank you for your continued business!';

export function toTransactionId(
  { simulation }: MerchantSite,
  subscription: number,
  { statement, n }: Transaction,
): number {
  return simulation.ids.transaction.id(simulation.statementRow(subscription, statement.index), n);
}

export function toEventId(
  { simulation }: MerchantSite,
  subscription: number,
  { statement, n }: Pick<StatementEvent, 'statement' | 'n'>,
): number {
  return simulation.ids.event.id(simulation.statementRow(subscription, statement.index), n);
}

/** Returns the card processor's id of a payment. */
function toGatewayId(site: MerchantSite, transactionId: number): string {
  const hash = hashNumbers(site.simulation.parameters.seed, transactionId, randomTopics.id, 77);
  return `ch_${(hash * 1024 + (transactionId % 1024)).toString(36)}`;
}

/** Returns a transaction as JSON, in its state at a given time. `time` formats its times. */
export function toTransactionJson(
  site: MerchantSite,
  account: SubscriptionAccount,
  transaction: Transaction,
  { asOf, time }: { asOf: number; time: (at: number) => string },
): JsonRecord {
  const subscription = account.subscriber.index;
  const getId = (entry: Transaction): number => toTransactionId(site, subscription, entry);
  const movesMoney = transaction.type === 'payment' || transaction.type === 'refund';
  const { payment, refund } = transaction;
  const paymentCard = findSubscriptionCard(site, subscription);
  const common = {
    id: getId(transaction),
    subscription_id: site.simulation.ids.subscription.id(subscription),
    type: typeNames[transaction.type],
    kind: transaction.kind,
    transaction_type: transaction.type,
    success: transaction.success,
    amount_in_cents: transaction.amount,
    memo: createTransactionMemo(site, account, transaction),
    created_at: time(transaction.at),
    starting_balance_in_cents: transaction.starting,
    ending_balance_in_cents: transaction.ending,
    gateway_transaction_id:
      movesMoney && transaction.success
        ? toGatewayId(site, getId(transaction.original ?? transaction))
        : null,
    payment_id: payment && payment.at <= asOf ? getId(payment) : null,
    product_id: account.subscriber.product.id,
  };
  if (!site.settings.laterFields) return common;
  return {
    ...common,
    gateway_used: movesMoney ? 'bogus' : null,
    gateway_order_id: null,
    tax_id: null,
    component_id: catalogComponents[transaction.component]?.id ?? null,
    statement_id: site.simulation.statementId(subscription, transaction.statement.index),
    customer_id: site.simulation.ids.customer.id(subscription),
    ...(movesMoney
      ? {
          card_number: paymentCard.number,
          card_expiration: `${String(paymentCard.month).padStart(2, '0')}/${paymentCard.year}`,
          card_type: paymentCard.type,
          refunded_amount_in_cents: refund && refund.at <= asOf ? refund.amount : 0,
        }
      : { original_amount_in_cents: null, discount_amount_in_cents: null, taxable_amount_in_cents: null }),
  };
}

function toEventJson(site: MerchantSite, account: SubscriptionAccount, event: StatementEvent): JsonRecord {
  return {
    id: toEventId(site, account.subscriber.index, event),
    key: event.key,
    message: createEventMessage(site, account, event),
    created_at: site.zone.iso(event.at),
    subscription_id: site.simulation.ids.subscription.id(account.subscriber.index),
    event_specific_data: toEventData(site, account, event),
  };
}

export function toEventData(
  site: MerchantSite,
  account: SubscriptionAccount,
  event: StatementEvent,
): JsonRecord {
  const { transaction, allocation, states } = event;
  return {
    product_id: account.subscriber.product.id,
    account_transaction_id: transaction ? toTransactionId(site, account.subscriber.index, transaction) : null,
    ...(states && { previous_subscription_state: states[0], new_subscription_state: states[1] }),
    ...(allocation && {
      component_id: catalogComponents[allocation.component]?.id,
      previous_allocation: allocation.previous,
      new_allocation: allocation.quantity,
    }),
  };
}

/** Returns a complete statement as JSON (interface 2.3). */
export function toStatementJson(
  site: MerchantSite,
  account: SubscriptionAccount,
  statement: Statement,
): JsonRecord {
  const subscription = account.subscriber.index;
  const customer = findSubscriptionCustomer(site, subscription);
  const time = (at: number): string => site.zone.iso(at);
  const toJson = (transaction: Transaction): JsonRecord =>
    toTransactionJson(site, account, transaction, { asOf: Number.POSITIVE_INFINITY, time });
  const view = { site, account, statement };
  return {
    id: site.simulation.statementId(subscription, statement.index),
    subscription_id: site.simulation.ids.subscription.id(subscription),
    opened_at: time(statement.openedAt),
    closed_at: statement.closedAt ? time(statement.closedAt) : null,
    settled_at: statement.settledAt ? time(statement.settledAt) : null,
    text_view: renderStatementText(view),
    basic_html_view: renderStatementBasicHtml(view),
    html_view: renderStatementHtml(view),
    future_payments: statement.futurePayments.map(toJson),
    starting_balance_in_cents: statement.starting,
    ending_balance_in_cents: statement.ending,
    ...(site.settings.laterFields && { total_in_cents: computeStatementTotalCents(statement) }),
    memo: statement.index === 0 ? '' : RENEWAL_MEMO,
    customer_first_name: customer.firstName,
    customer_last_name: customer.lastName,
    customer_organization: customer.organization,
    ...addressFields('customer_shipping', customer),
    ...addressFields('customer_billing', customer),
    transactions: statement.transactions.map(toJson),
    events: statement.events.map((event) => ({ event: toEventJson(site, account, event) })),
    created_at: time(statement.openedAt),
    updated_at: time(findLatestStatementChangeTime(statement)),
  };
}

const addressFields = (prefix: string, customer: Customer): JsonRecord => ({
  [`${prefix}_address`]: customer.address,
  [`${prefix}_address_2`]: customer.address2,
  [`${prefix}_city`]: customer.city,
  [`${prefix}_state`]: customer.state,
  [`${prefix}_country`]: customer.country,
  [`${prefix}_zip`]: customer.zip,
});

/** Returns the sum of a statement's charges, credits and adjustments in cents. */
export const computeStatementTotalCents = (statement: Statement): number =>
  statement.transactions
    .filter(({ type }) => type === 'charge' || type === 'credit' || type === 'adjustment')
    .reduce((sum, { amount }) => sum + amount, 0);

export function findLatestStatementChangeTime(statement: Statement, asOf = Number.POSITIVE_INFINITY): number {
  const moments = [statement.openedAt, statement.closedAt, statement.settledAt];
  for (const { at, refund } of statement.transactions) moments.push(at, refund?.at ?? 0);
  for (const { at } of statement.events) moments.push(at);
  return Math.max(...moments.filter((at) => at <= asOf));
}

/** Returns an allocation as JSON (interface 2.2). */
export function toAllocationJson(
  site: MerchantSite,
  account: SubscriptionAccount,
  allocation: Allocation,
  withSchemes = true,
): JsonRecord {
  const { payment, schemes } = allocation;
  return {
    component_id: catalogComponents[allocation.component]?.id,
    subscription_id: site.simulation.ids.subscription.id(account.subscriber.index),
    quantity: allocation.quantity,
    previous_quantity: allocation.previous,
    memo: allocation.memo,
    timestamp: formatUtcTimestamp(allocation.at),
    ...(withSchemes &&
      schemes && {
        proration_upgrade_scheme: schemes.upgrade,
        proration_downgrade_scheme: schemes.downgrade,
      }),
    ...(withSchemes &&
      payment && {
        payment: {
          id: toTransactionId(site, account.subscriber.index, payment),
          amount_in_cents: payment.amount,
          success: payment.success,
          memo: createTransactionMemo(site, account, payment),
        },
      }),
  };
}
