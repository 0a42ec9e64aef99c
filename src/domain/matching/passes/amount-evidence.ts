import type { WorkSteps } from '../../work-steps/work-steps.ts';
import type { CandidateCounts } from '../state/candidate-counts.ts';
import type { MatchState } from '../state/match-state.ts';
import { hasForeignReference, LATE_MONEY, type LineHints, UNKNOWN_REFERENCE_REMARK } from './line-hints.ts';
import { UnusualWordingDetector } from './unusual-wording.ts';

/** Minimum expected number of payments of an amount in a line's date range to be common. Chosen by judgment. */
const COMMON_AMOUNT_COUNT = 0.5;
/** Maximum expected number of wrong matches per run when only amounts and dates agree. Chosen by judgment. */
const MAX_EXPECTED_FALSE_MATCHES = 0.1;

/**
 * Evidence against a unique pair of a line and a payment. Uniqueness proves a match only if the right counterpart
 * would be stored. The pair is uncertain if the line names something else, if its wording is typical of lines without
 * a payment, or if it arrives unusually early or late. It is also uncertain if its amount is common among both lines
 * without payments and payments without lines, because two unrelated rows may then meet.
 */
export class AmountEvidence {
  readonly #state: MatchState;
  readonly #hints: LineHints;
  readonly #wording: UnusualWordingDetector;
  readonly #coverage: DateCoverage;
  readonly #risks: AmountRisks;

  static *evaluate(state: MatchState, counts: CandidateCounts, hints: LineHints): WorkSteps<AmountEvidence> {
    const coverage = new DateCoverage(state);
    const hasNoPayment = (line: number): boolean =>
      counts.candidateCount[line] === 0 && coverage.coversPaymentsOf(line);
    const wording = yield* UnusualWordingDetector.find(state, hasNoPayment);
    const risks = new AmountRisks(state, counts, coverage, (line) => {
      return hasNoPayment(line) && !wording.isSuspicious(line);
    });
    return new AmountEvidence(state, hints, { wording, coverage, risks });
  }

  private constructor(
    state: MatchState,
    hints: LineHints,
    {
      wording,
      coverage,
      risks,
    }: { wording: UnusualWordingDetector; coverage: DateCoverage; risks: AmountRisks },
  ) {
    this.#state = state;
    this.#hints = hints;
    this.#wording = wording;
    this.#coverage = coverage;
    this.#risks = risks;
  }

