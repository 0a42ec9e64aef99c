import { type Board, FREE } from '../board.ts';
import { compareLines, comparePayments } from '../components.ts';
import { OF_PAYMENT } from '../rows/payments.ts';
import { sortedByDay } from '../rows/shelves.ts';
import type { Steps } from '../steps.ts';
import type { Counts } from './by-amount.ts';
import { isLeft } from './payout-days.ts';

/** Payments to choose from, and how many of them make a sum, at most. */
const POOL = 40;
const ITEMS = 6;
/** Sums with more solutions than that tell nobody anything. */
const MOST_SOLUTIONS = 20;
/** Subsets looked at in a run, at most. */
const BUDGET = 1_500_000;

/**
 * Lines that several payments come to, where no id and no whole day says which: a suggestion, with the number of other sets that come to
 * the same. Bounded in every way; what was left out is counted.
 */
export function* suggestSums(board: Board, counts: Counts): Steps {
  const { lines, payments } = board;
  const free: number[] = [];
  for (const row of sortedByDay(payments.length, (at) => payments.day.at(at))) {
    if (board.paymentState[row] === FREE && payments.sort.at(row) === OF_PAYMENT) free.push(row);
  }
  const days = Int32Array.from(free, (row) => payments.day.at(row));
  const left: number[] = [];
  for (let line = 0; line < lines.length; line++) if (isLeft(board, counts, line)) left.push(line);
  let budget = BUDGET;
  let [crowded, vague, untried] = [0, 0, 0];
  for (const line of left.sort((a, b) => compareLines(board, a, b))) {
    yield;
    const pool = poolOf(board, line, free, days);
    if (pool === null) {
      crowded++;
      continue;
    }
    if (pool.length < 2) continue;
    if (budget <= 0) {
      untried++;
      continue;
    }
    const amounts = pool.map((row) => payments.open.at(row));
    const middle = board.windows!.middle(lines.account.at(line));
    const costs = pool.map((row) => Math.abs(board.lag(line, row) - middle));
    const solved = solve(amounts, costs, lines.open.at(line));
    budget -= solved.looked;
    if (solved.solutions > MOST_SOLUTIONS) vague++;
    if (solved.solutions === 0 || solved.solutions > MOST_SOLUTIONS) continue;
    const others = solved.solutions - 1;
    board.add({
      rule: 'sum',
      status: others === 0 ? 'suggested' : 'ambiguous',
      score: others === 0 ? 40 : Math.max(5, Math.round(30 / solved.solutions)),
      lines: [line],
      payments: solved.best.map((at) => pool[at] as number),
      rivals: others,
      remark: `the only set${others === 0 ? '' : ` but ${others}`} of up to ${ITEMS} among ${pool.length} payments that comes to it`,
    });
  }
  if (crowded > 0)
    board.remarks.push(`${crowded} lines were not taken apart: more than ${POOL} payments are near each.`);
  if (vague > 0)
    board.remarks.push(`${vague} lines are the sum of more than ${MOST_SOLUTIONS} sets of payments each.`);
  if (untried > 0) board.remarks.push(`${untried} lines were not taken apart: there are too many.`);
}

/** Payments near a line that are less than it, in order; null where there are too many. */
function poolOf(board: Board, line: number, free: readonly number[], days: Int32Array): number[] | null {
  const { lines, payments } = board;
  const span = board.windows!.wide(lines.account.at(line));
  const day = lines.day.at(line);
  const pool: number[] = [];
  for (
    let at = firstFrom(days, day - span.to);
    at < free.length && (days[at] as number) <= day - span.from;
    at++
  ) {
    const row = free[at] as number;
    if (board.paymentState[row] !== FREE || payments.currency.at(row) !== lines.currency.at(line)) continue;
    if (payments.open.at(row) >= lines.open.at(line) || board.declined(line, row)) continue;
    if (pool.push(row) > POOL) return null;
  }
  return pool.sort((a, b) => comparePayments(board, a, b));
}

function firstFrom(days: Int32Array, day: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] as number) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Subset {
  readonly sum: number;
  readonly cost: number;
  readonly items: readonly number[];
}

/** How many sets of 2 to 6 amounts come to a total, and the one with the least cost: both halves’ subsets meet in the middle. */
export function solve(
  amounts: readonly number[],
  costs: readonly number[],
  total: number,
): { solutions: number; best: readonly number[]; looked: number } {
  const half = amounts.length >> 1;
  const left = subsets(amounts, costs, 0, half, total);
  const right = subsets(amounts, costs, half, amounts.length, total);
  const bySum = new Map<number, Subset[]>();
  for (const subset of right) {
    const same = bySum.get(subset.sum);
    if (same === undefined) bySum.set(subset.sum, [subset]);
    else same.push(subset);
  }
  let solutions = 0;
  let best: Subset | null = null;
  for (const a of left) {
    for (const b of bySum.get(total - a.sum) ?? []) {
      const size = a.items.length + b.items.length;
      if (size < 2 || size > ITEMS) continue;
      if (++solutions > MOST_SOLUTIONS) break;
      const whole = { sum: total, cost: a.cost + b.cost, items: [...a.items, ...b.items] };
      if (best === null || better(whole, best)) best = whole;
    }
    if (solutions > MOST_SOLUTIONS) break;
  }
  return { solutions, best: best?.items ?? [], looked: left.length + right.length };
}

function better(a: Subset, b: Subset): boolean {
  if (a.cost !== b.cost) return a.cost < b.cost;
  if (a.items.length !== b.items.length) return a.items.length < b.items.length;
  for (const [at, item] of a.items.entries()) {
    const other = b.items[at] as number;
    if (item !== other) return item < other;
  }
  return false;
}

function subsets(
  amounts: readonly number[],
  costs: readonly number[],
  from: number,
  to: number,
  total: number,
): Subset[] {
  const all: Subset[] = [{ sum: 0, cost: 0, items: [] }];
  for (let at = from; at < to; at++) {
    const amount = amounts[at] as number;
    for (let known = all.length - 1; known >= 0; known--) {
      const { sum, cost, items } = all[known] as Subset;
      if (items.length === ITEMS || sum + amount > total) continue;
      all.push({ sum: sum + amount, cost: cost + (costs[at] as number), items: [...items, at] });
    }
  }
  return all;
}
