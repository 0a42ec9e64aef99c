import { counted } from '../counted.ts';
import { type CalendarDate, dateOfDay, money } from '../ledger/index.ts';
import { type Board, statuses } from './board.ts';
import { compareLines } from './components.ts';
import { keyOfMembers } from './key.ts';
import type { MatchGroup, Reason, Share } from './model.ts';
import { ruleIds } from './model.ts';
import type { Names } from './rows/column.ts';
import { idKinds, OF_REFUND, PAYOUT } from './rows/payments.ts';
import { sortedByDay } from './rows/shelves.ts';
import { endsStep, type Steps } from './steps.ts';
import type { UserRule } from './user-rule.ts';

/** Groups in the order of the passes, then as their first lines are in order: those of a pass and a day are few, and sorted by themselves. */
export function* orderOf(board: Board): Steps<Int32Array> {
  const first = (group: number): number => board.line.at(board.linesFrom.at(group));
  const days = board.lines.day.view();
  const earliest = days.reduce((least, day) => Math.min(least, day), Number.POSITIVE_INFINITY);
  const latest = days.reduce((most, day) => Math.max(most, day), earliest);
  const span = latest - earliest + 1;
  const place = (group: number): number =>
    board.rule.at(group) * span + board.lines.day.at(first(group)) - earliest;
  const order = sortedByDay(board.count, place);
  let from = 0;
  for (let at = 1; at <= order.length; at++) {
    if (endsStep(at)) yield;
    const [before, next] = [order[at - 1] as number, order[at]];
    if (next !== undefined && place(before) === place(next)) continue;
    order.subarray(from, at).sort((a, b) => compareLines(board, first(a), first(b)));
    from = at;
  }
  return order;
}

export function* groupsOf(
  board: Board,
  order: Int32Array,
  currencies: Names,
  rules: readonly UserRule[],
): Iterable<MatchGroup> {
  for (const group of order) yield groupAt(board, group, currencies, rules);
}

function groupAt(board: Board, group: number, currencies: Names, rules: readonly UserRule[]): MatchGroup {
  const lines = lineShares(board, group);
  const payments = paymentShares(board, group);
  const adjustments = [];
  for (let at = board.adjustmentsFrom.at(group); at < board.adjustmentsFrom.at(group + 1); at++) {
    const why = board.why.at(at);
    adjustments.push({
      category: board.texts.text(board.category.at(at)),
      amount_in_cents: board.adjustment.at(at),
      reason: why === -1 ? null : board.texts.text(why),
    });
  }
  const sum = (shares: readonly { allocated_in_cents: number }[]): number =>
    shares.reduce((total, { allocated_in_cents }) => total + allocated_in_cents, 0);
  const adjusted = adjustments.reduce((total, { amount_in_cents }) => total + amount_in_cents, 0);
  const userRule = board.userRule.at(group);
  const batch = board.batches.all[board.batch.at(group)];
  const status = statuses[board.status.at(group)] as MatchGroup['status'];
  const nothing = status === 'ambiguous' && payments.length === 0 && adjustments.length === 0;
  return {
    key: keyOfMembers(lines, payments),
    rule: ruleIds[board.rule.at(group)] as MatchGroup['rule'],
    user_rule: userRule === -1 ? null : (rules[userRule]?.id ?? null),
    status,
    score: board.score.at(group),
    currency: currencies.text(board.lines.currency.at(board.line.at(board.linesFrom.at(group)))),
    dated_on: dateOf(earliestOf(board, group)),
    lines,
    payments,
    adjustments,
    difference_in_cents: nothing ? 0 : sum(lines) - sum(payments) - adjusted,
    rivals: board.rivals.at(group),
    reasons: reasonsOf(board, group),
    payout:
      batch === undefined
        ? null
        : { account: board.accounts[batch.account]?.id ?? -1, payout_id: batch.payout_id },
    reverses: reversedBy(board, group),
  };
}

/** The payment a group takes back: the one a line names, or the one its refund is of. */
function reversedBy(board: Board, group: number): number | null {
  const { payments } = board;
  const reverses = board.reverses.at(group);
  if (reverses !== -1) return payments.id.at(reverses);
  const from = board.paymentsFrom.at(group);
  if (board.paymentsFrom.at(group + 1) - from !== 1) return null;
  const row = board.payment.at(from);
  if (payments.sort.at(row) !== OF_REFUND) return null;
  const of = payments.payment.at(row);
  return of !== payments.id.at(row) && payments.rowOf(of) !== -1 ? of : null;
}

