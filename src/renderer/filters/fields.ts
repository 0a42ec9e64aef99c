import type { LucideIcon } from 'lucide-react';

/** A day range; both ends included. */
export interface Days {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly count?: number | undefined;
}

/** One way a list can be filtered. Each reads its part of the filter and gives the filter with that part changed. */
export type FilterField<F> =
  | {
      readonly kind: 'choice';
      readonly id: string;
      readonly label: string;
      readonly icon?: LucideIcon;
      readonly options: readonly Option[];
      readonly several?: boolean;
      chosen(filter: F): readonly string[];
      choose(filter: F, values: readonly string[]): F;
    }
  | {
      readonly kind: 'days';
      readonly id: string;
      readonly label: string;
      /** First and last day held, where known. */
      readonly held?: { readonly first: string | null; readonly last: string | null } | undefined;
      read(filter: F): Days;
      write(filter: F, days: Days): F;
    }
  /** Set from elsewhere (a link, a cell's menu); here it is shown and can be taken away. */
  | {
      readonly kind: 'fixed';
      readonly id: string;
      readonly label: string;
      text(filter: F): string | null;
      clear(filter: F): F;
    };

/** What was chosen; absent where that is nothing, since an empty choice narrows nothing. */
export function some<T>(values: readonly T[]): T[] | undefined {
  return values.length > 0 ? [...values] : undefined;
}

/** Those of the names that were chosen, in their own order; absent where that is none. */
export function those<T extends string>(names: readonly T[], values: readonly string[]): T[] | undefined {
  return some(names.filter((name) => values.includes(name)));
}

export type PresetName = 'week' | 'month' | 'thisMonth' | 'lastMonth';
export const presetNames: readonly PresetName[] = ['week', 'month', 'thisMonth', 'lastMonth'];

/** A range counted from a day (`YYYY-MM-DD`), by the calendar alone. */
export function presetDays(name: PresetName, today: string): Required<Days> {
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

/** Today by the user's calendar. */
export function todayHere(now = new Date()): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
