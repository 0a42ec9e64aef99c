import { type Board, FREE } from '../board.ts';
import { compareLines, comparePayments, components, type Pairs, proposeAmong } from '../components.ts';
import type { RuleId } from '../model.ts';
import { Ints } from '../rows/column.ts';
import type { Mentions } from '../rows/evidence.ts';
import { endsStep, type Steps } from '../steps.ts';
import { type UserRule, withinTolerance } from '../user-rule.ts';

/** A line may be so much later than the payment whose number it says; by a gateway’s id any time. */
const EARLY = -5;
const LATE = 60;

/** Mentions of one pass, each pair once, by its strongest id. */
class Found implements Pairs {
  readonly line = new Ints();
  readonly payment = new Ints();
  readonly kind = new Ints();
  readonly cost = new Ints();
  /** 1: it stands where ids of ours do. */
  readonly trusted = new Ints();
  readonly equal: number[] = [];
}

/**
 * Lines that name a payment. Where amounts agree and nobody else is named, or names it, that is certain. Otherwise several lines may pay one
 * payment, or one line several, if they come to exactly the same; or a rule of the user’s lets them differ. All else is proposed.
 */
export function* matchByIds(
  board: Board,
  rule: RuleId,
  mentions: Mentions,
  of: (mention: number) => boolean,
  trusted: (mention: number) => boolean,
  rules: readonly UserRule[],
): Steps {
  const found = yield* gather(board, mentions, of, trusted);
  const { line, payment } = found;
  const several: number[] = [];
  const equalLine = new Uint8Array(board.lines.length);
  const equalPayment = new Uint8Array(board.payments.length);
  const lineDegree = new Int32Array(board.lines.length);
  const paymentDegree = new Int32Array(board.payments.length);
  for (const pair of found.equal) {
    equalLine[line.at(pair)] = 1;
    equalPayment[payment.at(pair)] = 1;
    lineDegree[line.at(pair)] = (lineDegree[line.at(pair)] as number) + 1;
    paymentDegree[payment.at(pair)] = (paymentDegree[payment.at(pair)] as number) + 1;
  }
  for (const [at, pair] of found.equal.entries()) {
    if (endsStep(at)) yield;
    const [l, p] = [line.at(pair), payment.at(pair)];
    if (lineDegree[l] === 1 && paymentDegree[p] === 1) single(board, rule, l, p, found.kind.at(pair));
    else several.push(pair);
  }
  const among = new Set(several);
  for (const part of components(found, (pair) => among.has(pair))) {
    proposeAmong(board, rule, found, part, (pair) => found.kind.at(pair));
  }

  const isNear = (pair: number): boolean => {
    const [l, p] = [line.at(pair), payment.at(pair)];
    return (
      board.lineState[l] === FREE &&
      board.paymentState[p] === FREE &&
      (equalLine[l] !== 1 || equalPayment[p] !== 1)
    );
  };
  for (const part of components(found, isNear)) exact(board, rule, found, part);
  const isTold = (pair: number): boolean => found.trusted.at(pair) === 1 && isNear(pair);
  for (const part of components(found, isTold)) unequal(board, rule, found, part, rules);
}

function* gather(
  board: Board,
  mentions: Mentions,
  of: (mention: number) => boolean,
  trusted: (mention: number) => boolean,
): Steps<Found> {
  const found = new Found();
  let from = 0;
  for (let at = 0; at < mentions.line.length; at++) {
    if (endsStep(at)) yield;
    const [line, payment] = [mentions.line.at(at), mentions.payment.at(at)];
    if (board.lineState[line] !== FREE || board.paymentState[payment] !== FREE) continue;
    if (!of(at) || board.declined(line, payment) || !board.comparable(line, payment)) continue;
    const kind = mentions.kind.at(at);
    if (found.line.length > from && found.line.at(from) !== line) from = found.line.length;
    const sure = trusted(at);
    let known = -1;
    for (let pair = from; pair < found.line.length; pair++)
      if (found.payment.at(pair) === payment) known = pair;
    if (known !== -1) {
      if (kind < found.kind.at(known)) found.kind.set(known, kind);
      if (!sure || found.trusted.at(known) === 1) continue;
      found.trusted.set(known, 1);
      if (isEqual(board, line, payment)) found.equal.push(known);
      continue;
    }
    const pair = found.line.push(line);
    found.payment.push(payment);
    found.kind.push(kind);
    found.cost.push(Math.abs(board.lag(line, payment) - 2));
    found.trusted.push(sure ? 1 : 0);
    if (sure && isEqual(board, line, payment)) found.equal.push(pair);
  }
  return found;
}

