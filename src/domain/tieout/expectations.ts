import { isPaymentMade, isRefundMade } from '../ledger/index.ts';
import type { Account } from './account.ts';
import { AT_ONCE } from './chain.ts';
import type { Footing } from './footing.ts';
import { isHeldAt } from './held.ts';
import type { Place } from './payments.ts';
import type { EventRecord, WebhookRecord } from './record.ts';
import type { LogWindow } from './rule.ts';

/**
 * What should go with a payment or a statement, and whether it is there. The interface does not say which operations emit which
 * events, so each expectation belongs to a habit, and only where the site has the habit (`habitsOf`) is a miss a finding.
 */
export interface Expectation {
  readonly habit: string;
  readonly kept: boolean;
  /** When it should have come about. */
  readonly at: number;
}

export interface PaymentExpectation extends Expectation {
  readonly place: Place;
}

export interface StatementExpectation extends Expectation {
  readonly footing: Footing;
  /** The event that should have been sent. */
  readonly event: string;
}

const HOUR = 3_600_000;

/** A payment is written down as an event of a statement. */
export function paymentEvents(account: Account): PaymentExpectation[] {
  const events = account.footings.flatMap(({ statement }) =>
    statement.events.filter(({ key }) => key === 'payment_success'),
  );
  const found: PaymentExpectation[] = [];
  const items = [];
  const copies = copiesAmong(account);
  for (const place of account.payments) {
    const { id, created_at } = place.transaction;
    if (created_at !== null && !copies.has(place) && isHeldAt(account, created_at))
      items.push({ id, at: created_at, place });
  }
  const lacking = without(items, events, ({ transaction_id }: EventRecord) => transaction_id);
  for (const item of items) {
    const habit = `events of payments ${kindOf(account, item.place)}`;
    found.push({ habit, kept: !lacking.has(item), at: item.at, place: item.place });
  }
  return found;
}

/** A payment or refund is told by a webhook. */
export function paymentWebhooks(account: Account, log: LogWindow): PaymentExpectation[] {
  const found: PaymentExpectation[] = [];
  const copies = copiesAmong(account);
  for (const [event, made] of [
    ['payment_success', isPaymentMade],
    ['refund_success', isRefundMade],
  ] as const) {
    const items = [];
    for (const place of account.places.values()) {
      if (copies.has(place)) continue;
      if (place.transaction.amount_in_cents === 0 || !made(place.transaction)) continue;
      const { id, created_at } = place.transaction;
      if (created_at !== null && isLogged(log, created_at)) items.push({ id, at: created_at, place });
    }
    const webhooks = account.record.webhooks.filter((webhook) => webhook.event === event);
    const lacking = without(items, webhooks, ({ telling }: WebhookRecord) => telling.transaction_id);
    for (const item of items) {
      const habit = `${event} of ${kindOf(account, item.place)}`;
      found.push({ habit, kept: !lacking.has(item), at: item.at, place: item.place });
    }
  }
  return found;
}

interface StatementItem {
  readonly id: number;
  readonly at: number;
  readonly footing: Footing;
}

/** A statement that closes, or is settled later, is told by a webhook. */
export function statementWebhooks(account: Account, log: LogWindow): StatementExpectation[] {
  const { paid, first, unpaid, settled } = turningPoints(account, log);
  const closings = new Map(unpaid.map(({ id, at }) => [id, at]));
  const found: StatementExpectation[] = [];
  const expect = (
    event: string,
    habit: string,
    items: readonly StatementItem[],
    tells = (webhook: WebhookRecord): boolean => webhook.event === event,
  ): void => {
    if (items.length === 0) return;
    const webhooks = account.record.webhooks.filter(tells);
    const lacking = without(items, webhooks, ({ telling }) => telling.statement_id);
    for (const item of items) {
      found.push({ habit, kept: !lacking.has(item), footing: item.footing, event, at: item.at });
    }
  };
  const tellsOfClosing = ({ event }: WebhookRecord): boolean =>
    event === 'statement_settled' || event === 'statement_closed';
  expect('statement_settled', 'statement_settled at the close', paid, tellsOfClosing);
  expect('statement_settled', 'statement_settled at signup', first, tellsOfClosing);
  expect('statement_closed', 'statement_closed', unpaid, ({ event, telling, created_at }) => {
    if (event !== 'statement_settled') return event === 'statement_closed';
    const closed = closings.get(telling.statement_id ?? -1);
    return closed !== undefined && created_at !== null && Math.abs(created_at - closed) <= HOUR;
  });
  expect('statement_settled', 'statement_settled later', settled);
  return found;
}

