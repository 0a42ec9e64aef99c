import { type Board, CONTESTED, FREE, TAKEN } from '../board.ts';
import { compareLines } from '../components.ts';
import type { Payees } from '../rows/payees.ts';
import { OF_PAYOUT } from '../rows/payments.ts';
import { moneyKey } from '../rows/shelves.ts';
import { type UserRule, withinTolerance } from '../user-rule.ts';

interface Pair {
  readonly line: number;
  readonly payment: number;
  /** 1: the line says the whole name. */
  readonly whole: number;
}

/**
 * Lines that a rule of the user’s lets differ: the line says the customer’s name, of that customer’s payments within the days one alone is
 * so near in amount, no other line could mean it, and none is of exactly its amount. The difference is put down to the rule’s category.
 */
export function matchByTolerance(
  board: Board,
  payees: Payees,
  speaks: Uint8Array,
  rules: readonly UserRule[],
): void {
  const lines = tolerantLines(board);
  if (lines.length === 0) return;
  const pairs = pairsOf(board, payees, lines, rules);
  const [ofLine, ofPayment] = [tally(pairs, 'line'), tally(pairs, 'payment')];
  const exact = exactLines(board, pairs);
  for (const line of lines) {
    const [pair] = pairs.filter((each) => each.line === line);
    if (pair === undefined) continue;
    const rivals = Math.max(ofLine.get(line) as number, ofPayment.get(pair.payment) as number) - 1;
    if (rivals > 0) {
      board.add({ rule: 'payee', status: 'ambiguous', score: 10, lines: [line], payments: [], rivals });
      for (const each of pairs) if (each.line === line) board.contest(each.payment);
    } else if (board.paymentState[pair.payment] !== CONTESTED) {
      one(board, pair, doubtOf(board, pair, speaks, exact), rules);
    }
  }
}

function one(board: Board, { line, payment }: Pair, remark: string | null, rules: readonly UserRule[]): void {
  const userRule = board.lines.tolerance.at(line);
  const action = rules[userRule]?.action;
  if (action?.do !== 'tolerate') return;
  const difference = board.lines.open.at(line) - board.payments.open.at(payment);
  board.add({
    rule: 'payee',
    status: remark === null ? 'confirmed' : 'suggested',
    score: remark === null ? 85 : 55,
    lines: [line],
    payments: [payment],
    adjustments: [[action.category, difference, 'within the tolerance of a rule']],
    userRule,
    ...(remark === null ? {} : { remark }),
  });
}

function tolerantLines(board: Board): number[] {
  const { lines } = board;
  const tolerant: number[] = [];
  for (let line = 0; line < lines.length; line++) {
    const named = lines.keysFrom.at(line) < lines.keysFrom.at(line + 1);
    if (lines.tolerance.at(line) !== -1 && named && board.lineState[line] === FREE && lines.mayPay(line)) {
      tolerant.push(line);
    }
  }
  return tolerant.sort((a, b) => compareLines(board, a, b));
}

function pairsOf(
  board: Board,
  payees: Payees,
  tolerant: readonly number[],
  rules: readonly UserRule[],
): Pair[] {
  const { lines, payments } = board;
  const named = new Map<number, number[]>();
  for (const line of tolerant) for (const key of keysOf(board, payees, line)) named.set(key, []);
  for (let row = 0; row < payments.length; row++) {
    if (board.paymentState[row] === TAKEN || payments.sort.at(row) === OF_PAYOUT) continue;
    for (const key of payees.keysOf(payments.payer.at(row))) named.get(key)?.push(row);
  }
  const pairs: Pair[] = [];
  for (const line of tolerant) {
    const { from, to } = board.windows!.wide(lines.account.at(line));
    const rule = rules[lines.tolerance.at(line)];
    const found = new Map<number, number>();
    for (const key of keysOf(board, payees, line)) {
      for (const payment of named.get(key) as number[]) {
        const lag = board.lag(line, payment);
        if (lag < from || lag > to || !board.comparable(line, payment) || board.declined(line, payment))
          continue;
        const due = payments.open.at(payment);
        if (rule === undefined || !withinTolerance(rule, due, lines.open.at(line) - due)) continue;
        found.set(payment, Math.max(found.get(payment) ?? 0, payees.whole.at(key)));
      }
    }
    for (const [payment, whole] of found) pairs.push({ line, payment, whole });
  }
  return pairs;
}

function* keysOf({ lines }: Board, payees: Payees, line: number): Iterable<number> {
  for (let at = lines.keysFrom.at(line); at < lines.keysFrom.at(line + 1); at++) {
    if (payees.tells(lines.keys.at(at))) yield lines.keys.at(at);
  }
}

function tally(pairs: readonly Pair[], side: 'line' | 'payment'): Map<number, number> {
  const counts = new Map<number, number>();
  for (const pair of pairs) counts.set(pair[side], (counts.get(pair[side]) ?? 0) + 1);
  return counts;
}

/** Lines that are not explained and of exactly the amount of one of the payments, by amount. */
function exactLines({ lines, payments, lineState }: Board, pairs: readonly Pair[]): Map<number, number[]> {
  const exact = new Map<number, number[]>();
  for (const { payment } of pairs) {
    exact.set(moneyKey(payments.open.at(payment), payments.currency.at(payment)), []);
  }
  for (let line = 0; line < lines.length; line++) {
    if (lineState[line] === TAKEN || !lines.mayPay(line)) continue;
    exact.get(moneyKey(lines.open.at(line), lines.currency.at(line)))?.push(line);
  }
  return exact;
}

/** Why a pair that is alone on both sides is not certain; null where nothing speaks against it. */
function doubtOf(
  board: Board,
  { line, payment, whole }: Pair,
  speaks: Uint8Array,
  exact: ReadonlyMap<number, readonly number[]>,
): string | null {
  const { lines, payments } = board;
  const { from, to } = board.windows!.sure(lines.account.at(line));
  const lag = board.lag(line, payment);
  if (lag < from || lag > to) return 'the days are further apart than usual';
  if (speaks[line] === 1) return 'the line names another payment by its id';
  if (whole === 0) return 'the line says a part of the name alone';
  const others = exact.get(moneyKey(payments.open.at(payment), payments.currency.at(payment))) ?? [];
  const rival = others.some((other) => {
    const wide = board.windows!.wide(lines.account.at(other));
    const apart = board.lag(other, payment);
    return other !== line && apart >= wide.from && apart <= wide.to;
  });
  return rival ? 'another line is of exactly the payment’s amount' : null;
}
