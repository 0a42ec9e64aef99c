import type { LucideIcon } from 'lucide-react';

/** Range of days in the form YYYY-MM-DD, including both ends. */
export interface DayRange {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface FilterOption {
  readonly value: string;
  readonly label: string;
  readonly count?: number | undefined;
}

/**
 * Field by which a list can be filtered. It reads its own part of the filter `F` and returns a filter with that part
 * changed.
 */
export type FilterField<F> =
  | {
      readonly kind: 'choice';
      readonly id: string;
      readonly label: string;
      readonly icon?: LucideIcon;
      readonly options: readonly FilterOption[];
      readonly allowsMultiple?: boolean;
      chosen(filter: F): readonly string[];
      choose(filter: F, values: readonly string[]): F;
    }
  | {
      readonly kind: 'days';
      readonly id: string;
      readonly label: string;
      /** First and last day for which records are stored locally, if known. */
      readonly storedDays?: { readonly first: string | null; readonly last: string | null } | undefined;
      read(filter: F): DayRange;
      write(filter: F, days: DayRange): F;
    }
  /** Filter set elsewhere, by a link or a cell's menu. Here it can only be removed. */
  | {
      readonly kind: 'fixed';
      readonly id: string;
      readonly label: string;
      text(filter: F): string | null;
      clear(filter: F): F;
    };

/** Returns a copy of the values, or undefined if there are none, because an empty choice must not filter anything. */
export function nonEmpty<T>(values: readonly T[]): T[] | undefined {
  return values.length > 0 ? [...values] : undefined;
}

/** Returns the selected names in the order in which they are declared, or undefined if none is selected. */
export function pickNames<T extends string>(names: readonly T[], values: readonly string[]): T[] | undefined {
  return nonEmpty(names.filter((name) => values.includes(name)));
}

export type DayPreset = 'week' | 'month' | 'thisMonth' | 'lastMonth';
export const dayPresets: readonly DayPreset[] = ['week', 'month', 'thisMonth', 'lastMonth'];

/**
 * Returns the day range of a preset relative to `today` (YYYY-MM-DD). Works with calendar days and ignores time zones.
 */
export function presetDayRange(name: DayPreset, today: string): Required<DayRange> {
  const [year, month, day] = today.split('-').map(Number) as [number, number, number];
  const date = (y: number, m: number, d: number) =>
    new Date(Date.UTC(y, m - 1, d)).toISOString().slice(0, 10);
  switch (name) {
    case 'week':
      return { since: date(year, month, day - 6), until: today };
    case 'month':
      return { since: date(year, month, day - 29), until: today };
    case 'thisMonth':
      return { since: date(year, month, 1), until: today };
    case 'lastMonth':
      return { since: date(year, month - 1, 1), until: date(year, month, 0) };
  }
}

/** Returns the current date (YYYY-MM-DD) in the user's time zone. */
export function localToday(now = new Date()): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
