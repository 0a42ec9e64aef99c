import { type CalendarDate, type Cents, isWithin, type Period } from '../ledger/index.ts';
import type { MatchContribution, MatchFigure } from './match-figures.ts';

/** What a confirmed match claims, or puts a difference down to. */
export interface ClaimedMember {
  readonly of: 'line' | 'payment' | 'adjustment';
  readonly id: number;
  readonly cents: Cents;
  /** The day it counts on; null for an adjustment. */
  readonly day: CalendarDate | null;
  /** Where a line is; null for the others. */
  readonly account: 'bank' | 'processor' | 'ledger' | null;
  /** Kind of the line, or of the payment. */
  readonly kind: string;
  /** Of a line: it is in a batch. Of a payment: the service has it no more. */
  readonly flag: boolean;
  /** It is claimed as none of the matter. */
  readonly ignored: boolean;
}

/** A confirmed match, which is explained to the cent: lines = payments + adjustments. */
export interface ClaimedGroup {
  readonly id: number;
  readonly currency: string;
  /** The day on which nothing of it was outstanding any more. */
  readonly cleared_on: CalendarDate;
  /** The batch whose deposit it is: the day it was sent, and what was. */
  readonly payout: { readonly id: number; readonly day: CalendarDate; readonly sent: Cents } | null;
  /** It takes back a payment. */
  readonly reverses: boolean;
  readonly members: readonly ClaimedMember[];
}

/** Lines of a payout report that stand for a customer's money: the others explain themselves by their kind. */
const isReceipt = (kind: string): boolean => kind === 'payment' || kind === 'entry' || kind === 'refund';

/**
 * What a match adds to the items of S2 and S3 of a period.
 *
 * S2 goes from the statements' payments to the payments of the processors' reports: what a match has of the latter in the period less what it
 * has of the former is its contribution, and falls under one figure. S3 goes from payouts and direct receipts to the bank, likewise. So
 * both come out to the cent, whatever is matched with what, by whomever.
 */
export function contributionsOf(group: ClaimedGroup, period: Period): MatchContribution[] {
  const { members } = group;
  const inPeriod = ({ day }: ClaimedMember) => day !== null && isWithin(period, day);
  const payments = members.filter(({ of, flag }) => of === 'payment' && !flag);
  const lines = members.filter(({ of }) => of === 'line');
  const sides: Sides = {
    group,
    late: group.cleared_on > period.last,
    payments,
    paid: payments.filter(inPeriod),
    reported: lines.filter((line) => isReported(line) && inPeriod(line)),
    banked: lines.filter((line) => line.account === 'bank' && inPeriod(line)),
    route: routeOf(lines),
    atBank: lines.some(({ account }) => account === 'bank'),
    category: categoryOf(members),
    sent: sentOf(group, lines, period),
  };
  return [...processorItems(sides), ...bankItems(sides)];
}

interface Sides {
  readonly group: ClaimedGroup;
  /** Cleared after the as-at date, so outstanding at it. */
  readonly late: boolean;
  readonly payments: readonly ClaimedMember[];
  /** Payments of the period. */
  readonly paid: readonly ClaimedMember[];
  /** Receipts of reports, of the period. */
  readonly reported: readonly ClaimedMember[];
  /** Lines of banks, of the period. */
  readonly banked: readonly ClaimedMember[];
  readonly route: 'processor' | 'bank' | 'ledger' | null;
  /** A line of a bank is in it, of whichever period. */
  readonly atBank: boolean;
  readonly category: string;
  /** Payouts it is the deposit of. */
  readonly sent: { readonly any: boolean; readonly rows: readonly SentRow[] };
}

interface SentRow {
  readonly kind: 'payout' | 'line';
  readonly id: number;
  readonly day: CalendarDate;
  readonly cents: Cents;
}

const isReported = ({ account, kind }: ClaimedMember) => account === 'processor' && isReceipt(kind);

function routeOf(lines: readonly ClaimedMember[]): Sides['route'] {
  if (lines.some(isReported)) return 'processor';
  if (lines.some(({ account }) => account === 'bank')) return 'bank';
  return lines.some(({ account }) => account === 'ledger') ? 'ledger' : null;
}

/** What is put down to nothing else is put down to its category; several are told together. */
function categoryOf(members: readonly ClaimedMember[]): string {
  const categories = new Set(members.filter(({ of }) => of === 'adjustment').map(({ kind }) => kind));
  return [...categories].sort().join(', ');
}

/** Payouts of the period that the match is the deposit of: its batch, or lines of payouts that are in no batch. */
function sentOf({ payout }: ClaimedGroup, lines: readonly ClaimedMember[], period: Period): Sides['sent'] {
  const loose = lines.filter(
    ({ account, kind, flag }) => account === 'processor' && kind === 'payout' && !flag,
  );
  const rows = [
    ...(payout === null
      ? []
      : [{ kind: 'payout' as const, id: payout.id, day: payout.day, cents: payout.sent }]),
    ...loose.map(({ id, day, cents }) => ({
      kind: 'line' as const,
      id,
      day: day as CalendarDate,
      cents: 0 - cents,
    })),
  ];
  return { any: rows.length > 0, rows: rows.filter(({ day }) => isWithin(period, day)) };
}

