import { formatMoney, toCalendarDate } from '../ledger/index.ts';
import { capitalize } from '../text/capitalize.ts';
import { formatCount } from '../text/format-count.ts';
import { idKinds, PAYOUT_ID, SUBSCRIPTION_ID } from './indexes/payments.ts';
import type { MatchGroup, MatchPassId, MatchReason, MatchShare } from './model/match-types.ts';
import { LATE_MONEY } from './passes/line-hints.ts';
import type { MatchState } from './state/match-state.ts';

/** Maximum number of amounts per side that a match reason lists. */
const MAX_LISTED_AMOUNTS = 5;

const ID_FIELDS: Readonly<Record<(typeof idKinds)[number], string>> = {
  gateway: 'gateway_transaction_id',
  transaction: 'transaction_id',
  payment: 'payment_id',
  statement: 'statement_id',
  subscription: 'subscription_id',
  payout: 'payout_id',
};

type MatchMembers = Pick<MatchGroup, 'rule' | 'status' | 'lines' | 'payments' | 'adjustments'>;

/** Returns the evidence for and against a match, each as a sentence. */
export function listReasons(state: MatchState, match: number, members: MatchMembers): MatchReason[] {
  const line = state.line.at(state.linesFrom.at(match));
  const { rule, payments } = members;
  const [own] = listPaymentRows(state, match);
  const payment = own ?? state.reversedPayment.at(match);
  const remark = state.remark.at(match);
  const objection = remark === -1 ? null : state.texts.getText(remark);
  const reasons = [
    describeIdEvidence(state, state.idKind.at(match), payment),
    describeName(state, match, rule),
    payments.length === 0 ? null : compareAmounts(members),
    rule === 'payout-days' ? { field: 'remark', text: describeDays(state, match) } : null,
    payment === -1 ? null : compareDates(state, line, payment, members),
    countAlternatives(state.alternatives.at(match), rule),
    rule === 'sum'
      ? { field: 'reference', text: 'The line names none of these payments.', against: true }
      : null,
    objection === null || objection === LATE_MONEY
      ? null
      : { field: 'remark', text: `${capitalize(objection)}.`, against: true },
  ];
  return reasons.filter((reason) => reason !== null);
}

function listPaymentRows(state: MatchState, match: number): number[] {
  const from = state.paymentsFrom.at(match);
  const count = state.paymentsFrom.at(match + 1) - from;
  return Array.from({ length: count }, (_, at) => state.payment.at(from + at));
}

function describeIdEvidence(state: MatchState, idKind: number, payment: number): MatchReason | null {
  if (idKind < 0) return null;
  const name = idKinds[idKind] as (typeof idKinds)[number];
  const id =
    idKind === PAYOUT_ID
      ? 'the ID of the payout'
      : payment === -1
        ? 'the ID of a payment'
        : describeId(state, payment, name);
  return { field: ID_FIELDS[name], text: `The line quotes ${id}.` };
}

/** Describes how a line names the customer of the match's only payment. */
function describeName(state: MatchState, match: number, rule: MatchPassId): MatchReason | null {
  const field = 'payee';
  const payments = listPaymentRows(state, match);
  const [payment] = payments;
  if (payment === undefined && rule === 'payee')
    return { field, text: 'The line names a customer with an unmatched payment of this amount.' };
  const line = state.line.at(state.linesFrom.at(match));
  if (payment === undefined || payments.length > 1) return null;
  if (state.gate?.namesCustomer(line, payment) === true)
    return { field, text: 'The line names the customer.' };
  if (rule !== 'payee' || state.idKind.at(match) === SUBSCRIPTION_ID) return null;
  return { field, text: 'The line contains words of the customer’s name.' };
}

