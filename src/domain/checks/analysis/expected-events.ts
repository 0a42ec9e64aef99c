import { isSuccessfulPayment, isSuccessfulRefund } from '../../ledger/index.ts';
import type { LocatedTransaction } from './payment-index.ts';
import { isCoveredByStatements } from './record-coverage.ts';
import { SAME_TIME_TOLERANCE_MS } from './statement-chain.ts';
import type { StatementFooting } from './statement-footing.ts';
import type { SubscriptionAnalysis } from './subscription-analysis.ts';
import type { WebhookLogWindow, WebhookRecord } from './subscription-record.ts';

/**
 * An event or webhook that usually accompanies a payment or statement. The interface does not specify which
 * operations emit which events, so a missing event is a finding only if the site has the habit.
 */
export interface HabitualEventExpectation {
  readonly habit: string;
  readonly isMet: boolean;
  /** Time at which the event or webhook should have occurred, in UTC milliseconds. */
  readonly expectedAt: number;
}

export interface PaymentExpectation extends HabitualEventExpectation {
  readonly payment: LocatedTransaction;
}

export interface StatementExpectation extends HabitualEventExpectation {
  readonly footing: StatementFooting;
  /** Name of the webhook event that should have been sent. */
  readonly event: string;
}

const HOUR_MS = 3_600_000;

/** Returns the event expected on a statement for each payment. */
export function expectPaymentEvents(analysis: SubscriptionAnalysis): PaymentExpectation[] {
  const events = analysis.footings.flatMap(({ statement }) =>
    statement.events.filter(({ key }) => key === 'payment_success'),
  );
  const items = toPaymentItems(analysis, analysis.payments, (at) => isCoveredByStatements(analysis, at));
  const missing = findUnmentioned(items, events, ({ transaction_id }) => transaction_id);
  return items.map((item) => ({
    habit: `events of payments ${describeKind(analysis, item.payment)}`,
    isMet: !missing.has(item),
    expectedAt: item.at,
    payment: item.payment,
  }));
}

/** Returns the webhook expected for each payment and refund. */
export function expectPaymentWebhooks(
  analysis: SubscriptionAnalysis,
  log: WebhookLogWindow,
): PaymentExpectation[] {
  const moneyEvents = [
    ['payment_success', isSuccessfulPayment],
    ['refund_success', isSuccessfulRefund],
  ] as const;
  return moneyEvents.flatMap(([event, isOfEvent]) => {
    const transactions = [...analysis.transactionsById.values()].filter(
      ({ transaction }) => transaction.amount_in_cents !== 0 && isOfEvent(transaction),
    );
    const items = toPaymentItems(analysis, transactions, (at) => isWithinLog(log, at));
    const webhooks = analysis.record.webhooks.filter((webhook) => webhook.event === event);
    const missing = findUnmentioned(items, webhooks, ({ facts }) => facts.transaction_id);
    return items.map((item) => ({
      habit: `${event} of ${describeKind(analysis, item.payment)}`,
      isMet: !missing.has(item),
      expectedAt: item.at,
      payment: item.payment,
    }));
  });
}

/** Selects the payments whose events must be stored. Of duplicate payments, only the first counts. */
function toPaymentItems(
  { gatewayIdDuplicates, sameDayDuplicates }: SubscriptionAnalysis,
  payments: readonly LocatedTransaction[],
  isVisibleAt: (at: number) => boolean,
): { id: number; at: number; payment: LocatedTransaction }[] {
  const duplicates = new Set(
    [...gatewayIdDuplicates, ...sameDayDuplicates].flatMap((group) => group.slice(1)),
  );
  return payments.flatMap((payment) => {
    const { id, created_at: at } = payment.transaction;
    return at !== null && !duplicates.has(payment) && isVisibleAt(at) ? [{ id, at, payment }] : [];
  });
}

type StatementItem = { readonly id: number; readonly at: number; readonly footing: StatementFooting };

/** Returns the webhooks expected for statements when they close, or are settled after closing. */
export function expectStatementWebhooks(
  analysis: SubscriptionAnalysis,
  log: WebhookLogWindow,
): StatementExpectation[] {
  const { paidAtClose, paidAtSignup, closedUnpaid, settledLater } = findStatementMilestones(analysis, log);
  const closings = new Map(closedUnpaid.map(({ id, at }) => [id, at]));
  const expectations: StatementExpectation[] = [];
  const expect = (
    event: string,
    habit: string,
    items: readonly StatementItem[],
    isReport = (webhook: WebhookRecord): boolean => webhook.event === event,
  ): void => {
    if (items.length === 0) return;
    const webhooks = analysis.record.webhooks.filter(isReport);
    const missing = findUnmentioned(items, webhooks, ({ facts }) => facts.statement_id);
    for (const item of items) {
      const { footing, at: expectedAt } = item;
      expectations.push({ habit, isMet: !missing.has(item), footing, event, expectedAt });
    }
  };
  const reportsClosing = ({ event }: WebhookRecord): boolean =>
    event === 'statement_settled' || event === 'statement_closed';
  expect('statement_settled', 'statement_settled at the close', paidAtClose, reportsClosing);
  expect('statement_settled', 'statement_settled at signup', paidAtSignup, reportsClosing);
  expect('statement_closed', 'statement_closed', closedUnpaid, ({ event, facts, created_at }) => {
    if (event !== 'statement_settled') return event === 'statement_closed';
    const closed = closings.get(facts.statement_id ?? -1);
    return closed !== undefined && created_at !== null && Math.abs(created_at - closed) <= HOUR_MS;
  });
  expect('statement_settled', 'statement_settled later', settledLater);
  return expectations;
}

