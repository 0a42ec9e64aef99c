import { type Cents, isFailedPayment, isPaymentMade, runningMovement } from '../ledger/index.ts';
import type { Footing } from './footing.ts';
import type { Place } from './payments.ts';
import type { TransactionRecord } from './record.ts';

/**
 * One cause, one finding. A payment that failed and was counted all the same leaves a statement that does not foot; so does one
 * written down twice and counted once. The rule that names the cause reports it, and the statement’s own rule keeps silent
 * about as much of the difference as the cause explains.
 */
export interface Explanation {
  /** The rule that reports the cause. */
  readonly rule: string;
  readonly transactions: readonly TransactionRecord[];
  /** The part of the difference it explains. */
  readonly cents: Cents;
}

/** What the explanations of a statement are looked for among. */
export interface Suspicions {
  /** Whether the rule that would report is switched on. */
  on(rule: string): boolean;
  /** The statement foots from the closing balance before it, not from its own opening balance. */
  readonly openingWrong: boolean;
  /** By rule, the transactions of this statement that are written down more than once. */
  readonly copies: readonly { readonly rule: string; readonly place: Place }[];
  /** An event of this statement tells of a payment that no statement has. */
  readonly paymentMissing: boolean;
  /** It counts as settled although nothing paid it. */
  readonly unpaid: boolean;
}

export function explain(footing: Footing, suspicions: Suspicions): readonly Explanation[] {
  const { difference } = footing;
  if (difference === null || difference === 0) return [];
  const found: Explanation[] = [];
  let left: Cents = difference;
  const take = (rule: string, transactions: readonly TransactionRecord[], cents: Cents): void => {
    found.push({ rule, transactions, cents });
    left -= cents;
  };

  if (suspicions.openingWrong && suspicions.on('balance-carried-forward')) {
    take('balance-carried-forward', [], left);
    return found;
  }

  const failed = suspicions.on('failed-payment-counted') ? failedCounted(footing) : [];
  if (failed.length > 0) take('failed-payment-counted', failed, -sizeOf(failed));

  const copies = suspicions.copies.filter(({ rule }) => suspicions.on(rule));
  for (const { rule, place } of subsetOf(copies, left)) {
    take(rule, [place.transaction], -(place.footing.effects[place.at] ?? 0));
  }

  if (left < 0 && suspicions.paymentMissing && suspicions.on('event-without-transaction')) {
    take('event-without-transaction', [], left);
  }
  if (left < 0 && suspicions.unpaid && suspicions.on('settled-without-payment')) {
    take('settled-without-payment', [], left);
  }
  return found;
}

/**
 * Failed payments that lowered the balance all the same. Running balances show it; where there are none, it is seen by the
 * statement being short by exactly one of them, or by all.
 */
export function failedCounted(footing: Footing): readonly TransactionRecord[] {
  const { difference, transactions, statement } = footing;
  const failed = transactions.filter((each) => each.amount_in_cents !== 0 && isFailedPayment(each));
  if (failed.length === 0) return [];
  const moved = failed.filter((each) => (runningMovement(each) ?? 0) === -Math.abs(each.amount_in_cents));
  if (statement.closed_at === null) return moved;
  if (difference === null || difference >= 0) return [];
  const one = failed.find((each) => Math.abs(each.amount_in_cents) === -difference);
  if (moved.length > 0 && sizeOf(moved) !== -difference && one !== undefined && moved.includes(one))
    return [one];
  if (moved.length > 0) return moved;
  if (one !== undefined) return [one];
  return sizeOf(failed) === -difference ? failed : [];
}

const sizeOf = (transactions: readonly TransactionRecord[]): Cents =>
  transactions.reduce((sum, { amount_in_cents }) => sum + Math.abs(amount_in_cents), 0);

/** All copies, or the first one, if leaving them out makes the statement foot; else none. */
function subsetOf<Copy extends { readonly place: Place }>(
  copies: readonly Copy[],
  left: Cents,
): readonly Copy[] {
  if (left === 0 || copies.length === 0) return [];
  const effect = ({ place }: Copy): Cents => place.footing.effects[place.at] ?? 0;
  if (copies.reduce((sum, copy) => sum + effect(copy), 0) === -left) return copies;
  const one = copies.find((copy) => effect(copy) === -left);
  return one === undefined ? [] : [one];
}

/** Whether anything in the statement itself paid or credited something. */
export function paysItself(footing: Footing): boolean {
  return footing.transactions.some(
    (each, at) =>
      (isPaymentMade(each) && each.amount_in_cents !== 0) ||
      ((footing.effects[at] ?? 0) < 0 && each.kind !== 'coupon'),
  );
}
