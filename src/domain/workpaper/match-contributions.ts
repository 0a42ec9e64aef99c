import { type CalendarDate, type Cents, type DateRange, isInDateRange } from '../ledger/index.ts';
import type { MatchContribution, MatchFigure } from './match-figures.ts';

/** A line or payment that a confirmed match claims, or an adjustment that explains a difference. */
export interface ConfirmedMatchItem {
  readonly of: 'line' | 'payment' | 'adjustment';
  readonly id: number;
  readonly cents: Cents;
  /** Date that decides to which period the line or payment belongs; null for an adjustment. */
  readonly day: CalendarDate | null;
  /** Type of a line's account; null for payments and adjustments. */
  readonly account: 'bank' | 'processor' | 'ledger' | null;
  /** Kind of the line or payment, or category of the adjustment. */
  readonly kind: string;
  /** Line: true if it belongs to a payout. Payment: true if the service no longer has it. */
  readonly flag: boolean;
  /** True if the line is marked as out of scope. */
  readonly isOutOfScope: boolean;
}

/** A confirmed match that balances to the cent: lines = payments + adjustments. */
export interface ConfirmedMatch {
  readonly id: number;
  readonly currency: string;
  /** Date on which the last item of the match was cleared. */
  readonly cleared_on: CalendarDate;
  /** Payout whose deposit the match contains, with its sending date and amount in cents. */
  readonly payout: { readonly id: number; readonly day: CalendarDate; readonly sent: Cents } | null;
  /** True if the match reverses a payment. */
  readonly isReversal: boolean;
  readonly members: readonly ConfirmedMatchItem[];
}

/** Returns true if a processor line of this kind is money from customers. Other kinds need no match. */
const isReceipt = (kind: string): boolean => kind === 'payment' || kind === 'entry' || kind === 'refund';

/**
 * Returns what a match contributes to schedules S2 and S3 in a period. S2 leads from payments on statements to payments
 * in processor reports; within the period, the difference of both amounts is assigned to one figure. S3 leads from
 * payouts and direct receipts to the bank in the same way. Therefore both schedules always balance to the cent.
 */
export function computeMatchContributions(group: ConfirmedMatch, period: DateRange): MatchContribution[] {
  const { members } = group;
  const isInPeriod = ({ day }: ConfirmedMatchItem) => day !== null && isInDateRange(period, day);
  const payments = members.filter(({ of, flag }) => of === 'payment' && !flag);
  const lines = members.filter(({ of }) => of === 'line');
  const match: MatchParts = {
    group,
    isLate: group.cleared_on > period.last,
    payments,
    paid: payments.filter(isInPeriod),
    reported: lines.filter((line) => isReported(line) && isInPeriod(line)),
    banked: lines.filter((line) => line.account === 'bank' && isInPeriod(line)),
    route: findRoute(lines),
    hasBankLine: lines.some(({ account }) => account === 'bank'),
    category: joinCategories(members),
    sent: findSentPayouts(group, lines, period),
  };
  return [...listProcessorItems(match), ...listBankItems(match)];
}

interface MatchParts {
  readonly group: ConfirmedMatch;
  /** True if the match was cleared after the as-of date and was still outstanding on it. */
  readonly isLate: boolean;
  readonly payments: readonly ConfirmedMatchItem[];
  /** Payments of the match in the period. */
  readonly paid: readonly ConfirmedMatchItem[];
  /** Receipts of the match in processor reports of the period. */
  readonly reported: readonly ConfirmedMatchItem[];
  /** Bank lines of the match in the period. */
  readonly banked: readonly ConfirmedMatchItem[];
  readonly route: 'processor' | 'bank' | 'ledger' | null;
  /** True if the match has a bank line in any period. */
  readonly hasBankLine: boolean;
  readonly category: string;
  /** Payouts whose deposits the match contains. */
  readonly sent: { readonly any: boolean; readonly rows: readonly SentRow[] };
}

interface SentRow {
  readonly kind: 'payout' | 'line';
  readonly id: number;
  readonly day: CalendarDate;
  readonly cents: Cents;
}

const isReported = ({ account, kind }: ConfirmedMatchItem) => account === 'processor' && isReceipt(kind);

function findRoute(lines: readonly ConfirmedMatchItem[]): MatchParts['route'] {
  if (lines.some(isReported)) return 'processor';
  if (lines.some(({ account }) => account === 'bank')) return 'bank';
  return lines.some(({ account }) => account === 'ledger') ? 'ledger' : null;
}

/** Returns the category of a match's adjustments. Several categories are joined. */
function joinCategories(members: readonly ConfirmedMatchItem[]): string {
  const categories = new Set(members.filter(({ of }) => of === 'adjustment').map(({ kind }) => kind));
  return [...categories].sort().join(', ');
}

/** Returns the payouts of a match in the period: its own payout, or payout lines that name none. */
function findSentPayouts(
  { payout }: ConfirmedMatch,
  lines: readonly ConfirmedMatchItem[],
  period: DateRange,
): MatchParts['sent'] {
  const unbatched = lines.filter(
    ({ account, kind, flag }) => account === 'processor' && kind === 'payout' && !flag,
  );
  const rows = [
    ...(payout === null
      ? []
      : [{ kind: 'payout' as const, id: payout.id, day: payout.day, cents: payout.sent }]),
    ...unbatched.map(({ id, day, cents }) => ({
      kind: 'line' as const,
      id,
      day: day as CalendarDate,
      cents: 0 - cents,
    })),
  ];
  return { any: rows.length > 0, rows: rows.filter(({ day }) => isInDateRange(period, day)) };
}