/** Returns the statement closings and settlements for which the webhook log must contain a webhook. */
function findStatementMilestones({ footings }: SubscriptionAnalysis, log: WebhookLogWindow) {
  const paidAtClose: StatementItem[] = [];
  const paidAtSignup: StatementItem[] = [];
  const closedUnpaid: StatementItem[] = [];
  const settledLater: StatementItem[] = [];
  for (const [index, footing] of footings.entries()) {
    const { id, opened_at, closed_at, settled_at } = footing.statement;
    if (closed_at === null || closed_at < (opened_at ?? closed_at)) continue;
    const isPaid = settled_at !== null && settled_at <= closed_at + SAME_TIME_TOLERANCE_MS;
    const paid = index === 0 ? paidAtSignup : paidAtClose;
    (isPaid ? paid : closedUnpaid).push({ id, at: closed_at, footing });
    if (!isPaid && settled_at !== null) settledLater.push({ id, at: settled_at, footing });
  }
  const withinLog = (items: StatementItem[]) => items.filter(({ at }) => isWithinLog(log, at));
  return {
    paidAtClose: withinLog(paidAtClose),
    paidAtSignup: withinLog(paidAtSignup),
    closedUnpaid: withinLog(closedUnpaid),
    settledLater: withinLog(settledLater),
  };
}

/** Returns an expectation for each payment that settled a statement after it closed: an entry in `future_payments`. */
export function expectFuturePayments(
  analysis: SubscriptionAnalysis,
): (StatementExpectation & { payment: LocatedTransaction })[] {
  const expectations = [];
  for (const footing of analysis.footings) {
    const { closed_at, settled_at, ending_balance_in_cents, future_payments } = footing.statement;
    if (closed_at === null || settled_at === null || settled_at <= closed_at + SAME_TIME_TOLERANCE_MS)
      continue;
    if ((ending_balance_in_cents ?? 0) <= 0) continue;
    const payment = analysis.payments.find(
      (each) =>
        each.footing !== footing &&
        each.transaction.created_at !== null &&
        Math.abs(each.transaction.created_at - settled_at) <= SAME_TIME_TOLERANCE_MS,
    );
    if (payment === undefined) continue;
    const isMet = future_payments.length > 0;
    expectations.push({
      habit: 'future payments',
      isMet,
      footing,
      payment,
      event: '',
      expectedAt: settled_at,
    });
  }
  return expectations;
}

/** Returns the payment kind that a habit is about. Payments at signup have separate habits. */
function describeKind(analysis: SubscriptionAnalysis, { footing, transaction }: LocatedTransaction): string {
  const signup = footing === analysis.footings[0] ? ' at signup' : '';
  return `kind ${transaction.kind ?? 'generic'}${signup}`;
}

/** Returns true if a webhook sent at this time must be in the stored log. */
const isWithinLog = ({ from, to }: WebhookLogWindow, at: number): boolean =>
  at >= from + HOUR_MS && at <= to - HOUR_MS;

/**
 * Returns the items that no event or webhook mentions. A mention with an id counts for the item with that id. A mention
 * without an id counts for one item within an hour of it.
 */
function findUnmentioned<
  Item extends { id: number; at: number },
  Mention extends { created_at: number | null },
>(
  items: readonly Item[],
  mentions: readonly Mention[],
  idOf: (mention: Mention) => number | null,
): ReadonlySet<Item> {
  const mentionedIds = new Set(mentions.map(idOf));
  const unmentioned = new Set(items.filter(({ id }) => !mentionedIds.has(id)));
  const timesWithoutId = mentions
    .flatMap((mention) => (idOf(mention) === null && mention.created_at !== null ? [mention.created_at] : []))
    .toSorted((a, b) => a - b);
  if (timesWithoutId.length === 0) return unmentioned;
  for (const item of [...unmentioned].toSorted((a, b) => a.at - b.at)) {
    const nearest = timesWithoutId.findIndex((time) => Math.abs(time - item.at) <= HOUR_MS);
    if (nearest < 0) continue;
    timesWithoutId.splice(nearest, 1);
    unmentioned.delete(item);
  }
  return unmentioned;
}
