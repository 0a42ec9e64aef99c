import type { FindingDraft, FindingSeverity } from './finding.ts';
import type { SiteHabits } from './site-habits.ts';
import type { SubscriptionAnalysis } from './subscription-analysis.ts';
import type { CrossSubscriptionGroup, WebhookLogWindow, WebhookRecord } from './subscription-record.ts';

/** Kind of record that a rule checks. The list of rules is grouped by it. */
export type RuleScope = 'statement' | 'chain' | 'payment' | 'webhook' | 'allocation';

export interface RuleDefinition {
  /** Rule id, stored with every finding and decision. Ids are never renamed or reused. */
  readonly id: string;
  /** Rule version. Increased when the rule may give different results for unchanged records. */
  readonly version: number;
  readonly title: string;
  readonly severity: FindingSeverity;
  readonly scope: RuleScope;
  /** Explanation for users: what is checked, what a finding may mean and what to do. */
  readonly explanation: string;
  /** Action that the app offers for a finding of the rule. */
  readonly remedy?: 'replay';
  check?(analysis: SubscriptionAnalysis, context: RuleContext): FindingDraft[];
  checkGroup?(group: CrossSubscriptionGroup): FindingDraft[];
}

/** Information that rules need in addition to the records. */
export interface CheckContext {
  /**
   * Current time of the service in UTC milliseconds: the latest of the local clock, the Date header and the newest
   * `created_at` in the webhook log. A sandbox's clock may be ahead.
   */
  readonly now: number;
  /** Ids of disabled rules. Causes that these rules would report are reported by other rules instead. */
  readonly disabled?: ReadonlySet<string>;
  /** Time range of the stored webhook log. If it is absent or null, missing webhooks are not reported. */
  readonly webhookLog?: WebhookLogWindow | null;
  /** Habits of the site, learned by `learnSiteHabits`. If absent, missing habitual events are not reported. */
  readonly habits?: SiteHabits;
  /**
   * Returns true if a webhook's signature is valid; null if unknown. Pass this function only if the shared key is known
   * to be correct, for example because it verifies the newest webhook.
   */
  verifySignature?(webhook: WebhookRecord): boolean | null;
}

export interface RuleContext {
  readonly now: number;
  readonly webhookLog: WebhookLogWindow | null;
  readonly habits: SiteHabits;
  readonly verifySignature: ((webhook: WebhookRecord) => boolean | null) | null;
  isRuleEnabled(rule: string): boolean;
  /** Ids of statements whose figures are wrong according to other rules. */
  readonly suspectStatements: ReadonlySet<number>;
}
