import { isPaymentMade } from '../ledger/index.ts';
import type { Figures } from './account.ts';
import { balanceAfter, type Footing } from './footing.ts';
import type { TransactionRecord } from './record.ts';

/** A transaction where it stands. */
export interface Place {
  readonly footing: Footing;
  /** Its place in the statement’s running order. */
  readonly at: number;
  readonly transaction: TransactionRecord;
}

/**
 * The answer of the common test gateway, given for every payment alike. Other gateways’ constants are known by their
 * frequency: an identifier that many payments share identifies none.
 */
const TEST_GATEWAY = '53433';
const TOO_COMMON = 4;

/** The gateway’s identifier of a payment; null where there is none, or it is known to identify nothing. */
export function gatewayIdOf({ gateway_transaction_id: id }: TransactionRecord): string | null {
  return id === null || id === '' || id === TEST_GATEWAY ? null : id;
}

/** Every transaction by id: where it stands first, and for those that stand in several places, all of them. */
export function placesOf(footings: readonly Footing[]): {
  places: ReadonlyMap<number, Place>;
  shared: ReadonlyMap<number, readonly Place[]>;
} {
  const places = new Map<number, Place>();
  const shared = new Map<number, Place[]>();
  for (const footing of footings) {
    for (const [at, transaction] of footing.transactions.entries()) {
      const first = places.get(transaction.id);
      const place = { footing, at, transaction };
      if (first === undefined) places.set(transaction.id, place);
      else shared.set(transaction.id, [...(shared.get(transaction.id) ?? [first]), place]);
    }
  }
  return { places, shared };
}

/** Payments that succeeded, each once, in the order of the chain. Those of nothing are left out. */
export function paymentsOf(places: ReadonlyMap<number, Place>): readonly Place[] {
  const payments: Place[] = [];
  for (const place of places.values()) {
    const { transaction } = place;
    if (transaction.amount_in_cents !== 0 && isPaymentMade(transaction)) payments.push(place);
  }
  return payments;
}

/** Payments under one identifier of the gateway: the card was charged once, and it was written down more often. */
export function gatewayTwins(payments: readonly Place[]): readonly (readonly Place[])[] {
  return groups(payments, ({ transaction }) => gatewayIdOf(transaction)).filter(
    (twins) => twins.length < TOO_COMMON,
  );
}

/**
 * Payments of the same amount on the same day of which the later found nothing left to pay: it took the balance below zero, and
 * there it stayed for the day. Two payments that each paid something of their own are no twins, though equal.
 */
export function sameDayTwins(payments: readonly Place[]): readonly (readonly Place[])[] {
  const equal = groups(payments, ({ transaction }) =>
    transaction.created_on === null ? null : `${transaction.created_on} ${transaction.amount_in_cents}`,
  );
  const known = new Set(gatewayTwins(payments).flat());
  return equal
    .map((twins) => twins.filter((place, n) => n === 0 || (!known.has(place) && overpaid(place))))
    .filter((twins) => twins.length > 1);
}

function overpaid({ footing, at, transaction }: Place): boolean {
  const { transactions } = footing;
  let last = at;
  while (transactions[last + 1]?.created_on === transaction.created_on) last++;
  return (balanceAfter(footing, at) ?? 0) < 0 && (balanceAfter(footing, last) ?? 0) < 0;
}

/** Transactions of a statement that are written down more than once, with the rule that says so. */
export function copiesIn(
  { gatewayTwins, sameDayTwins, shared }: Pick<Figures, 'gatewayTwins' | 'sameDayTwins' | 'shared'>,
  footing: Footing,
): { rule: string; place: Place }[] {
  const copies: { rule: string; place: Place }[] = [];
  const add = (rule: string, twins: readonly Place[]): void => {
    for (const place of twins.slice(1)) if (place.footing === footing) copies.push({ rule, place });
  };
  for (const twins of gatewayTwins) add('duplicate-payment', twins);
  for (const twins of sameDayTwins) add('repeated-payment', twins);
  for (const places of shared.values()) {
    for (const place of places) {
      if (place.footing === footing) copies.push({ rule: 'transaction-in-two-statements', place });
    }
  }
  return copies;
}

/** Members under one key, where there are several. */
function groups(
  payments: readonly Place[],
  keyOf: (payment: Place) => string | null,
): readonly (readonly Place[])[] {
  if (payments.length < 2) return [];
  const all = new Map<string, Place[]>();
  for (const payment of payments) {
    const key = keyOf(payment);
    if (key === null) continue;
    const group = all.get(key);
    if (group === undefined) all.set(key, [payment]);
    else group.push(payment);
  }
  return all.size === payments.length ? [] : [...all.values()].filter((group) => group.length > 1);
}
