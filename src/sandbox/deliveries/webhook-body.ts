import {
  computeStatementTotalCents,
  findLatestStatementChangeTime,
  RENEWAL_MEMO,
  toEventId,
  toTransactionJson,
} from '../render/json-records.ts';
import { createEventMessage } from '../render/memos.ts';
import {
  CALLS_COMPONENT_INDEX,
  type CatalogComponent,
  catalogComponents,
  PRODUCT_FAMILY,
} from '../simulation/catalog.ts';
import { computeMeteredUsage } from '../simulation/site-parameters.ts';
import type { SubscriptionAccount } from '../simulation/subscription-account.ts';
import type { Statement, SubscriptionSnapshot, WebhookNotice } from '../simulation/subscription-ledger.ts';
import { formatUtcTimestamp } from '../simulation/time-zone.ts';
import { findSubscriptionCard, findSubscriptionCustomer, type MerchantSite } from '../site/merchant-site.ts';
import { encodeForm, type FormValue, RepeatedFormKey } from './form-encoding.ts';

type Fields = { [key: string]: FormValue };

/** Returns the body that was posted for a row of the webhook log. Later changes to the site do not affect it. */
export function createWebhookBody(site: MerchantSite, row: number): string {
  const id = site.simulation.ids.webhook.id(row);
  const account = site.simulation.account(site.simulation.webhooks.subscription(row));
  const notice = site.simulation.notice(row);
  const event = site.simulation.event(row);
  const payload = notice ? toNoticePayload(site, account, notice) : toExtraPayload(site, account, row);
  return encodeForm({ id, event, payload });
}

function toNoticePayload(site: MerchantSite, account: SubscriptionAccount, notice: WebhookNotice): Fields {
  const event_id = toNoticeEventId(site, notice, account.subscriber.index);
  const head = { site: { id: site.id, subdomain: site.subdomain } };
  switch (notice.event) {
    case 'component_allocation_change':
      return { event_id, ...head, ...allocationFields(site, account, notice) };
    case 'statement_closed':
    case 'statement_settled':
      return {
        ...head,
        ...statementFields(site, account, notice),
        event_id,
      };
    case 'payment_success':
    case 'payment_failure':
    case 'refund_success':
      return {
        ...head,
        subscription: subscriptionFields(site, account, notice.snapshot, notice.at),
        transaction: notice.transaction
          ? toFormTransaction(site, account, notice.transaction, notice.at)
          : null,
        event_id,
      };
    default:
      return {
        ...head,
        subscription: subscriptionFields(site, account, notice.snapshot, notice.at),
        event_id,
      };
  }
}

/** Returns the id of the event that a webhook reports; undefined if the event is on no statement. */
export function toNoticeEventId(
  site: MerchantSite,
  { event, statement, entry }: WebhookNotice,
  subscription: number,
): number | undefined {
  if (entry) return toEventId(site, subscription, entry);
  // Event ids of statement notices are higher than those of the statement's own events.
  if (event === 'statement_closed') return toEventId(site, subscription, { statement, n: 60_000 });
  return event === 'statement_settled' ? toEventId(site, subscription, { statement, n: 60_001 }) : undefined;
}

/** Returns the id of the event that an extra webhook reports. */
export const toExtraEventId = (subscription: number, n: number): number =>
  2_000_000_000_000 + subscription * 2 ** 32 + n;

const toFormTransaction = (
  site: MerchantSite,
  account: SubscriptionAccount,
  transaction: NonNullable<WebhookNotice['transaction']>,
  at: number,
): Fields =>
  toTransactionJson(site, account, transaction, {
    asOf: at,
    time: (instant) => site.payloadZone.payload(instant),
  }) as Fields;

function statementFields(
  site: MerchantSite,
  account: SubscriptionAccount,
  { statement, snapshot, at }: WebhookNotice,
): Fields {
  const { index } = account.subscriber;
  const paymentCard = findSubscriptionCard(site, index);
  const person = findSubscriptionCustomer(site, index);
  return {
    subscription: {
      id: site.simulation.ids.subscription.id(index),
      state: snapshot.state,
      balance_in_cents: snapshot.balance,
    },
    customer: customerFields(site, account),
    statement: statementBody(site, account, statement, at),
    product: { id: snapshot.product.id, name: snapshot.product.name },
    product_family: { id: PRODUCT_FAMILY.id, name: PRODUCT_FAMILY.name },
    payment_profile: {
      id: paymentCard.id,
      first_name: person.firstName,
      last_name: person.lastName,
      ...billingAddressFields(site, account),
    },
  };
}

function statementBody(
  site: MerchantSite,
  account: SubscriptionAccount,
  statement: Statement,
  asOf: number,
): Fields {
  const time = (at: number): string | null => (at > 0 && at <= asOf ? site.payloadZone.payload(at) : null);
  return {
    closed_at: time(statement.closedAt),
    created_at: time(statement.openedAt),
    id: site.simulation.statementId(account.subscriber.index, statement.index),
    opened_at: time(statement.openedAt),
    settled_at: time(statement.settledAt),
    subscription_id: site.simulation.ids.subscription.id(account.subscriber.index),
    updated_at: time(findLatestStatementChangeTime(statement, asOf)),
    starting_balance_in_cents: statement.starting,
    ending_balance_in_cents: statement.ending,
    total_in_cents: computeStatementTotalCents(statement),
    memo: statement.index === 0 ? '' : RENEWAL_MEMO,
    events: statement.events.map((event) => ({
      id: toEventId(site, account.subscriber.index, event),
      key: event.key,
      message: createEventMessage(site, account, event),
    })),
    transactions: statement.transactions.map((entry) => toFormTransaction(site, account, entry, asOf)),
  };
}

