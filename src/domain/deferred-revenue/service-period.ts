import { type CalendarDate, isCalendarDate } from '../ledger/index.ts';

/** Days of a service. `until` is the first day after it. */
export interface ServicePeriod {
  readonly from: CalendarDate;
  readonly until: CalendarDate;
}

const DATE = String.raw`(\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d{2}-\d{2})`;
const RANGE = new RegExp(String.raw`${DATE}\s*(?:-|–|—|to|through)\s*${DATE}`, 'gu');

/**
 * Returns the service period stated in the memo of a charge, for example `Basic Plan (10/24/2016 - 11/24/2016)`; null if
 * it states none, more than one, or one that ends before it starts. The service writes months first, and the second date
 * is the first day of the next period. Days first are read only if the dates make no sense otherwise.
 */
export function parseServicePeriod(memo: string | null): ServicePeriod | null {
  const ranges = [...(memo ?? '').matchAll(RANGE)];
  const [range] = ranges;
  if (range === undefined || new Set(ranges.map(([text]) => text)).size > 1) return null;
  const [, from = '', until = ''] = range;
  return readPeriod(from, until, [3, 1, 2]) ?? readPeriod(from, until, [3, 2, 1]);
}

type DateOrder = readonly [year: number, month: number, day: number];

function readPeriod(from: string, until: string, order: DateOrder): ServicePeriod | null {
  const [first, last] = [from, until].map((text) => readDate(text, order));
  if (first === undefined || last === undefined || !isCalendarDate(first) || !isCalendarDate(last))
    return null;
  return first <= last ? { from: first, until: last } : null;
}

function readDate(text: string, order: DateOrder): CalendarDate {
  if (text.includes('-')) return text;
  const parts = /^(\d+)\/(\d+)\/(\d+)$/.exec(text);
  return order.map((part) => (parts?.[part] ?? '').padStart(2, '0')).join('-');
}

/** The fields of a transaction from which its service period is derived. */
export interface ServiceTransaction {
  /** Transaction type, for example `charge`. */
  readonly transaction_type: string | null;
  readonly kind: string | null;
  readonly memo: string | null;
}

/** Kinds of charges that, like the base charge, cover the next period. Other kinds cover the past or a single day. */
const RECURRING_KINDS: ReadonlySet<string> = new Set(['quantity_based_component', 'on_off_component']);

/** Returns true for a tax, which is no revenue. */
export const isTax = ({ kind }: Pick<ServiceTransaction, 'kind'>): boolean => kind === 'tax';

/**
 * Returns the service period of each transaction of a statement, or null if none is stated. A recurring component charge,
 * an adjustment or a credit without dates has the period of the statement's base charge.
 */
export function findServicePeriods(
  transactions: readonly ServiceTransaction[],
): readonly (ServicePeriod | null)[] {
  const stated = transactions.map((each) => (isTax(each) ? null : parseServicePeriod(each.memo)));
  const base = findSharedPeriod(stated.filter((_, at) => transactions[at]?.kind === 'baseline'));
  const shared = base ?? findSharedPeriod(stated);
  return transactions.map((each, at) => stated[at] ?? (isLikeBaseCharge(each) ? shared : null));
}

const isLikeBaseCharge = (transaction: ServiceTransaction): boolean =>
  !isTax(transaction) &&
  (RECURRING_KINDS.has(transaction.kind ?? '') ||
    ['adjustment', 'credit'].includes(transaction.transaction_type?.toLowerCase() ?? ''));

/** Returns the service period that all known periods share; null if they differ or none is known. */
function findSharedPeriod(periods: readonly (ServicePeriod | null)[]): ServicePeriod | null {
  const known = periods.filter((each) => each !== null);
  const [first = null] = known;
  return known.every(({ from, until }) => from === first?.from && until === first.until) ? first : null;
}
