import { type CalendarDate, monthAfter, monthOf } from '../ledger/index.ts';
import type { PeriodState, Refusal } from './moves.ts';

export interface PeriodStanding {
  /** `2026-10` */
  readonly period: string;
  readonly state: PeriodState;
}

/** The last month that is closed; null where none is. Every closed one but the first follows on another. */
export function lastClosed(periods: readonly PeriodStanding[]): string | null {
  return (
    periods
      .filter(({ state }) => state === 'closed')
      .map(({ period }) => period)
      .toSorted()
      .at(-1) ?? null
  );
}

/** The month that what comes late is put into; null where nothing is closed. */
export function landingOf(periods: readonly PeriodStanding[]): string | null {
  const last = lastClosed(periods);
  return last === null ? null : monthAfter(last, 1);
}

/** Why a month cannot be opened; null where it can. */
export function openingRefusal(periods: readonly PeriodStanding[], period: string): Refusal | null {
  const known = periods.find((each) => each.period === period);
  if (known !== undefined) {
    return known.state === 'closed'
      ? { message: `${period} is closed.`, hint: 'Reopen it, with the reason, to work on it again.' }
      : { message: `${period} is open already.`, hint: 'Go on with it.' };
  }
  const last = lastClosed(periods);
  if (last === null || period > last) return null;
  return {
    message: `${period} lies before ${last}, which is closed.`,
    hint: `What is dated in it was signed with ${last} as brought forward; it needs no sign-off of its own.`,
  };
}

/** Why a period cannot be closed yet for another’s sake; null where it can. Months are closed one after another. */
export function closingRefusal(periods: readonly PeriodStanding[], period: string): Refusal | null {
  const last = lastClosed(periods);
  const due = last === null ? firstOpen(periods) : monthAfter(last, 1);
  if (due === null || due >= period) return null;
  return {
    message: `${due} is not closed, and ${period} builds upon it.`,
    hint: `Close ${due} first: what is outstanding at its end is brought forward.`,
  };
}

/** Why a closed period cannot be reopened for another’s sake; null where it can. */
export function reopeningRefusal(periods: readonly PeriodStanding[], period: string): Refusal | null {
  const last = lastClosed(periods);
  if (last === null || last <= period) return null;
  return {
    message: `${last} is closed and builds upon ${period}.`,
    hint: `Reopen ${last} first.`,
  };
}

/** Whether the last day of a month lies before a day. */
export function isOver(period: string, today: CalendarDate): boolean {
  return monthOf(`${period}-01`).last < today;
}

function firstOpen(periods: readonly PeriodStanding[]): string | null {
  return (
    periods
      .filter(({ state }) => state !== 'closed')
      .map(({ period }) => period)
      .toSorted()[0] ?? null
  );
}
