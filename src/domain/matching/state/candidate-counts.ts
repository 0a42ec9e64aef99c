import { isLastRowOfStep, type WorkSteps } from '../../work-steps/work-steps.ts';
import { BucketIndex, DenseNumbering, toMoneyKey } from '../indexes/bucket-index.ts';
import { IntColumn } from '../indexes/columns.ts';
import { type MatchState, ROW_EXPLAINED } from './match-state.ts';

/** Unmatched lines and payments grouped by amount, with the number of candidates of each. */
export class CandidateCounts {
  /** Index of the lines by amount and currency. Both indexes use the same bucket numbers. */
  readonly lines: BucketIndex;
  readonly payments: BucketIndex;
  /** Per line: position of its first candidate in `payments`; -1 if it has none. */
  readonly firstCandidate: Int32Array;
  readonly candidateCount: Int32Array;
  /** Per position in `payments`: number of lines that have the payment as a candidate. */
  readonly lineCount: Int32Array;
  /** Per position in `payments`: number of lines that have both this and the next payment as candidates. */
  readonly linkCount: Int32Array;
  /** Per amount bucket: number of payments, matched or not. */
  readonly paymentsPerBucket: Int32Array;
  /** Per payment: its position in `payments`, or -1. */
  readonly positionOfPayment: Int32Array;

  static *count(state: MatchState): WorkSteps<CandidateCounts> {
    const amounts = new DenseNumbering();
    const { payments, paymentsPerBucket } = yield* indexPayments(state, amounts);
    const lines = yield* indexLines(state, amounts);
    const counts = new CandidateCounts(state, { lines, payments, paymentsPerBucket });
    yield;
    for (let bucket = 0; bucket < amounts.count; bucket++) {
      if (isLastRowOfStep(bucket)) yield;
      counts.#countBucket(state, bucket);
    }
    counts.#sumDifferences();
    counts.#subtractDeclined(state);
    return counts;
  }

  private constructor(
    state: MatchState,
    indexes: Pick<CandidateCounts, 'lines' | 'payments' | 'paymentsPerBucket'>,
  ) {
    this.paymentsPerBucket = indexes.paymentsPerBucket;
    this.lines = indexes.lines;
    this.payments = indexes.payments;
    this.firstCandidate = new Int32Array(state.lines.length).fill(-1);
    this.candidateCount = new Int32Array(state.lines.length);
    this.lineCount = new Int32Array(this.payments.rows.length + 1);
    this.linkCount = new Int32Array(this.payments.rows.length + 1);
    this.positionOfPayment = new Int32Array(state.payments.length).fill(-1);
    for (const [position, row] of this.payments.rows.entries()) this.positionOfPayment[row] = position;
  }

  /** Returns the candidate of a line that has exactly one candidate. */
  findOnlyCandidate(state: MatchState, line: number): number {
    let position = this.firstCandidate[line] as number;
    if (state.declinedPairs.has(line)) {
      while (state.isDeclined(line, this.payments.rows[position] as number)) position++;
    }
    return this.payments.rows[position] as number;
  }

  /**
   * Counts the candidates in an amount bucket. Both sides are sorted by day, so a line's candidates never begin
   * before those of the account's previous line. Counts per position are first stored as differences.
   */
  #countBucket(state: MatchState, bucket: number): void {
    const { lines, payments } = this;
    const [from, to] = [payments.bucketStart(bucket), payments.bucketEnd(bucket)];
    if (from === to) return;
    const low = state.accounts.map(() => from);
    const high = state.accounts.map(() => from);
    for (let at = lines.bucketStart(bucket); at < lines.bucketEnd(bucket); at++) {
      const line = lines.rows[at] as number;
      const account = state.lines.account.at(line);
      const day = lines.days[at] as number;
      const range = state.arrivalWindows!.getRange('candidate', account);
      let first = low[account] as number;
      while (first < to && (payments.days[first] as number) < day - range.to) first++;
      let end = Math.max(high[account] as number, first);
      while (end < to && (payments.days[end] as number) <= day - range.from) end++;
      low[account] = first;
      high[account] = end;
      this.firstCandidate[line] = first;
      this.candidateCount[line] = end - first;
      if (end === first) continue;
      addTo(this.lineCount, first, 1);
      addTo(this.lineCount, end, -1);
      addTo(this.linkCount, first, 1);
      addTo(this.linkCount, end - 1, -1);
    }
  }

  #sumDifferences(): void {
    for (const column of [this.lineCount, this.linkCount])
      for (let position = 1; position < column.length; position++)
        addTo(column, position, column[position - 1] as number);
  }

  #subtractDeclined(state: MatchState): void {
    for (const [line, declined] of state.declinedPairs) {
      const count = this.candidateCount[line] as number;
      if (count === 0) continue;
      const first = this.firstCandidate[line] as number;
      for (const payment of declined) {
        const position = this.positionOfPayment[payment] ?? -1;
        if (position < first || position >= first + count) continue;
        addTo(this.candidateCount, line, -1);
        addTo(this.lineCount, position, -1);
      }
    }
  }
}

function addTo(counts: Int32Array, at: number, change: number): void {
  counts[at] = (counts[at] as number) + change;
}

function* indexPayments(
  { payments, paymentState }: MatchState,
  amounts: DenseNumbering,
): WorkSteps<Pick<CandidateCounts, 'payments' | 'paymentsPerBucket'>> {
  const [rows, buckets, paymentsPerBucket] = [new IntColumn(), new IntColumn(), new IntColumn()];
  for (let row = 0; row < payments.length; row++) {
    if (isLastRowOfStep(row)) yield;
    const cents = payments.openCents.at(row) || payments.amountCents.at(row);
    const bucket = amounts.assignNumber(toMoneyKey(cents, payments.currency.at(row)));
    if (bucket === paymentsPerBucket.length) paymentsPerBucket.push(0);
    paymentsPerBucket.set(bucket, paymentsPerBucket.at(bucket) + 1);
    if (paymentState[row] === ROW_EXPLAINED) continue;
    rows.push(row);
    buckets.push(bucket);
  }
  const index = new BucketIndex(rows, buckets, (row) => payments.day.at(row), amounts.count);
  return { payments: index, paymentsPerBucket: paymentsPerBucket.view().slice() };
}

/** Indexes the unmatched lines whose amount equals that of a payment. */
function* indexLines({ lines, lineState }: MatchState, amounts: DenseNumbering): WorkSteps<BucketIndex> {
  const [rows, buckets] = [new IntColumn(), new IntColumn()];
  for (let row = 0; row < lines.length; row++) {
    if (isLastRowOfStep(row)) yield;
    if (lineState[row] === ROW_EXPLAINED || !lines.canBePayment(row)) continue;
    const bucket = amounts.findNumber(toMoneyKey(lines.openCents.at(row), lines.currency.at(row)));
    if (bucket === -1) continue;
    rows.push(row);
    buckets.push(bucket);
  }
  return new BucketIndex(rows, buckets, (row) => lines.day.at(row), amounts.count);
}
