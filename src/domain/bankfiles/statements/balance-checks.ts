import type { Cents } from '../../ledger/index.ts';
import type { ReportedPayout } from '../model/bank-file.ts';
import { formatAmountInCurrency } from '../values/currency.ts';
import type { LineCollector, StatementDraft } from './line-collector.ts';
import {
  getBalanceEffect,
  getStatedBalance,
  MAX_LISTED_BALANCE_BREAKS,
  type StatementTally,
} from './statement-tally.ts';

/** Completes the statements with figures from the lines, and compares the stated balances with the lines. */
export function checkStatedBalances(file: LineCollector): void {
  file.statements.forEach((statement, index) => {
    const tally = file.tallies[index]!;
    const { from, to, currencies } = tally;
    if (from !== null && (statement.from === null || from < statement.from)) statement.from = from;
    if (to !== null && (statement.to === null || to > statement.to)) statement.to = to;
    if (currencies.size === 1) statement.currency ??= [...currencies][0] ?? null;
    if (currencies.size > 1) return;
    checkRunningBalance(file, statement, tally);
    checkFooting(file, statement, tally);
  });
  checkContinuity(file);
}

function checkFooting(file: LineCollector, statement: StatementDraft, { sum, exact }: StatementTally): void {
  const { opening, closing, currency, location } = statement;
  if (opening === null || closing === null) return;
  if (!exact) {
    file.reportProblem('balance', location, 'The sum of the lines is too large to represent exactly.');
    return;
  }
  const expected = opening.amount_in_cents + sum;
  const difference = closing.amount_in_cents - expected;
  if (difference === 0) return;
  const format = (amount: Cents) => formatAmountInCurrency(amount, currency);
  const reason = `The opening balance ${format(opening.amount_in_cents)} and lines of ${format(sum)} give ${format(expected)}, but the closing balance is ${format(closing.amount_in_cents)}: ${format(difference)} is unexplained.`;
  file.reportProblem('balance', location, reason);
}

/** Checks the balance after each line, reading oldest first or newest first, whichever gives fewer breaks. */
function checkRunningBalance(
  file: LineCollector,
  statement: StatementDraft,
  { lines, balances }: Pick<StatementTally, 'lines' | 'balances'>,
): void {
  const { first, last, stated, downward, upward } = balances;
  if (!stated || first === null || last === null) return;
  const isDescending = first.booked_on > last.booked_on;
  const isUpward = upward.count < downward.count || (upward.count === downward.count && isDescending);
  const { count } = isUpward ? upward : downward;
  // Balances in another order than the lines, for example by value date, prove nothing.
  if (lines > 4 && count > lines / 2) {
    const reason =
      'The running balances match the amounts neither from top to bottom nor from bottom to top.';
    file.reportProblem('balance', 'the file', reason);
    return;
  }
  for (const { before, line } of isUpward ? upward.breaks.toReversed() : downward.breaks) {
    const format = (amount: Cents) => formatAmountInCurrency(amount, statement.currency);
    const expected = getStatedBalance(before) + getBalanceEffect(line);
    const reason = `The balance ${format(getStatedBalance(before))} and ${format(getBalanceEffect(line))} give ${format(expected)}, but the balance after this line is ${format(getStatedBalance(line))}.`;
    file.reportProblem('balance', line.location, reason, { raw: line.description, row: line.row });
  }
  if (count > MAX_LISTED_BALANCE_BREAKS) {
    const reason = `${count - MAX_LISTED_BALANCE_BREAKS} more lines do not match their running balances.`;
    file.reportProblem('balance', 'the file', reason);
  }
  const [oldest, newest] = isUpward ? [last, first] : [first, last];
  statement.opening ??= { amount_in_cents: getStatedBalance(oldest) - getBalanceEffect(oldest), date: null };
  statement.closing ??= { amount_in_cents: getStatedBalance(newest), date: newest.booked_on };
}

/** Checks that each statement of an account opens with the closing balance of the previous statement in the file. */
function checkContinuity(file: LineCollector): void {
  const last = new Map<string, StatementDraft>();
  for (const statement of file.statements) {
    if (statement.account === null) continue;
    const key = JSON.stringify([statement.account, statement.currency]);
    const before = last.get(key);
    last.set(key, statement);
    const [from, to] = [before?.closing ?? null, statement.opening];
    if (from === null || to === null || (before?.to ?? '') > (statement.from ?? '9999')) continue;
    if (from.amount_in_cents === to.amount_in_cents) continue;
    const format = (amount: Cents) => formatAmountInCurrency(amount, statement.currency);
    const reason = `The opening balance is ${format(to.amount_in_cents)}, but the previous closing balance is ${format(from.amount_in_cents)}. A statement between them may be missing.`;
    file.reportProblem('balance', statement.location, reason);
  }
}

/** Reports payouts whose stated amount differs from the sum of their lines. */
export function checkPayoutTotals(file: LineCollector, payouts: readonly ReportedPayout[]): void {
  for (const { payout_id, currency, stated_in_cents, net_in_cents, lines } of payouts) {
    if (stated_in_cents === null || lines === 0 || stated_in_cents === net_in_cents) continue;
    const format = (amount: Cents) => formatAmountInCurrency(amount, currency);
    const reason = `The payout is ${format(stated_in_cents)}, but its ${lines} lines add up to ${format(net_in_cents)} net: ${format(stated_in_cents - net_in_cents)} is unexplained.`;
    file.reportProblem('balance', `payout ${payout_id}`, reason);
  }
}
