import { AT_ONCE, type Boundary, boundaryOf, inChainOrder } from './chain.ts';
import { type Explanation, explain, paysItself } from './explain.ts';
import { type Footing, footingOf } from './footing.ts';
import { gatewayTwins, type Place, paymentsOf, placesOf, sameDayTwins } from './payments.ts';
import type { StatementRecord, SubscriptionRecord } from './record.ts';
import { settlementOf } from './settlement.ts';

/** A subscription’s record worked out once, so that every rule looks at the same figures. */
export interface Account {
  readonly record: SubscriptionRecord;
  readonly id: number | null;
  /** Statements in the order of their periods, added up. */
  readonly footings: readonly Footing[];
  readonly boundaries: readonly Boundary[];
  /** Every transaction by id, where it stands first. */
  readonly places: ReadonlyMap<number, Place>;
  /** Transactions that stand in several places, with all of them. */
  readonly shared: ReadonlyMap<number, readonly Place[]>;
  /** Payments that succeeded, each once, in the order of the chain. */
  readonly payments: readonly Place[];
  readonly gatewayTwins: readonly (readonly Place[])[];
  readonly sameDayTwins: readonly (readonly Place[])[];
  /** What other rules report of a statement that does not foot. */
  readonly explanations: ReadonlyMap<Footing, readonly Explanation[]>;
}

/** Works a record out. `on` tells which rules are switched on; `now` is the service’s clock. */
export function accountOf(
  record: SubscriptionRecord,
  now: number,
  on: (rule: string) => boolean = () => true,
): Account {
  const footings = inChainOrder(record.statements).map(footingOf);
  const boundaries: Boundary[] = [];
  for (let at = 1; at < footings.length; at++) {
    boundaries.push(boundaryOf(footings[at - 1] as Footing, footings[at] as Footing, now));
  }
  const { places, shared } = placesOf(footings);
  const payments = paymentsOf(places);
  const account = {
    record,
    id: record.subscription_id,
    footings,
    boundaries,
    places,
    shared,
    payments,
    gatewayTwins: gatewayTwins(payments),
    sameDayTwins: sameDayTwins(payments),
  };
  return { ...account, explanations: explanationsOf(account, on) };
}

type Unexplained = Omit<Account, 'explanations'>;

function explanationsOf(account: Unexplained, on: (rule: string) => boolean): Account['explanations'] {
  const found = new Map<Footing, readonly Explanation[]>();
  for (const [n, footing] of account.footings.entries()) {
    if (footing.difference === null || footing.difference === 0) continue;
    const explanations = explain(footing, {
      on,
      openingWrong: account.boundaries[n - 1]?.blame === 'opening',
      copies: copiesIn(account, footing),
      paymentMissing: untoldPayments(account, footing.statement).length > 0,
      unpaid: unpaidSettlement(account, n) !== null,
    });
    if (explanations.length > 0) found.set(footing, explanations);
  }
  return found;
}

/** Transactions of a statement that are written down more than once, with the rule that says so. */
export function copiesIn(account: Unexplained, footing: Footing): { rule: string; place: Place }[] {
  const copies: { rule: string; place: Place }[] = [];
  const add = (rule: string, twins: readonly Place[]): void => {
    for (const place of twins.slice(1)) if (place.footing === footing) copies.push({ rule, place });
  };
  for (const twins of account.gatewayTwins) add('duplicate-payment', twins);
  for (const twins of account.sameDayTwins) add('repeated-payment', twins);
  for (const places of account.shared.values()) {
    for (const place of places) {
      if (place.footing === footing) copies.push({ rule: 'transaction-in-two-statements', place });
    }
  }
  return copies;
}

/** How far a statement is from footing, less what other rules explain. */
export function unexplained(account: Account, footing: Footing): number {
  const explained = account.explanations.get(footing) ?? [];
  return explained.reduce((left, { cents }) => left - cents, footing.difference ?? 0);
}

/** The statement is settled and its balance was not paid: what is missing. Null where it is in order, or cannot be told. */
export function unpaidSettlement(account: Unexplained, n: number): { due: number; missing: number } | null {
  const footing = account.footings[n] as Footing;
  const { closed_at, settled_at } = footing.statement;
  if (closed_at === null || settled_at === null || !account.record.statements_complete) return null;
  const due = dueAtClose(account, n);
  if (due === null || due <= 0) return null;
  const { lowered, future } = settlementOf(due, footing, account.footings.slice(n + 1));
  const missing = due - Math.max(lowered, future);
  return missing > 0 ? { due, missing } : null;
}

/**
 * What was left to pay when a statement closed. A statement that does not foot tells it by its transactions, and only if none of
 * them paid anything; and what a broken chain carried in from nowhere is not due.
 */
function dueAtClose({ footings, boundaries }: Unexplained, n: number): number | null {
  const footing = footings[n] as Footing;
  const { difference, computed } = footing;
  if (difference === null || computed === null) return null;
  const before = boundaries[n - 1];
  const wrong = before?.blame === 'opening' ? (before.step ?? 0) : 0;
  const closing = computed - wrong;
  const foots = difference + wrong === 0;
  if (!foots && paysItself(footing)) return null;
  return closing - Math.max(carriedIn(boundaries, n), 0);
}

/** Sum of the steps in the chain up to a statement, since the last gap. */
function carriedIn(boundaries: readonly Boundary[], n: number): number {
  let carried = 0;
  for (let at = 0; at < n; at++) {
    const { meeting, blame, step } = boundaries[at] as Boundary;
    if (meeting === 'gap' || meeting === 'pause') carried = 0;
    else if (blame === 'neither') carried += step ?? 0;
  }
  return carried;
}

const PAYMENT_EVENTS = new Set(['payment_success', 'refund_success']);

/** Events of a statement that tell of a payment or refund no statement of the subscription has. */
export function untoldPayments(
  account: Unexplained,
  statement: StatementRecord,
): readonly StatementRecord['events'][number][] {
  if (!account.record.statements_complete) return [];
  return statement.events.filter(
    ({ key, transaction_id, created_at }) =>
      transaction_id !== null &&
      PAYMENT_EVENTS.has(key) &&
      !account.places.has(transaction_id) &&
      (created_at === null || isHeldAt(account, created_at)),
  );
}

/**
 * Whether our copies would show what happened at a moment: each statement whose period may hold it was read after it. A copy
 * of an open statement that is older than a payment does not prove the payment missing, and what falls into a gap between
 * statements may stand on one that is missing.
 */
export function isHeldAt({ footings, boundaries }: Unexplained, moment: number): boolean {
  let covered = false;
  for (const { meeting, before, after } of boundaries) {
    if (meeting !== 'gap') continue;
    const [from, to] = [before.statement.closed_at ?? 0, after.statement.opened_at ?? 0];
    if (moment > from && moment < to + AT_ONCE) return false;
  }
  for (const { statement } of footings) {
    const { opened_at, closed_at, read_at } = statement;
    if (opened_at === null || moment < opened_at - AT_ONCE) continue;
    if (closed_at !== null && moment > closed_at + AT_ONCE) continue;
    if (read_at !== null && read_at < moment + AT_ONCE) return false;
    covered = true;
  }
  return covered;
}
