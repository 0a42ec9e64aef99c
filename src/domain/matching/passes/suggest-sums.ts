import { formatCount } from '../../text/format-count.ts';
import type { WorkSteps } from '../../work-steps/work-steps.ts';
import { findFirstOnOrAfter, sortByDay } from '../indexes/bucket-index.ts';
import { PAYMENT_ROW } from '../indexes/payments.ts';
import type { CandidateCounts } from '../state/candidate-counts.ts';
import { compareLines, comparePayments } from '../state/candidate-pairs.ts';
import { type MatchState, ROW_FREE } from '../state/match-state.ts';
import { isUnexplainedDeposit } from './match-by-payout-days.ts';

/** Maximum number of candidate payments per line. Chosen by judgment. */
const MAX_CANDIDATES = 40;
const MAX_PAYMENTS_PER_SUM = 6;
/** Maximum number of solutions for a sum to be meaningful. Chosen by judgment. */
const MAX_SOLUTIONS = 20;
/** Maximum number of payment subsets inspected per run. Chosen by judgment. */
const MAX_INSPECTED_SUBSETS = 1_500_000;

type FreePayments = { readonly rows: readonly number[]; readonly days: Int32Array };

/**
 * Suggests several payments whose sum equals a line's amount if neither ids nor complete payout days match it. Counts
 * the other sets with the same sum. The search is bounded, and skipped lines are counted.
 */
export function* suggestSumMatches(state: MatchState, counts: CandidateCounts): WorkSteps {
  const freePayments = sortFreePayments(state);
  let inspected = 0;
  const skipped = { crowded: 0, vague: 0, untried: 0 };
  for (const line of sortUnexplainedDeposits(state, counts)) {
    yield;
    const candidates = findCandidates(state, line, freePayments);
    if (candidates === null) skipped.crowded++;
    if (candidates === null || candidates.length < 2) continue;
    if (inspected >= MAX_INSPECTED_SUBSETS) {
      skipped.untried++;
      continue;
    }
    const result = findSums(state, line, candidates);
    inspected += result.inspected;
    if (result.solutions > MAX_SOLUTIONS) skipped.vague++;
    else if (result.solutions > 0) addSumMatch(state, line, candidates, result);
  }
  state.remarks.push(...describeSkipped(skipped));
}

function sortUnexplainedDeposits(state: MatchState, counts: CandidateCounts): number[] {
  const lines: number[] = [];
  for (let line = 0; line < state.lines.length; line++)
    if (isUnexplainedDeposit(state, counts, line)) lines.push(line);
  return lines.sort((a, b) => compareLines(state, a, b));
}

function sortFreePayments({ payments, paymentState }: MatchState): FreePayments {
  const rows: number[] = [];
  for (const row of sortByDay(payments.length, (at) => payments.day.at(at)))
    if (paymentState[row] === ROW_FREE && payments.rowType.at(row) === PAYMENT_ROW) rows.push(row);
  return { rows, days: Int32Array.from(rows, (row) => payments.day.at(row)) };
}

function findSums(state: MatchState, line: number, candidates: readonly number[]): SumSubsets {
  const typicalLag = state.arrivalWindows!.getTypicalLag(state.lines.account.at(line));
  const items = candidates.map((row) => ({
    amount: state.payments.openCents.at(row),
    cost: Math.abs(state.getLagDays(line, row) - typicalLag),
  }));
  return findSumSubsets(items, state.lines.openCents.at(line));
}

function addSumMatch(
  state: MatchState,
  line: number,
  candidates: readonly number[],
  { solutions, best }: SumSubsets,
): void {
  const alternatives = solutions - 1;
  state.addMatch({
    rule: 'sum',
    status: alternatives === 0 ? 'suggested' : 'ambiguous',
    score: alternatives === 0 ? 40 : Math.max(5, Math.round(30 / solutions)),
    lines: [line],
    payments: best.map((at) => candidates[at] as number),
    alternatives,
    remark: `the sum may be a coincidence among ${candidates.length} smaller payments near the date`,
  });
}

