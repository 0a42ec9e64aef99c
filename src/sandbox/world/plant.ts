/**
 * Errors that can be planted in the service's own records, each in a statement that closed in the last complete month
 * (or a webhook or allocation of it), never two in one subscription.
 *
 * | kind | what is wrong |
 * |---|---|
 * | arithmetic | a charge shows another amount than it moved the balance by |
 * | running_balance | the ending balance of a transaction is not the starting balance of the next |
 * | continuity | a statement opens with another balance than the one before it closed with |
 * | gap | a statement opens two days after the one before it closed |
 * | overlap | a statement opens a day before the one before it closed |
 * | missing_statement | a statement is in no list and cannot be read |
 * | duplicate_payment | a renewal was collected twice, under one gateway transaction |
 * | failed_counts | a payment that failed lowered the balance |
 * | settled_unpaid | a statement with a balance is settled although nobody paid |
 * | allocation_chain | a quantity was changed without a record between two allocations |
 * | missing_proration | an allocation with a prorating scheme led to no charge |
 * | lost_webhook | a successful payment has no webhook |
 * | unsent_webhook | a successful payment's webhook was never sent |
 * | duplicate_webhook | a successful payment is in the log twice |
 */
export const plantKinds = [
  'arithmetic',
  'running_balance',
  'continuity',
  'gap',
  'overlap',
  'missing_statement',
  'duplicate_payment',
  'failed_counts',
  'settled_unpaid',
  'allocation_chain',
  'missing_proration',
  'lost_webhook',
  'unsent_webhook',
  'duplicate_webhook',
] as const;

export type PlantKind = (typeof plantKinds)[number];

/** One planted error: which, and in which statement of the subscription. */
export interface Plant {
  readonly kind: PlantKind;
  readonly subscription: number;
  /** The statement's number within the subscription. */
  readonly statement: number;
  /** Cents it is wrong by, where cents are. */
  readonly cents: number;
}