/** Returns the items of schedule S2, which leads from payments on statements to processor reports. */
function listProcessorItems(match: MatchParts): MatchContribution[] {
  const { paid, reported, isLate, route, category, payments, group } = match;
  const subtractPaid = (figure: MatchFigure, part = '') =>
    contribute(match, paid, { figure, part, sign: -1 });
  const addReported = (figure: MatchFigure, part = '') =>
    contribute(match, reported, { figure, part, sign: 1 });
  if (isLate) return [...subtractPaid('S2.later'), ...addReported('S2.report-later')];
  if (paid.length > 0 && reported.length > 0)
    return contributeDifference(group, 'S2.adjustments', sumCents(reported) - sumCents(paid));
  if (paid.length > 0) {
    if (paid.some(({ isOutOfScope }) => isOutOfScope)) return subtractPaid('S2.out-of-scope');
    if (route === null) return subtractPaid('S2.categorized', category);
    if (route === 'ledger') return subtractPaid('S2.ledger');
    return subtractPaid(route === 'bank' ? 'S2.direct' : 'S2.earlier');
  }
  if (payments.length > 0) return addReported('S2.timing');
  if (group.members.some(({ of }) => of === 'payment')) return addReported('S2.report-deleted');
  if (reported.some(({ isOutOfScope }) => isOutOfScope)) return addReported('S2.report-out-of-scope');
  return addReported('S2.report-categorized', category);
}

/** Returns the items of schedule S3, which leads from payouts and direct receipts to the bank. */
function listBankItems(match: MatchParts): MatchContribution[] {
  const { banked, sent, paid, route, group } = match;
  const receipts = isOfReceipts(group, sent, route) ? banked : banked.filter(({ cents }) => cents > 0);
  if (match.isLate) {
    const later = contribute(match, receipts, { figure: 'S3.later', sign: 1 });
    return [...contributeSent(match, 'S3.transit'), ...later];
  }
  const direct = route === 'bank' && !paid.some(({ isOutOfScope }) => isOutOfScope) ? paid : [];
  if (sent.rows.length + direct.length === 0)
    return contribute(match, receipts, { ...findReceiptFigure(match, receipts), sign: 1 });
  if (banked.length > 0) {
    const expected = sent.rows.reduce((sum, { cents }) => sum + cents, 0) + sumCents(direct);
    const figure = sent.rows.length > 0 ? 'S3.differs' : 'S3.adjustments';
    return contributeDifference(group, figure, sumCents(banked) - expected);
  }
  const figure = match.hasBankLine ? 'S3.before' : 'S3.written-off';
  return [...contributeSent(match, figure), ...contribute(match, direct, { figure, sign: -1 })];
}

/** Returns the S3 figure for receipts without a payout or direct payment in the period. */
function findReceiptFigure(
  { sent, route, payments, group, category }: MatchParts,
  receipts: readonly ConfirmedMatchItem[],
): { figure: MatchFigure; part?: string } {
  if (sent.any) return { figure: 'S3.arrived' };
  if (route === 'processor') return { figure: 'S3.adjustments' };
  if (payments.length > 0) return { figure: 'S3.timing' };
  const isOutOfScope = !group.isReversal && receipts.some((each) => each.isOutOfScope);
  return isOutOfScope ? { figure: 'S3.out-of-scope' } : { figure: 'S3.categorized', part: category };
}

/** Returns true if outgoing money in a match reverses receipts. Other outgoing money, such as rent, is not in S3. */
function isOfReceipts(
  { isReversal, members }: ConfirmedMatch,
  sent: MatchParts['sent'],
  route: MatchParts['route'],
): boolean {
  return (
    isReversal ||
    sent.any ||
    route === 'processor' ||
    members.some(({ of, flag }) => of === 'payment' && !flag)
  );
}

/** Returns the bank lines of a match by which receipts were returned. */
export function findReturnedReceipts(
  group: ConfirmedMatch,
  period: DateRange,
): readonly ConfirmedMatchItem[] {
  const lines = group.members.filter(({ of }) => of === 'line');
  if (!isOfReceipts(group, findSentPayouts(group, lines, period), findRoute(lines))) return [];
  return lines.filter(
    ({ account, cents, day }) =>
      account === 'bank' && cents < 0 && day !== null && isInDateRange(period, day),
  );
}

function contributeSent({ group, sent }: MatchParts, figure: MatchFigure): MatchContribution[] {
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

function contributeDifference(group: ConfirmedMatch, figure: MatchFigure, cents: Cents): MatchContribution[] {
  if (cents === 0) return [];
  const { id, currency, cleared_on: day } = group;
  return [{ figure, part: '', currency, kind: 'match', id, match: id, day, cents }];
}

function contribute(
  { group }: MatchParts,
  members: readonly ConfirmedMatchItem[],
  { figure, part = '', sign }: { figure: MatchFigure; part?: string; sign: 1 | -1 },
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

const sumCents = (members: readonly ConfirmedMatchItem[]): Cents =>
  members.reduce((sum, { cents }) => sum + cents, 0);