/** The moments at which statements should have been told of, as far as the log must show them. */
function turningPoints({ footings }: Account, log: LogWindow) {
  const paid: StatementItem[] = [];
  const first: StatementItem[] = [];
  const unpaid: StatementItem[] = [];
  const settled: StatementItem[] = [];
  for (const [n, footing] of footings.entries()) {
    const { id, opened_at, closed_at, settled_at } = footing.statement;
    if (closed_at === null || closed_at < (opened_at ?? closed_at)) continue;
    const late = settled_at === null || settled_at > closed_at + AT_ONCE;
    if (isLogged(log, closed_at)) {
      (late ? unpaid : n === 0 ? first : paid).push({ id, at: closed_at, footing });
    }
    if (late && settled_at !== null && isLogged(log, settled_at)) {
      settled.push({ id, at: settled_at, footing });
    }
  }
  return { paid, first, unpaid, settled };
}

/** A late payment that settled a statement stands among its future payments. */
export function futurePayments(account: Account): (StatementExpectation & { place: Place })[] {
  const found = [];
  for (const footing of account.footings) {
    const { closed_at, settled_at, ending_balance_in_cents, future_payments } = footing.statement;
    if (closed_at === null || settled_at === null || settled_at <= closed_at + AT_ONCE) continue;
    if ((ending_balance_in_cents ?? 0) <= 0) continue;
    const place = account.payments.find(
      (payment) =>
        payment.footing !== footing &&
        payment.transaction.created_at !== null &&
        Math.abs(payment.transaction.created_at - settled_at) <= AT_ONCE,
    );
    if (place === undefined) continue;
    const kept = future_payments.length > 0;
    found.push({ habit: 'future payments', kept, footing, place, event: '', at: settled_at });
  }
  return found;
}

/** What is written down twice happened once, so only the first is expected to have left traces. */
function copiesAmong({ gatewayTwins, sameDayTwins }: Account): ReadonlySet<Place> {
  return new Set([...gatewayTwins, ...sameDayTwins].flatMap((twins) => twins.slice(1)));
}

/** Payments of one kind have the same habits; those made at signup may have others. */
function kindOf(account: Account, { footing, transaction }: Place): string {
  const signup = footing === account.footings[0] ? ' at signup' : '';
  return `kind ${transaction.kind ?? 'generic'}${signup}`;
}

/** Whether the log, as held, must show what was sent at a moment. */
function isLogged({ from, to }: LogWindow, moment: number): boolean {
  return moment >= from + HOUR && moment <= to - HOUR;
}

/** The items that nothing tells of: by id, else (where the tellers name none) by the hour. Each teller tells of one. */
function without<Item extends { id: number; at: number }, Teller extends { created_at: number | null }>(
  items: readonly Item[],
  tellers: readonly Teller[],
  idOf: (teller: Teller) => number | null,
): ReadonlySet<Item> {
  const told = new Set<number>();
  const nameless: Teller[] = [];
  for (const teller of tellers) {
    const id = idOf(teller);
    if (id !== null) told.add(id);
    else if (teller.created_at !== null) nameless.push(teller);
  }
  const lacking = new Set(items.filter(({ id }) => !told.has(id)));
  if (nameless.length === 0 || lacking.size === 0) return lacking;
  const times = nameless.map(({ created_at }) => created_at as number).toSorted((a, b) => a - b);
  for (const item of [...lacking].toSorted((a, b) => a.at - b.at)) {
    const near = times.findIndex((time) => Math.abs(time - item.at) <= HOUR);
    if (near < 0) continue;
    times.splice(near, 1);
    lacking.delete(item);
  }
  return lacking;
}
