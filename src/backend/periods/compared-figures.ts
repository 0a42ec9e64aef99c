import {
  commentReferenceSchema,
  type FluxLine,
  type ScheduleLine,
  type Workpaper,
} from '../../contract/index.ts';
import { addCents, addDays, type DateRange, toMonthRange } from '../../domain/ledger/index.ts';
import { findMaterialityThreshold } from '../../domain/workpaper/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { findPeriod, listPeriodEntries } from '../store/periods/period.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { hasScheduleRows } from '../workpaper/workpaper-qualifications.ts';
import { readWorkpaperSettings } from '../workpaper/workpaper-settings.ts';

/** The two months of a flux. */
export interface FluxMonths {
  readonly previous: DateRange & { readonly period: string };
  readonly current: DateRange & { readonly period: string };
}

export type FluxWorkpapers = Readonly<Record<keyof FluxMonths, Workpaper>>;

/** Returns the months of a flux: the period and the month before it. */
export function toFluxMonths(period: string): FluxMonths {
  const days = toMonthRange(`${period}-01`);
  const before = addDays(days.first, -1).slice(0, 7);
  return {
    previous: { period: before, ...toMonthRange(`${before}-01`) },
    current: { period, ...days },
  };
}

/** Returns the month before a period, with which its figures are compared. */
export const getPreviousPeriod = (period: string): string => toFluxMonths(period).previous.period;

type ComparedLine = Omit<FluxLine, 'difference_in_cents' | 'parts' | 'explanation'>;

/** Returns the lines of both workpapers with their amounts. A line that one of them omits is zero there. */
export function listComparedLines(
  { previous, current }: FluxWorkpapers,
  isCompared: (line: ScheduleLine) => boolean = () => true,
): ComparedLine[] {
  const lines = new Map<string, ComparedLine>();
  for (const [workpaper, field] of [
    [current, 'current_in_cents'],
    [previous, 'previous_in_cents'],
  ] as const)
    for (const { currency, schedules } of workpaper.sections)
      for (const { id: schedule, lines: ofSchedule } of schedules)
        for (const { id: figure, label, amount_in_cents } of ofSchedule.filter(isCompared)) {
          const empty = { currency, schedule, figure, label, previous_in_cents: 0, current_in_cents: 0 };
          const key = `${currency} ${figure}`;
          lines.set(key, { ...(lines.get(key) ?? empty), [field]: amount_in_cents });
        }
  return [...lines.values()];
}

/** Returns the newest explanation of each figure in the period, or else in the previous one. */
export function readFluxExplanations(
  books: ReadableDb,
  { previous, current }: FluxMonths,
): Map<string, FluxLine['explanation']> {
  const explanations = new Map<string, FluxLine['explanation']>();
  for (const { period } of [previous, current]) {
    const stored = findPeriod(books, period);
    for (const { action, about, text, name, at } of stored === null
      ? []
      : listPeriodEntries(books, stored.id)) {
      if (action !== 'explained' || about === null) continue;
      const { currency, figure } = commentReferenceSchema.parse(JSON.parse(about));
      explanations.set(`${currency} ${figure}`, { text: text ?? '', name, at: formatTimestamp(at), period });
    }
  }
  return explanations;
}

/**
 * Returns the number of figures from records whose flux has no explanation and exceeds the threshold of their schedule.
 * Sums of other figures are not counted. Returns null if no record of the previous month is stored.
 */
export function countUnexplainedFluxes(
  books: ReadableDb,
  period: string,
  workpapers: FluxWorkpapers,
): number | null {
  if (!hasScheduleRows(workpapers.previous.sections)) return null;
  const explanations = readFluxExplanations(books, toFluxMonths(period));
  const { thresholds } = readWorkpaperSettings(books);
  const isFromRecords = ({ role }: ScheduleLine) => role === 'source' || role === 'item';
  return listComparedLines(workpapers, isFromRecords).filter(
    ({ currency, schedule, figure, previous_in_cents, current_in_cents }) => {
      const flux = Math.abs(addCents(current_in_cents, 0 - (previous_in_cents ?? 0)));
      const threshold = findMaterialityThreshold(thresholds, schedule, currency) ?? 0;
      return flux > threshold && !explanations.has(`${currency} ${figure}`);
    },
  ).length;
}
