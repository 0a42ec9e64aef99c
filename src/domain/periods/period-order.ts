import { addMonths, type CalendarDate, toMonthRange } from '../ledger/index.ts';
import type { PeriodStatus, PeriodTransitionError } from './period-transitions.ts';

export interface PeriodWithStatus {
  readonly period: string;
  readonly state: PeriodStatus;
}

type Periods = readonly PeriodWithStatus[];

/** Returns the last closed month; null if none is closed. Closed months are consecutive. */
export const findLastClosedPeriod = (periods: Periods): string | null =>
  sortPeriods(periods, true).at(-1) ?? null;

const sortPeriods = (periods: Periods, isClosed: boolean): string[] =>
  periods.flatMap(({ period, state }) => ((state === 'closed') === isClosed ? [period] : [])).toSorted();

/** Returns the month to which late rows are assigned; null if no month is closed. */
export function findPeriodForLateRows(periods: Periods): string | null {
  const last = findLastClosedPeriod(periods);
  return last === null ? null : addMonths(last, 1);
}

/** Returns the reason why a month cannot be opened; null if it can be opened. */
export function findPeriodOpeningError(periods: Periods, period: string): PeriodTransitionError | null {
  const existing = periods.find((each) => each.period === period);
  if (existing !== undefined) {
    return existing.state === 'closed'
      ? { message: `${period} is closed.`, hint: 'Reopen it with a reason to make changes.' }
      : { message: `${period} is already open.`, hint: 'Use the open period.' };
  }
  const last = findLastClosedPeriod(periods);
  if (last === null || period > last) return null;
  return {
    message: `${period} is before ${last}, which is closed.`,
    hint: `Its items were brought forward and signed off with ${last}, so it needs no sign-off of its own.`,
  };
}

/** Returns an error that names the month to close first; null if there is none. Months are closed in order. */
export function findPeriodClosingError(periods: Periods, period: string): PeriodTransitionError | null {
  const last = findLastClosedPeriod(periods);
  const nextToClose = last === null ? (sortPeriods(periods, false)[0] ?? null) : addMonths(last, 1);
  if (nextToClose === null || nextToClose >= period) return null;
  return {
    message: `${nextToClose} must be closed before ${period}.`,
    hint: `Close ${nextToClose} first, so that its outstanding items are brought forward.`,
  };
}

/** Returns an error that names the month to reopen first; null if there is none. */
export function findPeriodReopeningError(periods: Periods, period: string): PeriodTransitionError | null {
  const last = findLastClosedPeriod(periods);
  if (last === null || last <= period) return null;
  return { message: `${last} is closed and depends on ${period}.`, hint: `Reopen ${last} first.` };
}

/** Returns true if the last day of a month is before `today`. */
export const isPeriodOver = (period: string, today: CalendarDate): boolean =>
  toMonthRange(`${period}-01`).last < today;
