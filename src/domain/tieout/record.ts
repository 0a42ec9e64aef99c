/**
 * What the rules look at: one subscription at a time, with everything that is held of it. Fields are spelled as the service
 * spells them; every instant is integer ms UTC, null where the service sent none (or none that could be read).
 */

export interface SubscriptionRecord {
  /** Null: the webhooks that name no subscription, and nothing else. */
  readonly subscription_id: number | null;
  /** In any order. Only those the service still lists: a vanished statement is left out. */
  readonly statements: readonly StatementRecord[];
  /** Whether every statement the service lists for the subscription is here. Where not, nothing is argued from absence. */
  readonly statements_complete: boolean;
  /** The webhooks whose body names this subscription, in any order. */
  readonly webhooks: readonly WebhookRecord[];
  readonly components: readonly ComponentRecord[];
}

export interface StatementRecord {
  readonly id: number;
  readonly opened_at: number | null;
  /** Null: still open. */
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
  /** The words of its PDF, where the archive holds one and they were drawn from it. */
  readonly pdf_text: string | null;
  /** When the request began that brought this copy; null: nothing happened since that it could lack. */
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
  /** The day of created_at in the calendar of the service, `YYYY-MM-DD` (see `dateAsWritten`). */
  readonly created_on: string | null;
  readonly payment_id: number | null;
  readonly gateway_transaction_id: string | null;
  /** Sent by later versions of the service. */
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

/** The interface shows no fields of a future payment; any may be missing. */
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
  /** What its body is about and says; `tellingOf` reads it. */
  readonly telling: Telling;
  /** For `verify`; the rules themselves read neither. */
  readonly signature: string | null;
  readonly body: string | null;
}

/** What a webhook’s body says of a statement and its transactions. Null and empty where it says nothing. */
export interface Telling {
  readonly statement_id: number | null;
  readonly transaction_id: number | null;
  readonly statement: ToldStatement | null;
  readonly transactions: readonly ToldTransaction[];
}

export interface ToldStatement {
  readonly id: number;
  readonly closed: boolean;
  readonly starting_balance_in_cents: number | null;
  readonly ending_balance_in_cents: number | null;
}

export interface ToldTransaction {
  readonly id: number;
  readonly transaction_type: string | null;
  readonly amount_in_cents: number | null;
  readonly success: boolean | null;
}

export interface ComponentRecord {
  readonly component_id: number;
  readonly name: string | null;
  /** Whether its history was read to the end. */
  readonly complete: boolean;
  /** Oldest first, those of one second in their order. */
  readonly allocations: readonly AllocationRecord[];
}

export interface AllocationRecord {
  readonly timestamp: number;
  /** Place among those of the same second, from 0. */
  readonly ordinal: number;
  readonly quantity: number | string;
  readonly previous_quantity: number | string;
  readonly proration_upgrade_scheme: string | null;
  readonly proration_downgrade_scheme: string | null;
}

/** A place where rows of different subscriptions meet: found by an index, checked by `checkAcross`. */
export interface AcrossGroup {
  /** What its members have in common. */
  readonly by: 'transaction_id' | 'gateway_transaction_id';
  readonly members: readonly AcrossMember[];
}

export interface AcrossMember {
  readonly subscription_id: number | null;
  readonly statement_id: number;
  readonly transaction: TransactionRecord;
}
