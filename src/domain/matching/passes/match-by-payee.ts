import { isLastRowOfStep, type WorkSteps } from '../../work-steps/work-steps.ts';
import { BucketIndex, DenseNumbering, toMoneyKey } from '../indexes/bucket-index.ts';
import { IntColumn } from '../indexes/columns.ts';
import type { CustomerNames } from '../indexes/customer-names.ts';
import type { IdEvidence } from '../indexes/id-evidence.ts';
import { PAYOUT_ROW, SUBSCRIPTION_ID } from '../indexes/payments.ts';
import { findForcedPairs, type PossiblePair } from '../proof/forced-pairs.ts';
import { CandidatePairs, proposeAmbiguousMatches } from '../state/candidate-pairs.ts';
import { type MatchState, ROW_EXPLAINED, ROW_FREE, ROW_PROPOSED } from '../state/match-state.ts';
import {
  hasForeignReference,
  type IdHints,
  LATE_MONEY,
  type LineHints,
  UNKNOWN_REFERENCE_REMARK,
} from './line-hints.ts';

/** Maximum number of candidates per name. Lines with more candidates are only counted. Chosen by judgment. */
const MAX_CANDIDATES_PER_NAME = 16;
/** Maximum number of pairs whose assignments are compared. Chosen by judgment. */
const MAX_FORCED_PAIRS = 200;
/** Multiplier for combining an amount number with a name key. It exceeds the number of name keys. */
const NAME_KEY_SLOTS = 4_194_304;

/** Strength of the evidence by which a line names a payment's customer, weakest first. It is added to the score. */
const PARTIAL_NAME = 0;
const SUBSCRIPTION_NUMBER = 2;

/**
 * Matches by amount, currency, date and payee if the line contains the customer's name or the subscription's number,
 * and line and payment are each other's only candidates. Returns, per line, 1 if it contains a complete customer
 * name.
 */
export function* matchByPayee(
  state: MatchState,
  names: CustomerNames,
  hints: IdHints,
): WorkSteps<LineHints['namesOtherCustomer']> {
  const index = yield* PaymentNameIndex.build(state, names);
  const search = new PayeeSearch(state, names, index);
  for (let line = 0; line < state.lines.length; line++) {
    if (isLastRowOfStep(line)) yield;
    if (state.lineState[line] !== ROW_EXPLAINED && state.lines.canBePayment(line)) search.searchLine(line);
  }
  yield* addPairMatches(state, search, hints);
  for (const [line, alternatives] of search.crowdedLines) {
    if (state.lineState[line] !== ROW_FREE) continue;
    state.addLineWithoutProposal(line, { rule: 'payee', score: 5, alternatives });
  }
  return search.namesCustomer;
}

class PaymentNameIndex {
  readonly buckets: BucketIndex;
  readonly #amounts: DenseNumbering;
  readonly #bucketNumbers: DenseNumbering;

  static *build({ payments, paymentState }: MatchState, names: CustomerNames): WorkSteps<PaymentNameIndex> {
    const [amounts, bucketNumbers] = [new DenseNumbering(), new DenseNumbering()];
    const [rows, buckets] = [new IntColumn(), new IntColumn()];
    for (let row = 0; row < payments.length; row++) {
      if (isLastRowOfStep(row)) yield;
      if (paymentState[row] === ROW_EXPLAINED || payments.rowType.at(row) === PAYOUT_ROW) continue;
      const amount = amounts.assignNumber(toMoneyKey(payments.openCents.at(row), payments.currency.at(row)));
      for (const key of names.getKeys(payments.customer.at(row))) {
        rows.push(row);
        buckets.push(bucketNumbers.assignNumber(amount * NAME_KEY_SLOTS + key));
      }
    }
    const index = new BucketIndex(rows, buckets, (row) => payments.day.at(row), bucketNumbers.count);
    return new PaymentNameIndex(index, amounts, bucketNumbers);
  }

  private constructor(buckets: BucketIndex, amounts: DenseNumbering, bucketNumbers: DenseNumbering) {
    this.buckets = buckets;
    this.#amounts = amounts;
    this.#bucketNumbers = bucketNumbers;
  }

  /** Returns the bucket of payments with the given amount and name; -1 if there is none. */
  findBucket(cents: number, currency: number, nameKey: number): number {
    const amount = this.#amounts.findNumber(toMoneyKey(cents, currency));
    return amount === -1 ? -1 : this.#bucketNumbers.findNumber(amount * NAME_KEY_SLOTS + nameKey);
  }
}

class PayeeSearch {
  readonly pairs = new CandidatePairs();
  /** Per pair: strength of the evidence by which the line names the customer. */
  readonly nameStrength = new IntColumn();
  /** Per line: 1 if it contains the complete name of a customer. */
  readonly namesCustomer: Uint8Array;
  /** Lines with too many candidates, with the number of candidates. */
  readonly crowdedLines = new Map<number, number>();
  readonly #state: MatchState;
  readonly #names: CustomerNames;
  readonly #index: PaymentNameIndex;
  readonly #paymentsOfSubscriptions: ReadonlyMap<number, readonly number[]>;
  /** Per index position: change in the number of lines with too many candidates that could mean the payment. */
  readonly #crowdChanges: Int32Array;