/** From the statements' payments to the reports'. */
function processorItems(sides: Sides): MatchContribution[] {
  const { paid, reported, late, route, category, payments, group } = sides;
  const taken = (figure: MatchFigure, part = '') => rowsOf(group, paid, figure, part, -1);
  const added = (figure: MatchFigure, part = '') => rowsOf(group, reported, figure, part, 1);
  if (late) return [...taken('S2.later'), ...added('S2.report-later')];
  if (paid.length > 0 && reported.length > 0)
    return difference(group, 'S2.adjustments', sumOf(reported) - sumOf(paid));
  if (paid.length > 0) {
    if (paid.some(({ ignored }) => ignored)) return taken('S2.ignored');
    if (route === null) return taken('S2.put-down', category);
    if (route === 'ledger') return taken('S2.ledger');
    return taken(route === 'bank' ? 'S2.direct' : 'S2.earlier');
  }
  if (payments.length > 0) return added('S2.timing');
  if (group.members.some(({ of }) => of === 'payment')) return added('S2.gone');
  if (reported.some(({ ignored }) => ignored)) return added('S2.report-ignored');
  return added('S2.report-put-down', category);
}

/** From payouts and direct receipts to the bank. */
function bankItems(sides: Sides): MatchContribution[] {
  const { banked, sent, late, paid, payments, route, category, group } = sides;
  const receipts = isOfReceipts(group, sent, route) ? banked : banked.filter(({ cents }) => cents > 0);
  const arrived = (figure: MatchFigure, part = '') => rowsOf(group, receipts, figure, part, 1);
  if (late) return [...sentRows(sides, 'S3.transit'), ...arrived('S3.later')];
  const direct = route === 'bank' && !paid.some(({ ignored }) => ignored) ? paid : [];
  const left = sent.rows.reduce((sum, { cents }) => sum + cents, 0) + sumOf(direct);
  if (sent.rows.length + direct.length > 0) {
    if (banked.length > 0)
      return difference(group, sent.rows.length > 0 ? 'S3.differs' : 'S3.adjustments', sumOf(banked) - left);
    const figure = sides.atBank ? 'S3.before' : 'S3.written-off';
    return [...sentRows(sides, figure), ...rowsOf(group, direct, figure, '', -1)];
  }
  if (sent.any) return arrived('S3.arrived');
  if (route === 'processor') return arrived('S3.adjustments');
  if (payments.length > 0) return arrived('S3.timing');
  if (group.reverses) return arrived('S3.put-down', category);
  return receipts.some(({ ignored }) => ignored) ? arrived('S3.ignored') : arrived('S3.put-down', category);
}

/**
 * Whether money that went out in it gives back receipts. Only then it is part of S3: rent and wages are none of it.
 */
function isOfReceipts(
  { reverses, members }: ClaimedGroup,
  sent: Sides['sent'],
  route: Sides['route'],
): boolean {
  return (
    reverses || sent.any || route === 'processor' || members.some(({ of, flag }) => of === 'payment' && !flag)
  );
}

/** Lines of the bank by which receipts were given back, of a match. */
export function withdrawalsOf(group: ClaimedGroup, period: Period): readonly ClaimedMember[] {
  const lines = group.members.filter(({ of }) => of === 'line');
  if (!isOfReceipts(group, sentOf(group, lines, period), routeOf(lines))) return [];
  return lines.filter(
    ({ account, cents, day }) => account === 'bank' && cents < 0 && day !== null && isWithin(period, day),
  );
}

function sentRows({ group, sent }: Sides, figure: MatchFigure): MatchContribution[] {
  return sent.rows.map(({ kind, id, day, cents }) => ({
    figure,
    part: '',
    currency: group.currency,
    kind,
    id,
    match: group.id,
    day,
    cents: 0 - cents,
  }));
}

function difference(group: ClaimedGroup, figure: MatchFigure, cents: Cents): MatchContribution[] {
  if (cents === 0) return [];
  const { id, currency, cleared_on: day } = group;
  return [{ figure, part: '', currency, kind: 'match', id, match: id, day, cents }];
}

function rowsOf(
  group: ClaimedGroup,
  members: readonly ClaimedMember[],
  figure: MatchFigure,
  part: string,
  sign: 1 | -1,
): MatchContribution[] {
  return members.map(({ of, id, day, cents }) => ({
    figure,
    part,
    currency: group.currency,
    kind: of === 'line' ? 'line' : 'payment',
    id,
    match: group.id,
    day,
    cents: sign === 1 ? cents : 0 - cents,
  }));
}

function sumOf(members: readonly ClaimedMember[]): Cents {
  return members.reduce((sum, { cents }) => sum + cents, 0);
}
