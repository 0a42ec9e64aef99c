import { toDayNumber } from '../../../src/domain/ledger/index.ts';
import type { MatchLine, MatchPayment } from '../../../src/domain/matching/index.ts';
import { COST } from './rules.ts';

/** Positions of the payments that one number on a line can mean. */
export interface QuotedNumber {
  readonly exact: readonly number[];
  /** Payments of the customer with this number. */
  readonly customer: readonly number[];
  /** Payments whose id becomes the number by one slip or a cut. */
  readonly near: readonly number[];
  /** True if the number is as long as an id. */
  readonly idLength: boolean;
}

/** The numbers on a line, and all payments that they can mean. */
export interface QuotedIds {
  readonly numbers: readonly QuotedNumber[];
  readonly exact: ReadonlySet<number>;
  readonly customer: ReadonlySet<number>;
  readonly near: ReadonlySet<number>;
}

const SHORTEST_ID = 4;

/** Finds the payments that a line quotes by payment, statement, subscription or gateway id. */
export class IdReader {
  readonly #exact = new Map<string, number[]>();
  readonly #customers = new Map<string, number[]>();
  readonly #gateway = new Map<string, number[]>();
  #shortest = 99;
  #longest = 0;

  constructor(payments: readonly MatchPayment[]) {
    for (const [at, payment] of payments.entries()) this.#addPayment(payment, at);
    for (const id of this.#exact.keys()) {
      this.#shortest = Math.min(this.#shortest, id.length);
      this.#longest = Math.max(this.#longest, id.length);
    }
  }

  read(line: MatchLine): QuotedIds {
    const numbers = readNumbers(line).map((token) => this.#readNumber(token));
    const gateway = this.#gateway.get(line.gateway_transaction_id?.toLowerCase() ?? '');
    if (gateway !== undefined) numbers.push({ exact: gateway, customer: [], near: [], idLength: true });
    return {
      numbers,
      exact: new Set(numbers.flatMap(({ exact }) => exact)),
      customer: new Set(numbers.flatMap(({ customer }) => customer)),
      near: new Set(numbers.flatMap(({ near }) => near)),
    };
  }

  #readNumber(token: string): QuotedNumber {
    return {
      exact: this.#exact.get(token) ?? [],
      customer: this.#customers.get(token) ?? [],
      near: [...listSlips(token)].flatMap((form) => this.#exact.get(form) ?? []),
      idLength: this.#isIdLength(token),
    };
  }

  #addPayment(payment: MatchPayment, at: number): void {
    const { id, payment_id, statement_id, subscription_id, gateway_transaction_id } = payment;
    for (const each of new Set([id, payment_id, statement_id])) {
      if (each !== null) this.#add(this.#exact, String(each), at);
    }
    if (subscription_id !== null) this.#add(this.#customers, String(subscription_id), at);
    if (gateway_transaction_id !== null) this.#add(this.#gateway, gateway_transaction_id.toLowerCase(), at);
  }

  #isIdLength = (token: string): boolean =>
    token.length >= this.#shortest - 2 && token.length <= this.#longest + 1;

  #add(index: Map<string, number[]>, key: string, at: number): void {
    const list = index.get(key);
    if (list === undefined) index.set(key, [at]);
    else list.push(at);
  }
}

/** Reads the numbers of a line that are no dates. */
function readNumbers({ description, reference, booked_on }: MatchLine): string[] {
  const text = `${description} ${reference ?? ''}`.replace(
    /\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}\/\d{4}\b/g,
    ' ',
  );
  const numbers = (text.match(/\d+/g) ?? []).map((token) => token.replace(/^0+/, ''));
  return [...new Set(numbers)].filter(
    (token) => token.length >= SHORTEST_ID && !isDateNear(token, booked_on),
  );
}

/** Returns true for YYYYMMDD and DDMMYYYY within a year of the booking date, and for YYMMDD and DDMMYY. */
export function isDateNear(token: string, bookedOn: string): boolean {
  if (token.length !== 8 && token.length !== 6) return false;
  const century = token.length === 6 ? '20' : '';
  const at = token.length - 4;
  const forms = [
    `${century}${token.slice(0, at)}-${token.slice(at, at + 2)}-${token.slice(at + 2)}`,
    `${century}${token.slice(4)}-${token.slice(2, 4)}-${token.slice(0, 2)}`,
  ];
  const booked = toDayNumber(bookedOn) ?? 0;
  return forms.some((form) => Math.abs((toDayNumber(form) ?? -9999) - booked) <= 366);
}

/** Lists all numbers from which one error or a cut makes the given one. */
export function* listSlips(token: string): Generator<string> {
  for (let n = 0; n < token.length; n++) {
    const [head, tail] = [token.slice(0, n), token.slice(n + 1)];
    for (let digit = 0; digit <= 9; digit++) {
      if (String(digit) !== token[n]) yield `${head}${digit}${tail}`;
      yield `${head}${digit}${token.slice(n)}`;
    }
    if (tail !== '' && tail[0] !== token[n]) yield `${head}${tail[0]}${token[n]}${tail.slice(1)}`;
    yield `${head}${tail}`;
  }
  for (let end = 0; end <= 99; end++) {
    if (end <= 9) yield `${token}${end}`;
    yield `${token}${String(end).padStart(2, '0')}`;
  }
}

/** Returns the number of errors that the quoted numbers need if a line pays exactly these payments. */
export function costOfNumbers({ numbers }: QuotedIds, payments: readonly number[]): number {
  let slips = 0;
  let others = 0;
  for (const { exact, customer, near, idLength } of numbers) {
    const means = (list: readonly number[]): boolean => payments.some((at) => list.includes(at));
    if (means(exact) || means(customer)) continue;
    if (means(near)) slips += COST.slippedId;
    else if (exact.length + customer.length > 0) others = COST.otherId;
    else if (idLength) others = Math.max(others, COST.unknownId);
  }
  return slips + others;
}
