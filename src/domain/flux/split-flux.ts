import { addCents, type Cents } from '../ledger/index.ts';
import { addFluxParts, type FluxPart, type FluxParts, NO_FLUX } from './flux-parts.ts';
import type { FluxRow } from './flux-rows.ts';

/** Rows of one subscription in a figure, and facts about the subscription. */
export interface SubscriptionFlux {
  readonly previous: readonly FluxRow[];
  readonly current: readonly FluxRow[];
  /** `new`: first statement in the current month. `lost`: no statement and no paid service since the previous month. */
  readonly lifetime: 'new' | 'lost' | 'continuing' | 'unknown';
  /** True if statements were closed in only one of the months, for example because the subscription is billed annually. */
  readonly isBilledInOneMonth: boolean;
  /** Amounts of failed payments of each month, in cents. Not negative. */
  readonly failed: { readonly previous: Cents; readonly current: Cents };
}

/**
 * Splits the difference of a figure between two months for one subscription. The parts add up to the difference exactly.
 * Refunds come first, then all other amounts of a new or lost subscription. For a continuing one, the rows of an item
 * are compared in pairs from the latest one; rows without a counterpart differ in timing. Amounts before the first
 * statement of a new subscription, or after the last one of a lost subscription, are split like those of a continuing one.
 */
export function splitFlux(flux: SubscriptionFlux): FluxParts {
  const { previous, current, lifetime } = flux;
  const refunds = differenceOf(flux, ({ nature }) => nature === 'refund');
  const isNotRefund = ({ nature }: FluxRow) => nature !== 'refund';
  const hasBilled = (rows: readonly FluxRow[]) => rows.some(isNotRefund);
  if ((lifetime === 'new' && !hasBilled(previous)) || (lifetime === 'lost' && !hasBilled(current)))
    return { ...NO_FLUX, refunds, [lifetime]: differenceOf(flux, isNotRefund) };
  const groups = new Map<string, { previous: FluxRow[]; current: FluxRow[] }>();
  for (const [month, rows] of [['previous', previous] as const, ['current', current] as const])
    for (const row of rows.filter(isNotRefund)) {
      const key = `${row.nature} ${row.item}`;
      const group = groups.get(key) ?? { previous: [], current: [] };
      groups.set(key, group);
      group[month].push(row);
    }
  let parts: FluxParts = { ...NO_FLUX, refunds };
  for (const group of groups.values()) parts = addFluxParts(parts, splitItem(group, flux));
  return parts;
}

type Months<Value> = { readonly previous: Value; readonly current: Value };

const sumRows = (rows: readonly FluxRow[]): Cents => rows.reduce((sum, { cents }) => addCents(sum, cents), 0);

const differenceOf = (
  { previous, current }: Months<readonly FluxRow[]>,
  includes: (row: FluxRow) => boolean,
): Cents => addCents(sumRows(current.filter(includes)), 0 - sumRows(previous.filter(includes)));

/** Splits the difference of one item, whose rows have the same nature. */
function splitItem(
  item: Months<readonly FluxRow[]>,
  { failed, isBilledInOneMonth }: SubscriptionFlux,
): FluxParts {
  const nature = (item.current[0] ?? item.previous[0])!.nature;
  const difference = differenceOf(item, () => true);
  if (isBilledInOneMonth && isInOneMonth(item) && nature !== 'payment')
    return { ...NO_FLUX, timing: difference };
  switch (nature) {
    case 'proration':
      return { ...NO_FLUX, proration: difference };
    case 'discount':
      return { ...NO_FLUX, price: difference };
    case 'payment':
      return splitPayments(item, failed);
    case 'component':
      return splitPairs(item, 'quantity');
    case 'recurring':
      return splitPairs(item, 'timing');
    default:
      return { ...NO_FLUX, other: difference };
  }
}

/**
 * Attributes the difference of payments to failed payments as far as these explain it. The remainder is timing if one of
 * the months has no payment, or else not attributed.
 */
function splitPayments(item: Months<readonly FluxRow[]>, failed: Months<Cents>): FluxParts {
  const difference = differenceOf(item, () => true);
  const isPositive = [...item.current, ...item.previous].every(({ cents }) => cents >= 0);
  const expected = isPositive ? failed.previous - failed.current : failed.current - failed.previous;
  const explained = Math.sign(expected) === Math.sign(difference) ? clamp(expected, difference) : 0;
  const remainder = difference - explained;
  return { ...NO_FLUX, failed: explained, [isInOneMonth(item) ? 'timing' : 'other']: remainder };
}

const isInOneMonth = ({ previous, current }: Months<readonly FluxRow[]>): boolean =>
  current.length === 0 || previous.length === 0;

/** Returns the amount, or the limit of the same sign if that is nearer to zero. */
const clamp = (amount: Cents, limit: Cents): Cents => (Math.abs(amount) < Math.abs(limit) ? amount : limit);

/**
 * Compares the latest rows of both months in pairs. Rows without a counterpart differ in `unpaired` if the other month
 * has no row of the item, or else in timing.
 */
function splitPairs({ previous, current }: Months<readonly FluxRow[]>, unpaired: FluxPart): FluxParts {
  const [before, after] = [sortLatestFirst(previous), sortLatestFirst(current)];
  const pairs = Math.min(before.length, after.length);
  let parts: FluxParts = NO_FLUX;
  for (let at = 0; at < pairs; at++) parts = addFluxParts(parts, splitPair(before[at]!, after[at]!));
  const rest = addCents(sumRows(after.slice(pairs)), 0 - sumRows(before.slice(pairs)));
  return addFluxParts(parts, { ...NO_FLUX, [pairs === 0 ? unpaired : 'timing']: rest });
}

/** Sorts rows by day, latest first. Rows of one day are sorted by amount, so that the split does not depend on their order. */
const sortLatestFirst = (rows: readonly FluxRow[]): FluxRow[] =>
  rows.toSorted((a, b) => {
    const [dayOfA, dayOfB] = [a.day ?? '', b.day ?? ''];
    return dayOfA === dayOfB ? b.cents - a.cents : dayOfA < dayOfB ? 1 : -1;
  });

/**
 * Splits the difference of two rows into quantity at the earlier price, rounded half away from zero, and price. Without
 * the quantities of both rows, the cause is unknown.
 */
function splitPair(before: FluxRow, after: FluxRow): FluxParts {
  const difference = after.cents - before.cents;
  if (before.quantity === null || after.quantity === null || before.quantity === 0)
    return { ...NO_FLUX, [difference === 0 ? 'price' : 'other']: difference };
  const quantity = scale(before.cents, after.quantity, before.quantity) - before.cents;
  return { ...NO_FLUX, quantity, price: difference - quantity };
}

/** Returns cents × numerator ÷ denominator, rounded half away from zero. Exact for large products. */
function scale(cents: Cents, numerator: number, denominator: number): Cents {
  const [size, divisor] = [BigInt(Math.abs(cents)) * BigInt(numerator), BigInt(denominator)];
  const rounded = Number((2n * size + divisor) / (2n * divisor));
  return cents < 0 ? 0 - rounded : rounded;
}