  /** Returns the objection to a line and a payment that are each other's only candidates; null if there is none. */
  findObjection(line: number, payment: number): string | null {
    const { payments } = this.#state;
    if (!this.#state.isInRange('usual', line, payment)) return LATE_MONEY;
    const { namesOtherId, namesOtherCustomer, unknownReferences } = this.#hints;
    if (namesOtherId[line] === 1) return 'the line contains the id of another payment';
    if (namesOtherCustomer[line] === 1) return 'the line names another customer';
    if (hasForeignReference(payments, unknownReferences.get(line), payment)) return UNKNOWN_REFERENCE_REMARK;
    if (this.#wording.isSuspicious(line))
      return 'the wording of the line resembles lines without a compatible payment';
    return this.#findAmountObjection(line, payment);
  }

  /** Returns a reason against the match from the frequency of the amount; null if there is none. */
  #findAmountObjection(line: number, payment: number): string | null {
    const bucket = this.#risks.bucketOfLine[line] as number;
    const mayMissPayment = this.#risks.mayMissPayment[bucket] === 1;
    if (mayMissPayment && this.#wording.isUnfamiliar(line))
      return 'the wording of the line resembles no explained line';
    if (this.#risks.isTooRisky[bucket] === 1)
      return 'lines without a payment and payments without a line have this amount';
    if (mayMissPayment && this.#coverage.mayPrecedePayments(line))
      return 'the line may belong to a payment before the first one stored';
    if (this.#risks.mayMissLine[bucket] === 1 && this.#coverage.mayFollowLines(line, payment))
      return 'the line of the payment may come after the last one stored';
    return null;
  }
}

/** The range of days covered by the stored payments and lines. */
class DateCoverage {
  readonly firstPayment: number;
  readonly lastPayment: number;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly #state: MatchState;
  readonly #lastLineOfAccount: Int32Array;

  constructor(state: MatchState) {
    this.#state = state;
    const { lines, payments } = state;
    [this.firstPayment, this.lastPayment] = findMinMax(payments.day.view());
    [this.firstLine, this.lastLine] = findMinMax(lines.day.view());
    this.#lastLineOfAccount = new Int32Array(state.accounts.length).fill(-1e9);
    for (let row = 0; row < lines.length; row++) {
      const [day, account] = [lines.day.at(row), lines.account.at(row)];
      this.#lastLineOfAccount[account] = Math.max(this.#lastLineOfAccount[account] as number, day);
    }
  }

  /** Returns true if all payments in a line's date range are stored. */
  coversPaymentsOf(line: number): boolean {
    const { lines, arrivalWindows } = this.#state;
    const range = arrivalWindows!.getRange('candidate', lines.account.at(line));
    const day = lines.day.at(line);
    return day - range.to >= this.firstPayment && day - range.from <= this.lastPayment;
  }

  /** Returns true if a line's payment may be older than the first stored payment. */
  mayPrecedePayments(line: number): boolean {
    const { lines, arrivalWindows } = this.#state;
    const { to } = arrivalWindows!.getRange('candidate', lines.account.at(line));
    return lines.day.at(line) - to < this.firstPayment;
  }

  /** Returns true if the payment may have arrived after the last stored line of the line's account. */
  mayFollowLines(line: number, payment: number): boolean {
    const account = this.#state.lines.account.at(line);
    const { to } = this.#state.arrivalWindows!.getRange('candidate', account);
    return this.#state.payments.day.at(payment) + to > (this.#lastLineOfAccount[account] as number);
  }
}

/** Risk per amount that an unrelated line and payment are each other's only candidates. */
class AmountRisks {
  readonly bucketOfLine: Int32Array;
  /** Per amount bucket: 1 if its expected number of wrong matches is too high. */
  readonly isTooRisky: Uint8Array;
  /** Per amount bucket: 1 if payments without a line, or lines without a payment, are to be expected. */
  readonly mayMissPayment: Uint8Array;
  readonly mayMissLine: Uint8Array;
  readonly #strayLines: Int32Array;
  readonly #strayPayments: Int32Array;
  #widestRange = 1;

  constructor(
    state: MatchState,
    counts: CandidateCounts,
    coverage: DateCoverage,
    isStrayLine: (line: number) => boolean,
  ) {
    const { bucketCount } = counts.payments;
    this.bucketOfLine = new Int32Array(state.lines.length).fill(-1);
    this.isTooRisky = new Uint8Array(bucketCount);
    this.mayMissPayment = new Uint8Array(bucketCount);
    this.mayMissLine = new Uint8Array(bucketCount);
    this.#strayLines = new Int32Array(bucketCount);
    this.#strayPayments = new Int32Array(bucketCount);
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      this.#countStrayLines(state, counts, bucket, isStrayLine);
      this.#countStrayPayments(counts, coverage, bucket);
    }
    this.#evaluate(counts.paymentsPerBucket, coverage);
  }

  #countStrayLines(
    { lines, arrivalWindows }: MatchState,
    counts: CandidateCounts,
    bucket: number,
    isStrayLine: (line: number) => boolean,
  ): void {
    for (let at = counts.lines.bucketStart(bucket); at < counts.lines.bucketEnd(bucket); at++) {
      const row = counts.lines.rows[at] as number;
      const range = arrivalWindows!.getRange('candidate', lines.account.at(row));
      this.bucketOfLine[row] = bucket;
      this.#widestRange = Math.max(this.#widestRange, range.to - range.from + 1);
      if (isStrayLine(row)) this.#strayLines[bucket] = (this.#strayLines[bucket] as number) + 1;
    }
  }

  #countStrayPayments({ payments, lineCount }: CandidateCounts, coverage: DateCoverage, bucket: number) {
    for (let at = payments.bucketStart(bucket); at < payments.bucketEnd(bucket); at++) {
      const day = payments.days[at] as number;
      const isCovered = day >= coverage.firstLine && day + this.#widestRange <= coverage.lastLine;
      if (lineCount[at] === 0 && isCovered)
        this.#strayPayments[bucket] = (this.#strayPayments[bucket] as number) + 1;
    }
  }

  /** Distributes the unmatched rows over all common amounts, because a single amount has too few to measure. */
  #evaluate(paymentsPerBucket: Int32Array, { firstPayment, lastPayment }: DateCoverage): void {
    const days = Math.max(1, lastPayment - firstPayment + 1);
    const dateShare = Math.min(1, this.#widestRange / days);
    const commonBuckets: number[] = [];
    let [lineTotal, paymentTotal, total] = [0, 0, 0];
    for (const [bucket, count] of paymentsPerBucket.entries()) {
      if (count * dateShare < COMMON_AMOUNT_COUNT) continue;
      commonBuckets.push(bucket);
      lineTotal += this.#strayLines[bucket] as number;
      paymentTotal += this.#strayPayments[bucket] as number;
      total += count;
    }
    const risks = new Float64Array(paymentsPerBucket.length);
    for (const bucket of commonBuckets) {
      const share = (paymentsPerBucket[bucket] as number) / Math.max(1, total);
      const strayLines = Math.max(this.#strayLines[bucket] as number, lineTotal * share);
      const strayPayments = Math.max(this.#strayPayments[bucket] as number, paymentTotal * share);
      risks[bucket] = strayLines * strayPayments * dateShare;
      if (strayPayments >= COMMON_AMOUNT_COUNT) this.mayMissPayment[bucket] = 1;
      if (strayLines >= COMMON_AMOUNT_COUNT) this.mayMissLine[bucket] = 1;
    }
    const maxRisk = findHighestAcceptableRisk(risks);
    for (const [bucket, risk] of risks.entries()) if (risk > maxRisk) this.isTooRisky[bucket] = 1;
  }
}

/** Returns the highest risk per amount that keeps the total risk within the limit. */
function findHighestAcceptableRisk(risks: Float64Array): number {
  let [sum, highest] = [0, 0];
  const sorted = risks.filter((risk) => risk > 0).sort();
  for (let at = 0; at < sorted.length; ) {
    const risk = sorted[at] as number;
    while (sorted[at] === risk) {
      sum += risk;
      at++;
    }
    if (sum > MAX_EXPECTED_FALSE_MATCHES) break;
    highest = risk;
  }
  return highest;
}

function findMinMax(days: Int32Array): [number, number] {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const day of days) {
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  return [first, last];
}
