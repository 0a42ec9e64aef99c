import { exactCents } from '../ledger/index.ts';
import type {
  AllocationRecord,
  EventRecord,
  StatementRecord,
  TransactionRecord,
  WebhookRecord,
} from './record.ts';

export type Severity = 'error' | 'warning' | 'notice';

/** What a finding is about: the most telling ids of it. */
export interface Subject {
  readonly subscription_id: number | null;
  readonly statement_id?: number;
  readonly transaction_id?: number;
  readonly event_id?: number;
  readonly webhook_id?: number;
  readonly component_id?: number;
}

/** A row behind a finding, to be opened from it. */
export type RowRef =
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

/** One line of the arithmetic shown with a finding; null where the line has no figure of its own. */
export interface ArithmeticLine {
  readonly label: string;
  readonly amount_in_cents: number | null;
}

export interface Finding {
  /** The rule’s id. */
  readonly rule: string;
  readonly severity: Severity;
  readonly subject: Subject;
  readonly expected_in_cents: number | null;
  readonly actual_in_cents: number | null;
  /** Actual less expected; for findings without the two, the amount at stake. */
  readonly difference_in_cents: number | null;
  /** One sentence with the figures. */
  readonly message: string;
  readonly arithmetic: readonly ArithmeticLine[];
  readonly rows: readonly RowRef[];
  /** The same finding in a later run has the same key, and no other finding has it. */
  readonly key: string;
  /** What the finding rests on, as text: as long as it stays the same, so do the rows. To be hashed and kept with a decision. */
  readonly evidence: string;
}

/** A row with what of it a finding rests on: figures, dates and states, not when we read it. */
export interface Evidence {
  readonly row: RowRef;
  readonly content: readonly (string | number | boolean | null)[];
}

export const statementEvidence = (statement: StatementRecord): Evidence => ({
  row: { kind: 'statement', id: statement.id },
  content: [
    statement.opened_at,
    statement.closed_at,
    statement.settled_at,
    statement.starting_balance_in_cents,
    statement.ending_balance_in_cents,
  ],
});

export const transactionEvidence = (statement_id: number, transaction: TransactionRecord): Evidence => ({
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

export const eventEvidence = (statement_id: number, event: EventRecord): Evidence => ({
  row: { kind: 'event', id: event.id, statement_id },
  content: [event.key, event.created_at, event.transaction_id],
});

export const webhookEvidence = (webhook: WebhookRecord): Evidence => ({
  row: { kind: 'webhook', id: webhook.id },
  content: [webhook.event, webhook.successful, webhook.created_at, webhook.accepted_at, webhook.signature],
});

export const allocationEvidence = (
  subscription_id: number | null,
  component_id: number,
  allocation: AllocationRecord,
): Evidence => ({
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

/** What a rule says of a finding; the rest follows from it. */
export interface FindingDraft {
  readonly severity?: Severity;
  readonly subject: Subject;
  /** What makes it this finding and no other of the rule, the same in each run. Default: the ids of the subject. */
  readonly identity?: readonly (string | number)[];
  readonly expected_in_cents?: number | null;
  readonly actual_in_cents?: number | null;
  readonly difference_in_cents?: number | null;
  readonly message: string;
  readonly arithmetic?: readonly ArithmeticLine[];
  readonly evidence: readonly Evidence[];
}

/** The whole finding: key, evidence and difference worked out. */
export function makeFinding(
  rule: { readonly id: string; readonly severity: Severity },
  draft: FindingDraft,
): Finding {
  const { expected_in_cents: expected = null, actual_in_cents: actual = null } = draft;
  const difference = expected !== null && actual !== null ? actual - expected : null;
  return {
    rule: rule.id,
    severity: draft.severity ?? rule.severity,
    subject: draft.subject,
    expected_in_cents: exact(expected),
    actual_in_cents: exact(actual),
    difference_in_cents: exact(draft.difference_in_cents ?? difference),
    message: draft.message,
    arithmetic: (draft.arithmetic ?? []).map(({ label, amount_in_cents }) => ({
      label,
      amount_in_cents: exact(amount_in_cents),
    })),
    rows: draft.evidence.map(({ row }) => row),
    key: [rule.id, ...(draft.identity ?? identityOf(draft.subject))].join('/'),
    evidence: JSON.stringify([expected, actual, ...draft.evidence.map(({ row, content }) => [row, content])]),
  };
}

/** Amounts that cannot be held exactly are shown in words alone. */
const exact = (amount: number | null): number | null => (amount === null ? null : exactCents(amount));

/** The ids of a subject. Statements, webhooks and so on have ids of their own; a component is one only in its subscription. */
function identityOf(subject: Subject): string[] {
  const own = Object.entries(subject).filter(([name]) => name !== 'subscription_id');
  const whole = own.length === 0 || subject.component_id !== undefined;
  return (whole ? Object.entries(subject) : own).map(([name, id]) => `${name.replace('_id', '')} ${id}`);
}