function isEqual({ lines, payments }: Board, line: number, payment: number): boolean {
  return lines.open.at(line) === payments.open.at(payment);
}

/** A line and a payment of the same amount, of which no other names the one or is named by the other. */
function single(board: Board, rule: RuleId, line: number, payment: number, idKind: number): void {
  const lag = board.lag(line, payment);
  const sure = rule === 'gateway-id' || (lag >= EARLY && lag <= LATE);
  board.add({
    rule,
    status: sure ? 'confirmed' : 'suggested',
    score: sure ? 100 : 70,
    lines: [line],
    payments: [payment],
    idKind,
    ...(sure ? {} : { remark: 'the days are too far apart for a number in a text to be proof' }),
  });
}

/** One line and the payments it names, or one payment and the lines that name it, that come to the same: that is no coincidence. */
function exact(board: Board, rule: RuleId, found: Found, part: readonly number[]): void {
  const { lines, payments, inLines, inPayments } = sidesOf(board, found, part);
  const star = lines.length === 1 || payments.length === 1;
  if (part.length < 2 || !star || inLines !== inPayments) return;
  const idKind = found.kind.at(part[0] as number);
  board.add({ rule, status: 'confirmed', score: 95, lines, payments, idKind });
}

/** Lines and payments that name each other and differ in their amounts. */
function unequal(
  board: Board,
  rule: RuleId,
  found: Found,
  part: readonly number[],
  rules: readonly UserRule[],
): void {
  const { lines, payments, inLines, inPayments } = sidesOf(board, found, part);
  const idKind = found.kind.at(part[0] as number);
  if (part.length === 1) {
    differing(board, rule, lines[0] as number, payments[0] as number, idKind, rules);
  } else if (payments.length === 1 && Math.abs(inLines) < Math.abs(inPayments)) {
    const remark = 'the lines pay a part of it';
    board.add({
      rule,
      status: 'suggested',
      score: 60,
      lines,
      payments,
      paymentShares: [inLines],
      idKind,
      remark,
    });
  } else {
    for (const line of lines) {
      const rivals = part.filter((pair) => found.line.at(pair) === line).length;
      const remark = 'the amounts do not come to the same in any one way';
      board.add({
        rule,
        status: 'ambiguous',
        score: 20,
        lines: [line],
        payments: [],
        rivals,
        idKind,
        remark,
      });
    }
    for (const payment of payments) board.contest(payment);
  }
}

function sidesOf(
  board: Board,
  found: Found,
  part: readonly number[],
): { lines: number[]; payments: number[]; inLines: number; inPayments: number } {
  const unique = (rows: readonly number[]): number[] => [...new Set(rows)];
  const lines = unique(part.map((pair) => found.line.at(pair))).sort((a, b) => compareLines(board, a, b));
  const payments = unique(part.map((pair) => found.payment.at(pair))).sort((a, b) =>
    comparePayments(board, a, b),
  );
  return {
    lines,
    payments,
    inLines: lines.reduce((sum, row) => sum + board.lines.open.at(row), 0),
    inPayments: payments.reduce((sum, row) => sum + board.payments.open.at(row), 0),
  };
}

/** One line names one payment, and the amounts are not the same. */
function differing(
  board: Board,
  rule: RuleId,
  line: number,
  payment: number,
  idKind: number,
  rules: readonly UserRule[],
): void {
  const [paid, due] = [board.lines.open.at(line), board.payments.open.at(payment)];
  const lines = [line];
  const payments = [payment];
  const userRule = board.lines.tolerance.at(line);
  const tolerant = rules[userRule];
  if (tolerant?.action.do === 'tolerate' && withinTolerance(tolerant, due, paid - due)) {
    const adjustments = [[tolerant.action.category, paid - due, 'within the tolerance of a rule'] as const];
    board.add({ rule, status: 'confirmed', score: 90, lines, payments, adjustments, userRule, idKind });
    return;
  }
  const [smaller, greater] = [
    Math.min(Math.abs(paid), Math.abs(due)),
    Math.max(Math.abs(paid), Math.abs(due)),
  ];
  const likeFee = greater - smaller <= greater * 0.1;
  const share = Math.sign(due) * smaller;
  board.add({
    rule,
    status: 'suggested',
    score: likeFee ? 60 : 50,
    lines,
    payments,
    ...(likeFee ? {} : { lineShares: [share], paymentShares: [share] }),
    idKind,
    remark: likeFee
      ? 'the amounts differ by little'
      : Math.abs(paid) < Math.abs(due)
        ? 'the line pays a part of it'
        : 'the line is more than the payment',
  });
}
