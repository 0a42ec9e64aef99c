import { isLastRowOfStep, type WorkSteps } from '../../work-steps/work-steps.ts';
import { PAYOUT_ROW } from '../indexes/payments.ts';
import type { CandidateCounts } from '../state/candidate-counts.ts';
import { compareLines, countFieldValues } from '../state/candidate-pairs.ts';
import { type MatchState, ROW_FREE } from '../state/match-state.ts';
import { LATE_MONEY } from './line-hints.ts';

/** Maximum number of consecutive days that one deposit pays, for example a weekend with a holiday. */
const MAX_DAYS_PER_DEPOSIT = 4;
/** Minimum number of deposits of complete days that make them usual for an account. Chosen by judgment. */
const MIN_DEPOSITS_FOR_HABIT = 3;

interface PaymentDay {
  sumCents: number;
  readonly payments: number[];
  /** True if one of the day's payments is matched or proposed individually. */
  isIncomplete: boolean;
}

/** A deposit with a range of days, both ends included, whose payments add up to the deposit. */
type DepositDays = { readonly line: number; readonly from: number; readonly to: number };

/**
 * Matches deposits without a compatible single payment to all payments of consecutive days with the same sum.
 * The match is certain only if exactly one range of days fits exactly one line, and the line is marked as a payout or
 * the account is usually paid this way.
 */
export function* matchByPayoutDays(state: MatchState, counts: CandidateCounts): WorkSteps {
  const days = groupPaymentsByDay(state);
  const deposits: DepositDays[] = [];
  for (let line = 0; line < state.lines.length; line++) {
    if (isLastRowOfStep(line)) yield;
    if (isUnexplainedDeposit(state, counts, line)) deposits.push(...findDepositDays(state, days, line));
  }
  const countAlternatives = createAlternativesCounter(state, deposits);
  const unique = deposits.filter((deposit) => countAlternatives(deposit) === 0);
  const uniquePerAccount = countFieldValues(
    unique.map(({ line }) => ({ account: state.lines.account.at(line) })),
    'account',
  );
  deposits.sort((a, b) => compareLines(state, a.line, b.line) || a.from - b.from || a.to - b.to);
  for (const deposit of deposits) {
    const depositCount = uniquePerAccount.get(state.lines.account.at(deposit.line)) ?? 0;
    addDepositMatch(state, days, deposit, {
      alternatives: countAlternatives(deposit),
      isPaidByDays: depositCount >= MIN_DEPOSITS_FOR_HABIT,
    });
  }
}

/** Returns a function that counts the other lines and ranges of days that compete with a deposit. */
function createAlternativesCounter(
  { lines }: MatchState,
  deposits: readonly DepositDays[],
): (deposit: DepositDays) => number {
  const rangesPerLine = countFieldValues(deposits, 'line');
  const linesOfDay = new Map<number, Set<number>>();
  for (const { line, from, to } of deposits) {
    for (let day = from; day <= to; day++) {
      const key = toDayKey(day, lines.currency.at(line));
      linesOfDay.set(key, (linesOfDay.get(key) ?? new Set()).add(line));
    }
  }
  return ({ line, from, to }) => {
    let alternatives = (rangesPerLine.get(line) as number) - 1;
    for (let day = from; day <= to; day++) {
      const lineCount = linesOfDay.get(toDayKey(day, lines.currency.at(line)))?.size ?? 1;
      alternatives = Math.max(alternatives, lineCount - 1);
    }
    return alternatives;
  };
}

function addDepositMatch(
  state: MatchState,
  days: ReadonlyMap<number, PaymentDay>,
  { line, from, to }: DepositDays,
  { alternatives, isPaidByDays }: { alternatives: number; isPaidByDays: boolean },
): void {
  if (state.lineState[line] !== ROW_FREE) return;
  const currency = state.lines.currency.at(line);
  const payments: number[] = [];
  for (let day = from; day <= to; day++)
    payments.push(...(days.get(toDayKey(day, currency))?.payments ?? []));
  if (payments.some((row) => state.paymentState[row] !== ROW_FREE || state.isDeclined(line, row))) return;
  const isUsual = payments.every((row) => state.isInRange('usual', line, row));
  const isCertain = isUsual && (isPaidByDays || state.lines.isDeposit.at(line) === 1);
  state.addMatch({
    rule: 'payout-days',
    ...(alternatives > 0
      ? { status: 'ambiguous', score: 30 }
      : isCertain
        ? { status: 'confirmed', score: 90 }
        : {
            status: 'suggested',
            score: 60,
            remark: isUsual ? 'nothing marks the line as a payout' : LATE_MONEY,
          }),
    lines: [line],
    payments: payments.sort((a, b) => state.payments.id.at(a) - state.payments.id.at(b)),
    alternatives,
  });
}

/** Returns true for an unmatched incoming line without a compatible single payment. */
export function isUnexplainedDeposit(state: MatchState, counts: CandidateCounts, line: number): boolean {
  const { lines } = state;
  return (
    state.lineState[line] === ROW_FREE &&
    lines.openCents.at(line) > 0 &&
    lines.canBePayment(line) &&
    !lines.isProcessorLine(line) &&
    (counts.candidateCount[line] as number) === 0
  );
}

const toDayKey = (day: number, currency: number): number => day * 128 + currency;

function groupPaymentsByDay({ payments, paymentState }: MatchState): Map<number, PaymentDay> {
  const days = new Map<number, PaymentDay>();
  for (let row = 0; row < payments.length; row++) {
    if (payments.rowType.at(row) === PAYOUT_ROW) continue;
    const key = toDayKey(payments.day.at(row), payments.currency.at(row));
    let day = days.get(key);
    if (day === undefined) {
      day = { sumCents: 0, payments: [], isIncomplete: false };
      days.set(key, day);
    }
    if (paymentState[row] !== ROW_FREE) day.isIncomplete = true;
    if (day.isIncomplete) continue;
    day.sumCents += payments.openCents.at(row);
    day.payments.push(row);
  }
  return days;
}

/**
 * Returns the ranges of complete days before a line whose payments have the line's sum and outnumber the days. Fewer
 * payments match by chance too easily.
 */
function findDepositDays(
  { lines, arrivalWindows }: MatchState,
  days: ReadonlyMap<number, PaymentDay>,
  line: number,
): DepositDays[] {
  const currency = lines.currency.at(line);
  const lineDay = lines.day.at(line);
  const range = arrivalWindows!.getRange('candidate', lines.account.at(line));
  const deposits: DepositDays[] = [];
  for (let to = lineDay - range.to; to <= lineDay - Math.max(range.from, 0); to++) {
    if (!days.has(toDayKey(to, currency))) continue;
    let [sum, count] = [0, 0];
    for (let from = to; from > to - MAX_DAYS_PER_DEPOSIT; from--) {
      const day = days.get(toDayKey(from, currency));
      if (day === undefined) continue;
      if (day.isIncomplete) break;
      sum += day.sumCents;
      count += day.payments.length;
      if (sum === lines.openCents.at(line) && count > to - from + 1) deposits.push({ line, from, to });
    }
  }
  return deposits;
}
