import { type Boundary, boundaryOf, inChainOrder } from './chain.ts';
import { type Explanation, explain } from './explain.ts';
import { type Footing, footingOf } from './footing.ts';
import { eventsWithoutPayment } from './held.ts';
import { copiesIn, gatewayTwins, type Place, paymentsOf, placesOf, sameDayTwins } from './payments.ts';
import type { SubscriptionRecord } from './record.ts';
import { unpaidSettlement } from './settlement.ts';

/** A subscription’s record worked out: what every rule looks at, and nothing judged yet. */
export interface Figures {
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
}

/** The same with what is already judged, once for all rules. */
export interface Account extends Figures {
  /** What other rules report of a statement that does not foot. */
  readonly explanations: ReadonlyMap<Footing, readonly Explanation[]>;
}

/** Works a record out. `on` tells which rules are switched on; `now` is the service’s clock. */
export function accountOf(
  record: SubscriptionRecord,
  now: number,
  on: (rule: string) => boolean = () => true,
): Account {
  const footings = inChainOrder(record.statements, now).map(footingOf);
  const boundaries: Boundary[] = [];
  for (let at = 1; at < footings.length; at++) {
    boundaries.push(boundaryOf(footings[at - 1] as Footing, footings[at] as Footing, now));
  }
  const { places, shared } = placesOf(footings);
  const payments = paymentsOf(places);
  const figures: Figures = {
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
  return { ...figures, explanations: explanationsOf(figures, on) };
}

function explanationsOf(figures: Figures, on: (rule: string) => boolean): Account['explanations'] {
  const found = new Map<Footing, readonly Explanation[]>();
  for (const [n, footing] of figures.footings.entries()) {
    if (footing.difference === null || footing.difference === 0) continue;
    const explanations = explain(footing, {
      on,
      openingWrong: figures.boundaries[n - 1]?.blame === 'opening',
      copies: copiesIn(figures, footing),
      paymentMissing: eventsWithoutPayment(figures, footing.statement).length > 0,
      unpaid: unpaidSettlement(figures, n) !== null,
    });
    if (explanations.length > 0) found.set(footing, explanations);
  }
  return found;
}

/** How far a statement is from footing, less what other rules explain. */
export function unexplained(account: Account, footing: Footing): number {
  const explained = account.explanations.get(footing) ?? [];
  return explained.reduce((left, { cents }) => left - cents, footing.difference ?? 0);
}
