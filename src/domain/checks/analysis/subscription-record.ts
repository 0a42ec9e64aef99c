/** Input of the check rules. Fields have the service's names. Times are UTC milliseconds, null if unreadable. */

export interface SubscriptionRecord {
  /** Subscription id; null for the record that collects webhooks without a subscription. */
  readonly subscription_id: number | null;
  /** Statements in any order, without those that the service no longer lists. */
  readonly statements: readonly StatementRecord[];
  /** True if every statement that the service lists is included. If false, no record is reported as missing. */
  readonly statements_complete: boolean;
  /** Webhooks whose body names the subscription, in any order. */
  readonly webhooks: readonly WebhookRecord[];
  readonly components: readonly ComponentRecord[];
  /** Transactions of other subscriptions that this subscription's transactions name in `payment_id`, by id. */
  readonly transactions_elsewhere: ReadonlyMap<number, CrossSubscriptionMember>;
}

export interface StatementRecord {
  readonly id: number;
  readonly opened_at: number | null;
  /** Closing time of the statement; null if it is still open. */
  readonly closed_at: number | null;
  readonly settled_at: number | null;
  readonly created_at: number | null;
  readonly updated_at: number | null;
  readonly starting_balance_in_cents: number | null;
  readonly ending_balance_in_cents: number | null;
  /** Total of charges, credits and adjustments. Only later versions of the service send it. */
  readonly total_in_cents: number | null;
  /** Currency code. The interface has no such field, but a later version may send it. */
  readonly currency: string | null;
  readonly customer: CustomerRecord;
  readonly transactions: readonly TransactionRecord[];
  readonly events: readonly EventRecord[];
  readonly future_payments: readonly FuturePaymentRecord[];
  readonly text_view: string | null;
  /** Words of the statement's PDF, if it is archived and its text has been extracted. */
  readonly pdf_text: string | null;
  /** Start of the request that read the statement, in UTC milliseconds; null if the copy is known to be current. */
  readonly read_at: number | null;
}

/** Customer as named on a statement. Empty texts are null. */
export interface CustomerRecord {
  readonly name: string | null;
  readonly organization: string | null;
  readonly address: string | null;
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
  /** Date of created_at in the service's time zone, `YYYY-MM-DD` (see `readDateAsWritten`). */
  readonly created_on: string | null;
  /** Subscription that the transaction names; null if it names none. */
  readonly subscription_id: number | null;
  /** Customer that the transaction names. Only later versions of the service send it. */
  readonly customer_id: number | null;
  /** Statement that the transaction names. Only later versions of the service send it. */
  readonly statement_id: number | null;
  /** Currency code. The interface has no such field, but a later version may send it. */
  readonly currency: string | null;
  readonly payment_id: number | null;
  readonly gateway_transaction_id: string | null;
  /** Component id. Only later versions of the service send it. */
  readonly component_id: number | null;
}

export interface EventRecord {
  readonly id: number;
  /** Subscription that the event names; null if it names none. */
  readonly subscription_id: number | null;
  readonly key: string;
  readonly created_at: number | null;
  readonly transaction_id: number | null;
  readonly new_state: string | null;
}

/** A future payment of a statement. The interface does not specify its fields, so any of them may be missing. */
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
  /** Facts extracted from the webhook body by `readWebhookFacts`. */
  readonly facts: WebhookBodyFacts;
  /** Signature of the webhook. Only `verifySignature` reads this field and `body`. */
  readonly signature: string | null;
  readonly body: string | null;
}

/** Facts about a statement and its transactions from a webhook body; null or empty if absent. */
export interface WebhookBodyFacts {
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
  readonly complete: boolean;
  /** Allocations, oldest first. Those of the same second are in order of recording. */
  readonly allocations: readonly AllocationRecord[];
}

export interface AllocationRecord {
  readonly timestamp: number;
  /** Position among the allocations of the same second, starting at 0. */
  readonly ordinal: number;
  readonly quantity: number | string;
  readonly previous_quantity: number | string;
  readonly proration_upgrade_scheme: string | null;
  readonly proration_downgrade_scheme: string | null;
}

export interface CrossSubscriptionGroup {
  readonly by: 'transaction_id' | 'gateway_transaction_id';
  readonly members: readonly CrossSubscriptionMember[];
}

export interface CrossSubscriptionMember {
  readonly subscription_id: number | null;
  readonly statement_id: number;
  readonly transaction: TransactionRecord;
}

/** Range of created_at within which every webhook of the log is stored, in UTC milliseconds. */
export interface WebhookLogWindow {
  /** Time of the oldest webhook in the log when the log was first read. */
  readonly from: number;
  /** Start time of the latest complete read of the log. */
  readonly to: number;
}