function earliestOf({ lines, line, linesFrom }: Board, group: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (let at = linesFrom.at(group); at < linesFrom.at(group + 1); at++) {
    first = Math.min(first, lines.day.at(line.at(at)));
  }
  return first;
}

function lineShares(board: Board, group: number): Share[] {
  const shares: Share[] = [];
  for (let at = board.linesFrom.at(group); at < board.linesFrom.at(group + 1); at++) {
    shares.push({ id: board.lines.id.at(board.line.at(at)), allocated_in_cents: board.lineShare.at(at) });
  }
  return shares;
}

function paymentShares(board: Board, group: number): Share[] {
  const shares: Share[] = [];
  for (let at = board.paymentsFrom.at(group); at < board.paymentsFrom.at(group + 1); at++) {
    shares.push({
      id: board.payments.id.at(board.payment.at(at)),
      allocated_in_cents: board.paymentShare.at(at),
    });
  }
  return shares;
}

const ID_FIELDS: Readonly<Record<(typeof idKinds)[number], string>> = {
  gateway: 'gateway_transaction_id',
  transaction: 'transaction_id',
  payment: 'payment_id',
  statement: 'statement_id',
  subscription: 'subscription_id',
  payout: 'payout_id',
};

/** What was compared, and how it came out. */
function reasonsOf(board: Board, group: number): Reason[] {
  const reasons: Reason[] = [];
  const { lines, payments } = board;
  const rule = ruleIds[board.rule.at(group)] as MatchGroup['rule'];
  const line = board.line.at(board.linesFrom.at(group));
  const [from, to] = [board.paymentsFrom.at(group), board.paymentsFrom.at(group + 1)];
  const kind = board.idKind.at(group);
  const payment = to > from ? board.payment.at(from) : board.reverses.at(group);
  if (kind >= 0) {
    const named = idKinds[kind] as (typeof idKinds)[number];
    const text =
      kind === PAYOUT
        ? 'the line says the payout’s id'
        : payment === -1
          ? 'the line says the id'
          : `the line says ${idText(board, payment, named)}`;
    reasons.push({ field: ID_FIELDS[named], text });
  }
  if (rule === 'payee')
    reasons.push({ field: 'payee', text: 'the line says the name, or the subscription, of the customer' });
  if (to > from) {
    const shares = (list: readonly Share[]): string =>
      list
        .map((share) => money(share.allocated_in_cents))
        .slice(0, 5)
        .join(' + ');
    const [left, right] = [lineShares(board, group), paymentShares(board, group)];
    const totals = [left, right].map((list) =>
      list.reduce((sum, share) => sum + share.allocated_in_cents, 0),
    );
    const many = left.length > 5 || right.length > 5;
    const text = many
      ? `${money(totals[0] as number)} and ${money(totals[1] as number)}`
      : `${shares(left)} ${totals[0] === totals[1] ? '=' : '≠'} ${shares(right)}`;
    reasons.push({ field: 'amount', text });
  }
  if (payment !== -1) {
    const lag = board.lag(line, payment);
    const days =
      lag === 0 ? 'the day of' : `${counted(Math.abs(lag), 'day')} ${lag > 0 ? 'after' : 'before'}`;
    reasons.push({
      field: 'date',
      text: `${dateOf(lines.day.at(line))}, ${days} the payment of ${dateOf(payments.day.at(payment))}`,
    });
  }
  const rivals = board.rivals.at(group);
  if (rivals > 0)
    reasons.push({
      field: 'rivals',
      text: rivals === 1 ? 'another one fits as well' : `${rivals} others fit as well`,
    });
  else if (rule === 'payee' || rule === 'amount-date') {
    reasons.push({ field: 'rivals', text: 'no other line or payment fits within its days' });
  }
  const remark = board.remark.at(group);
  if (remark !== -1) reasons.push({ field: 'remark', text: board.texts.text(remark) });
  return reasons;
}

function idText(board: Board, payment: number, kind: (typeof idKinds)[number]): string {
  const { payments } = board;
  switch (kind) {
    case 'gateway':
      return `its gateway id ${payments.gateway.at(payment)}`;
    case 'payment':
      return `its payment id ${payments.payment.at(payment)}`;
    case 'statement':
      return `its statement ${payments.statement.at(payment)}`;
    case 'subscription':
      return `its subscription ${payments.subscription.at(payment)}`;
    default:
      return `its id ${payments.id.at(payment)}`;
  }
}

const dates = new Map<number, CalendarDate>();

/** Few days, many groups: each date is written once. */
function dateOf(day: number): CalendarDate {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = dateOfDay(day);
  dates.set(day, date);
  return date;
}
