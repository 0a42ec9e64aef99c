import { isLastRowOfStep, type WorkSteps } from '../../work-steps/work-steps.ts';
import { IntColumn } from '../indexes/columns.ts';
import type { IdMentions } from '../indexes/id-evidence.ts';
import { isWithinTolerance } from '../model/match-rule.ts';
import type { MatchPassId, MatchRule } from '../model/match-types.ts';
import {
  CandidatePairs,
  compareLines,
  comparePayments,
  proposeAmbiguousMatches,
} from '../state/candidate-pairs.ts';
import { type MatchState, ROW_FREE } from '../state/match-state.ts';

/** Lag in days at which a pair has no cost in an assignment. Chosen by judgment. */
const TYPICAL_LAG_DAYS = 2;
/** Maximum difference that looks like a fee, as a share of the larger amount. Chosen by judgment. */
const MAX_FEE_SHARE = 0.1;

/** Selects the id mentions that one matching pass uses. */
export interface IdPassOptions {
  readonly rule: MatchPassId;
  readonly mentions: IdMentions;
  readonly isUsed: (mention: number) => boolean;
  /** Returns true if ids of payments usually occur in the mention's position. */
  readonly isTrusted: (mention: number) => boolean;
  readonly rules: readonly MatchRule[];
}

/** Pairs of lines and payments that one pass found by ids. Each pair occurs once, with its strongest id. */
class MentionedPairs extends CandidatePairs {
  readonly idKind = new IntColumn();
  /** Per pair: 1 if one of its id mentions is trusted. */
  readonly isTrusted = new IntColumn();
  /** Indexes of trusted pairs with equal amounts. */
  readonly equal: number[] = [];
  #lineStart = 0;

