import { catalogComponents } from '../simulation/catalog.ts';
import type { SubscriptionAccount } from '../simulation/subscription-account.ts';
import type { StatementEvent, Transaction } from '../simulation/subscription-ledger.ts';
import { findSubscriptionCustomer, type MerchantSite } from '../site/merchant-site.ts';

/** Formats cents as dollars, for example `$1,234.50`. The minus sign precedes the dollar sign. */
export function formatDollars(cents: number): string {
  const dollarDigits = String(Math.floor(Math.abs(cents) / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '-' : ''}$${dollarDigits}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}

const fullName = (site: MerchantSite, account: SubscriptionAccount): string => {
  const { firstName, lastName } = findSubscriptionCustomer(site, account.subscriber.index);
  return `${firstName} ${lastName}`;
};

/** Returns the memo of a transaction in the style of the service. */
export function createTransactionMemo(
  site: MerchantSite,
  account: SubscriptionAccount,
  transaction: Transaction,
): string {
  const { product, coupon, region } = account.subscriber;
  const sold = catalogComponents[transaction.component];
  const range = (): string => `(${site.zone.usDate(transaction.from)} - ${site.zone.usDate(transaction.to)})`;
  const payerText = (): string => `${fullName(site, account)} - ${product.name}`;
  switch (transaction.subject) {
    case 'product':
      return `${product.name} ${range()}`;
    case 'component':
      return sold?.kind === 'on_off_component'
        ? `${sold.name} ${range()}`
        : `${sold?.name}: ${transaction.quantity} ${sold?.unit}${transaction.quantity === 1 ? '' : 's'}`;
    case 'prorated':
      return sold?.kind === 'on_off_component'
        ? `${sold.name}: ${transaction.quantity ? 'on' : 'off'}, prorated ${range()}`
        : `${sold?.name}: ${transaction.previous} to ${transaction.quantity} ${sold?.unit}s, prorated ${range()}`;
    case 'coupon':
      return `Coupon: ${coupon?.code} - ${coupon?.name}`;
    case 'tax':
      return region.tax;
    case 'signup':
      return `${payerText()}: Signup payment`;
    case 'renewal':
      return `${payerText()}: Renewal payment`;
    case 'retry':
      return `${payerText()}: Past due renewal payment`;
    case 'capture':
      return 'Payment for: Prorated component allocation changes.';
    case 'one_time':
      return 'Onboarding session';
    case 'refund':
      return `Refund: ${payerText()}`;
  }
}

/** Returns the message of an event in the style of the service. */
export function createEventMessage(
  site: MerchantSite,
  account: SubscriptionAccount,
  event: StatementEvent,
): string {
  const subscription = `${fullName(site, account)}'s subscription to ${account.subscriber.product.name}`;
  const amount = formatDollars(event.transaction?.amount ?? 0);
  switch (event.key) {
    case 'signup_success':
      return `${fullName(site, account)} successfully signed up for ${account.subscriber.product.name}`;
    case 'payment_success':
      return `Successful payment of ${amount} for ${subscription}`;
    case 'payment_failure':
      return `Failed payment of ${amount} for ${subscription}`;
    case 'refund_success':
      return `Successful refund of ${amount} for ${subscription}`;
    case 'renewal_success':
      return `Successful renewal for ${subscription}`;
    case 'renewal_failure':
      return `Failed renewal for ${subscription}`;
    case 'subscription_state_change':
      return `State changed on ${subscription} from ${event.states?.[0]} to ${event.states?.[1]}`;
    default: {
      const { component = 0, previous = 0, quantity = 0 } = event.allocation ?? {};
      return `${catalogComponents[component]?.name} changed from ${previous} to ${quantity} on ${subscription}`;
    }
  }
}
