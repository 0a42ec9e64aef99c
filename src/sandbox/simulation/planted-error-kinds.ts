/**
 * Kinds of errors that can be planted in the service's own records. Each one is in a statement that closed in the last
 * complete month, or in one of its webhooks or allocations. No subscription has two.
 *
 * | kind | error |
 * |---|---|
 * | arithmetic | a charge's amount differs from its effect on the balance |
 * | running_balance | the ending balance of a transaction is not the starting balance of the next |
 * | continuity | a statement's opening balance is not the previous closing balance |
 * | gap | a statement opens two days after the previous one closed |
 * | overlap | a statement opens a day before the previous one closed |
 * | missing_statement | a statement is in no list and cannot be read |
 * | duplicate_payment | a renewal was collected twice under one gateway transaction |
 * | failed_counts | a failed payment reduced the balance |
 * | settled_unpaid | a statement with a balance is settled without a payment |
 * | allocation_chain | a quantity was changed without a record between two allocations |
 * | missing_proration | an allocation with a prorating scheme caused no charge |
 * | lost_webhook | a successful payment has no webhook |
 * | unsent_webhook | a successful payment's webhook was never sent |
 * | duplicate_webhook | a successful payment is in the log twice |
 */
export const plantedErrorKinds = [
  ...(['arithmetic', 'running_balance', 'continuity', 'gap', 'overlap', 'missing_statement'] as const),
  ...(['duplicate_payment', 'failed_counts', 'settled_unpaid', 'allocation_chain'] as const),
  ...(['missing_proration', 'lost_webhook', 'unsent_webhook', 'duplicate_webhook'] as const),
] as const;

export type PlantedErrorKind = (typeof plantedErrorKinds)[number];

export interface PlantedErrorPosition {
  readonly kind: PlantedErrorKind;
  readonly subscription: number;
  /** Index of the statement within the subscription. */
  readonly statement: number;
  /** Amount in cents by which the record is wrong, if the error concerns an amount. */
  readonly cents: number;
}
