/**
 * Events whose webhook describes a current state, so that a later one of the same subscription supersedes it. Events
 * that report a fact, for example a payment, are never superseded.
 */
const STATE_EVENTS: ReadonlySet<string> = new Set([
  'billing_date_change',
  'component_allocation_change',
  'customer_update',
  'end_of_trial_notice',
  'expiration_date_change',
  'expiring_card',
  'pending_cancellation_change',
  'subscription_bank_account_update',
  'subscription_card_update',
  'subscription_paypal_account_update',
  'subscription_product_change',
  'subscription_state_change',
  'trial_end_notice',
  'upcoming_renewal_notice',
]);

/** Returns true if a later webhook of the same event and subscription (and component) supersedes this one. */
export const isStateEvent = (event: string): boolean => STATE_EVENTS.has(event);
