import type { Account } from './account.ts';
import type { Finding, Severity } from './finding.ts';
import type { Habits } from './habits.ts';
import type { AcrossGroup, WebhookRecord } from './record.ts';

/** What a rule looks at, so that a change of rows rechecks only what they touch. */
export type Scope = 'statement' | 'chain' | 'payment' | 'webhook' | 'allocation';

export interface Rule {
  /** Kept with every finding and decision; never renamed, never reused. */
  readonly id: string;
  /** Raised when the rule’s outcome can change for unchanged rows. */
  readonly version: number;
  readonly title: string;
  readonly severity: Severity;
  readonly scope: Scope;
  /** For a person: what is checked, what a finding may mean, what to do. */
  readonly explanation: string;
  /** What the app can offer to do about a finding. */
  readonly remedy: 'replay' | null;
  /** Looks at one subscription. */
  check?(account: Account, look: Look): Finding[];
  /** Looks at rows of several subscriptions that an index brought together. */
  checkGroup?(group: AcrossGroup): Finding[];
}

/** From when to when the webhook log is held whole, by created_at. */
export interface LogWindow {
  /** The oldest moment the log still reached back to when it was first read. */
  readonly from: number;
  /** When the last complete reading of it began. */
  readonly to: number;
}

/** What is known besides the record. */
export interface CheckContext {
  /**
   * The service’s clock: the latest of our own clock, its Date header and the newest created_at of the log. A sandbox may
   * have moved its time ahead of ours.
   */
  readonly now: number;
  /** Rules that are switched off. What they would have explained is then reported by the rule it upsets. */
  readonly disabled?: ReadonlySet<string>;
  /** Absent or null: no webhook log is held, so none is missed. */
  readonly log?: LogWindow | null;
  /** Learned from the site (`habitsOf`). Absent: nothing is expected that is only a habit. */
  readonly habits?: Habits;
  /**
   * Whether a webhook’s signature fits its body; null where that cannot be told. Absent: signatures are not checked. Give it
   * only where the shared key is known to be right, such as when it fits the newest webhook.
   */
  verify?(webhook: WebhookRecord): boolean | null;
}

/** The context as the rules see it. */
export interface Look {
  readonly now: number;
  readonly log: LogWindow | null;
  readonly habits: Habits;
  readonly verify: ((webhook: WebhookRecord) => boolean | null) | null;
  /** Whether a rule is switched on. */
  on(rule: string): boolean;
  /** Statements that earlier rules found wrong in their figures. */
  readonly suspects: ReadonlySet<number>;
}
