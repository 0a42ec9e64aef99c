/**
 * States of the stored events feed for a time range. A feed that was never requested is `not_read`. A service without a
 * feed is `unavailable`. A feed whose reading ended early is `incomplete`.
 */
export const feedStates = ['complete', 'incomplete', 'unavailable', 'not_read'] as const;
export type FeedState = (typeof feedStates)[number];

/** Completeness of the stored records for a time range. */
export interface RecordCoverage {
  readonly statements: boolean;
  readonly allocations: boolean;
  readonly feed: FeedState;
}

/** Reason why notifications of an event may be missing that no stored record shows. */
export const unknownReasons = [
  'statements_incomplete',
  'allocations_incomplete',
  'feed_not_read',
  'feed_unavailable',
  'feed_incomplete',
] as const;
export type UnknownReason = (typeof unknownReasons)[number];

export interface UnknownEvent {
  readonly event: string;
  readonly reason: UnknownReason;
}

/** Events that follow from transactions and statements. */
const STATEMENT_EVENTS = [
  ...(['payment_success', 'payment_failure', 'refund_success', 'refund_failure'] as const),
  ...(['statement_closed', 'statement_settled'] as const),
];
const ALLOCATION_EVENT = 'component_allocation_change';
/** Other webhook events of the service. The list is open: the log may contain further events. */
const OTHER_EVENTS = [
  ...([
    'signup_success',
    'signup_failure',
    'renewal_success',
    'renewal_failure',
    'billing_date_change',
  ] as const),
  ...(['subscription_state_change', 'subscription_product_change', 'subscription_card_update'] as const),
  ...(['expiring_card', 'customer_update', 'metered_usage', 'upgrade_downgrade_success'] as const),
  ...(['upgrade_downgrade_failure', 'upcoming_renewal_notice', 'trial_end_notice'] as const),
  ...(['expiration_date_change'] as const),
];

const feedReasons = {
  incomplete: 'feed_incomplete',
  unavailable: 'feed_unavailable',
  not_read: 'feed_not_read',
} as const;

/**
 * Returns the events of which more notifications may be missing than the stored records show, in alphabetical order.
 * `logged` are the events that occur in the webhook log.
 */
export function listUnknownEvents(coverage: RecordCoverage, logged: Iterable<string>): UnknownEvent[] {
  const { statements, allocations, feed } = coverage;
  const unknown = new Map<string, UnknownReason>();
  if (!statements) for (const event of STATEMENT_EVENTS) unknown.set(event, 'statements_incomplete');
  if (!allocations) unknown.set(ALLOCATION_EVENT, 'allocations_incomplete');
  if (feed !== 'complete') {
    const others = new Set([...OTHER_EVENTS, ...logged]);
    for (const event of [...STATEMENT_EVENTS, 'test']) others.delete(event);
    // Tieout learns from webhooks which components a subscription has, so a first change may be unknown without them.
    others.add(ALLOCATION_EVENT);
    for (const event of others) if (!unknown.has(event)) unknown.set(event, feedReasons[feed]);
  }
  return [...unknown]
    .map(([event, reason]) => ({ event, reason }))
    .sort((a, b) => (a.event < b.event ? -1 : 1));
}
