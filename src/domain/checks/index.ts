/**
 * Internal checks of the billing service's records.
 *
 * `checkSubscription(record, context)` applies every rule to one subscription and keeps no state. A full
 * check visits every subscription, and a changed statement, webhook or allocation rechecks only its own
 * subscription. Webhooks without a subscription form a record with `subscription_id: null`.
 * `checkAcrossSubscriptions(groups)` checks rows of several subscriptions with the same transaction id or
 * gateway identifier.
 *
 * A finding's `key` identifies its exception across runs. Its `evidence` changes only if the underlying rows
 * change; store its hash with a decision. A finding that does not recur is resolved. One cause gives one
 * finding: what another rule explains is not reported again, unless that rule is disabled.
 *
 * Missing records are reported only if they must be stored locally. `statements_complete`, `read_at`, a
 * component's `complete` and the window of the log say how far the local data reaches. `learnSiteHabits` says
 * what the site usually does.
 */

export type { CheckContext, RuleDefinition, RuleScope } from './analysis/check-rule.ts';
export type {
  ArithmeticLine,
  Finding,
  FindingRow,
  FindingSeverity,
  FindingSubject,
} from './analysis/finding.ts';
export { learnSiteHabits, type SiteHabits } from './analysis/site-habits.ts';
export * from './analysis/subscription-record.ts';
export { readWebhookFacts, type WebhookBodyField } from './analysis/webhook-facts.ts';
export { checkAcrossSubscriptions, checkSubscription } from './check-subscription.ts';
export { checkRules, findRule } from './rules/index.ts';