function describeSkipped({ crowded, vague, untried }: Record<'crowded' | 'vague' | 'untried', number>) {
  const remarks: string[] = [];
  if (crowded > 0) {
    remarks.push(
      `No sums tried for ${formatCount(crowded, 'line')}: more than ${MAX_CANDIDATES} payments are near each.`,
    );
  }
  if (vague > 0) {
    remarks.push(
      `No match proposed for ${formatCount(vague, 'line')}: more than ${MAX_SOLUTIONS} sets of payments have the same sum.`,
    );
  }
  if (untried > 0)
    remarks.push(`No sums tried for ${formatCount(untried, 'line')}: the search limit was reached.`);
  return remarks;
}

/** Returns the smaller payments within a line's date range in order; null if there are too many. */
function findCandidates(state: MatchState, line: number, { rows, days }: FreePayments): number[] | null {
  const { lines, payments } = state;
  const range = state.arrivalWindows!.getRange('candidate', lines.account.at(line));
  const day = lines.day.at(line);
  const candidates: number[] = [];
  const first = findFirstOnOrAfter(days, day - range.to, 0, days.length);
  for (let at = first; at < rows.length && (days[at] as number) <= day - range.from; at++) {
    const row = rows[at] as number;
    if (state.paymentState[row] !== ROW_FREE) continue;
    if (payments.currency.at(row) !== lines.currency.at(line)) continue;
    if (payments.openCents.at(row) >= lines.openCents.at(line) || state.isDeclined(line, row)) continue;
    if (candidates.push(row) > MAX_CANDIDATES) return null;
  }
  return candidates.sort((a, b) => comparePayments(state, a, b));
}

type SumItem = { readonly amount: number; readonly cost: number };

interface Subset {
  readonly sum: number;
  readonly cost: number;
  /** Indexes of the items in the subset, ascending. */
  readonly items: readonly number[];
}

interface SumSubsets {
  /** Number of item sets with the total, counted up to one more than `MAX_SOLUTIONS`. */
  readonly solutions: number;
  /** Indexes of the items in the set with the lowest cost. */
  readonly best: readonly number[];
  readonly inspected: number;
}

/**
 * Counts the sets of 2 to 6 amounts with the given total and returns the set with the lowest cost. Uses a
 * meet-in-the-middle search.
 */
export function findSumSubsets(items: readonly SumItem[], total: number): SumSubsets {
  const half = items.length >> 1;
  const leftSubsets = listSubsets(items, 0, half, total);
  const right = listSubsets(items, half, items.length, total);
  const inspected = leftSubsets.length + right.length;
  const bySum = Map.groupBy(right, ({ sum }) => sum);
  let solutions = 0;
  let best: Subset | null = null;
  for (const subset of combineSubsets(leftSubsets, bySum, total)) {
    if (++solutions > MAX_SOLUTIONS) break;
    if (best === null || isBetter(subset, best)) best = subset;
  }
  return { solutions, best: best?.items ?? [], inspected };
}

function* combineSubsets(
  leftSubsets: readonly Subset[],
  rightBySum: ReadonlyMap<number, readonly Subset[]>,
  total: number,
): Iterable<Subset> {
  for (const a of leftSubsets) {
    for (const b of rightBySum.get(total - a.sum) ?? []) {
      const count = a.items.length + b.items.length;
      if (count < 2 || count > MAX_PAYMENTS_PER_SUM) continue;
      yield { sum: total, cost: a.cost + b.cost, items: [...a.items, ...b.items] };
    }
  }
}

/** Returns true if subset `a` is preferred: it has the lower cost, then fewer items, then earlier items. */
function isBetter(a: Subset, b: Subset): boolean {
  if (a.cost !== b.cost) return a.cost < b.cost;
  if (a.items.length !== b.items.length) return a.items.length < b.items.length;
  for (const [at, item] of a.items.entries()) {
    const other = b.items[at] as number;
    if (item !== other) return item < other;
  }
  return false;
}

/** Returns all subsets of a range of items that do not exceed the total, including the empty subset. */
function listSubsets(items: readonly SumItem[], from: number, to: number, total: number): Subset[] {
  const all: Subset[] = [{ sum: 0, cost: 0, items: [] }];
  for (let at = from; at < to; at++) {
    const { amount, cost } = items[at] as SumItem;
    for (let index = all.length - 1; index >= 0; index--) {
      const subset = all[index] as Subset;
      if (subset.items.length === MAX_PAYMENTS_PER_SUM || subset.sum + amount > total) continue;
      all.push({ sum: subset.sum + amount, cost: subset.cost + cost, items: [...subset.items, at] });
    }
  }
  return all;
}
