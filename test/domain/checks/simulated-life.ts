import type {
  AllocationRecord,
  EventRecord,
  StatementRecord,
  SubscriptionRecord,
  TransactionRecord,
  WebhookRecord,
} from '../../../src/domain/checks/index.ts';

/**
 * A subscription’s history as the service would record it. It is written independently of the checks, so that they are
 * not
 * tested against their own logic.
 */
export interface SimulatedLife {
  readonly id: number;
  readonly price: number;
  readonly tax: number;
  readonly discount: number;
  readonly seats: number;
  readonly trial: boolean;
  readonly months: readonly Month[];
  readonly end: 'running' | 'canceled';
  readonly style: RecordStyle;
}

/** Different ways in which the service may record the same history. */
export interface RecordStyle {
  readonly running: boolean;
  readonly creditsNegative: boolean;
  readonly newestFirst: boolean;
  readonly eventsName: boolean;
  readonly webhooksName: boolean;
  readonly text: boolean;
}

export interface Month {
  readonly lifeEvents: readonly LifeEvent[];
  readonly declined: boolean;
  /** Number of days between a declined renewal and a late payment. Null if the payment comes with the next renewal. */
  readonly lateAfter: number | null;
  /**
   * Number of days between a cancellation at the end of the month and the reactivation. Null if the subscription is not
   * canceled.
   */
  readonly pause: number | null;
}

export type LifeEvent =
  | { readonly day: number; readonly does: 'one_time'; readonly amount: number }
  | { readonly day: number; readonly does: 'credit'; readonly amount: number }
  | { readonly day: number; readonly does: 'adjustment'; readonly amount: number }
  | { readonly day: number; readonly does: 'refund' }
  | { readonly day: number; readonly does: 'info' }
  | { readonly day: number; readonly does: 'seats'; readonly by: number; readonly scheme: string };

type Changeable<T> = { -readonly [Key in keyof T]: T[Key] };
export type Statement = Changeable<Omit<StatementRecord, 'transactions' | 'events' | 'future_payments'>> & {
  transactions: Changeable<TransactionRecord>[];
  events: Changeable<EventRecord>[];
  future_payments: { id: number | null; amount_in_cents: number | null; created_at: number | null }[];
};
export type Webhook = Changeable<WebhookRecord>;
/** Subscription record in which errors can still be planted. */
export interface DraftRecord {
  subscription_id: number;
  statements: Statement[];
  statements_complete: boolean;
  webhooks: Webhook[];
  components: {
    component_id: number;
    name: string | null;
    complete: boolean;
    allocations: Changeable<AllocationRecord>[];
  }[];
  transactions_elsewhere: SubscriptionRecord['transactions_elsewhere'];
}