  constructor(state: MatchState, names: CustomerNames, index: PaymentNameIndex) {
    this.#state = state;
    this.#names = names;
    this.#index = index;
    this.namesCustomer = new Uint8Array(state.lines.length);
    this.#paymentsOfSubscriptions = findSubscriptionMentions(state.lines.evidence);
    this.#crowdChanges = new Int32Array(index.buckets.rows.length + 1);
  }

  searchLine(line: number): void {
    const { lines, arrivalWindows } = this.#state;
    const candidates = new Map<number, number>();
    let crowd = 0;
    for (let at = lines.nameKeysFrom.at(line); at < lines.nameKeysFrom.at(line + 1); at++) {
      const key = lines.nameKeys.at(at);
      if (this.#names.isDistinctive(key)) crowd = Math.max(crowd, this.#searchName(line, key, candidates));
    }
    this.#searchSubscription(line, candidates);
    if (crowd > 0) {
      this.crowdedLines.set(line, crowd);
      return;
    }
    for (const [payment, strength] of candidates) {
      const typicalLag = arrivalWindows!.getTypicalLag(lines.account.at(line));
      const cost = Math.abs(this.#state.getLagDays(line, payment) - typicalLag) * 4 + 2 - strength;
      this.pairs.add(line, payment, cost);
      this.nameStrength.push(strength);
    }
  }

  /** Adds the payments with a name and the line's amount. Returns their number if there are too many; else 0. */
  #searchName(line: number, key: number, candidates: Map<number, number>): number {
    const { lines } = this.#state;
    const { buckets } = this.#index;
    const isComplete = this.#names.isCompleteName.at(key);
    if (isComplete === 1 && this.#names.wordCount.at(key) > 1) this.namesCustomer[line] = 1;
    const bucket = this.#index.findBucket(lines.openCents.at(line), lines.currency.at(line), key);
    if (bucket === -1) return 0;
    const range = this.#state.arrivalWindows!.getRange('candidate', lines.account.at(line));
    const day = lines.day.at(line);
    const first = buckets.firstOnOrAfter(bucket, day - range.to);
    const end = buckets.firstOnOrAfter(bucket, day - range.from + 1);
    if (end - first > MAX_CANDIDATES_PER_NAME) {
      this.#crowdChanges[first] = (this.#crowdChanges[first] as number) + 1;
      this.#crowdChanges[end] = (this.#crowdChanges[end] as number) - 1;
      return end - first;
    }
    for (let at = first; at < end; at++) {
      const payment = buckets.rows[at] as number;
      if (this.#state.isDeclined(line, payment)) continue;
      candidates.set(payment, Math.max(candidates.get(payment) ?? PARTIAL_NAME, isComplete));
    }
    return 0;
  }

  #searchSubscription(line: number, candidates: Map<number, number>): void {
    const state = this.#state;
    for (const payment of this.#paymentsOfSubscriptions.get(line) ?? []) {
      const isOpen = state.paymentState[payment] !== ROW_EXPLAINED && !state.isDeclined(line, payment);
      if (isOpen && state.isInRange('candidate', line, payment)) candidates.set(payment, SUBSCRIPTION_NUMBER);
    }
  }

  /** Returns, per payment, the number of lines with too many candidates that could mean it. */
  countCrowdedPayments(): Map<number, number> {
    const { rows } = this.#index.buckets;
    const crowded = new Map<number, number>();
    let lineCount = 0;
    for (let at = 0; at < rows.length; at++) {
      lineCount += this.#crowdChanges[at] as number;
      if (lineCount > 0) crowded.set(rows[at] as number, lineCount);
    }
    return crowded;
  }
}

/** Returns, by line, the payments of the subscription whose number is in a usual position of the line. */
function findSubscriptionMentions({ mentions, positions }: IdEvidence): Map<number, number[]> {
  const paymentsOfLine = new Map<number, number[]>();
  for (let at = 0; at < mentions.line.length; at++) {
    if (mentions.kind.at(at) !== SUBSCRIPTION_ID) continue;
    if (!positions.containsIds(mentions.position.at(at), SUBSCRIPTION_ID)) continue;
    const line = mentions.line.at(at);
    const payments = paymentsOfLine.get(line);
    if (payments === undefined) paymentsOfLine.set(line, [mentions.payment.at(at)]);
    else payments.push(mentions.payment.at(at));
  }
  return paymentsOfLine;
}

function* addPairMatches(state: MatchState, search: PayeeSearch, hints: IdHints): WorkSteps {
  const { pairs } = search;
  const lineDegree = new Int32Array(state.lines.length);
  const paymentDegree = new Int32Array(state.payments.length);
  for (const [payment, lineCount] of search.countCrowdedPayments()) paymentDegree[payment] = lineCount;
  for (let pair = 0; pair < pairs.length; pair++) {
    const [line, payment] = [pairs.line.at(pair), pairs.payment.at(pair)];
    lineDegree[line] = (lineDegree[line] as number) + 1;
    paymentDegree[payment] = (paymentDegree[payment] as number) + 1;
  }
  const ambiguous = new Set<number>();
  for (let pair = 0; pair < pairs.length; pair++) {
    if (isLastRowOfStep(pair)) yield;
    const [line, payment] = [pairs.line.at(pair), pairs.payment.at(pair)];
    if (lineDegree[line] === 1 && paymentDegree[payment] === 1) addUniqueMatch(state, search, pair, hints);
    else ambiguous.add(pair);
  }
  const isCrowded = search.countCrowdedPayments();
  for (const component of pairs.findComponents((pair) => ambiguous.has(pair))) {
    const isComplete = component.every((pair) => !isCrowded.has(pairs.payment.at(pair)));
    if (isComplete) addForcedMatches(state, search, component, hints);
    proposeAmbiguousMatches(state, { rule: 'payee' }, pairs, component);
  }
}

/**
 * Adds the pairs of a component in which only one assignment gives each line a payment of the customer it names. The pairs
 * prove each other, so a component with an exchangeable or a doubtful pair is left alone.
 */
function addForcedMatches(
  state: MatchState,
  search: PayeeSearch,
  component: readonly number[],
  hints: IdHints,
): void {
  const { pairs } = search;
  const isNamed = (pair: number): boolean =>
    state.gate?.namesCustomer(pairs.line.at(pair), pairs.payment.at(pair)) === true;
  const isOtherCompany = (pair: number): boolean =>
    state.gate?.namesOtherCompany(pairs.line.at(pair), pairs.payment.at(pair)) === true;
  const relevant = component.filter((pair) => !isOtherCompany(pair));
  if (relevant.length > MAX_FORCED_PAIRS || !areFreeAndDistinct(state, pairs, component)) return;
  if (!relevant.every(isNamed)) return;
  const possible = relevant.map((pair) => ({ line: pairs.line.at(pair), payment: pairs.payment.at(pair) }));
  const forced = findForcedPairs(possible);
  if (forced.length !== new Set(possible.map(({ line }) => line)).size) return;
  const isProved = (at: number): boolean => {
    const { line, payment } = possible[at] as PossiblePair;
    return findObjection(state, line, payment, hints) === null && isProvedByGate(state, line, payment);
  };
  if (!forced.every(isProved)) return;
  for (const at of forced) addUniqueMatch(state, search, relevant[at] as number, hints);
}

function isProvedByGate({ gate }: MatchState, line: number, payment: number): boolean {
  const draft = { rule: 'payee', status: 'confirmed', score: 0, lines: [line], payments: [payment] } as const;
  return gate === null || gate.findObjection(draft) === null;
}

/** Returns true if no pair has been proposed before and no line repeats another one, as banks sometimes do. */
function areFreeAndDistinct(
  { lines, lineState, paymentState }: MatchState,
  pairs: CandidatePairs,
  component: readonly number[],
): boolean {
  const rows = new Set(component.map((pair) => pairs.line.at(pair)));
  const contents = new Set([...rows].map((line) => `${lines.day.at(line)} ${lines.contentHash.at(line)}`));
  const isFree = (pair: number): boolean =>
    lineState[pairs.line.at(pair)] === ROW_FREE && paymentState[pairs.payment.at(pair)] === ROW_FREE;
  return contents.size === rows.size && component.every(isFree);
}

function addUniqueMatch(
  state: MatchState,
  { pairs, nameStrength }: PayeeSearch,
  pair: number,
  hints: IdHints,
): void {
  const [line, payment] = [pairs.line.at(pair), pairs.payment.at(pair)];
  if (state.lineState[line] === ROW_PROPOSED || state.paymentState[payment] === ROW_PROPOSED) return;
  const objection = findObjection(state, line, payment, hints);
  const strength = nameStrength.at(pair);
  const idKind = strength === SUBSCRIPTION_NUMBER ? SUBSCRIPTION_ID : -1;
  state.addPair(line, payment, { rule: 'payee', objection, idKind, scores: [90 + strength, 65] });
}

/** Returns the reason why a unique pair is not a certain match; null if there is none. */
function findObjection(
  state: MatchState,
  line: number,
  payment: number,
  { unknownReferences }: IdHints,
): string | null {
  if (!state.isInRange('usual', line, payment)) return LATE_MONEY;
  return hasForeignReference(state.payments, unknownReferences.get(line), payment)
    ? UNKNOWN_REFERENCE_REMARK
    : null;
}
