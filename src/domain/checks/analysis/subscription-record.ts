/**
 * Input of the rules: one subscription with all its stored records. Fields have the service's names. Times are UTC
 * milliseconds, null if missing or unreadable.
 */

export interface SubscriptionRecord {
  /** Null for the record of the webhooks without a subscription. */
  readonly subscription_id: number | null;
  /** In any order. Statements that the service no longer lists are left out. */
  readonly statements: readonly StatementRecord[];
  /** True if every statement that the service lists is included. Otherwise nothing is reported as missing. */
  readonly statements_complete: boolean;
  /** Webhooks whose body names this subscription, in any order. */
  readonly webhooks: readonly WebhookRecord[];
  readonly components: readonly ComponentRecord[];
}

export interface StatementRecord {
  readonly id: number;
  readonly opened_at: number | null;
  /** Null if still open. */
  readonly closed_at: number | null;
  readonly settled_at: number | null;
  readonly created_at: number | null;
  readonly updated_at: number | null;
  readonly starting_balance_in_cents: number | null;
  readonly ending_balance_in_cents: number | null;
  readonly transactions: readonly TransactionRecord[];
  readonly events: readonly EventRecord[];
  readonly future_payments: readonly FuturePaymentRecord[];
  readonly text_view: string | null;
  /** Words of its PDF, if the archive contains one and they have been extracted. */
  readonly pdf_text: string | null;
  /** Start of the request that read this copy, in UTC milliseconds; null if the copy is known to be current. */
  readonly read_at: number | null;
}

export interface TransactionRecord {
  readonly id: number;
  readonly transaction_type: string | null;
  readonly type: string | null;
  readonly kind: string | null;
  readonly amount_in_cents: number;
  readonly starting_balance_in_cents: number | null;
  readonly ending_balance_in_cents: number | null;
  readonly success: boolean | null;
  readonly memo: string | null;
  readonly created_at: number | null;
  /** Date of created_at in the service's calendar, `YYYY-MM-DD` (see `dateAsWritten`). */
  readonly created_on: string | null;
  readonly payment_id: number | null;
  readonly gateway_transaction_id: string | null;
  /** Sent only by later versions of the service. */
  readonly component_id: number | null;
}

export interface EventRecord {
  readonly id: number;
  readonly key: string;
  readonly created_at: number | null;
  /** `event_specific_data.account_transaction_id`. */
  readonly transaction_id: number | null;
  /** `event_specific_data.new_subscription_state`. */
  readonly new_state: string | null;
}

/** The interface shows no fields of a future payment, so any may be missing. */
export interface FuturePaymentRecord {
  readonly id: number | null;
  readonly amount_in_cents: number | null;
  readonly created_at: number | null;
}

export interface WebhookRecord {
  readonly id: number;
  readonly event: string;
  readonly successful: boolean;
  readonly created_at: number | null;
  readonly accepted_at: number | null;
  readonly last_sent_at: number | null;
  readonly last_error: string | null;
  readonly last_sent_url: string | null;
  /** Facts read from the body by `readWebhookFacts`. */
  readonly facts: WebhookFacts;
  /** Used by `verifySignature` only, as is `body`. */
  readonly signature: string | null;
  readonly body: string | null;
}

/** Facts that a webhook body contains about a statement and its transactions; null or empty if absent. */
export interface WebhookFacts {
  readonly statement_id: number | null;
  readonly transaction_id: number | null;
  readonly statement: WebhookStatementFacts | null;
  readonly transactions: readonly WebhookTransactionFacts[];
}

export interface WebhookStatementFacts {
  readonly id: number;
  readonly closed: boolean;
  readonly starting_balance_in_cents: number | null;
  readonly ending_balance_in_cents: number | null;
}

export interface WebhookTransactionFacts {
  readonly id: number;
  readonly transaction_type: string | null;
  readonly amount_in_cents: number | null;
  readonly success: boolean | null;
}

export interface ComponentRecord {
  readonly component_id: number;
  readonly name: string | null;
  /** True if the history was read to its end. */
  readonly complete: boolean;
  /** Oldest first; within one second in their order of recording. */
  readonly allocations: readonly AllocationRecord[];
}

export interface AllocationRecord {
  readonly timestamp: number;
  /** Position among the allocations of the same second, from 0. */
  readonly ordinal: number;
  readonly quantity: number | string;
  readonly previous_quantity: number | string;
  readonly proration_upgrade_scheme: string | null;
  readonly proration_downgrade_scheme: string | null;
}

/** Rows of different subscriptions with a common value, found by an index. */
export interface CrossSubscriptionGroup {
  /** Field that the members have in common. */
  readonly by: 'transaction_id' | 'gateway_transaction_id';
  readonly members: readonly CrossSubscriptionMember[];
}

export interface CrossSubscriptionMember {
  readonly subscription_id: number | null;
  readonly statement_id: number;
  readonly transaction: TransactionRecord;
}

/** Time range by created_at for which the webhook log is completely stored. */
export interface WebhookLogWindow {
  /** Oldest time that the log contained when it was first read. */
  readonly from: number;
  /** Start of the latest complete read. */
  readonly to: number;
}
