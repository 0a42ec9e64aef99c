/**
 * Verifies confirmed matches and their certificates against the rows. Imports nothing from the matcher, so that an error
 * of the matcher is no error of the verification.
 */

import {
  contradicts,
  excludesCustomer,
  hasForeignWord,
  isOneSlip,
  listIds,
  names,
  quotes,
} from './compare-texts.ts';
import type {
  DayRange,
  MatchProblem,
  Share,
  VerifiableCertificate,
  VerifiableLine,
  VerifiableMatch,
  VerifiablePayment,
} from './verifiable-rows.ts';

const MAX_SLIP_RISK = 1e-5;
/** Columns whose counterparty contradicts more of the matches than this share do not name payers. */
const MAX_CONTRADICTED_SHARE = 0.5;

export interface VerifiableRows {
  readonly lines: Iterable<VerifiableLine>;
  readonly payments: Iterable<VerifiablePayment>;
  readonly matches: readonly VerifiableMatch[];
}

/** Returns what contradicts the matches. All lines, payments and confirmed matches are required. */
export const verifyMatches = (rows: VerifiableRows): MatchProblem[] => listProblems(rows, 'all');

/** Returns wrong amounts and wrong stated facts. Requires only the rows of the matches, so compares no alternatives. */
export const verifyStatedFacts = (rows: VerifiableRows): MatchProblem[] => listProblems(rows, 'facts');

function listProblems(rows: VerifiableRows, scope: 'all' | 'facts'): MatchProblem[] {
  const verification = new Verification([...rows.lines], [...rows.payments], rows.matches);
  return rows.matches.flatMap((match) =>
    verification.verify(match, scope).map((problem) => ({ match: match.id, problem })),
  );
}

class Verification {
  readonly #lines: ReadonlyMap<number, VerifiableLine>;
  readonly #payments: ReadonlyMap<number, VerifiablePayment>;
  readonly #linesByAmount: ReadonlyMap<string, readonly VerifiableLine[]>;
  readonly #paymentsByAmount: ReadonlyMap<string, readonly VerifiablePayment[]>;
  readonly #claimedOfLine: ReadonlyMap<number, number>;
  readonly #claimedOfPayment: ReadonlyMap<number, number>;
  readonly #accountsWithPayers: ReadonlySet<number>;
  readonly #ids: ReadonlySet<string>;

  constructor(lines: VerifiableLine[], payments: VerifiablePayment[], matches: readonly VerifiableMatch[]) {
    this.#lines = new Map(lines.map((line) => [line.id, line]));
    this.#payments = new Map(payments.map((payment) => [payment.id, payment]));
    this.#ids = new Set(payments.flatMap(listIds));
    this.#linesByAmount = Map.groupBy(lines, toAmountKey);
    this.#paymentsByAmount = Map.groupBy(payments, toAmountKey);
    this.#claimedOfLine = sumShares(matches.flatMap((match) => match.lines));
    this.#claimedOfPayment = sumShares(matches.flatMap((match) => match.payments));
    this.#accountsWithPayers = this.#findAccountsWithPayers(matches);
  }

