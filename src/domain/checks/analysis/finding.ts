import { toExactCents } from '../../ledger/index.ts';
import type { LocatedTransaction } from './payment-index.ts';
import type {
  AllocationRecord,
  EventRecord,
  StatementRecord,
  TransactionRecord,
  WebhookRecord,
} from './subscription-record.ts';

export type FindingSeverity = 'error' | 'warning' | 'notice';

/** Ids of the records that a finding concerns. */
export interface FindingSubject {
  readonly subscription_id: number | null;
  readonly statement_id?: number;
  readonly transaction_id?: number;
  readonly event_id?: number;
  readonly webhook_id?: number;
  readonly component_id?: number;
}

/** Reference to a record that supports a finding. */
export type FindingRow =
  | { readonly kind: 'statement'; readonly id: number }
  | { readonly kind: 'transaction'; readonly id: number; readonly statement_id: number }
  | { readonly kind: 'event'; readonly id: number; readonly statement_id: number }
  | { readonly kind: 'webhook'; readonly id: number }
  | {
      readonly kind: 'allocation';
      readonly subscription_id: number | null;
      readonly component_id: number;
      readonly timestamp: number;
      readonly ordinal: number;
    };

/** One line of the arithmetic shown with a finding. The amount is null if it is unknown. */
export type FindingArithmeticLine = { readonly label: string; readonly amount_in_cents: number | null };

export interface Finding {
  readonly rule: string;
  readonly severity: FindingSeverity;
  readonly subject: FindingSubject;
  readonly expected_in_cents: number | null;
  readonly actual_in_cents: number | null;
  /** Actual minus expected amount in cents. For findings without these figures, the amount at stake. */
  readonly difference_in_cents: number | null;
  readonly message: string;
  readonly arithmetic: readonly FindingArithmeticLine[];
  readonly rows: readonly FindingRow[];
  /** Unique key that identifies the finding across check runs. */
  readonly key: string;
  /** Text that changes only if the underlying records do. Its hash is stored with a decision. */
  readonly evidence: string;
  /** Findings that this finding stands for, because they have one cause. Empty for a finding of a rule. */
  readonly members: readonly Finding[];
}

/** Content of a record that a finding depends on: figures, dates and states, but not the time of reading. */
export interface FindingEvidence {
  readonly row: FindingRow;
  readonly content: readonly (string | number | boolean | null)[];
}

/** Returns the subject of a finding about a transaction. */
export const toTransactionSubject = (
  subscription_id: number | null,
  { footing: { statement }, transaction }: LocatedTransaction,
): FindingSubject => ({ subscription_id, statement_id: statement.id, transaction_id: transaction.id });

/** Returns the identity of a finding about an allocation. */
export const toAllocationIdentity = (
  { subscription_id, component_id }: FindingSubject,
  { timestamp, ordinal }: AllocationRecord,
): string[] => [`subscription ${subscription_id}`, `component ${component_id}`, `${timestamp}.${ordinal}`];

export const toStatementEvidence = (statement: StatementRecord): FindingEvidence => ({
  row: { kind: 'statement', id: statement.id },
  content: [
    statement.opened_at,
    statement.closed_at,
    statement.settled_at,
    statement.starting_balance_in_cents,
    statement.ending_balance_in_cents,
  ],
});

export const toTransactionEvidence = (
  statement_id: number,
  transaction: TransactionRecord,
): FindingEvidence => ({
  row: { kind: 'transaction', id: transaction.id, statement_id },
  content: [
    transaction.transaction_type,
    transaction.type,
    transaction.kind,
    transaction.amount_in_cents,
    transaction.starting_balance_in_cents,
    transaction.ending_balance_in_cents,
    transaction.success,
    transaction.created_at,
    transaction.gateway_transaction_id,
  ],
});

export const toEventEvidence = (statement_id: number, event: EventRecord): FindingEvidence => ({
  row: { kind: 'event', id: event.id, statement_id },
  content: [event.key, event.created_at, event.transaction_id],
});

export const toWebhookEvidence = (webhook: WebhookRecord): FindingEvidence => ({
  row: { kind: 'webhook', id: webhook.id },
  content: [webhook.event, webhook.successful, webhook.created_at, webhook.accepted_at, webhook.signature],
});

export const toAllocationEvidence = (
  subscription_id: number | null,
  component_id: number,
  allocation: AllocationRecord,
): FindingEvidence => ({
  row: {
    kind: 'allocation',
    subscription_id,
    component_id,
    timestamp: allocation.timestamp,
    ordinal: allocation.ordinal,
  },
  content: [
    String(allocation.previous_quantity),
    String(allocation.quantity),
    allocation.proration_upgrade_scheme,
    allocation.proration_downgrade_scheme,
  ],
});

/** One line of the arithmetic of a finding draft, in cents. */
export type DraftArithmeticLine = readonly [label: string, amount_in_cents: number | null];

export interface FindingDraft
  extends Pick<Finding, 'subject' | 'message'>,
    Partial<Pick<Finding, 'severity' | 'expected_in_cents' | 'actual_in_cents' | 'difference_in_cents'>> {
  /** Values that distinguish findings of one rule in every check run. The default is the subject's ids. */
  readonly identity?: readonly (string | number)[];
  readonly arithmetic?: readonly DraftArithmeticLine[];
  readonly evidence: readonly FindingEvidence[];
}

/** Creates a finding from a draft by adding its key, evidence and difference. */
export function createFinding(
  rule: { readonly id: string; readonly severity: FindingSeverity },
  draft: FindingDraft,
): Finding {
  const { expected_in_cents: expected = null, actual_in_cents: actual = null } = draft;
  const difference = expected !== null && actual !== null ? actual - expected : null;
  return {
    rule: rule.id,
    severity: draft.severity ?? rule.severity,
    subject: draft.subject,
    expected_in_cents: toExactOrNull(expected),
    actual_in_cents: toExactOrNull(actual),
    difference_in_cents: toExactOrNull(draft.difference_in_cents ?? difference),
    message: draft.message,
    arithmetic: (draft.arithmetic ?? []).map(([label, amount_in_cents]) => ({
      label,
      amount_in_cents: toExactOrNull(amount_in_cents),
    })),
    rows: draft.evidence.map(({ row }) => row),
    key: [rule.id, ...(draft.identity ?? buildDefaultIdentity(draft.subject))].join('/'),
    members: [],
    evidence: JSON.stringify([expected, actual, ...draft.evidence.map(({ row, content }) => [row, content])]),
  };
}

/** Returns exact amounts unchanged and null for inexact ones. Inexact amounts appear only in the message. */
const toExactOrNull = (amount: number | null): number | null =>
  amount === null ? null : toExactCents(amount);

/** Returns a finding's default identity: the ids of its subject. A component id is unique per subscription. */
function buildDefaultIdentity(subject: FindingSubject): string[] {
  const ownIds = Object.entries(subject).filter(([name]) => name !== 'subscription_id');
  const needsAllIds = ownIds.length === 0 || subject.component_id !== undefined;
  return (needsAllIds ? Object.entries(subject) : ownIds).map(
    ([name, id]) => `${name.replace('_id', '')} ${id}`,
  );
}
