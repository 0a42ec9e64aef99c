import { isFailedPayment, isFailedRefund, isSuccessfulPayment, isSuccessfulRefund } from '../ledger/index.ts';
import type { ExpectedNotification, NotificationSource, Payload } from './notification.ts';
import { pairByIdentity } from './pair-by-identity.ts';

/** A stored transaction. Field names are the service's; times are UTC milliseconds. */
export interface DatedTransaction {
  readonly id: number;
  readonly subscription_id: number | null;
  readonly statement_id: number;
  readonly created_at: number;
  readonly transaction_type: string | null;
  readonly type: string | null;
  readonly kind: string | null;
  readonly amount_in_cents: number;
  readonly success: boolean | null;
  readonly memo: string | null;
  readonly gateway_transaction_id: string | null;
}

export interface DatedStatement {
  readonly id: number;
  readonly subscription_id: number;
  readonly opened_at: number | null;
  readonly closed_at: number | null;
  readonly settled_at: number | null;
  readonly starting_balance_in_cents: number;
  readonly ending_balance_in_cents: number;
}

export interface DatedAllocation {
  readonly subscription_id: number;
  readonly component_id: number;
  readonly component_name: string | null;
  readonly at: number;
  /** Position among the allocations of the same second. */
  readonly ordinal: number;
  readonly quantity: number | string;
  readonly previous_quantity: number | string;
  readonly memo: string | null;
  /** Opening time of the subscription's first stored statement; null if no statement is stored. */
  readonly signup_at: number | null;
}

/** An event of a statement or of the service's events feed. */
export interface DatedEvent {
  readonly id: number;
  readonly key: string;
  readonly created_at: number;
  readonly subscription_id: number | null;
  readonly message: string | null;
  readonly transaction_id: number | null;
  readonly component_id: number | null;
  readonly source: Extract<NotificationSource, 'statement_event' | 'events_feed'>;
}

/** Stored records from which notifications are derived. Records outside the time range are ignored. */
export interface NotificationRecords {
  readonly transactions: readonly DatedTransaction[];
  readonly statements: readonly DatedStatement[];
  readonly allocations: readonly DatedAllocation[];
  readonly events: readonly DatedEvent[];
}

/** Time range in UTC milliseconds. Both ends are included. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Time within which a settlement belongs to the closing of its statement, as in the checks of the records. */
const SAME_TIME_MS = 5 * 60_000;
/** Maximum time between a record and the event that reports it. Chosen by judgment. */
const EVENT_TOLERANCE_MS = 60_000;

/**
 * Returns the notifications that the service must have generated in a time range, oldest first. Several records of the
 * same event give one notification.
 */