  verify(match: VerifiableMatch, scope: 'all' | 'facts'): string[] {
    const lines = match.lines.map(({ id }) => this.#lines.get(id));
    const payments = match.payments.map(({ id }) => this.#payments.get(id));
    if (!lines.every((line) => line !== undefined)) return ['a bank line does not exist'];
    if (!payments.every((payment) => payment !== undefined)) return ['a payment does not exist'];
    const problems = this.#verifyAmounts(match, lines, payments);
    const { certificate } = match;
    if (certificate === null || payments.length === 0) return problems;
    if (scope === 'all') problems.push(...this.#verifyPayers(lines, payments));
    const [line, payment] = [lines[0], payments[0]];
    if (line === undefined || payment === undefined || lines.length + payments.length > 2) return problems;
    problems.push(...verifyFacts(line, payment, certificate));
    if (scope === 'facts') return problems;
    return [
      ...problems,
      ...this.#verifyOtherPayments(line, payment, certificate),
      ...this.#verifyOtherLines(line, payment, certificate),
    ];
  }

  /** Returns the lines that name another payer. One line may pay for several customers if it names one of them. */
  #verifyPayers(lines: readonly VerifiableLine[], payments: readonly VerifiablePayment[]): string[] {
    const isForOthers = (line: VerifiableLine) =>
      lines.length < payments.length && payments.some((payment) => names(line, payment));
    return lines.flatMap((line) =>
      payments.flatMap((payment) =>
        this.#namesOther(line, payment) && !isForOthers(line)
          ? [`line ${line.id} names another payer than payment ${payment.id}`]
          : [],
      ),
    );
  }

  #verifyAmounts(match: VerifiableMatch, lines: VerifiableLine[], payments: VerifiablePayment[]): string[] {
    const total = (shares: readonly Share[]) =>
      shares.reduce((sum, share) => sum + share.allocated_in_cents, 0);
    const adjusted = match.adjustments.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0);
    const problems: string[] = [];
    if (total(match.lines) !== total(match.payments) + adjusted) problems.push('the amounts do not balance');
    if (new Set([...lines, ...payments].map(({ currency }) => currency)).size > 1)
      problems.push('the currencies differ');
    const exceeds = (amount: number, claimed = 0) =>
      Math.abs(claimed) > Math.abs(amount) || claimed * amount < 0;
    if (lines.some(({ id, amount_in_cents }) => exceeds(amount_in_cents, this.#claimedOfLine.get(id))))
      problems.push('a bank line is matched more than once');
    if (payments.some(({ id, amount_in_cents }) => exceeds(amount_in_cents, this.#claimedOfPayment.get(id))))
      problems.push('a payment is matched more than once');
    return problems;
  }

  /** Verifies that a fact excludes every other payment of the amount in the window. */
  #verifyOtherPayments(
    line: VerifiableLine,
    payment: VerifiablePayment,
    proof: VerifiableCertificate,
  ): string[] {
    const id = findFact(proof, 'id') ?? '';
    const isNamed = hasFact(proof, 'name') || hasFact(proof, 'subscription');
    const open = (this.#paymentsByAmount.get(toAmountKey(payment)) ?? []).filter(
      (other) =>
        other.id !== payment.id &&
        isNear(proof.window, other.paid_on, line.booked_on) &&
        this.#claimedOfPayment.get(other.id) !== other.amount_in_cents,
    );
    const isExcluded = (other: VerifiablePayment) =>
      (isNamed && !haveOneCustomer(other, payment)) ||
      (id !== '' && !listIds(other).includes(id)) ||
      excludesCustomer(line, payment.names, other.names);
    const problems = open.flatMap((other) => (isExcluded(other) ? [] : [`payment ${other.id} is as likely`]));
    if (isNamed || id === '') return problems;
    const kind = listIds(payment).indexOf(id);
    const slips = open.filter((other) => {
      const meant = listIds(other)[kind] ?? '';
      const isQuoted =
        this.#linesByAmount.get(toAmountKey(other))?.some((each) => quotes(each, meant)) === true;
      const isNeighbor = isNear(proof.usual, other.paid_on, line.booked_on) && isOneSlip(id, meant);
      return !isQuoted && isNeighbor && !excludesCustomer(line, payment.names, other.names);
    }).length;
    const risk = (slips * proof.slip_rate) / (9 * id.length);
    return risk > MAX_SLIP_RISK ? [...problems, 'the quoted id may be a typing error'] : problems;
  }

  /** Verifies that a fact excludes every other line of the amount in the window. */
  #verifyOtherLines(
    line: VerifiableLine,
    payment: VerifiablePayment,
    proof: VerifiableCertificate,
  ): string[] {
    const id = findFact(proof, 'id');
    const isNamed = hasFact(proof, 'name') || hasFact(proof, 'subscription');
    return (this.#linesByAmount.get(toAmountKey(line)) ?? []).flatMap((other) => {
      if (other.id === line.id || !isNear(proof.window, payment.paid_on, other.booked_on)) return [];
      if (this.#claimedOfLine.get(other.id) === other.amount_in_cents) return [];
      if (this.#namesOther(other, payment) || this.#isOfOtherPayment(other, payment, proof)) return [];
      const isOther = !names(other, payment) || hasForeignWord(other, payment);
      const isExcluded = id === undefined ? isNamed && isOther : !quotes(other, id);
      return isExcluded ? [] : [`line ${other.id} is as likely`];
    });
  }

  /** Returns true if a line quotes only the id of another payment, or names only the customer of another one nearby. */
  #isOfOtherPayment(line: VerifiableLine, payment: VerifiablePayment, proof: VerifiableCertificate): boolean {
    const own = listIds(payment);
    const numbers = `${line.reference} ${line.description}`.match(/\d{5,}/g) ?? [];
    if (numbers.some((each) => this.#ids.has(each)) && !numbers.some((each) => own.includes(each)))
      return true;
    if (!hasFact(proof, 'name') || names(line, payment)) return false;
    return (this.#paymentsByAmount.get(toAmountKey(line)) ?? []).some(
      (other) =>
        isNear(proof.window, other.paid_on, line.booked_on) &&
        names(line, other) &&
        !haveOneCustomer(other, payment),
    );
  }

  #namesOther(line: VerifiableLine, payment: VerifiablePayment): boolean {
    return this.#accountsWithPayers.has(line.account) && contradicts(line.counterparty, payment.names);
  }

  /** Returns the accounts whose counterparty field names the customers in most matches. */
  #findAccountsWithPayers(matches: readonly VerifiableMatch[]): Set<number> {
    const counts = new Map<number, { all: number; contradicted: number }>();
    for (const { lines, payments } of matches) {
      const line = this.#lines.get(lines[0]?.id ?? -1);
      const payment = this.#payments.get(payments[0]?.id ?? -1);
      if (line?.counterparty == null || payment === undefined) continue;
      const count = counts.get(line.account) ?? { all: 0, contradicted: 0 };
      count.all++;
      if (contradicts(line.counterparty, payment.names)) count.contradicted++;
      counts.set(line.account, count);
    }
    const isUsed = ({ all, contradicted }: { all: number; contradicted: number }) =>
      all < 5 || contradicted <= all * MAX_CONTRADICTED_SHARE;
    return new Set([...counts].flatMap(([account, count]) => (isUsed(count) ? [account] : [])));
  }
}

const toAmountKey = (row: VerifiableLine | VerifiablePayment): string =>
  `${row.currency} ${row.amount_in_cents}`;

function verifyFacts(
  line: VerifiableLine,
  payment: VerifiablePayment,
  { facts, window, usual, slip_rate }: VerifiableCertificate,
): string[] {
  if (facts.length === 0) return ['the certificate states no fact'];
  if (usual.from_days < window.from_days || usual.to_days > window.to_days || slip_rate <= 0)
    return ['the certificate’s days or slip rate are impossible'];
  return facts.flatMap(({ fact, value = '' }) => {
    if (fact === 'id' && !(quotes(line, value) && listIds(payment).includes(value)))
      return [`line ${line.id} does not quote id ${value}`];
    if (fact === 'subscription' && !(quotes(line, value) && String(payment.subscription_id) === value))
      return [`line ${line.id} does not quote subscription ${value}`];
    return fact === 'name' && !names(line, payment) ? [`line ${line.id} does not name the customer`] : [];
  });
}

const haveOneCustomer = (a: VerifiablePayment, b: VerifiablePayment): boolean =>
  (a.subscription_id !== null && a.subscription_id === b.subscription_id) ||
  a.names.some((name) => b.names.includes(name));

const findFact = ({ facts }: VerifiableCertificate, fact: string) =>
  facts.find((each) => each.fact === fact)?.value;
const hasFact = ({ facts }: VerifiableCertificate, fact: string) => facts.some((each) => each.fact === fact);

function isNear({ from_days, to_days }: DayRange, paid: string, booked: string): boolean {
  const lag = (Date.parse(booked) - Date.parse(paid)) / 86_400_000;
  return lag >= from_days && lag <= to_days;
}

function sumShares(shares: readonly Share[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { id, allocated_in_cents } of shares) sums.set(id, (sums.get(id) ?? 0) + allocated_in_cents);
  return sums;
}
