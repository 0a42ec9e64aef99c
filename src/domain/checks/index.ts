/**
 * Checks of the billing service's records. A full check visits every subscription; a changed record rechecks only its
 * own subscription. Webhooks without a subscription form a record with `subscription_id: null`. A finding's `key`
 * identifies its exception across check runs. Its `evidence` changes only if the underlying records do; store its
 * hash with a decision. A finding that does not recur is resolved. Each cause gives one finding: a rule does not
 * report what another enabled rule explains. Missing records are reported only if they should be stored locally.
 * `statements_complete`, `read_at`, a component's `complete` and the webhook log window define the extent of the
 * local data.
 */

export type { CheckContext, RuleDefinition, RuleScope } from './analysis/check-rule.ts';
export { listCrossSubscriptionPaymentIds } from './analysis/cross-subscription-payments.ts';
export type {
  Finding,
  FindingArithmeticLine,
  FindingRow,
  FindingSeverity,
  FindingSubject,
} from './analysis/finding.ts';
export { learnSiteHabits, type SiteHabits } from './analysis/site-habits.ts';
export * from './analysis/subscription-record.ts';
export { readWebhookFacts, type WebhookBodyField } from './analysis/webhook-facts.ts';
export { checkSubscription, checkSubscriptionGroups } from './check-subscription.ts';
export { checkRules, findCheckRule } from './rules/index.ts';
