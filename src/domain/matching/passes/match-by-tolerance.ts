import { toMoneyKey } from '../indexes/bucket-index.ts';
import type { CustomerNames } from '../indexes/customer-names.ts';
import { PAYOUT_ROW } from '../indexes/payments.ts';
import { isWithinTolerance } from '../model/match-rule.ts';
import type { MatchRule } from '../model/match-types.ts';
import { compareLines, countFieldValues } from '../state/candidate-pairs.ts';
import { type MatchState, ROW_EXPLAINED, ROW_FREE, ROW_PROPOSED } from '../state/match-state.ts';
import { LATE_MONEY } from './line-hints.ts';

interface ToleratedPair {
  readonly line: number;
  readonly payment: number;
  /** 1 if the line contains the customer's complete name, 0 if it contains a part of it. */
  readonly isCompleteName: number;
}

interface TolerancePass {
  readonly names: CustomerNames;
  readonly rules: readonly MatchRule[];
  /** Per line: 1 if it contains the id of a payment or statement. */
  readonly namesOtherId: Uint8Array;
}

/**
 * Matches lines that differ from a payment by an amount that a user's rule allows. The line must contain the
 * customer's name, and exactly one of this customer's payments in the date range may be close enough in amount. No
 * other line may fit this payment, and no line may have exactly its amount. The difference is assigned to the rule's
 * category.
 */
export function matchByTolerance(state: MatchState, pass: TolerancePass): void {
  const lines = findLinesWithTolerance(state);
  if (lines.length === 0) return;
  const pairs = findPairs(state, pass, lines);
  const [pairsPerLine, pairsPerPayment] = [
    countFieldValues(pairs, 'line'),
    countFieldValues(pairs, 'payment'),
  ];
  const exactLines = findExactLines(state, pairs);
  for (const line of lines) {
    const ownPairs = pairs.filter((pair) => pair.line === line);
    const [first] = ownPairs;
    if (first === undefined) continue;
    const lineCount = pairsPerPayment.get(first.payment) as number;
    const alternatives = Math.max(pairsPerLine.get(line) as number, lineCount) - 1;
    if (alternatives > 0) {
      state.addLineWithoutProposal(line, { rule: 'payee', score: 10, alternatives });
      for (const { payment } of ownPairs) state.reserve(payment);
    } else if (state.paymentState[first.payment] !== ROW_PROPOSED) {
      const objection = findObjection(state, first, pass.namesOtherId, exactLines);
      addUniqueMatch(state, first, objection, pass.rules);
    }
  }
}

function addUniqueMatch(
  state: MatchState,
  { line, payment }: ToleratedPair,
  objection: string | null,
  rules: readonly MatchRule[],
): void {
  const userRule = state.lines.toleranceRule.at(line);
  const action = rules[userRule]?.action;
  if (action?.do !== 'tolerate') return;
  const difference = state.lines.openCents.at(line) - state.payments.openCents.at(payment);
  const adjustments = [[action.category, difference, 'within the tolerance of a rule'] as const];
  state.addPair(line, payment, { rule: 'payee', objection, scores: [85, 55], adjustments, userRule });
}

function findLinesWithTolerance(state: MatchState): number[] {
  const { lines } = state;
  const rows: number[] = [];
  for (let line = 0; line < lines.length; line++) {
    const hasName = lines.nameKeysFrom.at(line) < lines.nameKeysFrom.at(line + 1);
    if (lines.toleranceRule.at(line) === -1 || !hasName) continue;
    if (state.lineState[line] === ROW_FREE && lines.canBePayment(line)) rows.push(line);
  }
  return rows.sort((a, b) => compareLines(state, a, b));
}

function findPairs(state: MatchState, { names, rules }: TolerancePass, lines: readonly number[]) {
  const paymentsOfName = findNamedPayments(state, names, lines);
  const pairs: ToleratedPair[] = [];
  for (const line of lines) {
    const completeness = new Map<number, number>();
    for (const key of listDistinctiveKeys(state, names, line)) {
      for (const payment of paymentsOfName.get(key) as number[]) {
        if (!isTolerated(state, rules, line, payment)) continue;
        const knownCompleteness = completeness.get(payment) ?? 0;
        completeness.set(payment, Math.max(knownCompleteness, names.isCompleteName.at(key)));
      }
    }
    for (const [payment, isCompleteName] of completeness) pairs.push({ line, payment, isCompleteName });
  }
  return pairs;
}

/** Returns the unmatched payments of each name that occurs in the lines. */
function findNamedPayments(state: MatchState, names: CustomerNames, lines: readonly number[]) {
  const { payments, paymentState } = state;
  const paymentsOfName = new Map<number, number[]>();
  for (const line of lines)
    for (const key of listDistinctiveKeys(state, names, line)) paymentsOfName.set(key, []);
  for (let row = 0; row < payments.length; row++) {
    if (paymentState[row] === ROW_EXPLAINED || payments.rowType.at(row) === PAYOUT_ROW) continue;
    for (const key of names.getKeys(payments.customer.at(row))) paymentsOfName.get(key)?.push(row);
  }
  return paymentsOfName;
}

function isTolerated(state: MatchState, rules: readonly MatchRule[], line: number, payment: number): boolean {
  const { lines, payments } = state;
  if (!state.isInRange('candidate', line, payment)) return false;
  if (!state.isComparable(line, payment) || state.isDeclined(line, payment)) return false;
  const rule = rules[lines.toleranceRule.at(line)];
  const due = payments.openCents.at(payment);
  return rule !== undefined && isWithinTolerance(rule, due, lines.openCents.at(line) - due);
}

function* listDistinctiveKeys({ lines }: MatchState, names: CustomerNames, line: number): Iterable<number> {
  for (let at = lines.nameKeysFrom.at(line); at < lines.nameKeysFrom.at(line + 1); at++)
    if (names.isDistinctive(lines.nameKeys.at(at))) yield lines.nameKeys.at(at);
}

/** Returns, by amount, the unmatched lines whose amount equals that of one of the payments. */
function findExactLines({ lines, payments, lineState }: MatchState, pairs: readonly ToleratedPair[]) {
  const exactLines = new Map<number, number[]>();
  for (const { payment } of pairs)
    exactLines.set(toMoneyKey(payments.openCents.at(payment), payments.currency.at(payment)), []);
  for (let line = 0; line < lines.length; line++) {
    if (lineState[line] === ROW_EXPLAINED || !lines.canBePayment(line)) continue;
    exactLines.get(toMoneyKey(lines.openCents.at(line), lines.currency.at(line)))?.push(line);
  }
  return exactLines;
}

/** Returns the reason why a pair that is unique on both sides is not a certain match; null if there is none. */
function findObjection(
  state: MatchState,
  { line, payment, isCompleteName }: ToleratedPair,
  namesOtherId: Uint8Array,
  exactLines: ReadonlyMap<number, readonly number[]>,
): string | null {
  const { payments } = state;
  if (!state.isInRange('usual', line, payment)) return LATE_MONEY;
  if (namesOtherId[line] === 1) return 'the line contains the id of another payment';
  if (isCompleteName === 0) return 'the line contains only part of the name';
  const key = toMoneyKey(payments.openCents.at(payment), payments.currency.at(payment));
  const hasExactLine = exactLines
    .get(key)
    ?.some((other) => other !== line && state.isInRange('candidate', other, payment));
  return hasExactLine ? 'another line has exactly the amount of the payment' : null;
}
