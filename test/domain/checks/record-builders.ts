import {
  type AllocationRecord,
  type CheckContext,
  type ComponentRecord,
  checkSubscription,
  type EventRecord,
  type Finding,
  type StatementRecord,
  type SubscriptionRecord,
  type TransactionRecord,
  type WebhookRecord,
} from '../../../src/domain/checks/index.ts';
import { ALL_HABITS } from './all-habits.ts';

/** Builders of small test records with default values. */

const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Returns a time of a day in UTC, by default noon: `utcTimeOn('2026-03-05')`. */
export const utcTimeOn = (date: string, hour = 12): number =>
  Date.parse(`${date}T${String(hour).padStart(2, '0')}:00:00Z`);

type Line = Partial<TransactionRecord> & Pick<TransactionRecord, 'transaction_type' | 'amount_in_cents'>;

const line = (transaction_type: string, amount_in_cents: number, more: Partial<TransactionRecord>): Line => ({
  transaction_type,
  type: transaction_type.charAt(0).toUpperCase() + transaction_type.slice(1),
  amount_in_cents,
  ...more,
});
export const charge = (cents: number, more: Partial<TransactionRecord> = {}): Line =>
  line('charge', cents, more);
export const credit = (cents: number, more: Partial<TransactionRecord> = {}): Line =>
  line('credit', cents, more);
export const payment = (cents: number, more: Partial<TransactionRecord> = {}): Line =>
  line('payment', cents, more);
export const refund = (cents: number, more: Partial<TransactionRecord> = {}): Line =>
  line('refund', cents, more);
export const adjustment = (cents: number, more: Partial<TransactionRecord> = {}): Line =>
  line('adjustment', cents, more);
export const failed = (cents: number, more: Partial<TransactionRecord> = {}): Line =>
  payment(cents, { success: false, ...more });

interface StatementDraft extends Partial<Omit<StatementRecord, 'transactions'>> {
  readonly id: number;
  readonly opens?: number;
  readonly closes?: number | null;
  readonly lines?: readonly Line[];
}

/**
 * Creates a monthly statement. Its id sets the month (statement 3 is March 2026). It is settled when it closes if its
 * closing balance is zero, and its transactions are one day apart.
 */
export function statement({
  id,
  opens = 0,
  closes = 0,
  lines = [],
  ...more
}: StatementDraft): StatementRecord {
  const first = (month: number): number => Date.UTC(2026, month - 1, 1);
  const opened_at = more.opened_at === undefined ? first(id) : more.opened_at;
  const closed_at = more.closed_at === undefined ? first(id + 1) : more.closed_at;
  return {
    id,
    opened_at,
    closed_at,
    settled_at: closed_at !== null && (closes ?? 0) <= 0 ? closed_at : null,
    created_at: opened_at,
    updated_at: closed_at,
    starting_balance_in_cents: opens,
    ending_balance_in_cents: closes,
    total_in_cents: null,
    currency: null,
    customer: { name: 'Ada Berg', organization: 'Berg AB', address: 'Storgatan 1 222 22' },
    transactions: lines.map((each, n) =>
      transaction({ id: id * 100 + n, created_at: (opened_at ?? 0) + (n + 1) * DAY, ...each }),
    ),
    events: [],
    future_payments: [],
    text_view: null,
    pdf_text: null,
    read_at: null,
    ...more,
  };
}

function transaction(given: Line & { id: number; created_at: number | null }): TransactionRecord {
  return {
    type: null,
    kind: null,
    starting_balance_in_cents: null,
    ending_balance_in_cents: null,
    success: true,
    memo: null,
    created_on: given.created_at === null ? null : new Date(given.created_at).toISOString().slice(0, 10),
    subscription_id: null,
    customer_id: null,
    statement_id: null,
    currency: null,
    payment_id: null,
    gateway_transaction_id: null,
    component_id: null,
    ...given,
  };
}

export function event(key: string, more: Partial<EventRecord> = {}): EventRecord {
  return {
    id: 1,
    subscription_id: null,
    key,
    created_at: utcTimeOn('2026-03-02'),
    transaction_id: null,
    new_state: null,
    ...more,
  };
}

export function webhook(event: string, more: Partial<WebhookRecord> = {}): WebhookRecord {
  const created_at = more.created_at ?? utcTimeOn('2026-03-02');
  return {
    id: 900,
    event,
    successful: true,
    created_at,
    accepted_at: created_at,
    last_sent_at: created_at,
    last_error: null,
    last_sent_url: 'https://books.example/webhooks',
    facts: { statement_id: null, transaction_id: null, statement: null, transactions: [] },
    signature: null,
    body: null,
    ...more,
  };
}

export function allocations(
  rows: readonly (Partial<AllocationRecord> & { readonly timestamp: number })[],
  more: Partial<ComponentRecord> = {},
): ComponentRecord {
  const plain = {
    quantity: 1,
    previous_quantity: 0,
    proration_upgrade_scheme: null,
    proration_downgrade_scheme: null,
  };
  return {
    component_id: 31,
    name: 'Seats',
    complete: true,
    allocations: rows.map((row) => ({ ordinal: 0, ...plain, ...row })),
    ...more,
  };
}

/** Creates a subscription with id 7. */
export function subscription(
  statements: readonly StatementRecord[],
  more: Partial<SubscriptionRecord> = {},
): SubscriptionRecord {
  return {
    subscription_id: 7,
    statements,
    statements_complete: true,
    webhooks: [],
    components: [],
    transactions_elsewhere: new Map(),
    ...more,
  };
}

const createRecord: CheckContext = {
  now: utcTimeOn('2027-06-01'),
  webhookLog: { from: utcTimeOn('2020-01-01'), to: utcTimeOn('2027-06-01') },
  habits: ALL_HABITS,
};

/** Returns the findings of one rule, grouped or not. Only the habits that the rule uses are assumed. */
export function findingsOf(
  rule: string,
  record: SubscriptionRecord,
  context: Partial<CheckContext> = {},
): Finding[] {
  return checkSubscription(record, { ...createRecord, ...context })
    .flatMap((finding) => [finding, ...finding.members])
    .filter((finding) => finding.rule === rule);
}

export const messages = (findings: readonly Finding[]): string[] => findings.map(({ message }) => message);

/** Returns the ids of the rules that reported findings. */
export function listRulesWithFindings(
  record: SubscriptionRecord,
  context: Partial<CheckContext> = {},
): string[] {
  return checkSubscription(record, { ...createRecord, webhookLog: null, habits: new Map(), ...context }).map(
    ({ rule }) => rule,
  );
}
