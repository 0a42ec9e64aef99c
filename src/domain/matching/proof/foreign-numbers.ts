import { NumberColumn } from '../indexes/columns.ts';
import { resemblesDate } from '../indexes/number-forms.ts';
import type { PaymentTable } from '../indexes/payments.ts';
import type { MatchTables } from './proof-tables.ts';
import { isSlip } from './slips.ts';

/** Smallest number that can be an id. Chosen by judgment. */
const MIN_ID = 1000;
/** Distance within which the ids of other payments show that a number may be an id as well. Chosen by judgment. */
const NEIGHBOR_DISTANCE = 500;

/** Numbers of lines that may be ids but belong to no payment that the line can mean. */
export class ForeignNumbers {
  readonly #payments: PaymentTable;
  readonly #currencyOfLine: MatchTables['lines']['currency'];
  readonly #numbers: ReadonlyMap<number, readonly number[]>;
  /** Sorted ids of payments and statements, by currency. */
  readonly #ids: ReadonlyMap<number, Float64Array>;

  constructor({ lines, payments }: MatchTables) {
    this.#payments = payments;
    this.#currencyOfLine = lines.currency;
    this.#ids = sortIds(payments);
    this.#numbers = this.#collect(lines);
  }

  /** Returns true if a line has a number that is neither an id of the payment nor a slip of one. */
  has(line: number, payment: number): boolean {
    const numbers = this.#numbers.get(line);
    return numbers !== undefined && !this.#areOwn(numbers, payment);
  }

  /**
   * Returns true if a line has a number in the range of the stored ids that may be the id of a payment that is not stored.
   * A slip of the payment's own id is such a number if the ids of other payments are near.
   */
  mayBeUnknownId(line: number, payment: number): boolean {
    const numbers = this.#numbers.get(line);
    const ids = this.#ids.get(this.#currencyOfLine.at(line));
    if (numbers === undefined || ids === undefined) return false;
    const [first, last] = [ids[0] as number, ids.at(-1) as number];
    if (!numbers.some((value) => value >= first && value <= last)) return false;
    return !this.#areOwn(numbers, payment) || numbers.some((value) => this.#hasNeighbor(ids, value, payment));
  }

  #areOwn(numbers: readonly number[], payment: number): boolean {
    const ids = this.#listIds(payment);
    return numbers.every((value) => ids.some((id) => id === value || isSlip(value, id)));
  }

  /** Returns true if a number is no id of a payment, but near the ids of others. */
  #hasNeighbor(ids: Float64Array, value: number, payment: number): boolean {
    const own = this.#listIds(payment);
    if (own.includes(value)) return false;
    for (let at = findFirst(ids, value - NEIGHBOR_DISTANCE); at < ids.length; at++) {
      const id = ids[at] as number;
      if (id > value + NEIGHBOR_DISTANCE) return false;
      if (!own.includes(id)) return true;
    }
    return false;
  }

  /** Returns true if a number is near the id of any payment of the currency. */
  #isNearStoredId(value: number, currency: number): boolean {
    const ids = this.#ids.get(currency);
    const next = ids?.[findFirst(ids, value - NEIGHBOR_DISTANCE)];
    return next !== undefined && next <= value + NEIGHBOR_DISTANCE;
  }

  #listIds(payment: number): readonly number[] {
    const { id, paymentId, statementId, subscriptionId } = this.#payments;
    return [id, paymentId, statementId, subscriptionId].map((column) => column.at(payment));
  }

  /** Collects per line the numbers as long as an id that are no dates and in whose positions ids may occur. */
  #collect({ evidence, day, currency }: MatchTables['lines']): Map<number, number[]> {
    const found = new Map<number, number[]>();
    const collect = (line: number, position: number, value: number): void => {
      const shortest = this.#ids.get(currency.at(line))?.[0] ?? 0;
      if (value < shortest / 100 || value < MIN_ID || evidence.positions.containsNoIds(position)) return;
      if (resemblesDate(value, day.at(line)) && !this.#isNearStoredId(value, currency.at(line))) return;
      const numbers = found.get(line);
      if (numbers === undefined) found.set(line, [value]);
      else numbers.push(value);
    };
    const { unknownLine, unknownPosition, unknownValue } = evidence;
    for (let at = 0; at < unknownLine.length; at++)
      collect(unknownLine.at(at), unknownPosition.at(at), unknownValue.at(at));
    const { impossibleLine, impossiblePosition, impossibleValue } = evidence;
    for (let at = 0; at < impossibleLine.length; at++)
      collect(impossibleLine.at(at), impossiblePosition.at(at), impossibleValue.at(at));
    return found;
  }
}

function sortIds({ id, statementId, currency, length }: PaymentTable): Map<number, Float64Array> {
  const ids = new Map<number, NumberColumn>();
  for (let row = 0; row < length; row++) {
    const list = ids.get(currency.at(row)) ?? new NumberColumn();
    ids.set(currency.at(row), list);
    for (const number of [id.at(row), statementId.at(row)]) if (number > 0) list.push(number);
  }
  return new Map([...ids].map(([key, list]) => [key, list.view().slice().sort()]));
}

/** Returns the position of the first number that is not less than the given one. */
function findFirst(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
