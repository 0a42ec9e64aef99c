import type {
  AllocationRecord,
  EventRecord,
  StatementRecord,
  TransactionRecord,
  WebhookRecord,
} from '../../../src/domain/checks/index.ts';

/**
 * Life of a subscription as the service would record it. Written independently of the checks, so that they
 * are not tested against themselves.
 */
export interface Life {
  readonly id: number;
  readonly price: number;
  readonly tax: number;
  readonly discount: number;
  readonly seats: number;
  readonly trial: boolean;
  readonly months: readonly Month[];
  readonly end: 'running' | 'canceled';
  readonly style: Style;
}

/** Variations in how the service records the same events. */
export interface Style {
  readonly running: boolean;
  readonly creditsNegative: boolean;
  readonly newestFirst: boolean;
  readonly eventsName: boolean;
  readonly webhooksName: boolean;
  readonly text: boolean;
}

export interface Month {
  readonly happens: readonly Happening[];
  readonly declined: boolean;
  /** Days after a declined renewal until a late payment; null if it comes with the next renewal. */
  readonly lateAfter: number | null;
  /** Days between cancellation at the end of the month and reactivation; null if none. */
  readonly pause: number | null;
}

export type Happening =
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
/** A record that can still be changed. */
export interface Draft {
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
}