function compareAmounts({ lines, payments, adjustments }: MatchMembers): MatchReason {
  const [lineSum, paymentSum] = [sumShares(lines), sumShares(payments)];
  const field = 'amount';
  const isTooLong = lines.length > MAX_LISTED_AMOUNTS || payments.length > MAX_LISTED_AMOUNTS;
  const sign = lineSum === paymentSum ? '=' : '≠';
  const amounts = isTooLong
    ? `${formatMoney(lineSum)} ${sign} ${formatMoney(paymentSum)}`
    : `${listAmounts(lines)} ${sign} ${listAmounts(payments)}`;
  if (lineSum === paymentSum) {
    const isPair = lines.length === 1 && payments.length === 1;
    return { field, text: `${isPair ? 'The amounts agree' : 'The amounts add up'}: ${amounts}.` };
  }
  const text = `The amounts differ by ${formatMoney(Math.abs(lineSum - paymentSum))}: ${amounts}.`;
  const [adjustment] = adjustments;
  if (adjustment === undefined) return { field, text, against: true };
  return { field, text: `${text} The difference is assigned to ${adjustment.category}.` };
}

const listAmounts = (shares: readonly MatchShare[]): string =>
  shares.map(({ allocated_in_cents }) => formatMoney(allocated_in_cents)).join(' + ');

export const sumShares = (shares: readonly MatchShare[]): number =>
  shares.reduce((total, { allocated_in_cents }) => total + allocated_in_cents, 0);

/** Compares the dates of a line and of the match's first payment. Unusual dates are evidence against an unproved match. */
function compareDates(
  state: MatchState,
  line: number,
  payment: number,
  { rule, status, payments }: MatchMembers,
): MatchReason {
  const lag = state.getLagDays(line, payment);
  const first = payments.length > 1 ? 'the first payment' : 'the payment';
  const distance =
    lag === 0
      ? `has the same date as ${first}`
      : `is dated ${formatCount(Math.abs(lag), 'day')} ${lag > 0 ? 'after' : 'before'} ${first}`;
  const isUnusual = status !== 'confirmed' && rule !== 'reversal' && !state.isInRange('usual', line, payment);
  if (!isUnusual) return { field: 'date', text: `The line ${distance}.` };
  const { from, to } = state.arrivalWindows!.getRange('usual', state.lines.account.at(line));
  const usual = from < 0 ? `${-from} days before to ${to} days after is` : `${from} to ${to} days are`;
  return { field: 'date', text: `The line ${distance}; ${usual} usual.`, against: true };
}

function countAlternatives(alternatives: number, rule: MatchPassId): MatchReason | null {
  const field = 'alternatives';
  if (alternatives > 0) {
    const [one, several] =
      rule === 'sum'
        ? ['other set of payments has the same sum', 'other sets of payments have the same sum']
        : ['other line or payment fits equally well', 'other lines or payments fit equally well'];
    return { field, text: `${formatCount(alternatives, one, several)}.`, against: true };
  }
  if (rule !== 'payee' && rule !== 'amount-date') return null;
  return { field, text: 'No other line or payment fits within the date range.' };
}

function describeDays(state: MatchState, match: number): string {
  const payments = listPaymentRows(state, match);
  const days = new Set(payments.map((row) => state.payments.day.at(row)));
  const dates = [...days].sort((a, b) => a - b).map((day) => toCalendarDate(day));
  const period = dates.length === 1 ? `of ${dates[0]}` : `from ${dates[0]} to ${dates.at(-1)}`;
  return `The line is the total of all ${formatCount(payments.length, 'payment')} ${period}.`;
}

function describeId({ payments }: MatchState, payment: number, idKind: (typeof idKinds)[number]): string {
  if (idKind === 'gateway') return `gateway transaction ID ${payments.gatewayId.at(payment)}`;
  if (idKind === 'payment') return `payment ${payments.paymentId.at(payment)}`;
  if (idKind === 'statement') return `statement ${payments.statementId.at(payment)}`;
  if (idKind === 'subscription') return `subscription ${payments.subscriptionId.at(payment)}`;
  return `transaction ${payments.id.at(payment)}`;
}
