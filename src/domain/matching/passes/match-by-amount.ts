import { isLastRowOfStep, type WorkSteps } from '../../work-steps/work-steps.ts';
import { PAYOUT_ROW } from '../indexes/payments.ts';
import type { CandidateCounts } from '../state/candidate-counts.ts';
import { CandidatePairs, MAX_PROPOSAL_ROWS, proposeAmbiguousMatches } from '../state/candidate-pairs.ts';
import { type MatchState, ROW_EXPLAINED, ROW_FREE } from '../state/match-state.ts';
import type { AmountEvidence } from './amount-evidence.ts';

/**
 * Matches a line and a payment by amount, currency and date alone if they are each other's only candidates. The match
 * is certain unless there is evidence that the right counterpart is missing (see `AmountEvidence`).
 */
export function* matchByAmount(
  state: MatchState,
  counts: CandidateCounts,
  evidence: AmountEvidence,
): WorkSteps {
  const { lines, payments } = counts;
  for (let bucket = 0; bucket < payments.bucketCount; bucket++) {
    if (payments.bucketStart(bucket) === payments.bucketEnd(bucket)) continue;
    for (let at = lines.bucketStart(bucket); at < lines.bucketEnd(bucket); at++) {
      if (isLastRowOfStep(at)) yield;
      const line = lines.rows[at] as number;
      const payment = findUniquePayment(state, counts, line);
      if (payment !== -1) addUniqueMatch(state, line, payment, evidence);
    }
    proposeInBucket(state, counts, bucket);
  }
}

/** Returns a line's payment if each is the other's only candidate and neither is matched yet; otherwise -1. */
function findUniquePayment(state: MatchState, counts: CandidateCounts, line: number): number {
  if (counts.candidateCount[line] !== 1 || state.lineState[line] !== ROW_FREE) return -1;
  const payment = counts.findOnlyCandidate(state, line);
  const isUnique = counts.lineCount[counts.positionOfPayment[payment] as number] === 1;
  return isUnique && state.paymentState[payment] === ROW_FREE ? payment : -1;
}

function addUniqueMatch(state: MatchState, line: number, payment: number, evidence: AmountEvidence): void {
  const isPayout = state.payments.rowType.at(payment) === PAYOUT_ROW;
  if (isPayout && state.lines.isProcessorLine(line)) return;
  const objection = evidence.findObjection(line, payment);
  state.addPair(line, payment, { rule: 'amount-date', objection, scores: [85, 55] });
}

/** Lines, and the positions of payments, that are connected by shared candidates. */
type Cluster = { readonly lines: number[]; readonly from: number; readonly to: number };

/** Proposes matches among the lines and payments of one amount that can be combined in several ways. */
function proposeInBucket(state: MatchState, counts: CandidateCounts, bucket: number): void {
  for (const cluster of findClusters(counts, bucket)) {
    const isAmbiguous = cluster.lines.length > 1 || cluster.to - cluster.from > 1;
    if (!isAmbiguous || !cluster.lines.some((line) => state.lineState[line] === ROW_FREE)) continue;
    const isSmall =
      cluster.lines.length <= MAX_PROPOSAL_ROWS && cluster.to - cluster.from <= MAX_PROPOSAL_ROWS;
    if (isSmall) proposeInCluster(state, counts, cluster);
    else countCluster(state, counts, cluster);
  }
}

function findClusters(counts: CandidateCounts, bucket: number): Cluster[] {
  const { lines, payments } = counts;
  const [from, to] = [payments.bucketStart(bucket), payments.bucketEnd(bucket)];
  const starts: number[] = [];
  const clusterOfPosition = new Int32Array(to - from);
  for (let position = from; position < to; position++) {
    if (position === from || counts.linkCount[position - 1] === 0) starts.push(position);
    clusterOfPosition[position - from] = starts.length - 1;
  }
  const clusters = starts.map((start, at): Cluster => ({ lines: [], from: start, to: starts[at + 1] ?? to }));
  for (let at = lines.bucketStart(bucket); at < lines.bucketEnd(bucket); at++) {
    const line = lines.rows[at] as number;
    if ((counts.candidateCount[line] as number) === 0) continue;
    const first = counts.firstCandidate[line] as number;
    clusters[clusterOfPosition[first - from] as number]?.lines.push(line);
  }
  return clusters;
}

function proposeInCluster(state: MatchState, counts: CandidateCounts, cluster: Cluster): void {
  const pairs = new CandidatePairs();
  for (const line of cluster.lines) {
    const account = state.lines.account.at(line);
    const typicalLag = state.arrivalWindows!.getTypicalLag(account);
    const range = state.arrivalWindows!.getRange('candidate', account);
    for (let position = counts.firstCandidate[line] as number; position < cluster.to; position++) {
      const payment = counts.payments.rows[position] as number;
      const lag = state.getLagDays(line, payment);
      if (lag < range.from) break;
      if (state.paymentState[payment] === ROW_EXPLAINED || state.isDeclined(line, payment)) continue;
      pairs.add(line, payment, Math.abs(lag - typicalLag) * 4);
    }
  }
  const allPairs = Array.from({ length: pairs.length }, (_, pair) => pair);
  if (allPairs.length > 0) proposeAmbiguousMatches(state, { rule: 'amount-date' }, pairs, allPairs);
}

/** Adds ambiguous matches without a proposed payment, because there are too many candidates. */
function countCluster(state: MatchState, counts: CandidateCounts, { lines, from, to }: Cluster): void {
  const remark = `${lines.length} lines and ${to - from} payments of this amount are compatible with each other`;
  for (const line of lines) {
    if (state.lineState[line] !== ROW_FREE) continue;
    const alternatives = counts.candidateCount[line] as number;
    state.addLineWithoutProposal(line, { rule: 'amount-date', score: 5, alternatives, remark });
  }
  for (let position = from; position < to; position++)
    state.reserve(counts.payments.rows[position] as number);
}
