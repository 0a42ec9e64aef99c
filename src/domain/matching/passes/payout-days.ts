import { type Board, FREE } from '../board.ts';
import { compareLines } from '../components.ts';
import { OF_PAYOUT } from '../rows/payments.ts';
import { endsStep, type Steps } from '../steps.ts';
import type { Counts } from './by-amount.ts';

/** Days in a row that one deposit may pay out: a weekend with a holiday. */
const LONGEST = 4;
/** So many deposits of an account that are whole days show that it is paid that way. */
const HABIT = 3;

interface Day {
  sum: number;
  rows: number[];
  /** Whether a payment of the day is explained, or proposed, by itself. */
  broken: boolean;
}

interface Run {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Deposits that no single payment fits and that come to exactly the payments of whole days in a row, all of them. Certain only where one
 * stretch of days fits one line, and the line says that it is a payout, or the account is seen to be paid that way.
 */
export function* matchByDays(board: Board, counts: Counts): Steps {
  const days = daysOf(board);
  const runs: Run[] = [];
  for (let line = 0; line < board.lines.length; line++) {
    if (endsStep(line)) yield;
    if (isLeft(board, counts, line)) runs.push(...runsOf(board, days, line));
  }
  const perLine = tally(runs.map(({ line }) => line));
  const perDay = new Map<number, Set<number>>();
  for (const { line, from, to } of runs) {
    for (let day = from; day <= to; day++) {
      const key = dayKey(day, board.lines.currency.at(line));
      perDay.set(key, (perDay.get(key) ?? new Set()).add(line));
    }
  }
  const rivalsOf = ({ line, from, to }: Run): number => {
    let rivals = (perLine.get(line) as number) - 1;
    for (let day = from; day <= to; day++) {
      rivals = Math.max(rivals, (perDay.get(dayKey(day, board.lines.currency.at(line)))?.size ?? 1) - 1);
    }
    return rivals;
  };
  const alone = runs.filter((run) => rivalsOf(run) === 0);
  const perAccount = tally(alone.map(({ line }) => board.lines.account.at(line)));
  for (const run of runs.sort(
    (a, b) => compareLines(board, a.line, b.line) || a.from - b.from || a.to - b.to,
  )) {
    const { line, from, to } = run;
    if (board.lineState[line] !== FREE) continue;
    const rows: number[] = [];
    const currency = board.lines.currency.at(line);
    for (let day = from; day <= to; day++) rows.push(...(days.get(dayKey(day, currency))?.rows ?? []));
    if (rows.some((row) => board.paymentState[row] !== FREE || board.declined(line, row))) continue;
    const rivals = rivalsOf(run);
    const habit = (perAccount.get(board.lines.account.at(line)) ?? 0) >= HABIT;
    const sure = rivals === 0 && (habit || board.lines.deposit.at(line) === 1);
    const length = to - from + 1;
    board.add({
      rule: 'payout-days',
      status: rivals > 0 ? 'ambiguous' : sure ? 'confirmed' : 'suggested',
      score: rivals > 0 ? 30 : sure ? 90 : 60,
      lines: [line],
      payments: rows.sort((a, b) => board.payments.id.at(a) - board.payments.id.at(b)),
      rivals,
      remark: `all ${rows.length} payments of ${length === 1 ? 'that day' : `those ${length} days`}, to the cent`,
    });
  }
}

/** Lines of money received that nothing explains and no single payment fits. */
export function isLeft(board: Board, counts: Counts, line: number): boolean {
  const { lines } = board;
  return (
    board.lineState[line] === FREE &&
    lines.open.at(line) > 0 &&
    lines.mayPay(line) &&
    !lines.isProcessor(line) &&
    (counts.candidates[line] as number) === 0
  );
}

const dayKey = (day: number, currency: number): number => day * 128 + currency;

function daysOf(board: Board): Map<number, Day> {
  const days = new Map<number, Day>();
  const { payments } = board;
  for (let row = 0; row < payments.length; row++) {
    if (payments.sort.at(row) === OF_PAYOUT) continue;
    const key = dayKey(payments.day.at(row), payments.currency.at(row));
    let day = days.get(key);
    if (day === undefined) {
      day = { sum: 0, rows: [], broken: false };
      days.set(key, day);
    }
    if (board.paymentState[row] !== FREE) day.broken = true;
    if (day.broken) continue;
    day.sum += payments.open.at(row);
    day.rows.push(row);
  }
  return days;
}

/** The stretches of whole days before a line that come to its amount, with more payments than days: fewer make a sum too easily. */
function runsOf(board: Board, days: ReadonlyMap<number, Day>, line: number): Run[] {
  const { lines } = board;
  const currency = lines.currency.at(line);
  const span = board.windows!.sure(lines.account.at(line));
  const runs: Run[] = [];
  for (let to = lines.day.at(line) - span.to; to <= lines.day.at(line) - Math.max(span.from, 0); to++) {
    if (!days.has(dayKey(to, currency))) continue;
    let [sum, count] = [0, 0];
    for (let from = to; from > to - LONGEST; from--) {
      const day = days.get(dayKey(from, currency));
      if (day === undefined) continue;
      if (day.broken) break;
      sum += day.sum;
      count += day.rows.length;
      if (sum === lines.open.at(line) && count > to - from + 1) runs.push({ line, from, to });
    }
  }
  return runs;
}

function tally(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
