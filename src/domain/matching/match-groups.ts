import { type CalendarDate, toCalendarDate } from '../ledger/index.ts';
import { isLastRowOfStep, type WorkSteps } from '../work-steps/work-steps.ts';
import { sortByDay } from './indexes/bucket-index.ts';
import type { TextNumbering } from './indexes/columns.ts';
import { REFUND_ROW } from './indexes/payments.ts';
import { listReasons, sumShares } from './match-reasons.ts';
import { buildMatchKey } from './model/match-key.ts';
import type { MatchAdjustment, MatchGroup, MatchRule, MatchShare } from './model/match-types.ts';
import { matchPassIds } from './model/match-types.ts';
import { CertificateWriter } from './proof/certificates.ts';
import { describeCertificate } from './proof/describe-certificate.ts';
import { compareLines } from './state/candidate-pairs.ts';
import { type MatchState, matchStatuses } from './state/match-state.ts';

/** Returns the matches sorted by pass, then by earliest line. */
export function* sortMatches(state: MatchState): WorkSteps<Int32Array> {
  const getFirstLine = (match: number): number => state.line.at(state.linesFrom.at(match));
  const days = state.lines.day.view();
  const earliest = days.reduce((first, day) => Math.min(first, day), Number.POSITIVE_INFINITY);
  const latest = days.reduce((last, day) => Math.max(last, day), earliest);
  const dayCount = latest - earliest + 1;
  const sortKey = (match: number): number =>
    state.pass.at(match) * dayCount + state.lines.day.at(getFirstLine(match)) - earliest;
  const order = sortByDay(state.matchCount, sortKey);
  let from = 0;
  for (let at = 1; at <= order.length; at++) {
    if (isLastRowOfStep(at)) yield;
    const [previous, next] = [order[at - 1] as number, order[at]];
    if (next !== undefined && sortKey(previous) === sortKey(next)) continue;
    order.subarray(from, at).sort((a, b) => compareLines(state, getFirstLine(a), getFirstLine(b)));
    from = at;
  }
  return order;
}

/** Yields the matches in the given order and builds each one when it is read. */
export function* buildMatchGroups(
  state: MatchState,
  order: Int32Array,
  currencies: TextNumbering,
  rules: readonly MatchRule[],
): Iterable<MatchGroup> {
  const certificates = new CertificateWriter(state);
  for (const match of order) {
    const group = buildMatchGroup(state, match, currencies, rules);
    const certificate = certificates.write(match);
    if (certificate === null) yield group;
    else {
      const proof = { field: 'proof', text: describeCertificate(certificate), certificate };
      yield { ...group, reasons: [...group.reasons, proof] };
    }
  }
}

function buildMatchGroup(
  state: MatchState,
  match: number,
  currencies: TextNumbering,
  rules: readonly MatchRule[],
): MatchGroup {
  const lines = listLineShares(state, match);
  const payments = listPaymentShares(state, match);
  const adjustments = listAdjustments(state, match);
  const adjusted = adjustments.reduce((total, { amount_in_cents }) => total + amount_in_cents, 0);
  const userRule = state.userRule.at(match);
  const payout = state.payouts.all[state.payout.at(match)];
  const status = matchStatuses[state.status.at(match)] as MatchGroup['status'];
  const hasNoProposal = status === 'ambiguous' && payments.length === 0 && adjustments.length === 0;
  const rule = matchPassIds[state.pass.at(match)] as MatchGroup['rule'];
  return {
    key: buildMatchKey(lines, payments),
    rule,
    user_rule: userRule === -1 ? null : (rules[userRule]?.id ?? null),
    status,
    score: state.score.at(match),
    currency: currencies.getText(state.lines.currency.at(state.line.at(state.linesFrom.at(match)))),
    dated_on: formatDay(findEarliestDay(state, match)),
    lines,
    payments,
    adjustments,
    difference_in_cents: hasNoProposal ? 0 : sumShares(lines) - sumShares(payments) - adjusted,
    alternatives: state.alternatives.at(match),
    reasons: listReasons(state, match, { rule, status, lines, payments, adjustments }),
    payout:
      payout === undefined
        ? null
        : { account: state.accounts[payout.account]?.id ?? -1, payout_id: payout.payout_id },
    reverses: findReversedPayment(state, match),
  };
}

/** Returns the payment that a match reverses: the one its line names, or the one its refund refunds. */
function findReversedPayment(state: MatchState, match: number): number | null {
  const { payments } = state;
  const reversed = state.reversedPayment.at(match);
  if (reversed !== -1) return payments.id.at(reversed);
  const from = state.paymentsFrom.at(match);
  if (state.paymentsFrom.at(match + 1) - from !== 1) return null;
  const row = state.payment.at(from);
  if (payments.rowType.at(row) !== REFUND_ROW) return null;
  const refunded = payments.paymentId.at(row);
  return refunded !== payments.id.at(row) && payments.findRow(refunded) !== -1 ? refunded : null;
}

function findEarliestDay({ lines, line, linesFrom }: MatchState, match: number): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (let at = linesFrom.at(match); at < linesFrom.at(match + 1); at++)
    earliest = Math.min(earliest, lines.day.at(line.at(at)));
  return earliest;
}

function listLineShares(state: MatchState, match: number): MatchShare[] {
  const shares: MatchShare[] = [];
  for (let at = state.linesFrom.at(match); at < state.linesFrom.at(match + 1); at++)
    shares.push({ id: state.lines.id.at(state.line.at(at)), allocated_in_cents: state.lineCents.at(at) });
  return shares;
}

function listPaymentShares(state: MatchState, match: number): MatchShare[] {
  const shares: MatchShare[] = [];
  for (let at = state.paymentsFrom.at(match); at < state.paymentsFrom.at(match + 1); at++) {
    shares.push({
      id: state.payments.id.at(state.payment.at(at)),
      allocated_in_cents: state.paymentCents.at(at),
    });
  }
  return shares;
}

function listAdjustments(state: MatchState, match: number): MatchAdjustment[] {
  const adjustments: MatchAdjustment[] = [];
  for (let at = state.adjustmentsFrom.at(match); at < state.adjustmentsFrom.at(match + 1); at++) {
    const reason = state.adjustmentReason.at(at);
    adjustments.push({
      category: state.texts.getText(state.adjustmentCategory.at(at)),
      amount_in_cents: state.adjustmentCents.at(at),
      reason: reason === -1 ? null : state.texts.getText(reason),
    });
  }
  return adjustments;
}

const dateCache = new Map<number, CalendarDate>();

/** Formats a day number as a date. Dates are cached, because there are few days and many matches. */
function formatDay(day: number): CalendarDate {
  const date = dateCache.get(day) ?? toCalendarDate(day);
  dateCache.set(day, date);
  return date;
}