  /** Adds an id mention. Mentions of the same line must be added consecutively. */
  addMention(
    state: MatchState,
    [line, payment]: readonly [number, number],
    idKind: number,
    isTrusted: boolean,
  ): void {
    if (this.length > this.#lineStart && this.line.at(this.#lineStart) !== line)
      this.#lineStart = this.length;
    let pair = this.#findPair(payment);
    if (pair === -1) {
      pair = this.add(line, payment, Math.abs(state.getLagDays(line, payment) - TYPICAL_LAG_DAYS));
      this.idKind.push(idKind);
      this.isTrusted.push(0);
    } else if (idKind < this.idKind.at(pair)) {
      this.idKind.set(pair, idKind);
    }
    if (!isTrusted || this.isTrusted.at(pair) === 1) return;
    this.isTrusted.set(pair, 1);
    if (state.lines.openCents.at(line) === state.payments.openCents.at(payment)) this.equal.push(pair);
  }

  /** Returns the strongest kind of id of some pairs. */
  findStrongestKind(pairs: readonly number[]): number {
    return Math.min(...pairs.map((pair) => this.idKind.at(pair)));
  }

  /** Returns the index of the pair of the current line and a payment; -1 if there is none. */
  #findPair(payment: number): number {
    for (let pair = this.length - 1; pair >= this.#lineStart; pair--)
      if (this.payment.at(pair) === payment) return pair;
    return -1;
  }
}

/**
 * Matches lines that name a payment by id. If the amounts agree and no other line or payment is named, the match is
 * certain. Several lines may also pay one payment, or one line several, if the sums are equal. A user's rule may
 * allow a difference. Everything else is proposed.
 */
export function* matchByIds(state: MatchState, pass: IdPassOptions): WorkSteps {
  const pairs = yield* collectPairs(state, pass);
  const { line, payment } = pairs;
  const lineDegree = new Int32Array(state.lines.length);
  const paymentDegree = new Int32Array(state.payments.length);
  const countDegrees = (pair: number, change: 1 | -1): void => {
    lineDegree[line.at(pair)] = (lineDegree[line.at(pair)] as number) + change;
    paymentDegree[payment.at(pair)] = (paymentDegree[payment.at(pair)] as number) + change;
  };
  for (const pair of pairs.equal) countDegrees(pair, 1);
  const isCompeting = (pair: number): boolean =>
    (lineDegree[line.at(pair)] as number) > 1 || (paymentDegree[payment.at(pair)] as number) > 1;
  const excluded = pairs.equal.filter(
    (pair) => isCompeting(pair) && namesOtherPayer(state, line.at(pair), payment.at(pair)),
  );
  const isExcluded = new Set(excluded);
  for (const pair of excluded) countDegrees(pair, -1);
  const equal = pairs.equal.filter((pair) => !isExcluded.has(pair));
  const ambiguous = new Set<number>();
  for (const [at, pair] of equal.entries()) {
    if (isLastRowOfStep(at)) yield;
    const isUnique = lineDegree[line.at(pair)] === 1 && paymentDegree[payment.at(pair)] === 1;
    if (isUnique) addUniqueMatch(state, pass.rule, pairs, pair);
    else ambiguous.add(pair);
  }
  for (const component of pairs.findComponents((pair) => ambiguous.has(pair))) {
    const idKind = pairs.findStrongestKind(component);
    proposeAmbiguousMatches(state, { rule: pass.rule, idKind }, pairs, component);
  }

  const isOpen = (pair: number): boolean => {
    const [lineRow, paymentRow] = [line.at(pair), payment.at(pair)];
    return (
      state.lineState[lineRow] === ROW_FREE &&
      state.paymentState[paymentRow] === ROW_FREE &&
      (lineDegree[lineRow] === 0 || paymentDegree[paymentRow] === 0)
    );
  };
  for (const component of pairs.findComponents(isOpen)) confirmEqualSums(state, pass.rule, pairs, component);
  const isOpenAndTrusted = (pair: number): boolean => pairs.isTrusted.at(pair) === 1 && isOpen(pair);
  for (const component of pairs.findComponents(isOpenAndTrusted))
    addUnequalMatch(state, pass, pairs, component);
}

const namesOtherPayer = ({ gate }: MatchState, line: number, payment: number): boolean =>
  gate?.namesOther(line, payment) === true;

function* collectPairs(
  state: MatchState,
  { mentions, isUsed, isTrusted }: IdPassOptions,
): WorkSteps<MentionedPairs> {
  const pairs = new MentionedPairs();
  const isStale = createStaleReferenceTest(state, mentions, isTrusted);
  for (let at = 0; at < mentions.line.length; at++) {
    if (isLastRowOfStep(at)) yield;
    const [line, payment] = [mentions.line.at(at), mentions.payment.at(at)];
    if (state.lineState[line] !== ROW_FREE || state.paymentState[payment] !== ROW_FREE) continue;
    if (!isUsed(at) || state.isDeclined(line, payment) || !state.isComparable(line, payment)) continue;
    if (isStale(line, payment)) continue;
    pairs.addMention(state, [line, payment], mentions.kind.at(at), isTrusted(at));
  }
  return pairs;
}

/**
 * Returns a function that detects old references: a line that quotes a payment of its amount long after another line has
 * quoted it in the usual time.
 */
function createStaleReferenceTest(
  state: MatchState,
  mentions: IdMentions,
  isTrusted: (mention: number) => boolean,
): (line: number, payment: number) => boolean {
  const { lines, payments } = state;
  const isEqual = (line: number, payment: number): boolean =>
    lines.openCents.at(line) === payments.openCents.at(payment);
  const isTimely = new Uint8Array(payments.length);
  for (let at = 0; at < mentions.line.length; at++) {
    const [line, payment] = [mentions.line.at(at), mentions.payment.at(at)];
    if (isEqual(line, payment) && isTrusted(at) && state.isInRange('usual', line, payment))
      isTimely[payment] = 1;
  }
  return (line, payment) =>
    isTimely[payment] === 1 && isEqual(line, payment) && !state.isInRange('candidate', line, payment);
}

/** Adds a match of a line and a payment with equal amounts that name only each other. */
function addUniqueMatch(state: MatchState, rule: MatchPassId, pairs: MentionedPairs, pair: number): void {
  const [line, payment] = [pairs.line.at(pair), pairs.payment.at(pair)];
  state.addPair(line, payment, { rule, objection: null, scores: [100, 70], idKind: pairs.idKind.at(pair) });
}

/**
 * Confirms a match of one line with all payments it names, or of one payment with all lines that name it, if the sums
 * are equal.
 */
function confirmEqualSums(
  state: MatchState,
  rule: MatchPassId,
  pairs: MentionedPairs,
  component: readonly number[],
): void {
  const { lines, payments, lineSum, paymentSum } = sumSides(state, pairs, component);
  const isOneToMany = lines.length === 1 || payments.length === 1;
  if (component.length < 2 || !isOneToMany || lineSum !== paymentSum) return;
  const idKind = pairs.findStrongestKind(component);
  state.addMatch({ rule, status: 'confirmed', score: 95, lines, payments, idKind });
}

/** Handles lines and payments that are connected by an id but differ in amount. */
function addUnequalMatch(
  state: MatchState,
  pass: IdPassOptions,
  pairs: MentionedPairs,
  component: readonly number[],
): void {
  const { rule } = pass;
  const { lines, payments, lineSum, paymentSum } = sumSides(state, pairs, component);
  const idKind = pairs.findStrongestKind(component);
  if (component.length === 1) {
    // An id with another payer and another amount is a typing error. Other passes find the right payment.
    if (namesOtherPayer(state, lines[0] as number, payments[0] as number)) return;
    addUnequalPair(state, pass, { line: lines[0] as number, payment: payments[0] as number, idKind });
    return;
  }
  if (payments.length === 1 && Math.abs(lineSum) < Math.abs(paymentSum)) {
    const remark = 'the lines pay part of the payment';
    const paymentCents = [lineSum];
    state.addMatch({ rule, status: 'suggested', score: 60, lines, payments, paymentCents, idKind, remark });
    return;
  }
  for (const line of lines) {
    const alternatives = component.filter((pair) => pairs.line.at(pair) === line).length;
    const remark = 'no single combination of the amounts adds up';
    state.addLineWithoutProposal(line, { rule, score: 20, alternatives, idKind, remark });
  }
  for (const payment of payments) state.reserve(payment);
}

function sumSides(state: MatchState, pairs: MentionedPairs, component: readonly number[]) {
  const lines = [...new Set(component.map((pair) => pairs.line.at(pair)))];
  const payments = [...new Set(component.map((pair) => pairs.payment.at(pair)))];
  return {
    lines: lines.sort((a, b) => compareLines(state, a, b)),
    payments: payments.sort((a, b) => comparePayments(state, a, b)),
    lineSum: lines.reduce((sum, row) => sum + state.lines.openCents.at(row), 0),
    paymentSum: payments.reduce((sum, row) => sum + state.payments.openCents.at(row), 0),
  };
}

function addUnequalPair(
  state: MatchState,
  { rule, rules }: IdPassOptions,
  { line, payment, idKind }: { line: number; payment: number; idKind: number },
): void {
  const [paid, due] = [state.lines.openCents.at(line), state.payments.openCents.at(payment)];
  const members = { rule, lines: [line], payments: [payment], idKind };
  const userRule = state.lines.toleranceRule.at(line);
  const tolerance = rules[userRule];
  if (tolerance?.action.do === 'tolerate' && isWithinTolerance(tolerance, due, paid - due)) {
    const adjustments = [[tolerance.action.category, paid - due, 'within the tolerance of a rule'] as const];
    state.addMatch({ ...members, status: 'confirmed', score: 90, adjustments, userRule });
    return;
  }
  const smaller = Math.min(Math.abs(paid), Math.abs(due));
  const larger = Math.max(Math.abs(paid), Math.abs(due));
  if (larger - smaller <= larger * MAX_FEE_SHARE) {
    state.addMatch({ ...members, status: 'suggested', score: 60 });
    return;
  }
  const cents = [Math.sign(due) * smaller];
  const remark =
    Math.abs(paid) < Math.abs(due)
      ? 'the line pays part of the payment'
      : 'the line is larger than the payment';
  state.addMatch({
    ...members,
    status: 'suggested',
    score: 50,
    lineCents: cents,
    paymentCents: cents,
    remark,
  });
}
