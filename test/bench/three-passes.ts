import { toDayNumber } from '../../src/domain/ledger/index.ts';
import type { MatchLine, MatchPayment } from '../../src/domain/matching/index.ts';

/** Days from a payment to its line in which a line can match. */
interface ArrivalWindow {
  readonly from: number;
  readonly to: number;
}

/** Larger than every day number, so that an amount and a day form one number. */
const DAYS = 2 ** 17;

/**
 * The simple way in which most tools match, at its fastest: an ID in the text of the line; amount and days with the name
 * in the text; amount and days only. Each pass matches only if one payment fits one line. Rows are found by hash maps of
 * their amount and day.
 */
export function matchInThreePasses(
  payments: readonly MatchPayment[],
  lines: readonly MatchLine[],
  window: ArrivalWindow,
): Map<number, number> {
  const found = new Map<number, number>();
  const taken = new Set<number>();
  const take = (line: number, payment: number): void => {
    found.set(line, payment);
    taken.add(payment);
  };
  matchByIds(payments, lines, taken, take);

  const toKey = createKeyFunction();
  const free = payments.filter(({ id }) => !taken.has(id));
  const unmatched = lines.filter(({ id }) => !found.has(id));
  for (const [line, payment] of findUniquePairs(unmatched, free, window, toKey, createNameTest()))
    take(line, payment);
  const rest = free.filter(({ id }) => !taken.has(id));
  const open = unmatched.filter(({ id }) => !found.has(id));
  for (const [line, payment] of findUniquePairs(open, rest, window, toKey, () => true)) take(line, payment);
  return found;
}

function matchByIds(
  payments: readonly MatchPayment[],
  lines: readonly MatchLine[],
  taken: ReadonlySet<number>,
  take: (line: number, payment: number) => void,
): void {
  const byId = new Map<string, MatchPayment>();
  for (const payment of payments) {
    for (const id of [payment.id, payment.payment_id, payment.statement_id, payment.gateway_transaction_id]) {
      if (id !== null) byId.set(String(id).toLowerCase(), payment);
    }
  }
  for (const line of lines) {
    for (const word of `${line.reference ?? ''} ${line.description}`.toLowerCase().split(/[^a-z0-9_]+/)) {
      const payment = byId.get(word) ?? byId.get(word.replace(/^\D*0*/, ''));
      if (payment === undefined || taken.has(payment.id) || payment.amount_in_cents !== line.amount_in_cents)
        continue;
      take(line.id, payment.id);
      break;
    }
  }
}

/** Returns the pairs of a line and a payment that fit each other and no other row. */
function findUniquePairs(
  lines: readonly MatchLine[],
  payments: readonly MatchPayment[],
  window: ArrivalWindow,
  toKey: (amount: number, date: string) => number,
  fits: (line: MatchLine, payment: MatchPayment) => boolean,
): [number, number][] {
  const byKey = Map.groupBy(payments, ({ amount_in_cents, paid_on }) => toKey(amount_in_cents, paid_on));
  const pairs: [number, number][] = [];
  const linesOf = new Map<number, number>();
  for (const line of lines) {
    const key = toKey(line.amount_in_cents, line.booked_on);
    let only = 0;
    let count = 0;
    for (let days = window.from; days <= window.to; days++) {
      for (const payment of byKey.get(key - days) ?? []) {
        if (!fits(line, payment)) continue;
        count++;
        only = payment.id;
        linesOf.set(only, (linesOf.get(only) ?? 0) + 1);
      }
    }
    if (count === 1) pairs.push([line.id, only]);
  }
  return pairs.filter(([, payment]) => linesOf.get(payment) === 1);
}

/** Returns a function that joins an amount and a day to one number. */
function createKeyFunction(): (amount: number, date: string) => number {
  const dayOf = memoize((date) => toDayNumber(date) as number);
  return (amount, date) => amount * DAYS + dayOf(date);
}

/** Returns a function that tests if the text of a line contains a name of the payment's customer. */
function createNameTest(): (line: MatchLine, payment: MatchPayment) => boolean {
  let last: MatchLine | null = null;
  let text = '';
  const fold = memoize((name) => name.toLowerCase());
  return (line, payment) => {
    if (line !== last) text = `${line.description} ${line.counterparty ?? ''}`.toLowerCase();
    last = line;
    return payment.names.some((name) => text.includes(fold(name)));
  };
}

function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.get(text) ?? compute(text);
    known.set(text, result);
    return result;
  };
}