export function deriveExpectedNotifications(
  records: NotificationRecords,
  { from, to }: TimeRange,
): ExpectedNotification[] {
  const fromRecords = [
    ...records.transactions.flatMap(expectTransactionNotification),
    ...records.statements.flatMap(expectStatementNotifications),
    ...records.allocations.flatMap(expectAllocationNotification),
  ];
  return mergeEvents(fromRecords, records.events)
    .filter(({ at }) => at >= from && at <= to)
    .sort((a, b) => a.at - b.at || compareText(a.event, b.event) || compareIds(a, b));
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const compareIds = (a: ExpectedNotification, b: ExpectedNotification) =>
  (a.subscription_id ?? 0) - (b.subscription_id ?? 0) ||
  (a.transaction_id ?? 0) - (b.transaction_id ?? 0) ||
  (a.statement_id ?? 0) - (b.statement_id ?? 0) ||
  (a.component_id ?? 0) - (b.component_id ?? 0) ||
  (a.event_id ?? 0) - (b.event_id ?? 0);

/** Formats an instant for a payload: ISO 8601 in UTC, to the second. */
const toPayloadTime = (at: number | null): string | null =>
  at === null ? null : `${new Date(at).toISOString().slice(0, 19)}Z`;

const unidentified = { event_id: null, transaction_id: null, statement_id: null, component_id: null };

function expectTransactionNotification(transaction: DatedTransaction): ExpectedNotification[] {
  const event = findTransactionEvent(transaction);
  if (event === null) return [];
  const { id, subscription_id, created_at: at, ...facts } = transaction;
  const payload = {
    subscription: { id: subscription_id },
    transaction: { id, subscription_id, ...facts, created_at: toPayloadTime(at) },
  };
  const identity = { ...unidentified, event, at, subscription_id, transaction_id: id };
  const subject = `transaction-${id}`;
  return [{ ...identity, subject, sources: ['transaction'], payload, mayBeSignup: false }];
}

/** Returns the event of a payment or refund; null for transactions that are reported by no event of their own. */
function findTransactionEvent(transaction: DatedTransaction): string | null {
  if (transaction.amount_in_cents === 0) return null;
  if (isSuccessfulPayment(transaction)) return 'payment_success';
  if (isFailedPayment(transaction)) return 'payment_failure';
  if (isSuccessfulRefund(transaction)) return 'refund_success';
  return isFailedRefund(transaction) ? 'refund_failure' : null;
}

/**
 * Returns the notifications of a statement: when it closes, exactly one of `statement_closed` (unpaid) or
 * `statement_settled`; if it was unpaid, `statement_settled` once it is paid.
 */
function expectStatementNotifications(statement: DatedStatement): ExpectedNotification[] {
  const { id, subscription_id, opened_at, closed_at, settled_at } = statement;
  if (closed_at === null || closed_at < (opened_at ?? closed_at)) return [];
  const { starting_balance_in_cents, ending_balance_in_cents } = statement;
  const expect = (event: string, at: number, settled: number | null): ExpectedNotification => ({
    ...unidentified,
    event,
    at,
    subscription_id,
    statement_id: id,
    subject: `statement-${id}`,
    sources: ['statement'],
    mayBeSignup: false,
    payload: {
      subscription: { id: subscription_id },
      statement: {
        id,
        subscription_id,
        opened_at: toPayloadTime(opened_at),
        closed_at: toPayloadTime(closed_at),
        settled_at: toPayloadTime(settled),
        starting_balance_in_cents,
        ending_balance_in_cents,
      },
    },
  });
  const isPaid = settled_at !== null && settled_at <= closed_at + SAME_TIME_MS;
  if (isPaid) return [expect('statement_settled', closed_at, settled_at)];
  const closing = expect('statement_closed', closed_at, null);
  return settled_at === null ? [closing] : [closing, expect('statement_settled', settled_at, settled_at)];
}

/** Returns the notification of an allocation. Allocations that were set during the signup have none. */
function expectAllocationNotification(allocation: DatedAllocation): ExpectedNotification[] {
  const { subscription_id, component_id, component_name, at, ordinal, signup_at, memo } = allocation;
  const { quantity, previous_quantity } = allocation;
  const isFirst = Number(previous_quantity) === 0;
  if (isFirst && signup_at !== null && Math.abs(at - signup_at) <= SAME_TIME_MS) return [];
  const payload: Payload = {
    subscription: { id: subscription_id },
    component: { id: component_id, name: component_name },
    previous_allocation: previous_quantity,
    new_allocation: quantity,
    memo,
    timestamp: toPayloadTime(at),
  };
  const event = 'component_allocation_change';
  const identity = { ...unidentified, event, at, subscription_id, component_id };
  const subject = `subscription-${subscription_id}-component-${component_id}-${at}-${ordinal}`;
  const mayBeSignup = isFirst && signup_at === null;
  return [{ ...identity, subject, sources: ['allocation'], payload, mayBeSignup }];
}

/** Adds events to the notifications of the records that they report. Other events become notifications. */
function mergeEvents(
  fromRecords: readonly ExpectedNotification[],
  events: readonly DatedEvent[],
): ExpectedNotification[] {
  const found = new Map(events.map((event) => [event.id, event]));
  // An event on a statement names more than the same event in the feed.
  for (const event of events) if (event.source === 'statement_event') found.set(event.id, event);
  const feed = new Set(events.filter(({ source }) => source === 'events_feed').map(({ id }) => id));
  const expected = [...found.values()].map((event) => toEventNotification(event, feed.has(event.id)));
  const reported = pairByIdentity(fromRecords, expected, EVENT_TOLERANCE_MS);
  const withEvents = new Map([...reported].map(([event, item]) => [item, mergeEvent(item, event)]));
  return [
    ...fromRecords.map((item) => withEvents.get(item) ?? item),
    ...expected.filter((event) => !reported.has(event)),
  ];
}

const mergeEvent = (
  { payload, ...item }: ExpectedNotification,
  event: ExpectedNotification,
): ExpectedNotification => ({
  ...item,
  event_id: event.event_id,
  sources: [...item.sources, ...event.sources],
  payload: { event_id: event.event_id, ...payload },
  // An event of its own shows that the change was not part of a signup.
  mayBeSignup: false,
});

function toEventNotification(event: DatedEvent, isInFeed: boolean): ExpectedNotification {
  const { id, key, created_at: at, subscription_id, message, transaction_id, component_id, source } = event;
  return {
    event: key,
    at,
    subscription_id,
    event_id: id,
    transaction_id: key.startsWith('statement_') ? null : transaction_id,
    statement_id: null,
    component_id,
    subject: `event-${id}`,
    sources: source === 'statement_event' && isInFeed ? ['statement_event', 'events_feed'] : [source],
    payload: {
      event_id: id,
      ...(subscription_id !== null && { subscription: { id: subscription_id } }),
      ...(transaction_id !== null && { transaction: { id: transaction_id } }),
      message,
    },
    mayBeSignup: false,
  };
}
