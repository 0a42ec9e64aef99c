import type { Finding, FindingSeverity } from './finding.ts';
import type { SiteHabits } from './site-habits.ts';
import type { SubscriptionAnalysis } from './subscription-analysis.ts';
import type { CrossSubscriptionGroup, WebhookLogWindow, WebhookRecord } from './subscription-record.ts';

/** Kind of record that a rule uses, so that a change rechecks only the affected records. */
export type RuleScope = 'statement' | 'chain' | 'payment' | 'webhook' | 'allocation';

export interface RuleDefinition {
  /** Stored with every finding and decision. Never renamed and never reused. */
  readonly id: string;
  /** Increased when the rule may give a different result for unchanged rows. */
  readonly version: number;
  readonly title: string;
  readonly severity: FindingSeverity;
  readonly scope: RuleScope;
  /** Explains to users what is checked, what a finding may mean and what to do. */
  readonly explanation: string;
  /** Action that the app offers for a finding. */
  readonly remedy: 'replay' | null;
  /** Checks one subscription. */
  check?(analysis: SubscriptionAnalysis, context: RuleContext): Finding[];
  /** Checks rows of several subscriptions that an index found. */
  checkGroup?(group: CrossSubscriptionGroup): Finding[];
}

/** Information that the rules need besides the records. */
export interface CheckContext {
  /**
   * The service's clock in UTC milliseconds: the latest of the local clock, the Date header and the log's newest `created_at`.
   * A sandbox may have moved its time ahead.
   */
  readonly now: number;
  /** Disabled rules. Causes that they would explain are reported by the other rules instead. */
  readonly disabled?: ReadonlySet<string>;
  /** Absent or null if no webhook log is stored; missing webhooks are then not reported. */
  readonly webhookLog?: WebhookLogWindow | null;
  /** Habits learned from the site by `learnSiteHabits`. If absent, missing habitual events are not reported. */
  readonly habits?: SiteHabits;
  /**
   * Returns true if a webhook's signature matches its body; null if that is unknown. If absent, signatures are not checked.
   * Pass it only if the shared key is known to be correct, for example because it fits the newest webhook.
   */
  verifySignature?(webhook: WebhookRecord): boolean | null;
}

/** The check context with defaults applied. */
export interface RuleContext {
  readonly now: number;
  readonly webhookLog: WebhookLogWindow | null;
  readonly habits: SiteHabits;
  readonly verifySignature: ((webhook: WebhookRecord) => boolean | null) | null;
  isRuleEnabled(rule: string): boolean;
  /** Statements whose figures earlier rules found to be wrong. */
  readonly suspectStatements: ReadonlySet<number>;
}
