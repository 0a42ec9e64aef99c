import { assign, type Fit } from './assignment.ts';
import { type Board, FREE } from './board.ts';
import type { RuleId } from './model.ts';
import type { Ints } from './rows/column.ts';

/** Beyond so many lines or payments nobody is helped by a proposal: they are counted. */
const MOST = 40;

/** Pairs that fit: a line, a payment, and what speaks against it. */
export interface Pairs {
  readonly line: Ints;
  readonly payment: Ints;
  readonly cost: Ints;
}

/** Parts of a graph of pairs that hang together, each with the places of its pairs. */
export function components(pairs: Pairs, of: (pair: number) => boolean): number[][] {
  const leader = new Map<number, number>();
  const find = (node: number): number => {
    let root = node;
    while ((leader.get(root) ?? root) !== root) root = leader.get(root) as number;
    for (let at = node; at !== root; ) {
      const next = leader.get(at) ?? at;
      leader.set(at, root);
      at = next;
    }
    return root;
  };
  const node = (pair: number, side: 'line' | 'payment'): number =>
    pairs[side].at(pair) * 2 + (side === 'line' ? 0 : 1);
  for (let pair = 0; pair < pairs.line.length; pair++) {
    if (!of(pair)) continue;
    const [a, b] = [find(node(pair, 'line')), find(node(pair, 'payment'))];
    if (a !== b) leader.set(Math.max(a, b), Math.min(a, b));
  }
  const parts = new Map<number, number[]>();
  for (let pair = 0; pair < pairs.line.length; pair++) {
    if (!of(pair)) continue;
    const root = find(node(pair, 'line'));
    const part = parts.get(root);
    if (part === undefined) parts.set(root, [pair]);
    else part.push(pair);
  }
  return [...parts.values()];
}

/**
 * Lines that fit several payments, or payments several lines: every line that is still free becomes an ambiguous group, with the payment that
 * is its own in the best assignment on the whole as the proposal, or with none where there are too many.
 */
export function proposeAmong(
  board: Board,
  rule: RuleId,
  pairs: Pairs,
  part: readonly number[],
  idKindOf?: (pair: number) => number,
): void {
  const lineRows = ordered(
    part.map((pair) => pairs.line.at(pair)),
    (a, b) => compareLines(board, a, b),
  );
  const paymentRows = ordered(
    part.map((pair) => pairs.payment.at(pair)),
    (a, b) => comparePayments(board, a, b),
  );
  const linePlace = new Map(lineRows.map((row, at) => [row, at]));
  const paymentPlace = new Map(paymentRows.map((row, at) => [row, at]));
  const small = lineRows.length <= MOST && paymentRows.length <= MOST;
  const fits: Fit[] = part.map((pair) => ({
    line: linePlace.get(pairs.line.at(pair)) as number,
    payment: paymentPlace.get(pairs.payment.at(pair)) as number,
    cost: pairs.cost.at(pair),
  }));
  const proposed = small ? assign(lineRows.length, paymentRows.length, fits) : null;
  const perLine = new Map<number, number>();
  const perPayment = new Map<number, number>();
  for (const { line, payment } of fits) {
    perLine.set(line, (perLine.get(line) ?? 0) + 1);
    perPayment.set(payment, (perPayment.get(payment) ?? 0) + 1);
  }
  const kind = idKindOf?.(part[0] as number);
  for (const [at, line] of lineRows.entries()) {
    if (board.lineState[line] !== FREE) continue;
    const payment = proposed?.[at] ?? -1;
    const row = payment === -1 ? -1 : (paymentRows[payment] as number);
    const free = row !== -1 && board.paymentState[row] === FREE;
    const candidates = perLine.get(at) ?? 0;
    const wanted = payment === -1 ? 1 : (perPayment.get(payment) ?? 1);
    board.add({
      rule,
      status: 'ambiguous',
      score: Math.max(5, Math.round(60 / Math.max(candidates, wanted))),
      lines: [line],
      payments: free ? [row] : [],
      rivals: candidates - (free ? 1 : 0) + (wanted - 1),
      idKind: kind ?? -1,
      ...(small
        ? {}
        : { remark: `${lineRows.length} lines and ${paymentRows.length} payments fit each other` }),
    });
  }
  for (const row of paymentRows) board.contest(row);
}

function ordered(rows: readonly number[], compare: (a: number, b: number) => number): number[] {
  return [...new Set(rows)].sort(compare);
}

/** By what they say, so that neither ids nor the order of imports decides; equal lines by id. */
export function compareLines({ lines, accounts }: Board, a: number, b: number): number {
  return (
    lines.day.at(a) - lines.day.at(b) ||
    lines.open.at(a) - lines.open.at(b) ||
    lines.tie.at(a) - lines.tie.at(b) ||
    compareTexts(accounts[lines.account.at(a)]?.name ?? '', accounts[lines.account.at(b)]?.name ?? '') ||
    lines.id.at(a) - lines.id.at(b)
  );
}

/** An order of payments that is the same whatever order they came in. */
export function comparePayments({ payments }: Board, a: number, b: number): number {
  return (
    payments.day.at(a) - payments.day.at(b) ||
    payments.id.at(a) - payments.id.at(b) ||
    compareTexts(payments.gateway.at(a), payments.gateway.at(b))
  );
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
