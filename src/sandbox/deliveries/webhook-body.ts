import {
  findLastChangeTime,
  RENEWAL_MEMO,
  sumStatementCents,
  toEventId,
  toTransactionJson,
} from '../render/json-records.ts';
import { createEventMessage } from '../render/memos.ts';
import { catalogComponents, PRODUCT_FAMILY } from '../simulation/catalog.ts';
import type { Statement, SubscriptionSnapshot, WebhookNotice } from '../simulation/ledger.ts';
import { computeMeteredUsage } from '../simulation/site-parameters.ts';
import type { SubscriptionAccount } from '../simulation/subscription-account.ts';
import { formatUtcTimestamp } from '../simulation/time-zone.ts';
import { findSubscriptionCard, findSubscriptionCustomer, type MerchantSite } from '../site/merchant-site.ts';
import { encodeForm, type FormValue, RepeatedKey } from './form-encoding.ts';

type Fields = { [key: string]: FormValue };

/** Returns the body that was posted for a row of the webhook log. Later changes to the site do not affect it. */
export function createWebhookBody(site: MerchantSite, row: number): string {
  const id = site.simulation.ids.webhook.id(row);
  const account = site.simulation.account(site.simulation.webhooks.subscription(row));
  const notice = site.simulation.notice(row);
  const event = site.simulation.event(row);
  const payload = notice ? payloadOf(site, account, notice) : extraPayload(site, account, row);
  return encodeForm({ id, event, payload });
}

function payloadOf(site: MerchantSite, account: SubscriptionAccount, notice: WebhookNotice): Fields {
  const event_id = notice.entry ? toEventId(site, account.subscriber.index, notice.entry) : undefined;
  const head = { site: siteFields(site) };
  switch (notice.event) {
    case 'component_allocation_change':
      return { event_id, ...head, ...allocationFields(site, account, notice) };
    case 'statement_closed':
    case 'statement_settled':
      return {
        ...head,
        ...statementFields(site, account, notice),
        event_id: statementEventId(site, account, notice),
      };
    case 'payment_success':
    case 'payment_failure':
    case 'refund_success':
      return {
        ...head,
        subscription: subscriptionFields(site, account, notice.snapshot, notice.at),
        transaction: notice.transaction
          ? formTransaction(site, account, notice.transaction, notice.at)
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

const siteFields = (site: MerchantSite): Fields => ({ id: site.id, subdomain: site.subdomain });

/** Event ids of statement notices are higher than those of the statement's own events. */
const statementEventId = (
  site: MerchantSite,
  account: SubscriptionAccount,
  { statement, event }: WebhookNotice,
): number =>
  site.simulation.ids.event.id(
    site.simulation.statementRow(account.subscriber.index, statement.index),
    event === 'statement_closed' ? 60_000 : 60_001,
  );

const formTransaction = (
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
  const who = customerFields(site, account);
  const { index } = account.subscriber;
  const paymentCard = findSubscriptionCard(site, index);
  const person = findSubscriptionCustomer(site, index);
  return {
    subscription: {
      id: site.simulation.ids.subscription.id(index),
      state: snapshot.state,
      balance_in_cents: snapshot.balance,
    },
    customer: who,
    statement: statementBody(site, account, statement, at),
    product: { id: snapshot.product.id, name: snapshot.product.name },
    product_family: { id: PRODUCT_FAMILY.id, name: PRODUCT_FAMILY.name },
    payment_profile: {
      id: paymentCard.id,
      first_name: person.firstName,
      last_name: person.lastName,
      ...billing(site, account),
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
  const row = site.simulation.statementRow(account.subscriber.index, statement.index);
  return {
    closed_at: time(statement.closedAt),
    created_at: time(statement.openedAt),
    id: site.simulation.ids.statement.id(row),
    opened_at: time(statement.openedAt),
    settled_at: time(statement.settledAt),
    subscription_id: site.simulation.ids.subscription.id(account.subscriber.index),
    updated_at: time(findLastChangeTime(statement, asOf)),
    starting_balance_in_cents: statement.starting,
    ending_balance_in_cents: statement.ending,
    total_in_cents: sumStatementCents(statement),
    memo: statement.index === 0 ? '' : RENEWAL_MEMO,
    events: statement.events.map((event) => ({
      id: toEventId(site, account.subscriber.index, event),
      key: event.key,
      message: createEventMessage(site, account, event),
    })),
    transactions: statement.transactions.map((entry) => formTransaction(site, account, entry, asOf)),
  };
}

function allocationFields(
  site: MerchantSite,
  account: SubscriptionAccount,
  { allocation, snapshot }: WebhookNotice,
): Fields {
  const sold = catalogComponents[allocation?.component ?? 0];
  const person = findSubscriptionCustomer(site, account.subscriber.index);
  return {
    component: { id: sold?.id, name: sold?.name, unit_name: sold?.unit, kind: sold?.kind },
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

function extraPayload(site: MerchantSite, account: SubscriptionAccount, row: number): Fields {
  const { event, at, n } = site.simulation.extra(row);
  const { index, product } = account.subscriber;
  const event_id = 2_000_000_000_000 + index * 2 ** 32 + n;
  const calls = catalogComponents.find(({ kind }) => kind === 'metered_component');
  const head = { site: siteFields(site) };
  const periodEnd = at + 3 * 86_400;
  const snapshot: SubscriptionSnapshot = {
    state: 'active',
    previousState: 'active',
    balance: 0,
    periodStart: account.subscriber.signup,
    periodEnd,
    revenue: product.price,
    product,
  };
  switch (event) {
    case 'metered_usage':
      return {
        event_id,
        ...head,
        component: { id: calls?.id, name: calls?.name, unit_name: calls?.unit, kind: calls?.kind },
        subscription: { id: site.simulation.ids.subscription.id(index) },
        product: { id: product.id, name: product.name },
        quantity: computeMeteredUsage(site.simulation.parameters, index, n),
        memo: null,
        timestamp: formatUtcTimestamp(at),
      };
    case 'customer_update':
      return { ...head, customer: customerFields(site, account), event_id };
    default:
      return { ...head, subscription: subscriptionFields(site, account, snapshot, at), event_id };
  }
}

function customerFields(site: MerchantSite, account: SubscriptionAccount): Fields {
  const person = findSubscriptionCustomer(site, account.subscriber.index);
  return {
    id: site.simulation.ids.customer.id(account.subscriber.index),
    first_name: person.firstName,
    last_name: person.lastName,
    reference: person.reference,
    organization: person.organization,
    address: person.address,
    address_2: person.address2,
    city: person.city,
    state: person.state,
    zip: person.zip,
    country: person.country,
    email: person.email,
    phone: person.phone,
  };
}

function billing(site: MerchantSite, account: SubscriptionAccount): Fields {
  const person = findSubscriptionCustomer(site, account.subscriber.index);
  return {
    billing_address: person.address,
    billing_address_2: person.address2,
    billing_city: person.city,
    billing_country: person.country,
    billing_state: person.state,
    billing_zip: person.zip,
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
      ...billing(site, account),
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
    product_family: {
      id: PRODUCT_FAMILY.id,
      name: PRODUCT_FAMILY.name,
      handle: PRODUCT_FAMILY.handle,
      description: null,
    },
    public_signup_pages: new RepeatedKey([
      { id: 281054, return_url: `${page}/thanks`, return_params: null, url: `${page}/${product.handle}` },
      { id: 281240, return_url: null, return_params: null, url: `${page}/partner/${product.handle}` },
    ]),
  };
}