function allocationFields(
  site: MerchantSite,
  account: SubscriptionAccount,
  { allocation, snapshot }: WebhookNotice,
): Fields {
  const person = findSubscriptionCustomer(site, account.subscriber.index);
  return {
    component: componentFields(catalogComponents[allocation?.component ?? 0]),
    subscription: {
      id: site.simulation.ids.subscription.id(account.subscriber.index),
      name: `${person.firstName} ${person.lastName}`,
    },
    product: { id: snapshot.product.id, name: snapshot.product.name },
    previous_allocation: allocation?.previous,
    new_allocation: allocation?.quantity,
    memo: allocation?.memo,
    timestamp: formatUtcTimestamp(allocation?.at ?? 0),
  };
}

function toExtraPayload(site: MerchantSite, account: SubscriptionAccount, row: number): Fields {
  const { event, at, n } = site.simulation.extra(row);
  const { index, product } = account.subscriber;
  const event_id = toExtraEventId(index, n);
  const head = { site: { id: site.id, subdomain: site.subdomain } };
  switch (event) {
    case 'metered_usage':
      return {
        event_id,
        ...head,
        component: componentFields(catalogComponents[CALLS_COMPONENT_INDEX]),
        subscription: { id: site.simulation.ids.subscription.id(index) },
        product: { id: product.id, name: product.name },
        quantity: computeMeteredUsage(site.simulation.parameters, index, n),
        memo: null,
        timestamp: formatUtcTimestamp(at),
      };
    case 'customer_update':
      return { ...head, customer: customerFields(site, account), event_id };
    default: {
      const snapshot: SubscriptionSnapshot = {
        ...{ state: 'active', previousState: 'active', balance: 0, revenue: product.price, product },
        periodStart: account.subscriber.signup,
        periodEnd: at + 3 * 86_400,
      };
      return { ...head, subscription: subscriptionFields(site, account, snapshot, at), event_id };
    }
  }
}

const componentFields = (component: CatalogComponent | undefined): Fields => ({
  id: component?.id,
  name: component?.name,
  unit_name: component?.unit,
  kind: component?.kind,
});

function customerFields(site: MerchantSite, account: SubscriptionAccount): Fields {
  const { index } = account.subscriber;
  const customer = findSubscriptionCustomer(site, index);
  const { reference, organization, address, address2, city, state, zip, country, email, phone } = customer;
  return {
    id: site.simulation.ids.customer.id(index),
    first_name: customer.firstName,
    last_name: customer.lastName,
    ...{ reference, organization, address, address_2: address2, city, state, zip, country, email, phone },
  };
}

function billingAddressFields(site: MerchantSite, account: SubscriptionAccount): Fields {
  const customer = findSubscriptionCustomer(site, account.subscriber.index);
  return {
    billing_address: customer.address,
    billing_address_2: customer.address2,
    billing_city: customer.city,
    billing_country: customer.country,
    billing_state: customer.state,
    billing_zip: customer.zip,
  };
}

function subscriptionFields(
  site: MerchantSite,
  account: SubscriptionAccount,
  snapshot: SubscriptionSnapshot,
  at: number,
): Fields {
  const { index, signup, coupon } = account.subscriber;
  const time = (moment: number): string => site.payloadZone.payload(moment);
  const person = findSubscriptionCustomer(site, index);
  const paymentCard = findSubscriptionCard(site, index);
  const canceled = snapshot.state === 'canceled';
  return {
    id: site.simulation.ids.subscription.id(index),
    state: snapshot.state,
    trial_started_at: null,
    trial_ended_at: null,
    activated_at: time(signup),
    created_at: time(signup),
    updated_at: time(at),
    expires_at: null,
    balance_in_cents: snapshot.balance,
    current_period_ends_at: time(snapshot.periodEnd),
    next_assessment_at: time(snapshot.periodEnd),
    canceled_at: canceled ? time(at) : null,
    cancellation_message: null,
    cancel_at_end_of_period: false,
    current_period_started_at: time(snapshot.periodStart),
    previous_state: snapshot.previousState,
    delayed_cancel_at: null,
    coupon_code: coupon?.code ?? null,
    total_revenue_in_cents: snapshot.revenue,
    product_price_in_cents: snapshot.product.price,
    payment_type: 'credit_card',
    customer: { ...customerFields(site, account), created_at: time(signup), updated_at: time(signup) },
    product: productFields(site, snapshot),
    credit_card: {
      id: paymentCard.id,
      first_name: person.firstName,
      last_name: person.lastName,
      masked_card_number: paymentCard.number,
      card_type: paymentCard.type,
      expiration_month: paymentCard.month,
      expiration_year: paymentCard.year,
      customer_id: site.simulation.ids.customer.id(index),
      current_vault: 'bogus',
      vault_token: paymentCard.id,
      ...billingAddressFields(site, account),
      payment_type: 'credit_card',
    },
  };
}

function productFields(site: MerchantSite, { product }: SubscriptionSnapshot): Fields {
  const page = `https://${site.subdomain}.example/subscribe`;
  return {
    id: product.id,
    name: product.name,
    handle: product.handle,
    description: null,
    accounting_code: product.handle,
    price_in_cents: product.price,
    interval: 1,
    interval_unit: 'month',
    initial_charge_in_cents: null,
    trial_price_in_cents: null,
    archived_at: null,
    require_credit_card: true,
    product_family: { ...PRODUCT_FAMILY, description: null },
    public_signup_pages: new RepeatedFormKey([
      { id: 281054, return_url: `${page}/thanks`, return_params: null, url: `${page}/${product.handle}` },
      { id: 281240, return_url: null, return_params: null, url: `${page}/partner/${product.handle}` },
    ]),
  };
}
