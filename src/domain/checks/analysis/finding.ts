import { toExactCents } from '../../ledger/index.ts';
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

/** One line of the arithmetic shown with a finding; null if the amount is unknown. */
export interface ArithmeticLine {
  readonly label: string;
  readonly amount_in_cents: number | null;
}

export interface Finding {
  /** Id of the rule that reported the finding. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  readonly subject: FindingSubject;
  readonly expected_in_cents: number | null;
  readonly actual_in_cents: number | null;
  /** Actual minus expected amount in cents. For findings without these figures, the amount at stake. */
  readonly difference_in_cents: number | null;
  /** Sentence that states the finding with its figures. */
  readonly message: string;
  readonly arithmetic: readonly ArithmeticLine[];
  readonly rows: readonly FindingRow[];
  /** Unique key that identifies the finding across check runs. */
  readonly key: string;
  /** Text that changes only if the underlying records do. Its hash is stored with a decision. */
  readonly evidence: string;
}

/** The content of a record on which a finding depends: figures, dates and states, but not the time of reading. */
export interface FindingEvidence {
  readonly row: FindingRow;
  readonly content: readonly (string | number | boolean | null)[];
}

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

/** The parts of a finding that a rule supplies. */
export interface FindingDraft {
  readonly severity?: FindingSeverity;
  readonly subject: FindingSubject;
  /**
   * Values that distinguish the finding from others of the same rule, identical in every check run. The default is the
   * ids of the subject.
   */
  readonly identity?: readonly (string | number)[];
  readonly expected_in_cents?: number | null;
  readonly actual_in_cents?: number | null;
  readonly difference_in_cents?: number | null;
  readonly message: string;
  readonly arithmetic?: readonly ArithmeticLine[];
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
    expected_in_cents: exactOrNull(expected),
    actual_in_cents: exactOrNull(actual),
    difference_in_cents: exactOrNull(draft.difference_in_cents ?? difference),
    message: draft.message,
    arithmetic: (draft.arithmetic ?? []).map(({ label, amount_in_cents }) => ({
      label,
      amount_in_cents: exactOrNull(amount_in_cents),
    })),
    rows: draft.evidence.map(({ row }) => row),
    key: [rule.id, ...(draft.identity ?? defaultIdentity(draft.subject))].join('/'),
    evidence: JSON.stringify([expected, actual, ...draft.evidence.map(({ row, content }) => [row, content])]),
  };
}

/** Returns null for an inexact amount. Such amounts appear only in the message. */
const exactOrNull = (amount: number | null): number | null => (amount === null ? null : toExactCents(amount));

/**
 * Returns the ids of a finding's subject. Statements, webhooks and so on have globally unique ids, but a component's id
 * is only unique within its subscription.
 */
function defaultIdentity(subject: FindingSubject): string[] {
  const own = Object.entries(subject).filter(([name]) => name !== 'subscription_id');
  const needsAllIds = own.length === 0 || subject.component_id !== undefined;
  return (needsAllIds ? Object.entries(subject) : own).map(
    ([name, id]) => `${name.replace('_id', '')} ${id}`,
  );
}
