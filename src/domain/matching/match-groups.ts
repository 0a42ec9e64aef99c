import { type CalendarDate, formatMoney, toCalendarDate } from '../ledger/index.ts';
import { formatCount } from '../text/format-count.ts';
import { isLastRowOfStep, type WorkSteps } from '../work-steps/work-steps.ts';
import { sortByDay } from './indexes/bucket-index.ts';
import type { TextNumbering } from './indexes/columns.ts';
import { idKinds, PAYOUT_ID, REFUND_ROW } from './indexes/payments.ts';
import { buildMatchKey } from './model/match-key.ts';
import type { MatchAdjustment, MatchGroup, MatchReason, MatchRule, MatchShare } from './model/match-types.ts';
import { matchPassIds } from './model/match-types.ts';
import { CertificateWriter } from './proof/certificates.ts';
import { describeCertificate } from './proof/describe-certificate.ts';
import { compareLines } from './state/candidate-pairs.ts';
import { type MatchState, matchStatuses } from './state/match-state.ts';

/** Maximum number of amounts per side that a match reason lists. */
const MAX_LISTED_AMOUNTS = 5;

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
  return {
    key: buildMatchKey(lines, payments),
    rule: matchPassIds[state.pass.at(match)] as MatchGroup['rule'],
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
    reasons: listReasons(state, match),
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

const sumShares = (shares: readonly MatchShare[]): number =>
  shares.reduce((total, { allocated_in_cents }) => total + allocated_in_cents, 0);

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

const ID_FIELDS: Readonly<Record<(typeof idKinds)[number], string>> = {
  gateway: 'gateway_transaction_id',
  transaction: 'transaction_id',
  payment: 'payment_id',
  statement: 'statement_id',
  subscription: 'subscription_id',
  payout: 'payout_id',
};

function listReasons(state: MatchState, match: number): MatchReason[] {
  const hasPayments = state.paymentsFrom.at(match + 1) > state.paymentsFrom.at(match);
  const payment = hasPayments
    ? state.payment.at(state.paymentsFrom.at(match))
    : state.reversedPayment.at(match);
  const remark = state.remark.at(match);
  const reasons = [
    describeIdEvidence(state, state.idKind.at(match), payment),
    describePayee(state, match),
    hasPayments ? compareAmounts(listLineShares(state, match), listPaymentShares(state, match)) : null,
    payment === -1 ? null : compareDates(state, state.line.at(state.linesFrom.at(match)), payment),
    countAlternatives(state, match),
    remark === -1 ? null : { field: 'remark', text: state.texts.getText(remark) },
  ];
  return reasons.filter((reason) => reason !== null);
}

function describeIdEvidence(state: MatchState, idKind: number, payment: number): MatchReason | null {
  if (idKind < 0) return null;
  const name = idKinds[idKind] as (typeof idKinds)[number];
  const id =
    idKind === PAYOUT_ID ? 'the payout’s id' : payment === -1 ? 'the id' : describeId(state, payment, name);
  return { field: ID_FIELDS[name], text: `the line contains ${id}` };
}

function describePayee(state: MatchState, match: number): MatchReason | null {
  if (matchPassIds[state.pass.at(match)] !== 'payee') return null;
  return { field: 'payee', text: 'the line contains the customer’s name or the subscription number' };
}

function compareAmounts(lines: readonly MatchShare[], payments: readonly MatchShare[]): MatchReason {
  const [lineSum, paymentSum] = [sumShares(lines), sumShares(payments)];
  const isTooLong = lines.length > MAX_LISTED_AMOUNTS || payments.length > MAX_LISTED_AMOUNTS;
  const text = isTooLong
    ? `${formatMoney(lineSum)} and ${formatMoney(paymentSum)}`
    : `${listAmounts(lines)} ${lineSum === paymentSum ? '=' : '≠'} ${listAmounts(payments)}`;
  return { field: 'amount', text };
}

const listAmounts = (shares: readonly MatchShare[]): string =>
  shares.map(({ allocated_in_cents }) => formatMoney(allocated_in_cents)).join(' + ');

function compareDates(state: MatchState, line: number, payment: number): MatchReason {
  const lag = state.getLagDays(line, payment);
  const distance =
    lag === 0 ? 'the day of' : `${formatCount(Math.abs(lag), 'day')} ${lag > 0 ? 'after' : 'before'}`;
  const paidOn = formatDay(state.payments.day.at(payment));
  return {
    field: 'date',
    text: `${formatDay(state.lines.day.at(line))}, ${distance} the payment of ${paidOn}`,
  };
}

function countAlternatives(state: MatchState, match: number): MatchReason | null {
  const field = 'alternatives';
  const alternatives = state.alternatives.at(match);
  if (alternatives === 1) return { field, text: '1 alternative matches equally well' };
  if (alternatives > 1) return { field, text: `${alternatives} alternatives match equally well` };
  const pass = matchPassIds[state.pass.at(match)];
  if (pass !== 'payee' && pass !== 'amount-date') return null;
  return { field, text: 'no other line or payment matches within the date range' };
}

function describeId({ payments }: MatchState, payment: number, idKind: (typeof idKinds)[number]): string {
  if (idKind === 'gateway') return `its gateway id ${payments.gatewayId.at(payment)}`;
  if (idKind === 'payment') return `its payment id ${payments.paymentId.at(payment)}`;
  if (idKind === 'statement') return `its statement ${payments.statementId.at(payment)}`;
  if (idKind === 'subscription') return `its subscription ${payments.subscriptionId.at(payment)}`;
  return `its id ${payments.id.at(payment)}`;
}

const dateCache = new Map<number, CalendarDate>();

/** Formats a day number as a date. Dates are cached, because there are few days and many matches. */
function formatDay(day: number): CalendarDate {
  const date = dateCache.get(day) ?? toCalendarDate(day);
  dateCache.set(day, date);
  return date;
}
