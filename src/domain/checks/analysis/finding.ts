import { toExactCents } from '../../ledger/index.ts';
import type {
  AllocationRecord,
  EventRecord,
  StatementRecord,
  TransactionRecord,
  WebhookRecord,
} from './subscription-record.ts';

export type FindingSeverity = 'error' | 'warning' | 'notice';

/** Ids of the records that a finding is about. */
export interface FindingSubject {
  readonly subscription_id: number | null;
  readonly statement_id?: number;
  readonly transaction_id?: number;
  readonly event_id?: number;
  readonly webhook_id?: number;
  readonly component_id?: number;
}

/** Reference to a row that proves a finding. */
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
  /** Id of the rule. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  readonly subject: FindingSubject;
  readonly expected_in_cents: number | null;
  readonly actual_in_cents: number | null;
  /** Actual less expected; the amount at stake for findings without these two figures. */
  readonly difference_in_cents: number | null;
  /** Text with the figures. */
  readonly message: string;
  readonly arithmetic: readonly ArithmeticLine[];
  readonly rows: readonly FindingRow[];
  /** Identifies the finding across runs. No other finding has the same key. */
  readonly key: string;
  /** Text that stays the same as long as the underlying rows do. Its hash is stored with a decision. */
  readonly evidence: string;
}

/** A row with the content that a finding depends on: figures, dates and states, but not the time of reading. */
export interface FindingEvidence {
  readonly row: FindingRow;
  readonly content: readonly (string | number | boolean | null)[];
}

export const statementEvidence = (statement: StatementRecord): FindingEvidence => ({
  row: { kind: 'statement', id: statement.id },
  content: [
    statement.opened_at,
    statement.closed_at,
    statement.settled_at,
    statement.starting_balance_in_cents,
    statement.ending_balance_in_cents,
  ],
});

export const transactionEvidence = (
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

export const eventEvidence = (statement_id: number, event: EventRecord): FindingEvidence => ({
  row: { kind: 'event', id: event.id, statement_id },
  content: [event.key, event.created_at, event.transaction_id],
});

export const webhookEvidence = (webhook: WebhookRecord): FindingEvidence => ({
  row: { kind: 'webhook', id: webhook.id },
  content: [webhook.event, webhook.successful, webhook.created_at, webhook.accepted_at, webhook.signature],
});

export const allocationEvidence = (
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

/** The parts of a finding that a rule provides. */
export interface FindingDraft {
  readonly severity?: FindingSeverity;
  readonly subject: FindingSubject;
  /** Distinguishes the finding from others of the rule, identically in each run. Default: the ids of the subject. */
  readonly identity?: readonly (string | number)[];
  readonly expected_in_cents?: number | null;
  readonly actual_in_cents?: number | null;
  readonly difference_in_cents?: number | null;
  readonly message: string;
  readonly arithmetic?: readonly ArithmeticLine[];
  readonly evidence: readonly FindingEvidence[];
}

/** Completes a finding with its key, evidence and difference. */
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

/** Returns null for amounts that are not exact; they appear in the message only. */
const exactOrNull = (amount: number | null): number | null => (amount === null ? null : toExactCents(amount));

/**
 * Returns the ids of a subject. Statements, webhooks and so on have globally unique ids; a component's id needs its
 * subscription.
 */
function defaultIdentity(subject: FindingSubject): string[] {
  const own = Object.entries(subject).filter(([name]) => name !== 'subscription_id');
  const needsAllIds = own.length === 0 || subject.component_id !== undefined;
  return (needsAllIds ? Object.entries(subject) : own).map(
    ([name, id]) => `${name.replace('_id', '')} ${id}`,
  );
}
